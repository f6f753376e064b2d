//! Signing in to remote tool servers (MCP): OAuth 2.1 with PKCE over a redirect to this machine, as the MCP specification
//! has it.
//!
//! It owns discovery, dynamic registration, the redirect, fresh tokens for old ones, taking them back, and the question
//! whether a server lets somebody in. The protocol itself is `rmcp`'s; every request goes through one place. It keeps
//! nothing, opens no browser, and knows neither keyrings nor conversations: tokens come in and go out as values, and time is
//! an argument. Start reading at [`SignIn::begin`] and [`refresh()`].

mod error;
mod flow;
mod http;
mod redirect;
mod refresh;
mod terms;
mod tokens;

pub use error::SignInError;
pub use flow::SignIn;
pub use http::{Admission, ask_in};
pub use refresh::{refresh, revoke};
pub use terms::{RegisteredClient, SignInTerms};
pub use tokens::{Token, Tokens};
