//! The keys of engines. Each is kept for the host it is sent to: a changed address gets none.

use afterword_core::Secret;
use afterword_platform::keyring::Keyring;
use afterword_reflect::engine::host;
use serde::Serialize;

use crate::error::{ConfigError, EngineCallError, SettingProblem};
use crate::model_calls::engines;
use crate::{App, EngineName, Error};

/// Whether an engine's key is kept; never the key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS), ts(rename = "Key"))]
pub struct KeyView {
    /// The engine.
    pub engine: EngineName,
    /// Where it is sent.
    pub host: String,
    /// It is in the keyring.
    pub kept: bool,
}

/// The engines that take a key, and whether one is kept for where they are asked now.
///
/// # Errors
/// [`Error::Keyring`].
pub fn keys(app: &App) -> Result<Vec<KeyView>, Error> {
    let engines = EngineName::ALL.into_iter().filter(|engine| engines::address(app, *engine).is_some());
    let view = |engine| {
        let host = host_of(app, engine)?;
        let kept = Keyring::default().get(&keyring_name(engine, &host))?.is_some();
        Ok(KeyView { engine, host, kept })
    };
    engines.map(view).collect()
}

/// Keeps the key of an engine in the keyring, for the host that the settings name.
///
/// # Errors
/// [`EngineCallError::UnknownKey`] for an engine that takes none, and [`Error::Keyring`].
pub fn set_key(app: &App, name: &str, key: &Secret) -> Result<KeyView, Error> {
    let (engine, host) = taking_key(app, name)?;
    Keyring::default().set(&keyring_name(engine, &host), key)?;
    Ok(KeyView { engine, host, kept: true })
}

/// Removes the key of an engine for the host that the settings name; false where none was kept.
///
/// # Errors
/// [`EngineCallError::UnknownKey`] for an engine that takes none, and [`Error::Keyring`].
pub fn delete_key(app: &App, name: &str) -> Result<bool, Error> {
    let (engine, host) = taking_key(app, name)?;
    Ok(Keyring::default().delete(&keyring_name(engine, &host))?)
}

fn taking_key(app: &App, name: &str) -> Result<(EngineName, String), Error> {
    let engine = EngineName::parse(name).filter(|engine| engines::address(app, *engine).is_some());
    let engine = engine.ok_or_else(|| EngineCallError::UnknownKey { name: name.to_owned() })?;
    Ok((engine, host_of(app, engine)?))
}

fn host_of(app: &App, engine: EngineName) -> Result<String, Error> {
    let address = engines::address(app, engine).unwrap_or_default();
    host(&address).ok_or_else(|| {
        ConfigError::BadValue {
            key: "engine.address".to_owned(),
            problem: SettingProblem::NoHost { address }.into(),
        }
        .into()
    })
}

/// The name a key has in the keyring.
pub(super) fn keyring_name(engine: EngineName, host: &str) -> String {
    format!("{engine} {host}")
}
