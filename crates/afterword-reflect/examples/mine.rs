//! Mines transcripts with the models of a folder, for the cross-validation of `training/train.py`: prints one object a
//! session, `{"session":…,"candidates":[…]}`.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use afterword_reflect::builtin::{History, Miner, Models};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let models = Models::read(&PathBuf::from(arguments.next().ok_or("usage: mine MODELS TRANSCRIPT…")?))?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    for path in arguments {
        let path = Path::new(&path);
        let history = History::default();
        let mut miner = Miner::with_models(&models, &history);
        afterword_transcript::scan(path, None, &mut |event| miner.push(&event))?;
        let session = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        writeln!(
            out,
            "{}",
            serde_json::json!({"session": session, "candidates": miner.finish().candidates})
        )?;
    }
    Ok(())
}
