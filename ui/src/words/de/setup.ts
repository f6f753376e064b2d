/** The first run, engines and settings, in German. */
import type { Words } from "../en/index";
import { lessons, num, sessions, some } from "./count";
import { fields } from "./fields";

type Setup = Pick<Words, "welcome" | "connecting" | "engines" | "settings">;

export const setup: Setup = {
  welcome: {
    title: "Was du Claude Code beibringst, als deine eigenen Notizen",
    about: "Drei Schritte. Nichts verlässt dieses Gerät, und nichts in deinem Vault wird je überschrieben.",
    found: "Claude Code hat hier {}.",
    sessions: (count, size) => `${sessions(count)} (${size})`,
    noSessions: "Keine Sitzungen von Claude Code gefunden. Sobald es welche gibt, werden sie erkannt.",
    where: "Wohin sollen die Notizen?",
    obsidian: "Ein Vault von Obsidian",
    folder: "Ein Ordner",
    newFolder: "Ein neuer Ordner",
    yourChoice: "Deine Wahl",
    inside: "Alles kommt darin in einen Ordner namens Afterword; der Rest bleibt unberührt.",
    use: "Diesen Ordner verwenden",
    another: "Anderer Ordner…",
    inObsidian: (path) => `${path}, in einem Vault von Obsidian`,
    connect: "Claude Code verbinden?",
    notNow: "Jetzt nicht",
    read: "Bisherige Sitzungen lesen",
    done: (count, notes) => `${sessions(count)} gelesen, ${some(notes, "Notiz", "Notizen")} in deinem Vault,`,
    doneWaiting: (count) => `${lessons(count)} zu prüfen.`,
    start: "Mit dem Prüfen beginnen",
    stopped: (count, notes) => `Angehalten. Was gelesen ist, bleibt: ${sessions(count)}, ${some(notes, "Notiz", "Notizen")}.`,
    enough: "Das genügt fürs Erste",
    builtin:
      "Die eingebaute Engine liest deine bisherigen Sitzungen auf diesem Gerät. Sie braucht kein Konto, kostet nichts und lässt sich jederzeit anhalten.",
    readCount: (count) => `${sessions(count)} lesen`,
    keep: "Behalten, was Claude Code löscht?",
    keepWhat: (size) =>
      `Claude Code löscht eine Sitzung 30 Tage nach ihrer letzten Verwendung. Afterword kann von jeder eine komprimierte Kopie auf diesem Gerät behalten, die sich durchsuchen, lesen und wiederherstellen lässt: etwa ${size} für das, was es jetzt gibt.`,
    keepAll: "Von jeder Sitzung eine Kopie behalten",
    keepNote: "Kopien enthalten, was die Protokolle enthalten, auch Passwörter, wenn welche darin stehen. Das lässt sich in den Einstellungen jederzeit ändern.",
  },

  connecting: {
    impossible:
      "Der Befehl {} liegt nicht neben diesem Programm, deshalb kann Claude Code ihn nicht starten. Sitzungen werden trotzdem verfolgt, anhand ihrer Dateien.",
    isOn: "Claude Code ist verbunden: Neue Sitzungen beginnen mit den Erkenntnissen, die für sie wichtig sind, und ihr Ende wird sofort bemerkt.",
    disconnect: "Verbindung zu Claude Code trennen",
    offer: (files) =>
      `Freiwillig. Damit beginnen neue Sitzungen mit den Erkenntnissen, die für sie wichtig sind, und können weitere nachschlagen. Ohne das werden Sitzungen nur anhand ihrer Dateien verfolgt. ${some(files, "Datei würde", "Dateien würden")} sich ändern:`,
    connect: "Claude Code verbinden",
  },

  engines: {
    measuring: "Deine Sitzungen werden gemessen…",
    inUse: "Ab jetzt liest dein eigenes Claude Code die Sitzungen.",
    answered: (seconds) => `Es hat die Testfrage in ${num(seconds)} s beantwortet.`,
    answeredFor: (seconds, usd) => `Es hat die Testfrage in ${num(seconds)} s für ${usd} beantwortet.`,
    notRead: (count, why) => `${some(count, "Sitzung konnte", "Sitzungen konnten")} nicht gelesen werden: ${why}.`,
    readAll: (count) => `Die vorhandenen ${sessions(count)} damit lesen`,
    readAllFor: (count, usd) => `Die vorhandenen ${sessions(count)} damit lesen, etwa ${usd}`,
    readAllNote: "Notizen, die du nicht angefasst hast, bekommen seine Worte oder kommen ins Archiv. An der Tagesgrenze ist Schluss.",
    better: "Bessere Sätze:",
    betterHow: "Dein eigenes Claude Code beurteilt und formuliert neu, was die eingebaute Engine findet.",
    tokens: (count) => `Etwa ${num(count)} Tokens je Sitzung.`,
    price: (usd, count, weekly, by) =>
      `Etwa ${usd} für die vorhandenen ${sessions(count)}, bei deinem Tempo ${weekly} pro Woche, nach ${by}. Mit einem Abonnement zählt es stattdessen zu dessen Grenzen.`,
    noPrice: (count, by) => `Für ${sessions(count)}: ${by}.`,
    privacy: "Was du getippt hast, geht dorthin, wohin Claude Code das Seine schickt; sonst verlässt nichts das Gerät. Geheimnisse werden vorher entfernt.",
    cannot: (why) => `Es lässt sich jetzt nicht verwenden: ${why}`,
    atMost: "Höchstens {} Dollar am Tag",
    dollarsADay: "US-Dollar am Tag",
    testing: "Eine Testfrage wird gestellt…",
    use: "Mein Claude Code verwenden",
    usedNow: "Ab jetzt wird dein eigenes Claude Code verwendet.",
    asking: "Die Frage läuft…",
    ask: "Eine Testfrage stellen",
    works: (seconds) => `Antwort nach ${num(seconds)} s.`,
    worksFor: (seconds, usd) => `Antwort nach ${num(seconds)} s für ${usd}.`,
    fails: (why) => `Es geht nicht: ${why}`,
  },

  settings: {
    ...fields,
    search: "Einstellungen durchsuchen",
    nothing: "Keine Einstellung passt dazu.",
    connected: "Verbindung zu Claude Code",
    keys: "Schlüssel",
    showVault: "Vault anzeigen",
    start: "Starten und beenden",
    autostart: "Mit dem Desktop starten, im Infobereich",
    noTray:
      "Dieser Desktop zeigt keine Symbole im Infobereich. Deshalb beendet das Schließen des Fensters Afterword, und Sitzungen werden erst wieder verfolgt, wenn du es startest. Für GNOME gibt es die Erweiterung AppIndicator Support; andere Leisten haben eine Einstellung oder ein Modul namens Status Notifier.",
    quit: "Afterword beenden",
    checks: "Funktioniert alles?",
    checkAgain: "Noch einmal prüfen",
    verdicts: { ok: "funktioniert", warn: "Warnung", fail: "funktioniert nicht" },
    version: (version) => `Afterword ${version}. Nichts verlässt dieses Gerät, solange du keine Engine wählst, die etwas sendet.`,
    oneALine: "Je Zeile eines",
    notSet: "nicht gesetzt",
    vaultSetUp: (files) => `Der Vault ist eingerichtet, mit ${some(files, "neuen Datei", "neuen Dateien")}.`,
    noVault: (folder) =>
      `In ${folder} ist noch kein Vault eingerichtet. Afterword würde dort seinen Ordner und ein paar Dateien anlegen; was da ist, bleibt, wie es ist.`,
    setUpHere: "Vault hier einrichten",
    leave: "Alles lassen, wie es war",
    notSaved: (why) => `Nicht gespeichert: ${why}`,
    keysAbout: "Nur im Schlüsselbund des Systems gespeichert: nie in einer Datei, einem Protokoll oder der Datenbank.",
    keyOf: (engine) => `Schlüssel von ${engine}`,
    keyFor: (host) => `für ${host}`,
    openAiServer: "Der OpenAI-kompatible Server",
    keySaved: "Der Schlüssel ist im Schlüsselbund.",
    keyRemoved: "Der Schlüssel ist aus dem Schlüsselbund entfernt.",
    keyThere: "gespeichert",
    pasteKey: "Schlüssel einfügen",
  },
};
