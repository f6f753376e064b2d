import { invoke, isTauri } from "@tauri-apps/api/core";
import { listen } from "@tauri-apps/api/event";

import { canned } from "./canned";
import type { Commands, Platform } from "./platform";

/** The program itself where the window runs in it, canned data in a browser; `?new` there is the first run, `?de` German. */
export function platform(): Platform {
  if (isTauri()) return tauri();
  const wanted = location.search.slice(1);
  return canned(wanted === "new", wanted === "de" || wanted === "zh" ? wanted : "system");
}

/** Asks for a command by the contract. */
function ask<C extends keyof Commands>(command: C, ...request: Commands[C]["request"]): Promise<Commands[C]["answer"]> {
  return invoke(command, request[0]);
}

function tauri(): Platform {
  return {
    about: () => ask("about"),
    overview: () => ask("overview"),
    route: () => ask("route"),
    quit: () => ask("quit"),
    queue: () => ask("queue"),
    item: (id) => ask("item", { id }),
    answer: (answer) => ask("answer", { answer }),
    answers: () => ask("answers"),
    undo: (decisions) => ask("undo", { decisions }),
    conflicts: () => ask("conflicts"),
    resolveConflict: (path, resolution) => ask("resolve_conflict", { path, resolution }),
    lessons: (request) => ask("lessons", { request }),
    lesson: (id) => ask("lesson", { id }),
    archive: (id, archived) => ask("archive", { id, archived }),
    archiveMany: (ids, archived) => ask("archive_many", { ids, archived }),
    lessonHistory: (id) => ask("lesson_history", { id }),
    ideas: () => ask("ideas"),
    researchIdea: (idea) => ask("research_idea", { idea }),
    markIdea: (id, mark) => ask("mark_idea", { id, mark }),
    writeLesson: (lesson) => ask("write_lesson", { lesson }),
    planImport: (source) => ask("plan_import", { source }),
    writeImport: (source, chosen) => ask("write_import", { source, chosen }),
    chooseFile: () => ask("choose_file"),
    planExport: (request) => ask("plan_export", { request }),
    writeExport: (request, seen) => ask("write_export", { request, seen }),
    binding: (id, given) => ask("binding", { id, given }),
    bind: (id, given, seen) => ask("bind", { id, given, seen }),
    unbind: (id, once) => ask("unbind", { id, once }),
    sessions: (latest) => ask("sessions", { latest }),
    find: (request) => ask("find", { ...request }),
    timeline: (session, agent, line) => ask("timeline", { session, agent: agent ?? "", line: line ?? null }),
    sessionEvents: (session) => ask("session_events", { session }),
    toolResult: (session, agent, call, line) => ask("tool_result", { session, agent, call, line }),
    sessionText: (session) => ask("session_text", { session }),
    exportSession: (session, html) => ask("export_session", { session, html }),
    resumeSession: (session) => ask("resume_session", { session }),
    restoreSession: (session) => ask("restore_session", { session }),
    learned: (session) => ask("learned", { session }),
    given: (session) => ask("given", { session }),
    surroundings: (session, uuid, line) => ask("surroundings", { session, uuid, line }),
    reflectAll: () => ask("reflect_all"),
    reflect: (session, again) => ask("reflect", { session, again }),
    stopReflecting: () => ask("stop_reflecting"),
    pause: (paused) => ask("pause", { paused }),
    activity: () => ask("activity"),
    jobLog: (job) => ask("job_log", { job }),
    cancelJob: (job) => ask("cancel_job", { job }),
    retryJob: (job) => ask("retry_job", { job }),
    tasks: (archived) => ask("tasks", { archived }),
    task: (id) => ask("task", { id }),
    planTask: (when) => ask("plan_task", { when }),
    muteTask: (id, muted) => ask("mute_task", { id, muted }),
    taskNeeds: (words) => ask("task_needs", { words }),
    newTask: (wanted) => ask("new_task", { wanted }),
    sayInTask: (id, words) => ask("say_in_task", { id, words }),
    moveTask: (id, step) => ask("move_task", { id, step }),
    rescheduleTask: (id, when) => ask("reschedule_task", { id, when }),
    limitTask: (id, limits) => ask("limit_task", { id, limits }),
    connections: () => ask("connections"),
    connect: (name) => ask("connect", { name }),
    disconnect: (name) => ask("disconnect", { name }),
    addConnection: (name, settings) => ask("add_connection", { name, settings }),
    removeConnection: (name) => ask("remove_connection", { name }),
    projects: () => ask("projects"),
    planProjects: (wish) => ask("plan_projects", { wish }),
    changeProjects: (wish) => ask("change_projects", { wish }),
    undoProjects: () => ask("undo_projects"),
    usefulness: () => ask("usefulness"),
    stats: () => ask("stats"),
    spend: (days) => ask("spend", { days }),
    keys: () => ask("keys"),
    engineOffer: () => ask("engine_offer"),
    tryEngine: (engine) => ask("try_engine", { engine }),
    useClaudeCode: (dailyUsd) => ask("use_claude_code", { dailyUsd }),
    setKey: (engine, key) => ask("set_key", { engine, key }),
    deleteKey: (engine) => ask("delete_key", { engine }),
    settings: () => ask("settings"),
    setSetting: (key, values) => ask("set_setting", { key, values }),
    addToSetting: (key, items) => ask("add_to_setting", { key, items }),
    autostart: () => ask("autostart"),
    setAutostart: (on) => ask("set_autostart", { on }),
    doctor: () => ask("doctor_checks"),
    setup: () => ask("setup"),
    pickFolder: () => ask("pick_folder"),
    pickFile: (name) => ask("pick_file", { name }),
    chooseVault: (folder) => ask("choose_vault", { folder }),
    begin: () => ask("begin"),
    hooks: () => ask("hooks"),
    setHooks: (on) => ask("set_hooks", { on }),
    openNote: (path) => ask("open_note", { path }),
    openInObsidian: (id) => ask("open_in_obsidian", { id }),
    openVault: () => ask("open_vault"),
    openLink: (address) => ask("open_link", { address }),
    on: (news, handler) => {
      let stop = () => {};
      let stopped = false;
      void listen(news, (event) => handler(event.payload as never)).then((unlisten) => {
        if (stopped) unlisten();
        else stop = unlisten;
      });
      return () => {
        stopped = true;
        stop();
      };
    },
  };
}
