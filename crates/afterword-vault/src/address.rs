//! Addresses of web pages: which two are one page, and how one stands in a note without being fetched or run.

use crate::markdown;

/// What sites add to an address to see where a visitor came from; it changes nothing about the page.
const TRACKERS: [&str; 12] = [
    "utm_source",
    "utm_medium",
    "utm_campaign",
    "utm_term",
    "utm_content",
    "utm_id",
    "gclid",
    "fbclid",
    "msclkid",
    "mc_cid",
    "mc_eid",
    "igshid",
];

/// The address in the form that is equal for one page: scheme and host in lower case, `http` as `https`, no `www.`, no
/// usual port, no fragment, no trackers, no trailing slash. Text that is no web address comes back trimmed.
pub(crate) fn canonical(url: &str) -> String {
    let url = url.trim();
    let Some((scheme, rest)) = split_scheme(url) else { return url.to_owned() };
    let rest = rest.split('#').next().unwrap_or_default();
    let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (host, path) = place.split_once('/').unwrap_or((place, ""));
    let host = host.rsplit('@').next().unwrap_or_default().to_lowercase();
    let usual_port = if scheme == "https" { ":443" } else { ":80" };
    let host = host.strip_suffix(usual_port).unwrap_or(&host);
    let host = host.strip_prefix("www.").unwrap_or(host);
    let is_tracker = |pair: &&str| {
        let name = pair.split('=').next().unwrap_or_default().to_lowercase();
        pair.is_empty() || TRACKERS.contains(&name.as_str())
    };
    let kept: Vec<&str> = query.split('&').filter(|pair| !is_tracker(pair)).collect();
    let path = path.trim_end_matches('/');
    let slash = if path.is_empty() { "" } else { "/" };
    let query = if kept.is_empty() { String::new() } else { format!("?{}", kept.join("&")) };
    format!("https://{host}{slash}{path}{query}")
}

/// The host of an address without `www.`; `web` where there is none.
pub(crate) fn host_of(url: &str) -> String {
    let canonical = canonical(url);
    let host = canonical.strip_prefix("https://").and_then(|rest| rest.split(['/', '?', ':']).next());
    host.filter(|host| !host.is_empty()).map_or_else(|| "web".to_owned(), str::to_owned)
}

/// The address as an autolink, which opens only when a person clicks; as text where it is none of the web's.
pub(crate) fn autolink(url: &str) -> String {
    let url = url.trim();
    let harmless =
        |c: char| c.is_ascii_graphic() && !matches!(c, '<' | '>' | '"' | '`' | '\\' | '|' | '{' | '}' | '^');
    if split_scheme(url).is_some() && url.len() <= 2_000 && url.chars().all(harmless) && !url.contains("%%") {
        return format!("<{url}>");
    }
    markdown::escaped_line(url, 400)
}

/// Scheme in lower case and what follows `://`, for addresses of the web.
fn split_scheme(url: &str) -> Option<(String, &str)> {
    let (scheme, rest) = url.split_once("://")?;
    let scheme = scheme.to_lowercase();
    matches!(scheme.as_str(), "http" | "https").then_some((scheme, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_page_has_one_form() {
        for same in [
            "https://docs.rs/notify/latest/notify",
            "http://docs.rs/notify/latest/notify/",
            "HTTPS://Docs.RS:443/notify/latest/notify/#watcher",
            "https://www.docs.rs/notify/latest/notify?utm_source=x&gclid=1",
            " https://docs.rs/notify/latest/notify? ",
        ] {
            assert_eq!(canonical(same), "https://docs.rs/notify/latest/notify", "{same}");
        }
        assert_eq!(canonical("https://a.example/?b=2&utm_id=3&a=1"), "https://a.example?b=2&a=1");
        assert_eq!(canonical("https://a.example/Path"), "https://a.example/Path", "paths differ by case");
        assert_eq!(canonical("file:///etc/passwd"), "file:///etc/passwd");
    }

    #[test]
    fn sites_are_hosts() {
        assert_eq!(host_of("https://www.docs.rs/x"), "docs.rs");
        assert_eq!(host_of("https://user:word@a.example:8080/x"), "a.example");
        assert_eq!(host_of("nothing"), "web");
    }

    #[test]
    fn only_web_addresses_become_links() {
        assert_eq!(autolink("https://a.example/b?c=d"), "<https://a.example/b?c=d>");
        assert!(!autolink("javascript:alert(1)").starts_with('<'));
        assert!(!autolink("https://a.example/> <script>").starts_with('<'));
        assert!(!autolink("https://a.example/\n# heading").contains('\n'));
    }
}
