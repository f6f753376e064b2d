//! What hooks and other processes left in the state directory: taken in or put aside, and never in anybody's way.
#![no_main]

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use afterword_app::{Environment, Paths};
use afterword_claude_code::ClaudeCodeError;
use afterword_claude_code::markers::Markers;
use afterword_claude_code::spool::Spool;
use libfuzzer_sys::fuzz_target;

static PATHS: LazyLock<Paths> = LazyLock::new(|| {
    let home = std::env::temp_dir().join(format!("afterword-fuzz-{}", std::process::id()));
    let environment = Environment {
        afterword_home: Some(home),
        claude_config_dir: None,
        home: None,
        working_directory: PathBuf::from("/"),
    };
    Paths::new(&environment).expect("a home")
});

fuzz_target!(|bytes: &[u8]| {
    let spool = Spool::new(&PATHS);
    spool.create().expect("a folder");
    let half = bytes.len() / 2;
    for (number, part) in [bytes, &bytes[..half], &bytes[half..]].into_iter().enumerate() {
        fs::write(spool.directory().join(format!("00000000000000-1-{number}.json")), part).expect("a file");
    }
    let mut handed = Vec::new();
    let mut events = 0;
    let refused = spool.hand_out(&mut handed, &mut |_| {
        events += 1;
        Ok::<(), ClaudeCodeError>(())
    });
    assert_eq!(refused.expect("nothing holds it up") + events, 3);
    assert_eq!(handed.len(), events);
    spool.remove(&handed).expect("they are files");
    assert_eq!(spool.counts().expect("the folder is there").events, 0);
    fs::remove_dir_all(spool.directory()).expect("it can be removed");

    let markers = Markers::new(&PATHS);
    let folder = PATHS.state.join("markers");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("session-id-5f0a.start"), bytes).expect("a file");
    assert_eq!(markers.open().expect("nothing holds it up").len(), 1);
});
