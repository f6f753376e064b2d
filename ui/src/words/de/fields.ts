/** The settings in German. */
import type { fields as english } from "../en/fields";

export const fields: typeof english = {
  sections: {
    vault: "Vault",
    claude: "Claude Code",
    review: "Prüfen",
    engine: "Engine",
    budget: "Budget",
    ideas: "Ideen",
    reflection: "Auswertung",
    heartbeat: "Heartbeat",
    recovery: "Nach einem Absturz",
    log: "Protokoll des Programms",
    tasks: "Aufgaben",
    recall: "Was Sitzungen bekommen",
    attempts: "Wie Sitzungen ausgingen",
    privacy: "Privatsphäre",
    archive: "Kopien von Sitzungen",
    projects: "Projekte",
    notices: "Benachrichtigungen",
    updates: "Aktualisierungen",
    window: "Aussehen und Sprache",
  },
  names: {
    "vault.path": { name: "Ordner", help: "Der Ordner für Notizen. Sie kommen darin in einen Ordner namens Afterword." },
    "claude.config_dir": { name: "Verzeichnis von Claude Code", help: "Wo Claude Code seine Sitzungen hat. Leer: der übliche Ort." },
    "claude.binary": { name: "Programm von Claude Code", help: "Das Programm für Aufgaben und Chats. Leer: das installierte." },
    "review.mode": {
      name: "Erkenntnisse mittlerer Sicherheit",
      help: "Ob du zuerst gefragt wirst, oder ob sie gespeichert werden wie die mit hoher Sicherheit.",
    },
    "review.per_week": {
      name: "Höchstens so viele zu prüfen in einer Woche",
      help: "Die übrigen kommen in den Eingang. Viermal so viele dürfen zugleich warten.",
    },
    "review.inbox_days": {
      name: "Tage im Eingang",
      help: "Eine Erkenntnis, die bis dahin niemand beantwortet, wird archiviert. Mit 0 bleibt sie im Eingang.",
    },
    "engine.name": {
      name: "Was die Erkenntnisse findet",
      help: "Die eingebaute Engine braucht kein Konto und kein Netz. Die anderen werden zu dem gefragt, was sie fand, und sehen Teile deiner Sitzungen.",
    },
    "engine.model": { name: "Modell", help: "Dein Claude Code hat ein eigenes; ein OpenAI-kompatibler Server braucht hier einen Namen." },
    "engine.address": { name: "Adresse des Servers", help: "Eine Adresse mit https, oder ein Server auf diesem Gerät." },
    "engine.anthropic_address": { name: "Adresse von Anthropic", help: "Wo die Modelle von Anthropic gefragt werden." },
    "engine.answer_tokens": { name: "Höchstens so viele Tokens je Antwort", help: "Für kleine Modelle, die sonst nicht aufhören. 0: keine Grenze." },
    "engine.limit_minutes": { name: "Minuten, die eine Antwort dauern darf", help: "Danach wird die Frage abgebrochen und später noch einmal gestellt." },
    "engine.usd_per_million_in": {
      name: "US-Dollar für eine Million gelesene Tokens",
      help: "Was der Server verlangt. Leer für ein Modell auf diesem Gerät.",
    },
    "engine.usd_per_million_out": {
      name: "US-Dollar für eine Million geschriebene Tokens",
      help: "Was der Server verlangt. Leer für ein Modell auf diesem Gerät.",
    },
    "budget.daily_usd": { name: "US-Dollar am Tag, für alles", help: "Ein Aufruf, der mehr kosten könnte, unterbleibt. 0: keine Grenze." },
    "budget.per_project_usd": { name: "US-Dollar am Tag, für ein Projekt", help: "Ein Aufruf, der mehr kosten könnte, unterbleibt. 0: keine Grenze." },
    "budget.per_job_usd": { name: "US-Dollar für eine Sitzung", help: "Ein Aufruf, der mehr kosten könnte, unterbleibt. 0: keine Grenze." },
    "ideas.research": {
      name: "Jede neue Idee erforschen",
      help: "Die gewählte Engine denkt jede Idee durch, in einem eigenen Aufruf. Sonst beginnst du das auf der Seite der Idee.",
    },
    "reflection.idle_minutes": { name: "Minuten Stille, bevor eine Sitzung gelesen wird", help: "Leer: 4, und 30 mit einer Engine, die Geld kostet." },
    "heartbeat.enabled": {
      name: "Nach offenen, stillen Sitzungen sehen",
      help: "Offene Fehler, unbeantwortete Fragen und nicht Eingechecktes werden in der Sitzung vermerkt, wie in der Datei HEARTBEAT.md deines Vaults angekreuzt.",
    },
    "heartbeat.idle_minutes": { name: "Minuten Stille davor", help: "Wie lange eine offene Sitzung still sein muss." },
    "heartbeat.continue_minutes": { name: "Minuten bis zum nächsten Mal", help: "Wenn es nichts zu vermerken gab." },
    "recovery.unknown_minutes": {
      name: "Minuten, nach denen eine stille Sitzung als abgestürzt gilt",
      help: "Nur wo das Programm der Sitzung nicht bekannt ist. Sonst fällt ein Absturz binnen einer Minute auf.",
    },
    "recovery.keep_days": { name: "Tage, die alte Arbeiten und ihre Protokolle bleiben", help: "Ältere werden gelöscht." },
    "log.level": { name: "Was festgehalten wird", help: "Nur Fehler, oder auch, was das Programm tat. Gilt ab dem nächsten Start." },
    "tasks.daily_usd": {
      name: "US-Dollar am Tag, für Aufgaben",
      help: "Ein Teil des Tagesbudgets. Was danach fällig ist, wartet bis zum nächsten Tag. Mit 0 läuft keine Aufgabe.",
    },
    "recall.token_budget": {
      name: "Tokens für Erkenntnisse zu Beginn einer Sitzung",
      help: "Zuerst kommen Notizen, die immer geladen werden sollen, dann die des Projekts. 0: keine.",
    },
    "recall.on_prompt": {
      name: "Erkenntnisse, die zu einer Eingabe passen",
      help: "Eine Sitzung bekommt auch die Erkenntnisse, die deutlich zu dem passen, was du schreibst.",
    },
    "recall.model": {
      name: "Modell für die Suche nach Bedeutung",
      help: "Das eingebaute, oder ein Ordner mit einem größeren. Bis das neue bereit ist, sucht das bisherige.",
    },
    "attempts.judge_sessions": {
      name: "Behalten, wie Sitzungen ausgingen",
      help: "Beurteilt nach dem, was in der Sitzung geschah: Tests, Korrekturen, Commits.",
    },
    "attempts.most_per_session": { name: "Versuche, die von einer Sitzung bleiben", help: "Die letzten. 0: keine." },
    "attempts.most_per_project": { name: "Versuche, die von einem Projekt bleiben", help: "Die letzten. 0: keine." },
    "attempts.past_lessons": {
      name: "Frühere Versuche vor einer Aufgabe",
      help: "Wie viele eine Sitzung bekommt, wenn sie etwas beginnt, das schon einmal versucht wurde.",
    },
    "privacy.exclude": {
      name: "Projekte, die nie gelesen werden",
      help: "Ordner, mit allem darunter. Ein * steht für einen Teil eines Namens, ** für mehrere Ordner.",
    },
    "privacy.redact_extra": {
      name: "Weitere Geheimnisse entfernen",
      help: "Reguläre Ausdrücke. Was sie treffen, wird entfernt, bevor etwas gezeigt oder geschrieben wird.",
    },
    "archive.sessions": {
      name: "Von jeder Sitzung eine Kopie behalten",
      help: "Claude Code löscht seine Sitzungen nach etwa 30 Tagen. Eine Kopie bleibt auf diesem Gerät, wird von der Suche gefunden und lässt sich wiederherstellen. Geheimnisse werden daraus nicht entfernt.",
    },
    "archive.limit_mb": {
      name: "Megabyte, die Kopien belegen dürfen",
      help: "Die ältesten Kopien gehen zuerst. Eine Kopie braucht etwa ein Achtel der Sitzung. 0: keine Grenze.",
    },
    "projects.folders": {
      name: "Ordner, die als ein Projekt gelten",
      help: "Ein Ordner und der Name seines Projekts, etwa ~/shop-2 = shop. Alles unter dem Ordner gehört dazu.",
    },
    "notices.completed": { name: "Eine Sitzung wurde gelesen", help: "Und etwas wurde gelernt." },
    "notices.failed": { name: "Eine Sitzung konnte nicht gelesen werden", help: "Mit dem Grund." },
    "notices.review": { name: "Erkenntnisse sind zu prüfen", help: "Einmal für viele davon." },
    "notices.waiting": { name: "Eine Aufgabe wartet auf deine Antwort", help: "Eine Aufgabe im Hintergrund hat etwas gefragt." },
    "notices.reported": { name: "Eine Aufgabe hat Neuigkeiten", help: "Sie hat etwas gemeldet oder ist fertig." },
    "notices.left_open": { name: "Etwas blieb offen", help: "Eine offene Sitzung ist still, mit einem Fehler oder einer Frage darin." },
    "notices.quiet_hours": { name: "Ruhezeiten", help: "Etwa 22:00-07:00. Was darin geschah, erscheint danach, zusammen." },
    "updates.check": { name: "Nach einer neueren Version sehen", help: "Höchstens einmal am Tag, wenn diese Seite geöffnet wird: eine Anfrage, die nichts über dich sagt. Installiert wird nichts." },
    "updates.address": { name: "Wo nachgesehen wird", help: "Leer: der Ort, den dieses Programm nennt." },
    "window.appearance": { name: "Hell oder dunkel", help: "Wie dein Desktop, oder immer gleich." },
    "window.language": { name: "Sprache", help: "Die dieses Fensters. Deine Notizen und der Befehl behalten ihre." },
  },
  choices: {
    "review.mode": { interactive: "Zuerst fragen", silent: "Speichern" },
    "engine.name": {
      builtin: "Die eingebaute Engine",
      "claude-code": "Dein eigenes Claude Code",
      anthropic: "Anthropic, mit einem Schlüssel",
      "openai-compatible": "Ein OpenAI-kompatibler Server (Ollama, llama.cpp, LM Studio, gehostete)",
    },
    "log.level": { error: "Fehler", warn: "Fehler und Warnungen", info: "Auch, was es tut", debug: "Alles" },
    "window.appearance": { system: "Wie der Desktop", light: "Hell", dark: "Dunkel" },
    "window.language": { system: "Wie der Desktop", en: "English", de: "Deutsch", zh: "简体中文" },
  },
};
