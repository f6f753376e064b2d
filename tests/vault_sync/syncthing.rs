//! Two real Syncthing instances share the vault of two machines that learn the same, edit, pause, and go on.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use afterword_testkit::{ChildGuard, until, until_some};

use crate::machine::{Machine, have, write_line};

/// One Syncthing, with a home of its own.
struct Syncthing {
    home: PathBuf,
    port: u16,
    id: String,
}

impl Syncthing {
    fn new(home: PathBuf) -> Self {
        let mut generate = Command::new("syncthing");
        generate.arg("generate").arg(format!("--home={}", home.display())).arg("--no-default-folder");
        let generated =
            generate.env("HOME", &home).stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
        assert!(generated.success(), "syncthing makes its keys");
        let mut ask = Command::new("syncthing");
        ask.arg("--device-id").arg(format!("--home={}", home.display())).env("HOME", &home);
        let id = String::from_utf8(ask.output().unwrap().stdout).unwrap().trim().to_owned();
        Self { home, port: free_port(), id }
    }

    /// Writes a configuration in which nobody is looked for, nothing but one folder is shared with one other,
    /// and a disk that is nearly full (Syncthing wants a hundredth of it free) holds nothing up.
    fn share(&self, folder: &Path, other: &Self) {
        let device = |one: &Self, address: &str| {
            format!(
                "<device id=\"{}\" name=\"m\" compression=\"never\"><address>{address}</address></device>",
                one.id
            )
        };
        let configuration = format!(
            "<configuration version=\"35\">\
             <folder id=\"vault\" label=\"vault\" path=\"{}\" type=\"sendreceive\" rescanIntervalS=\"3\" fsWatcherEnabled=\"true\" fsWatcherDelayS=\"1\">\
             <device id=\"{}\"></device><device id=\"{}\"></device><maxConflicts>10</maxConflicts>\
             <minDiskFree unit=\"%\">0</minDiskFree></folder>\
             {}{}\
             <gui enabled=\"false\"></gui>\
             <options><minHomeDiskFree unit=\"%\">0</minHomeDiskFree><listenAddress>tcp://127.0.0.1:{}</listenAddress><globalAnnounceEnabled>false</globalAnnounceEnabled>\
             <localAnnounceEnabled>false</localAnnounceEnabled><relaysEnabled>false</relaysEnabled><natEnabled>false</natEnabled>\
             <reconnectionIntervalS>2</reconnectionIntervalS><urAccepted>-1</urAccepted><crashReportingEnabled>false</crashReportingEnabled>\
             <startBrowser>false</startBrowser><autoUpgradeIntervalH>0</autoUpgradeIntervalH></options></configuration>",
            folder.display(),
            self.id,
            other.id,
            device(self, "dynamic"),
            device(other, &format!("tcp://127.0.0.1:{}", other.port)),
            self.port,
        );
        fs::write(self.home.join("config.xml"), configuration).unwrap();
        fs::create_dir_all(folder.join(".stfolder")).unwrap();
    }

    fn start(&self) -> ChildGuard {
        let mut command = Command::new("syncthing");
        command
            .arg("serve")
            .arg(format!("--home={}", self.home.display()))
            .args(["--no-browser", "--no-restart", "--no-upgrade"])
            // Without the process that only watches over the real one, which would outlive it.
            .env("STMONITORED", "yes")
            .env("HOME", &self.home)
            .env("STNOUPGRADE", "1")
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        ChildGuard(command.spawn().unwrap())
    }
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

fn text_of(machine: &Machine) -> String {
    machine.notes().into_values().collect()
}

fn agree(one: &Machine, other: &Machine) -> bool {
    let notes = one.notes();
    !notes.is_empty() && notes == other.notes()
}

#[test]
fn two_machines_share_one_vault() {
    if !have("syncthing") {
        return;
    }
    // Other options are understood by other versions.
    let version =
        String::from_utf8(Command::new("syncthing").arg("--version").output().unwrap().stdout).unwrap();
    if !version.starts_with("syncthing v1.") {
        println!("skipped: this test knows the first version of Syncthing, not {version}");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (ana, ben) = (Machine::new(), Machine::new());
    let (first, second) =
        (Syncthing::new(folder.path().join("st-ana")), Syncthing::new(folder.path().join("st-ben")));
    first.share(&ana.vault(), &second);
    second.share(&ben.vault(), &first);

    // Both learn the same before they have heard of each other.
    ana.run(&["reflect", "--all"]);
    ben.run(&["reflect", "--all"]);
    let learned = ana.keys();
    assert!(learned.len() > 5, "the samples hold lessons");
    let (_ana_agent, _ben_agent) = (ana.agent(), ben.agent());
    let _ana_sync = first.start();
    let ben_sync = second.start();
    until("both have the same", || agree(&ana, &ben));
    // A marker tells that syncing works, not only that both wrote the same.
    fs::write(ana.vault().join("From Ana.md"), "hello").unwrap();
    until("a new file comes over", || ben.vault().join("From Ana.md").exists());
    assert_eq!(ana.keys(), learned, "one lesson each, not two");
    assert_eq!(ben.keys(), learned);

    // A person edits on one side: it comes over, and nobody takes it back.
    let note = ana.first_preference();
    write_line(&note, "Ana's words.");
    until("an edit comes over", || text_of(&ben).contains("Ana's words."));

    // One is paused; both edit the same note, and one side deletes another.
    drop(ben_sync);
    let same = ben.vault().join(note.strip_prefix(ana.vault()).unwrap());
    write_line(&note, "Said by Ana meanwhile.");
    write_line(&same, "Said by Ben meanwhile.");
    let (doomed, key) = ben.lessons().into_iter().find(|(name, _)| !same.ends_with(name)).unwrap();
    fs::remove_file(ben.vault().join(&doomed)).unwrap();
    let _ben_sync = second.start();
    for machine in [&ana, &ben] {
        until("what both said is on both sides", || {
            let text = text_of(machine);
            text.contains("Said by Ana meanwhile.") && text.contains("Said by Ben meanwhile.")
        });
        until("what was deleted is gone on both sides", || !machine.vault().join(&doomed).exists());
    }
    until("both have the same again", || agree(&ana, &ben));
    let listed = until_some("two versions are offered", || {
        let listed = ana.run(&["vault", "conflicts"]);
        listed.contains("Said by").then_some(listed)
    });
    assert!(listed.contains("Syncthing"), "{listed}");

    // Decided on one machine, it is decided on both, and the other version is in the archive.
    let name = note.file_name().unwrap().to_string_lossy().into_owned();
    ana.run(&["vault", "decide", &name, "--here"]);
    until("the copy is gone on both sides", || {
        let copies = |machine: &Machine| machine.notes().keys().any(|name| name.contains("sync-conflict"));
        !copies(&ana) && !copies(&ben)
    });
    until("both have the same at the end", || agree(&ana, &ben));
    assert!(
        text_of(&ben).contains("Said by Ana meanwhile.") && text_of(&ben).contains("Said by Ben meanwhile.")
    );

    // What was deleted is not learned again, neither here nor there.
    ana.run(&["reflect", "--all"]);
    ben.run(&["reflect", "--all"]);
    for machine in [&ana, &ben] {
        assert!(!machine.keys().contains_key(&key), "a deleted lesson is back");
        assert!(machine.keys().values().all(|count| *count == 1), "{:?}", machine.keys());
    }
}
