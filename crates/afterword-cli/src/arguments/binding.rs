//! `afterword bind`, `unbind`, `checks`

use clap::Args;

use super::Consent;

#[derive(Debug, Args)]
pub(crate) struct Bind {
    /// Note id, the start of one, path, or file name
    pub(crate) note: String,
    /// Check to bind by, in place of what the note says; may be given again, as in 'never run `npm`, run `pnpm`'
    #[arg(long = "as", value_name = "CHECK")]
    pub(crate) checks: Vec<String>,
    #[command(flatten)]
    pub(crate) consent: Consent,
}

#[derive(Debug, Args)]
pub(crate) struct Unbind {
    /// Note id, the start of one, path, or file name
    pub(crate) note: String,
    /// Lift it for one session only [default: for good]
    #[arg(long)]
    pub(crate) once: bool,
    /// With `--once`: the session's id [default: the one that the lesson stopped last]
    #[arg(long, value_name = "SESSION", requires = "once")]
    pub(crate) session: Option<String>,
}
