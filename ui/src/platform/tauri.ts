import { invoke, isTauri } from "@tauri-apps/api/core";
import { listen } from "@tauri-apps/api/event";

import { canned } from "./canned";
import type { Platform } from "./platform";

/** The program itself where the window runs in it, canned data in a browser; `?new` there is the first run. */
export function platform(): Platform {
  return isTauri() ? tauri() : canned(location.search === "?new");
}

function tauri(): Platform {
  return {
    about: () => invoke("about"),
    overview: () => invoke("overview"),
    route: () => invoke("route"),
    quit: () => invoke("quit"),
    queue: () => invoke("queue"),
    item: (id) => invoke("item", { id }),
    answer: (answer) => invoke("answer", { answer }),
    undo: (decision) => invoke("undo", { decision }),
    conflicts: () => invoke("conflicts"),
    resolveConflict: (path, resolution) => invoke("resolve_conflict", { path, resolution }),
    lessons: (request) => invoke("lessons", { request }),
    lesson: (id) => invoke("lesson", { id }),
    archive: (id, archived) => invoke("archive", { id, archived }),
    ideas: () => invoke("ideas"),
    researchIdea: (idea) => invoke("research_idea", { idea }),
    markIdea: (id, mark) => invoke("mark_idea", { id, mark }),
    writeLesson: (lesson) => invoke("write_lesson", { lesson }),
    planExport: (request) => invoke("plan_export", { ...request }),
    writeExport: (request, seen) => invoke("write_export", { ...request, seen }),
    binding: (id, given) => invoke("binding", { id, given }),
    bind: (id, given, seen) => invoke("bind", { id, given, seen }),
    unbind: (id, once) => invoke("unbind", { id, once }),
    sessions: () => invoke("sessions"),
    find: (request) => invoke("find", { ...request }),
    timeline: (session, agent, line) => invoke("timeline", { session, agent: agent ?? "", line: line ?? null }),
    toolResult: (session, agent, call, line) => invoke("tool_result", { session, agent, call, line }),
    sessionText: (session) => invoke("session_text", { session }),
    exportSession: (session, html) => invoke("export_session", { session, html }),
    restoreSession: (session) => invoke("restore_session", { session }),
    learned: (session) => invoke("learned", { session }),
    given: (session) => invoke("given", { session }),
    surroundings: (session, uuid, line) => invoke("surroundings", { session, uuid, line }),
    reflectAll: () => invoke("reflect_all"),
    reflect: (session, again) => invoke("reflect", { session, again }),
    stopReflecting: () => invoke("stop_reflecting"),
    pause: (paused) => invoke("pause", { paused }),
    activity: () => invoke("activity"),
    jobLog: (job) => invoke("job_log", { job }),
    cancelJob: (job) => invoke("cancel_job", { job }),
    retryJob: (job) => invoke("retry_job", { job }),
    tasks: (archived) => invoke("tasks", { archived }),
    task: (id) => invoke("task", { id }),
    planTask: (when) => invoke("plan_task", { when }),
    muteTask: (id, muted) => invoke("mute_task", { id, muted }),
    taskNeeds: (words) => invoke("task_needs", { words }),
    newTask: (wanted) => invoke("new_task", { wanted }),
    sayInTask: (id, words) => invoke("say_in_task", { id, words }),
    moveTask: (id, step) => invoke("move_task", { id, step }),
    rescheduleTask: (id, when) => invoke("reschedule_task", { id, when }),
    limitTask: (id, limits) => invoke("limit_task", { id, limits }),
    connections: () => invoke("connections"),
    connect: (name) => invoke("connect", { name }),
    disconnect: (name) => invoke("disconnect", { name }),
    stats: () => invoke("stats"),
    spend: (days) => invoke("spend", { days }),
    keys: () => invoke("keys"),
    engineOffer: () => invoke("engine_offer"),
    useClaudeCode: (dailyUsd) => invoke("use_claude_code", { dailyUsd }),
    setKey: (engine, key) => invoke("set_key", { engine, key }),
    deleteKey: (engine) => invoke("delete_key", { engine }),
    settings: () => invoke("settings"),
    setSetting: (key, values) => invoke("set_setting", { key, values }),
    autostart: () => invoke("autostart"),
    setAutostart: (on) => invoke("set_autostart", { on }),
    doctor: () => invoke("doctor_checks"),
    setup: () => invoke("setup"),
    pickFolder: () => invoke("pick_folder"),
    pickFile: (name) => invoke("pick_file", { name }),
    chooseVault: (folder) => invoke("choose_vault", { folder }),
    begin: () => invoke("begin"),
    hooks: () => invoke("hooks"),
    setHooks: (on) => invoke("set_hooks", { on }),
    openNote: (path) => invoke("open_note", { path }),
    openInObsidian: (id) => invoke("open_in_obsidian", { id }),
    openVault: () => invoke("open_vault"),
    openLink: (address) => invoke("open_link", { address }),
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
