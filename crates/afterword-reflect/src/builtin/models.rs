//! The models the engine ships.

use std::path::Path;
use std::sync::OnceLock;

use super::act::ActModel;
use super::context::ContextModel;
use super::linear::Heads;
use super::model::Model;

/// What the engine has learnt.
#[derive(Debug)]
pub struct Models {
    /// A moment that carries a preference or a workflow.
    pub preference: Model,
    /// A moment that carries an idea put off for later.
    pub idea: Model,
    /// A moment that belongs to a fix: a symptom, or the person naming the cause.
    pub fix: Model,
    /// A remark that names a cause.
    pub cause: Model,
    /// What a clause does.
    pub clauses: ActModel,
    /// What a clause does beside the others of its message.
    pub context: ContextModel,
    /// Whether a title says by itself what to do.
    pub titles: Heads<1>,
    /// Whether a clause changes a rule, whichever that is.
    pub changes: Heads<1>,
    /// Whether a clause ends a given rule or takes its place.
    pub pairs: Model,
}

impl Models {
    /// The models the program ships, read once a process.
    pub fn shipped() -> &'static Self {
        static SHIPPED: OnceLock<Models> = OnceLock::new();
        SHIPPED.get_or_init(|| {
            let read = |source: &str| Model::parse(source).expect("the shipped models are checked by a test");
            Self {
                preference: read(include_str!("../../models/preference.json")),
                idea: read(include_str!("../../models/idea.json")),
                fix: read(include_str!("../../models/fix.json")),
                cause: read(include_str!("../../models/cause.json")),
                clauses: ActModel::parse(include_bytes!("../../models/clauses.bin"))
                    .expect("the shipped models are checked by a test"),
                context: ContextModel::parse(include_str!("../../models/context.json"))
                    .expect("the shipped models are checked by a test"),
                titles: Heads::parse(include_bytes!("../../models/titles.bin"))
                    .expect("the shipped models are checked by a test"),
                changes: Heads::parse(include_bytes!("../../models/changes.bin"))
                    .expect("the shipped models are checked by a test"),
                pairs: read(include_str!("../../models/pairs.json")),
            }
        })
    }

    /// Reads the models from a folder, as the training writes them.
    ///
    /// # Errors
    /// When a file is missing or no model.
    pub fn read(folder: &Path) -> std::io::Result<Self> {
        let read = |name: &str| -> std::io::Result<Model> {
            let source = std::fs::read_to_string(folder.join(name))?;
            Model::parse(&source).map_err(std::io::Error::other)
        };
        Ok(Self {
            preference: read("preference.json")?,
            idea: read("idea.json")?,
            fix: read("fix.json")?,
            cause: read("cause.json")?,
            clauses: ActModel::parse(&std::fs::read(folder.join("clauses.bin"))?)
                .map_err(std::io::Error::other)?,
            context: ContextModel::parse(&std::fs::read_to_string(folder.join("context.json"))?)
                .map_err(std::io::Error::other)?,
            titles: Heads::parse(&std::fs::read(folder.join("titles.bin"))?)
                .map_err(std::io::Error::other)?,
            changes: Heads::parse(&std::fs::read(folder.join("changes.bin"))?)
                .map_err(std::io::Error::other)?,
            pairs: read("pairs.json")?,
        })
    }
}
