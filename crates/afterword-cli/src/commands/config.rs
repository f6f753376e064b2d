//! `afterword config get|set|path|show`; keys are in `keys`.

use std::io::Write;
use std::process::ExitCode;

use afterword_app::{
    ConfigFile, EngineName, Error, Paths, environment_of_process, model_calls, search_model, settings,
};
use jiff::Timestamp;
use serde::Serialize;

use crate::arguments::Config;
use crate::failure::Failure;
use crate::output::{BOLD, DIM, Output, plain};

#[derive(Serialize)]
struct PathView {
    version: u32,
    path: String,
}

#[derive(Serialize)]
struct ShowView {
    version: u32,
    settings: Vec<afterword_app::config::SettingValue>,
}

pub(crate) fn run(command: Config, output: &mut Output) -> Result<ExitCode, Failure> {
    let command = match command {
        Config::Keys => return super::keys::list(output),
        Config::SetKey { engine } => return super::keys::set(&engine, output),
        Config::DeleteKey { engine } => return super::keys::delete(&engine, output),
        other => other,
    };
    let environment = environment_of_process();
    let paths = Paths::new(&environment).map_err(Error::from)?;
    let file = ConfigFile::new(&paths.config_file, environment.home.as_deref());
    match command {
        Config::Get { key } => get(&file, &key, output)?,
        Config::Set { key, values } => {
            settings::change_setting(&environment, &key, &values)?;
            let _ = writeln!(output.talk(), "changed {}", plain(&paths.config_file.to_string_lossy()));
            match key.as_str() {
                "recall.model" => search_model(output)?,
                "engine.name" | "engine.model" | "engine.address" | "engine.anthropic_address" => {
                    engine(output)?;
                }
                _ => {}
            }
        }
        Config::Path => {
            let path = paths.config_file.to_string_lossy().into_owned();
            if output.json {
                output.print_json(&PathView { version: 1, path })?;
            } else {
                writeln!(output.data(), "{path}")?;
            }
        }
        Config::Keys | Config::SetKey { .. } | Config::DeleteKey { .. } => {}
        Config::Show => {
            let settings = file.show()?;
            if output.json {
                output.print_json(&ShowView { version: 1, settings })?;
            } else {
                for setting in settings {
                    show(&setting, output)?;
                }
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Another search model is wanted: what makes its vectors is queued, and said.
fn search_model(output: &mut Output) -> Result<(), Failure> {
    let job = search_model::queue_reembedding(&super::app()?, true, Timestamp::now())?;
    if let Some(job) = job {
        let _ = writeln!(
            output.talk(),
            "job {job} makes the new vectors; until it is done searches go on with the model before"
        );
    }
    Ok(())
}

/// What stands in the way of the engine as it is set now, or how to find out whether it answers: the question may cost money.
fn engine(output: &mut Output) -> Result<(), Failure> {
    let app = super::app()?;
    let engine = app.config().engine;
    if engine == EngineName::Builtin {
        return Ok(());
    }
    match model_calls::engine_fault(&app) {
        Some(fault) => output.hint(&fault.sentence()),
        None => output.hint(&format!("`afterword engine try` asks {engine} one test question")),
    }
    Ok(())
}

fn get(file: &ConfigFile<'_>, key: &str, output: &mut Output) -> Result<(), Failure> {
    let shown = file.show()?.into_iter().find(|setting| setting.key == key);
    let Some(setting) = shown else {
        return Err(afterword_app::config::keys::unknown_setting(key).into());
    };
    if output.json {
        output.print_json(&ShowView { version: 1, settings: vec![setting] })?;
    } else {
        for text in &setting.texts {
            writeln!(output.data(), "{}", plain(text))?;
        }
    }
    Ok(())
}

fn show(setting: &afterword_app::config::SettingValue, output: &mut Output) -> Result<(), Failure> {
    let value = if setting.value.is_empty() { "(not set)".to_owned() } else { plain(&setting.value) };
    let (style, note) = if setting.set { (BOLD, "") } else { (DIM, "  (default)") };
    let note = if setting.value.is_empty() { "" } else { note };
    writeln!(output.data(), "{style}{:<26}{style:#} {value}{DIM}{note}{DIM:#}", setting.key)?;
    Ok(())
}
