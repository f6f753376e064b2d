//! Why a connection cannot be kept or used as it is.

use serde::Serialize;
use thiserror::Error;

/// Why a connection cannot be kept or used as it is.
#[derive(Debug, Clone, PartialEq, Eq, Error, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum UnfitConnection {
    /// Its name has other characters than names have.
    #[error("a name is made of a to z, 0 to 9 and -")]
    Name,
    /// It is to be a program, and names none.
    #[error("it names no program")]
    NamesNoProgram,
    /// A variable of its environment cannot be called that.
    #[error("`{variable}` is no variable's name")]
    Variable {
        /// What it was called.
        variable: String,
    },
    /// The id of a client that the person registered has characters that no id has.
    #[error("the client's id cannot be used")]
    ClientId,
    /// Its address is none, or has a name and a password in it.
    #[error("the address cannot be used; a secret does not belong into it")]
    Address,
    /// The place for the secret stands twice, or in the host.
    #[error("{{secret}} stands once in an address, behind its host")]
    SecretPlace,
    /// Another machine would be spoken to without encryption.
    #[error("an address begins with https://")]
    Unencrypted,
    /// The value of a variable looks like a secret.
    #[error("the value of `{variable}` looks like a secret, which is not kept here; {}", IN_A_VARIABLE)]
    SecretInVariable {
        /// What the variable is called.
        variable: String,
    },
    /// An argument of its program looks like a secret.
    #[error("one of its arguments looks like a secret, which is not kept here; {}", IN_A_VARIABLE)]
    SecretInArgument,
    /// A part of its address looks like a secret.
    #[error(
        "a part of its address looks like a secret, which is not kept here; sign in to the server instead, or write {{secret}} in its place and give it with `afterword connections secret`"
    )]
    SecretInAddress,
    /// There is no program at this place.
    #[error("there is no program {path}")]
    NoProgramThere {
        /// The place.
        path: String,
    },
    /// No folder of the search path has a program of that name.
    #[error("there is no program `{command}` in the search path; say where it is")]
    NoProgram {
        /// The name.
        command: String,
    },
    /// A secret was given, and its address has no place for one.
    #[error("its address has no place for a secret; write {{secret}} into it where it stands")]
    NoSecretPlace,
    /// Its address lets in whoever knows it.
    #[error("its address holds what lets you in; there is nothing to sign in to")]
    LetInByAddress,
    /// A secret was given for a client, and the person registered none.
    #[error("it has no client of yours; say which with `connections add … --client-id`")]
    NoOwnClient,
    /// It is a program, and no server to sign in to.
    #[error("it is a program on this machine; there is nothing to sign in to")]
    IsAProgram,
    /// The server does not take the tokens that its authorization server gave.
    #[error("the server does not take what its authorization server gave")]
    TokensRefused,
    /// Its address was changed while the person signed in.
    #[error("its address was changed meanwhile; sign in again")]
    AddressChanged,
    /// What was given as the secret of the person's client can be none.
    #[error("the client's secret cannot be used")]
    ClientSecret,
    /// What was given as the secret of its address can be none.
    #[error("the secret of its address cannot be used")]
    AddressSecret,
    /// The server's token is too long to be kept.
    #[error("the server gave a token that cannot be kept")]
    TokenTooLong,
    /// Its row, or what the keyring has of it, is not read by this version.
    #[error("{detail}")]
    Unreadable {
        /// What is wrong, in English.
        detail: String,
    },
}

/// Where a program's secret belongs.
const IN_A_VARIABLE: &str =
    "give it to the program in a variable of the agent's environment, and let that be passed on";
