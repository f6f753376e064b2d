//! The system has no thread left for the agent: that is said, and what needs none goes on.

#![allow(clippy::print_stdout, reason = "a test that is skipped says so")]

use std::process::{Command, Stdio};

use afterword_testkit::{ChildGuard, until};

use crate::env::TestEnv;
use crate::killed::session;

/// What the C library says where there are too many threads (pthread_create(3)), to the thread that watches the vault alone.
const REFUSES: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/prctl.h>

int pthread_create(pthread_t *thread, const pthread_attr_t *with, void *(*work)(void *), void *of) {
    char name[16] = "";
    prctl(PR_GET_NAME, name);
    if (strcmp(name, "afterword-vault") == 0) return EAGAIN;
    int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) = dlsym(RTLD_NEXT, "pthread_create");
    return real(thread, with, work, of);
}
"#;

#[test]
fn vault_that_cannot_be_watched_for_want_of_a_thread_is_said_to_be_so() {
    let env = TestEnv::new();
    let (source, library) = (env.path("refuses.c"), env.path("refuses.so"));
    std::fs::write(&source, REFUSES).unwrap();
    let compiled =
        Command::new("cc").args(["-shared", "-fPIC", "-o"]).args([&library, &source]).arg("-ldl").status();
    if !compiled.is_ok_and(|status| status.success()) {
        println!("skipped: there is no C compiler here");
        return;
    }
    env.init();
    env.ok(&["config", "set", "heartbeat.enabled", "false"]);
    let mut command = env.command(&["run"]);
    let child = command.env("LD_PRELOAD", &library).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let _running = ChildGuard(child.unwrap());
    until("said", || {
        let status = env.json(&["status"]).to_string();
        status.contains("the vault is not watched until the next start: the system refuses a thread")
    });
    let log = env.ok(&["logs"]);
    assert!(log.contains("ERROR") && log.contains("the system refuses a thread"), "{log}");
    session(&env, 0).write();
    until("reflected", || env.json(&["sessions"])["sessions"][0]["agent_state"] == "reflected");
}
