//! What `doctor` says of the search model: nothing as long as it is the one inside the program and the index has it.

use afterword_core::{JobStatus, JobType};
use afterword_recall::EmbeddingModel;
use afterword_store::{SearchIndex, Store};

use super::reembedding::REEMBEDDING;
use crate::health::Check;
use crate::{App, Environment, Error};

const NAME: &str = "search model";

pub(crate) fn check(environment: &Environment, store: Option<&Store>) -> Option<Check> {
    // What is wrong with the settings is said already.
    let app = App::new(environment.clone()).ok()?;
    try_check(&app, store).unwrap_or_else(|error| Some(Check::error(NAME, &error)))
}

fn try_check(app: &App, store: Option<&Store>) -> Result<Option<Check>, Error> {
    let chosen = app.config.search_model.as_deref();
    let fits = super::has_chosen_model(app)?;
    let Some(folder) = chosen else {
        if fits {
            return Ok(None);
        }
        return Ok(Some(on_its_way(store, "the built-in model")?));
    };
    let place = folder.display();
    if fits {
        let kept = super::cache_status(app, folder).map(|kept| kept.name).unwrap_or_default();
        let index = SearchIndex::open_existing(&app.paths.search_index())?;
        return Ok(Some(match index.map(|index| super::model_of(app, &index)).transpose()?.flatten() {
            Some(_) => Check::ok(NAME, format!("{place} ({kept})")),
            None => {
                let message =
                    format!("{place}: what was kept of it cannot be used; words alone are searched");
                Check::warn(NAME, message, "run `afterword index rebuild`")
            }
        }));
    }
    // Read whole, as the job does: what is wrong with it is said before the job is waited for.
    match EmbeddingModel::from_folder(folder) {
        Err(error) => Ok(Some(Check::error(NAME, &error.into()))),
        Ok(_) => Ok(Some(on_its_way(store, &place.to_string())?)),
    }
}

fn on_its_way(store: Option<&Store>, model: &str) -> Result<Check, Error> {
    let last =
        store.map(|store| store.jobs().last_job_about(JobType::Maintenance, REEMBEDDING)).transpose()?;
    Ok(match last.flatten() {
        Some(job) if job.status == JobStatus::Running => {
            let percent = (job.progress * 100.0).round();
            Check::ok(NAME, format!("the index is given the vectors of {model}, {percent} % done"))
        }
        Some(job) if job.status == JobStatus::Queued => {
            let message = format!("a job waits that gives the index the vectors of {model}");
            Check {
                advice: Some("the agent does it: `afterword run`, or the app".to_owned()),
                ..Check::ok(NAME, message)
            }
        }
        Some(job) if matches!(job.status, JobStatus::Failed | JobStatus::Cancelled) => {
            let reason = job.reason.unwrap_or_default();
            let message = format!("the index has other vectors than those of {model}: {reason}");
            Check::warn(
                NAME,
                message,
                format!("run `afterword jobs retry {}`, or `afterword index rebuild`", job.id),
            )
        }
        _ => Check::warn(
            NAME,
            format!("the index has other vectors than those of {model}"),
            "start the agent, or run `afterword index rebuild`",
        ),
    })
}
