//! Disks of a test's own, which fill up, can only be read, and are pulled out: mounted in a namespace that no other process
//! sees.

#![allow(clippy::print_stdout, reason = "a test that is skipped says so")]

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::env::TestEnv;
use afterword_testkit::{ChildGuard, files_below};

/// A namespace with mounts of its own; it is gone with this value, or with the test's process.
pub(crate) struct Disks<'a> {
    env: &'a TestEnv,
    /// Holds the namespace; ends when its input does.
    holder: Child,
}

impl<'a> Disks<'a> {
    /// `None` where the system lets this user have none, which is said.
    pub(crate) fn new(env: &'a TestEnv) -> Option<Self> {
        let mut command = Command::new("unshare");
        command.args(["-Urm", "cat"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let started = command.spawn().ok().map(|holder| Self { env, holder });
        let held = started.and_then(|mut disks| {
            disks.holder.stdin.as_mut()?.write_all(b".").ok()?;
            let mut echo = [0];
            disks.holder.stdout.as_mut()?.read_exact(&mut echo).ok()?;
            // Some systems give the namespace and let nothing be mounted in it.
            let place = env.path("work");
            let mounts = format!("mount -t tmpfs none {0} && umount -l {0}", place.display());
            let tried = disks.entered().args(["sh", "-c", &mounts]).stderr(Stdio::null()).status();
            tried.is_ok_and(|status| status.success()).then_some(disks)
        });
        if held.is_none() {
            println!(
                "skipped: `unshare -Urm` is refused here, or mounting is, so there are no disks to break"
            );
        }
        held
    }

    fn entered(&self) -> Command {
        let mut command = Command::new("nsenter");
        command.args(["--preserve-credentials", "-U", "-m", "-t", &self.holder.id().to_string()]);
        command
    }

    /// Runs a shell script that must succeed.
    #[track_caller]
    fn sh(&self, script: &str) {
        let output = self.entered().args(["sh", "-c", script]).output().unwrap();
        assert!(output.status.success(), "{script}: {}", String::from_utf8_lossy(&output.stderr));
    }

    /// An empty disk below the test's root, of so many megabytes.
    pub(crate) fn mount(&self, below: &str, megabytes: u32) {
        let place = self.env.path(below);
        std::fs::create_dir_all(&place).unwrap();
        self.sh(&format!("mount -t tmpfs -o size={megabytes}m,mode=700 none {}", place.display()));
    }

    /// Plugs the disk `disk` in at a place.
    pub(crate) fn plug_in(&self, disk: &str, below: &str) {
        let (disk, place) = (self.env.path(disk), self.env.path(below));
        std::fs::create_dir_all(&disk).unwrap();
        std::fs::create_dir_all(&place).unwrap();
        self.sh(&format!("mount --bind {} {}", disk.display(), place.display()));
    }

    /// Puts something of the test's root in the place of a file or a folder of the system.
    pub(crate) fn put_in_place_of(&self, system: &str, below: &str) {
        self.sh(&format!("mount --bind {} {system}", self.env.path(below).display()));
    }

    /// Pulls out what is plugged in or mounted there, whoever uses it; an empty folder is left.
    pub(crate) fn pull_out(&self, below: &str) {
        self.sh(&format!("umount -l {}", self.env.path(below).display()));
    }

    /// A file can only be read until it is pulled out.
    pub(crate) fn protect(&self, below: &str) {
        let place = self.env.path(below);
        let place = place.display();
        self.sh(&format!("mount --bind {place} {place} && mount -o remount,bind,ro {place}"));
    }

    /// Writes to a disk until nothing more fits; once more, it takes what has become free since.
    pub(crate) fn fill(&self, below: &str) {
        let file = self.env.path(below).join("filling");
        self.sh(&format!("! cat /dev/zero 2>/dev/null >> {}", file.display()));
    }

    /// Frees what [`Disks::fill`] took.
    pub(crate) fn free(&self, below: &str) {
        self.sh(&format!("rm {}", self.env.path(below).join("filling").display()));
    }

    /// The program, among these disks.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let plain = self.env.command(arguments);
        let mut command = self.entered();
        let path = std::env::var_os("PATH").unwrap_or_default();
        command.arg(plain.get_program()).args(plain.get_args()).env_clear().env("PATH", path);
        for (name, value) in plain.get_envs() {
            command.env(name, value.unwrap());
        }
        command.stdin(Stdio::null());
        command
    }

    /// Starts the agent.
    pub(crate) fn start(&self) -> ChildGuard {
        ChildGuard(self.command(&["run"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
    }

    /// Runs what must succeed.
    #[track_caller]
    pub(crate) fn ok(&self, arguments: &[&str]) {
        let output = self.command(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    /// What the program prints with `--json`; what it says where that is nothing.
    pub(crate) fn json(&self, arguments: &[&str]) -> serde_json::Value {
        let output = self.command(&[arguments, &["--json"]].concat()).output().unwrap();
        let said = || String::from_utf8_lossy(&output.stderr).into_owned();
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| said().into())
    }

    /// The text files below a folder, as they are among these disks.
    pub(crate) fn files(&self, below: &str) -> Vec<(String, String)> {
        let place = self.env.path(below);
        let inside = place.strip_prefix("/").unwrap_or(Path::new(""));
        files_below(&PathBuf::from(format!("/proc/{}/root", self.holder.id())).join(inside))
    }
}

impl Drop for Disks<'_> {
    fn drop(&mut self) {
        let _ = self.holder.kill();
        let _ = self.holder.wait();
    }
}
