//! The program under test, for tests from outside.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The repository.
pub fn root() -> &'static Path {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    crates.and_then(Path::parent).expect("the room lies in the repository's folder of crates")
}

/// The binary as it is in the tree now, whatever was built before; built once in a process. `AFTERWORD_BUILT` names one that was built
/// together with the tests (`scripts/test`).
pub fn built() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        if let Some(built) = std::env::var_os("AFTERWORD_BUILT") {
            return PathBuf::from(built);
        }
        let mut build = Command::new(env!("CARGO"));
        // With a test, so that it is built with the features that tests ask for and nothing is built twice.
        build.args(["build", "--quiet", "--bin", "afterword", "--test", "licences"]).current_dir(root());
        assert!(build.status().expect("cargo runs").success(), "the binary does not build");
        let here = std::env::current_exe().expect("a test has a path");
        let folder = here.parent().and_then(Path::parent).expect("tests lie in target/<profile>/deps");
        folder.join(format!("afterword{}", std::env::consts::EXE_SUFFIX))
    })
}
