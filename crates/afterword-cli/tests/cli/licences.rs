//! `afterword licences`: whoever has only the program has its notices.

use crate::env::TestEnv;

#[test]
fn program_tells_its_licences_and_those_of_what_the_model_was_made_from() {
    let env = TestEnv::new();
    let told = env.ok(&["licences"]);
    for part in [
        "MIT License",
        "Apache License",
        "all-MiniLM-L6-v2",
        "WordNet 3.0 Copyright 2006 by Princeton University. All rights reserved.",
        "THIS SOFTWARE AND DATABASE IS PROVIDED \"AS IS\"",
        "LICENSEE agrees to preserve same.",
    ] {
        assert!(told.contains(part), "{part}");
    }
    assert!(env.json(&["licences"])["model"].as_str().unwrap().contains("Princeton"));
}
