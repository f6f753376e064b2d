import { parse } from "svelte/compiler";
import { afterEach, expect, test } from "vitest";

import { ago, bytes, figure } from "../kit/words";
import { languageOf, LANGUAGES, setLanguage, words } from "./words.svelte";

afterEach(() => setLanguage("en"));

/** Facts of every error at once: numbers, texts and lists alike. */
const FACTS = new Proxy({}, {
  get: (_, name: string) => {
    if (/^(known|choices|options|folders)$/.test(name)) return ["one", "two"];
    return /^(count|line|most|most_usd|next|seconds|minutes|spent|status|tokens)$/.test(name) ? 3 : `<${name}>`;
  },
});

/** Every text of a catalogue under the path of its key; what a function writes, for one and for many. */
function texts(of: unknown, path = ""): [string, string][] {
  if (typeof of === "string") return [[path, of]];
  if (typeof of === "function" && path.startsWith("problems.")) return [[path, [of(FACTS, "(because)")].flat().join(" ")]];
  if (typeof of === "function") return [1, 1234].map((count) => [`${path}(${count})`, String(of(count, count, count, count))]);
  return Object.entries(of as object).flatMap(([key, value]) => texts(value, path ? `${path}.${key}` : key));
}

test("every language has every key, and its place in a text where the English has one", () => {
  const english = new Map(texts(LANGUAGES.en));
  expect(english.size).toBeGreaterThan(500);
  for (const [name, catalogue] of Object.entries(LANGUAGES)) {
    const here = new Map(texts(catalogue));
    expect([...here.keys()].sort(), name).toEqual([...english.keys()].sort());
    for (const [key, text] of here) {
      const isEmptyOnPurpose = english.get(key) === "";
      expect(text !== "" || isEmptyOnPurpose, `${name} ${key}`).toBe(true);
      expect(text.includes("{}"), `${name} ${key}`).toBe(english.get(key)?.includes("{}"));
      expect(text, `${name} ${key}`).not.toMatch(/undefined|NaN|\[object/);
    }
  }
});

/** Texts that are names, numbers, times or examples of what is typed. */
const SAME_EVERYWHERE = /^(locale|dates|settings\.sections\.(vault|claude|engine|budget|heartbeat)|settings\.choices\.window\.language|tasks\.whenExample|problems\.setting\.folder)/;

test("a text is translated", () => {
  const english = new Map(texts(LANGUAGES.en));
  for (const name of ["de", "zh"]) {
    const same = texts(LANGUAGES[name]).filter(([key, text]) => /[a-z]{3}.* .*[a-z]{3}/i.test(text) && text === english.get(key) && !SAME_EVERYWHERE.test(key));
    expect(same.map(([key]) => key), name).toEqual([]);
  }
});

test("the desktop's language counts where there are words in it", () => {
  expect(languageOf(["de-AT", "en"])).toBe("de");
  expect(languageOf(["fr-FR", "zh-Hans-CN", "en"])).toBe("zh");
  expect(languageOf(["fr-FR"])).toBe("en");
});

test("numbers, sizes and times are written as the language writes them", () => {
  const then = new Date("2026-03-01T10:00:00Z");
  const shown = () => [figure(12_345), bytes(4_100_000), ago("2026-02-26T10:00:00Z", then), words.common.lessons(1)];
  setLanguage("en");
  expect(shown()).toEqual(["12,345", "4.1 MB", "3 days ago", "1 lesson"]);
  setLanguage("de");
  expect(shown()).toEqual(["12.345", "4,1 MB", "vor 3 Tagen", "1 Erkenntnis"]);
  expect(document.documentElement.lang).toBe("de");
  setLanguage("zh");
  expect(shown()).toEqual(["12,345", "4.1 MB", "3天前", "1 条经验"]);
});

const SOURCES: Record<string, string> = import.meta.glob(["../**/*.svelte", "../**/*.ts", "!../words/**", "!../platform/**", "!../**/*.test.ts", "!../test-setup.ts", "!../main.ts"], {
  query: "?raw",
  import: "default",
  eager: true,
});

/** Attributes that are shown or read out. */
const SHOWN = new Set(["title", "alt", "placeholder", "label", "aria-label", "aria-description", "caption", "one", "name", "heading", "headings"]);
/** Names, keys of the keyboard and files, which are the same in every language. */
const isName = (text: string) => /^(Afterword|Claude|Anthropic|Enter|Esc|Ctrl\b.*|https:\/\/|[\w./]+\.(md|svelte))$/.test(text.trim());
/** A word of a sentence, not a key or a class. */
const isWords = (text: string) => /(^|[^\w.-])[A-Z][a-z]+|[a-z]{2,} [a-z]{2,}/.test(text.trim()) && !isName(text);

interface Node {
  type: string;
  name?: string;
  data?: string;
  value?: unknown;
  [key: string]: unknown;
}

/** The texts in the markup of a component that no catalogue has. */
function literal(node: Node, found: string[], within = ""): string[] {
  if (node.type === "StyleDirective") return found;
  if (node.type === "RegularElement" && ["code", "kbd", "pre"].includes(node.name ?? "")) return found;
  const isAttribute = node.type === "Attribute";
  if (isAttribute && !SHOWN.has(node.name ?? "") && !/^on/.test(node.name ?? "")) return found;
  if (node.type === "Text" && /[A-Za-z]{2,}/.test(node.data ?? "") && (within !== "name" || isWords(node.data ?? "")) && !isName(node.data ?? "")) found.push((node.data ?? "").trim());
  if (node.type === "Literal" && typeof node.value === "string" && isWords(node.value)) found.push(node.value);
  if (node.type === "TemplateElement" && isWords((node.value as { cooked: string }).cooked)) found.push((node.value as { cooked: string }).cooked);
  for (const [key, value] of Object.entries(node)) {
    if (key === "metadata" || key === "parent") continue;
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one && typeof one === "object" && "type" in one) literal(one as Node, found, isAttribute ? node.name : within);
    }
  }
  return found;
}

test("no page has a text that is in no catalogue", () => {
  const found = Object.entries(SOURCES).flatMap(([file, source]) => {
    if (file.endsWith(".svelte")) {
      const tree = parse(source, { modern: true }) as unknown as { fragment: { nodes: Node[] }; instance: Node | null; module: Node | null };
      const scripts = [tree.instance, tree.module].map((script) => script?.content as Node | undefined).filter((one) => one !== undefined);
      const imported = (text: string) => /^[.@\w/-]+$/.test(text);
      const inMarkup = tree.fragment.nodes.flatMap((node) => literal(node, []));
      const inScript = scripts.flatMap((script) => literal(script, [])).filter((text) => !imported(text));
      return [...inMarkup, ...inScript].map((text) => `${file}: ${text}`);
    }
    const code = source.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
    const quoted = [...code.matchAll(/"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)].map((match) => match[1] ?? match[2] ?? "");
    return quoted.map((text) => text.replaceAll(/\$\{[^}]*\}/g, " ")).filter(isWords).map((text) => `${file}: ${text}`);
  });
  expect(found).toEqual([]);
});
