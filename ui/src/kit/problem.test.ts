import { afterEach, describe, expect, test } from "vitest";

import type { Failure, FailureProblem, Problem } from "../platform/contract";
import { setLanguage } from "../words/words.svelte";
import { asFailure } from "./load.svelte";
import { problemSentences } from "./problem";

afterEach(() => setLanguage("en"));

/** A failure as the program sends it. */
const failure = (problem: FailureProblem | null): Failure => ({ code: "external", message: "said in English", hint: "do something", problem });

/** What the window says of it in every language: what happened, and what to do. */
function said(problem: FailureProblem): string[] {
  return ["en", "de", "zh"].map((language) => {
    setLanguage(language);
    const { message, hint } = asFailure(failure(problem));
    return hint ? `${message} ${hint}` : message;
  });
}

function check(problem: FailureProblem, english: string, german: string, chinese: string) {
  const [en, de, zh] = said(problem);
  expect(en).toContain(english);
  expect(de).toContain(german);
  expect(zh).toContain(chinese);
}

describe("the window says in its language", () => {
  test("that a setting is refused, and why", () => {
    const because: Problem = { about: "setting", is: "not-whole" };
    check({ about: "config", is: "bad-value", key: "review.per_week", because }, "a whole number, from 0 to 100000", "eine ganze Zahl", "整数");
    const unknown: Problem = { about: "setting", is: "unknown" };
    const unusable: FailureProblem = { about: "config", is: "unusable", path: "/c/config.toml", line: 3, key: "vault.paht", because: unknown, advice: null };
    check(unusable, "Line 3 of /c/config.toml", "Zeile 3 von /c/config.toml", "/c/config.toml 的第 3 行");
  });

  test("which of several folders is refused", () => {
    const because: Problem = { about: "setting", is: "folder", path: "/nowhere", because: { about: "setting", is: "no-folder" } };
    check({ about: "config", is: "bad-value", key: "claude.other_dirs", because }, "/nowhere: There is no such folder.", "/nowhere: Einen solchen Ordner", "/nowhere：没有这个文件夹。");
  });

  test("that an answer could not be written", () => {
    check({ about: "note", is: "not-written", problem: "Fixes/a.md", obstacle: "full" }, "Free some space", "Schaffe Platz", "腾出空间");
    check({ about: "machine", is: "read-only", path: "Fixes/a.md" }, "can only be read", "nur lesbar", "只能读取");
    check({ about: "review", is: "not-waiting", path: "a.md", status: "active" }, "answered before", "schon beantwortet", "已经回答过");
  });

  test("that the vault is not there", () => {
    check({ about: "machine", is: "no-vault", path: "/notes" }, "no vault in /notes", "In /notes ist kein Vault", "/notes 中没有仓库");
    check({ about: "vault-setup", is: "not-chosen" }, "Settings, Vault, “Folder”", "Einstellungen, Vault, „Ordner“", "设置，仓库，“文件夹”");
  });

  test("that Claude Code is not there", () => {
    check({ about: "engine-call", is: "no-client" }, "Claude Code was not found", "Claude Code wurde nicht gefunden", "没有找到 Claude Code");
    const because: Problem = { about: "client", is: "unavailable", detail: "Not logged in" };
    check({ about: "engine-call", is: "failed", engine: "claude-code", because }, "cannot be asked now: Not logged in. Start", "zu erreichen: Not logged in. Starte", "询问 Claude Code：Not logged in。");
  });

  test("that a session is gone, or was never copied", () => {
    check({ about: "session", is: "no-such", argument: "0190" }, "This session is gone.", "Diese Sitzung ist weg.", "这个会话已不存在。");
    check({ about: "machine", is: "no-transcript", path: "/p/a.jsonl" }, "The session is gone", "Die Sitzung ist weg", "会话已不存在");
    check({ about: "session", is: "not-archived", argument: "0190" }, "no copy of this session", "keine Kopie", "没有副本");
    check({ about: "session", is: "other-transcript", path: "/p/a.jsonl" }, "not restored", "nicht wiederhergestellt", "没有恢复");
  });

  test("why an engine did not answer a test question", () => {
    const failed = (because: Problem): FailureProblem => ({ about: "engine-call", is: "failed", engine: "openai-compatible", because });
    const unreachable: Problem = { about: "engine", is: "unreachable", url: "http://localhost:1", local: true, detail: "refused" };
    check(failed(unreachable), "Start the server that is to listen there", "Starte den Server", "请启动该处的服务器");
    check(failed({ about: "engine", is: "key", url: "https://a.example", status: 401 }), "refused the key (401)", "hat den Schlüssel abgelehnt (401)", "拒绝了密钥（401）");
    const budget: Problem = { about: "engine", is: "budget", limit: "budget.daily_usd", spent: 5, next: 0.0031 };
    check(failed(budget), "“US dollars a day, for everything” leaves no room for the next call: $5.00 spent, and it may cost $0.0031", "$0.0031", "$0.0031");
  });

  test("why nothing was exported", () => {
    check({ about: "export", is: "edited", path: "CLAUDE.md" }, "somebody changed the earlier export", "früheren Export", "先前导出的 CLAUDE.md");
    check({ about: "desktop", is: "not-written", path: "/a.html", detail: "no space" }, "could not be written", "konnte nicht geschrieben werden", "无法写入");
  });

  test("why a connection cannot be used", () => {
    const because: Problem = { about: "sign-in", is: "too-long", minutes: 5 };
    check({ about: "connection", is: "sign-in", name: "mail", because }, "“mail” did not work. Nobody signed in within 5 minutes.", "„mail“ ist gescheitert. Innerhalb von 5 Minuten", "5 分钟内无人登录");
    check({ about: "keyring", is: "locked" }, "The keyring is locked. Unlock it", "Der Schlüsselbund ist gesperrt", "密钥环已锁定");
  });

  test("why a connection is not kept", () => {
    const unfit = (because: Problem): FailureProblem => ({ about: "connection", is: "unfit", name: "mail", because });
    const program: Problem = { about: "unfit-connection", is: "no-program", command: "mcp-mail" };
    check(unfit(program), "as it is. No program mcp-mail was found", "Ein Programm mcp-mail wurde nicht gefunden", "没有找到程序 mcp-mail");
    const secret: Problem = { about: "unfit-connection", is: "secret-in-variable", variable: "TOKEN" };
    check(unfit(secret), "The value of TOKEN looks like a secret", "Der Wert von TOKEN sieht wie ein Geheimnis aus", "TOKEN 的值看起来像机密");
  });

  test("why a task is not kept, and what its rules refuse", () => {
    const unfit = (because: Problem): FailureProblem => ({ about: "conversation", is: "unfit", because });
    check(unfit({ about: "unfit-conversation", is: "cost", most_usd: 100 }), "from $0.01 to $100.00", "von $0.01 bis $100.00", "$0.01 至 $100.00");
    check(unfit({ about: "unfit-conversation", is: "directory-gone", path: "/w" }), "Its folder /w is gone.", "Ihr Ordner /w ist weg.", "/w 已不存在");
    const refused = (because: Problem): FailureProblem => ({ about: "conversation", is: "refused", title: "Look", because });
    check(refused({ about: "refusal", is: "not-yes-or-no" }), "“Look” cannot do this now. Answer yes or no.", "Antworte mit Ja oder Nein.", "请回答是或否。");
    const never: Problem = { about: "schedule", is: "never", expression: "0 0 31 2 *" };
    check(refused({ about: "refusal", is: "schedule", because: never }), "“0 0 31 2 *” never comes due.", "wird nie fällig", "永远不会到期");
  });

  test("why projects are not joined or split", () => {
    const unfit = (because: Problem): FailureProblem => ({ about: "project", is: "unfit", because });
    check(unfit({ about: "unfit-project", is: "one-already", project: "shop" }), "“shop” is one project already.", "„shop“ ist schon ein Projekt.", "“shop”已经是一个项目。");
    const name: FailureProblem = { about: "project", is: "bad-name", name: "a = b", because: { about: "project-name", is: "form" } };
    check(name, "“a = b” can be no project's name. It has “ = ”", "„a = b“ kann kein Projekt heißen. Der Name enthält", "“a = b”不能用作项目名。名称含有");
  });

  test("why a task does not take a schedule", () => {
    const because: Problem = { about: "schedule", is: "word", word: "soonish" };
    check({ about: "conversation", is: "bad-schedule", words: "soonish", because }, "“soonish” is not understood", "„soonish“ ist als Zeitplan nicht", "无法把“soonish”理解");
  });
});

test("an error without words says what the program says", () => {
  setLanguage("de");
  expect(asFailure(failure(null))).toMatchObject({ message: "said in English", hint: "do something" });
  const newer = { about: "machine", is: "of-a-newer-program" } as unknown as FailureProblem;
  expect(asFailure(failure(newer)).message).toBe("said in English");
  const reasonless = { about: "conversation", is: "not-replied", because: null } as unknown as FailureProblem;
  expect(asFailure(failure(reasonless)).message).toBe("said in English");
  expect(problemSentences(null, "`afterword config set-key anthropic`")).toContain("Einstellungen, Engine");
});
