//! What a sign-in asks for besides what the server says.

use crate::{Token, Tokens};

/// The client and the scopes of a sign-in.
#[derive(Debug, Clone, Default)]
pub struct SignInTerms {
    /// The client that the person registered at the authorization server. Without one the server is asked to register us.
    pub client: Option<RegisteredClient>,
    /// What an earlier sign-in brought: what it allows is asked for again.
    pub granted: Option<Tokens>,
    /// Scopes that are wanted besides.
    pub wanted: Vec<String>,
}

/// A client that somebody registered by hand, where a server does not let programs register themselves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegisteredClient {
    /// What the authorization server calls it.
    pub id: String,
    /// Its secret, if it has one.
    pub secret: Option<Token>,
    /// The port of the redirect it is registered with; any where that does not matter.
    pub port: Option<u16>,
}

impl SignInTerms {
    /// The scopes to ask for: those the server names, those that `issuer` granted before, and those that are wanted.
    pub(crate) fn scopes(&self, named: Vec<String>, issuer: Option<&str>) -> Vec<String> {
        let granted = self.granted.as_ref().filter(|tokens| tokens.issuer.as_deref() == issuer);
        let granted = granted.into_iter().flat_map(|tokens| &tokens.scopes);
        let mut scopes = Vec::new();
        for scope in granted.chain(&named).chain(&self.wanted) {
            if !scopes.contains(scope) {
                scopes.push(scope.clone());
            }
        }
        scopes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_granted_is_asked_for_again_by_the_server_that_granted_it() {
        let tokens = Tokens {
            access: Token::new("aaa"),
            refresh: None,
            client: "us".into(),
            client_secret: None,
            scopes: vec!["read".into(), "list".into()],
            issuer: Some("https://login.example.org".into()),
            received_at: "2026-03-02T08:00:00Z".parse().unwrap(),
            lifetime: None,
        };
        let terms = SignInTerms { granted: Some(tokens), wanted: vec!["write".into()], client: None };
        let check = |issuer, expected: &[&str]| {
            assert_eq!(terms.scopes(vec!["read".into()], issuer), expected, "{issuer:?}");
        };
        check(Some("https://login.example.org"), &["read", "list", "write"]);
        check(Some("https://elsewhere.example.net"), &["read", "write"]);
        check(None, &["read", "write"]);
    }
}
