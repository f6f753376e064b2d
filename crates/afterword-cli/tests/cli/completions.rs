//! `afterword completions`

use crate::env::TestEnv;

#[test]
fn scripts_for_every_shell_name_the_commands() {
    let env = TestEnv::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = env.ok(&["completions", shell]);
        for command in ["init", "reflect", "inspect", "sessions", "config", "doctor"] {
            assert!(script.contains(command), "{shell} lacks {command}");
        }
        for hidden in ["what a package brings along", "afterword__subcmd__reference", "afterword__reference"]
        {
            assert!(!script.contains(hidden), "{shell} names what the help does not: {hidden}");
        }
    }
}

#[test]
fn unknown_shell_is_wrong_usage() {
    let ran = TestEnv::new().run(&["completions", "tcsh"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stdout.is_empty());
}
