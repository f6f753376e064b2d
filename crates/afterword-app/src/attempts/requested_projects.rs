//! Which projects a caller means, and what they are called in the index.

use afterword_core::ProjectKey;
use afterword_store::Store;

use crate::repository::project_folder;
use crate::{App, Error, naming};

/// Projects that a caller means.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct RequestedProjects {
    pub(super) keys: Vec<ProjectKey>,
    pub(super) names: Vec<String>,
}

/// The projects meant by a path or a name, case of a name not counting; failing that, those whose path ends with it.
/// None where nothing is known of such a project.
pub(super) fn projects_named(app: &App, store: &Store, text: &str) -> Result<RequestedProjects, Error> {
    let known = naming::named_folders(app, store)?;
    let text = text.trim();
    let wanted = ProjectKey::from_cwd(&project_folder(text, &app.config.folders));
    let pick = |fits: &dyn Fn(&ProjectKey, &str) -> bool| {
        let mut named = RequestedProjects::default();
        for (key, name) in known.iter().filter(|(key, name)| fits(key, name)) {
            named.keys.push(key.clone());
            named.names.push(name.clone());
        }
        (!named.keys.is_empty()).then_some(named)
    };
    let exactly = pick(&|key, name| *key == wanted || name.eq_ignore_ascii_case(text));
    let ends = |key: &ProjectKey| {
        let before = key.as_str().strip_suffix(text);
        !text.is_empty() && before.is_some_and(|before| before.ends_with(['/', '\\']))
    };
    Ok(exactly.or_else(|| pick(&|key, _| ends(key))).unwrap_or_default())
}
