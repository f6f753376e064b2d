//! Token formats that are recognised by sight, whatever stands around them.
//!
//! Each row is a fact from the issuer's public documentation (prefix, alphabet, least length). Lengths are taken a
//! little short on purpose: issuers lengthen tokens, and text may have lost a token's tail. Publishable keys
//! (`pk_live_`, `sb_publishable_`) and public keys are not secrets and have no row.

use std::ops::Range;
use std::sync::OnceLock;

use memchr::memchr_iter;
use regex::Regex;

use super::finding::Finding;
use super::values;
use super::views;

/// What may stand directly before a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Before {
    /// No letter, digit or underscore: for prefixes short enough to occur inside a word.
    Edge,
    /// Anything.
    Any,
    /// Up to ten digits that belong to the token, after anything.
    Digits,
    /// Four characters that belong to the token, after an edge.
    Four,
}

/// One row of the table.
pub(super) struct Row {
    pub(super) rule: &'static str,
    /// Literals of which one occurs in every token of this format.
    pub(super) triggers: &'static [&'static str],
    before: Before,
    /// The whole token, from its first character.
    pattern: &'static str,
}

const fn row(
    rule: &'static str,
    triggers: &'static [&'static str],
    before: Before,
    pattern: &'static str,
) -> Row {
    Row { rule, triggers, before, pattern }
}

use Before::{Any, Digits, Edge, Four};

/// The known formats. `(?-u:\b)` ends a token of fixed length.
#[rustfmt::skip]
pub(super) const FORMATS: &[Row] = &[
    // Clouds
    row("aws-access-key", &["AKIA", "ASIA", "ABIA", "ACCA"], Edge, r"A(?:KI|SI|BI|CC)A[A-Z0-9]{16}(?-u:\b)"),
    row("aws-bedrock-key", &["ABSK"], Edge, r"ABSK[A-Za-z0-9+/]{60,}=*"),
    row("google-api-key", &["AIza"], Edge, r"AIza[A-Za-z0-9_-]{33,}"),
    row("google-oauth-secret", &["GOCSPX-"], Any, r"GOCSPX-[A-Za-z0-9_-]{20,}"),
    row("google-oauth-token", &["ya29."], Edge, r"ya29\.[A-Za-z0-9_-]{20,}"),
    row("google-refresh-token", &["1//0"], Edge, r"1//0[A-Za-z0-9_-]{30,}"),
    row("azure-client-secret", &["Q~"], Four, r"[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}"),
    row("azure-sas-signature", &["sig="], Edge, r"sig=[A-Za-z0-9%+/]{40,}=?"),
    row("digitalocean-token", &["dop_v1_", "doo_v1_", "dor_v1_"], Any, r"do[opr]_v1_[a-f0-9]{32,}"),
    row("cloudflare-token", &["cfk_", "cfut_", "cfat_"], Edge, r"cf(?:k|ut|at)_[A-Za-z0-9_-]{40,}"),
    row("cloudflare-origin-ca-key", &["v1.0-"], Edge, r"v1\.0-[a-f0-9]{24}-[a-f0-9]{100,}"),
    row("alibaba-access-key", &["LTAI"], Edge, r"LTAI[A-Za-z0-9]{17,26}(?-u:\b)"),
    row("heroku-api-key", &["HRKU-"], Edge, r"HRKU-[A-Za-z0-9_-]{36,}"),
    row("flyio-token", &["fm1_", "fm2_", "fo1_"], Edge, r"f(?:m[12]|o1)_[A-Za-z0-9+/=_,-]{40,}"),
    row("vercel-token", &["vcp_", "vci_", "vca_", "vcr_", "vck_"], Edge, r"vc[piark]_[A-Za-z0-9]{20,}"),
    row("vercel-blob-token", &["vercel_blob_rw_"], Any, r"vercel_blob_rw_[A-Za-z0-9_]{20,}"),
    row("netlify-token", &["nfp_"], Edge, r"nfp_[A-Za-z0-9]{30,}"),
    row("supabase-token", &["sbp_", "sb_secret_"], Edge, r"(?:sbp_[a-f0-9]{32,}|sb_secret_[A-Za-z0-9_-]{20,})"),
    row("planetscale-token", &["pscale_tkn_", "pscale_pw_", "pscale_oauth_"], Any, r"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_=.-]{30,}"),
    row("databricks-token", &["dapi"], Edge, r"dapi[A-Fa-f0-9]{32}(?:-[0-9]+)?(?-u:\b)"),
    row("vault-token", &["hvs.", "hvb.", "hvr."], Edge, r"hv[sbr]\.[A-Za-z0-9_-]{24,}"),
    row("terraform-token", &[".atlasv1."], Any, r"\.atlasv1\.[A-Za-z0-9_=-]{40,}"),
    row("pulumi-token", &["pul-"], Edge, r"pul-[a-f0-9]{40}(?-u:\b)"),
    row("doppler-token", &["dp.pt.", "dp.st.", "dp.ct.", "dp.sa."], Edge, r"dp\.(?:pt|ct|sa|st(?:\.[a-z0-9_-]{2,35})?)\.[A-Za-z0-9]{36,}"),
    row("tailscale-key", &["tskey-"], Edge, r"tskey-(?:[a-z]+-)?[A-Za-z0-9]{6,}(?:-[A-Za-z0-9]{6,})*"),
    row("onepassword-token", &["ops_eyJ"], Any, r"ops_eyJ[A-Za-z0-9+/=_-]{100,}"),
    // What Docker keeps of its registries, in base64: `{"auths":`
    row("docker-config", &["eyJhdXRocyI6", "ewoJImF1dGhzI", "ewogICJhdXRocyI6", "ewogICAgImF1dGhzI"], Any, r"[A-Za-z0-9+/=_-]{40,}"),
    // Passwords as systems keep them: they can be guessed at leisure
    row("password-hash", &["$1$", "$apr1$"], Any, r"\$(?:1|apr1)\$[A-Za-z0-9./]{1,8}\$[A-Za-z0-9./]{20,22}"),
    row("password-hash", &["$5$", "$6$", "$7$", "$y$", "$gy$"], Any, r"\$(?:[567]|g?y)\$(?:rounds=[0-9]+\$)?[A-Za-z0-9./]{1,40}\$(?:[A-Za-z0-9./]{1,40}\$)?[A-Za-z0-9./]{40,}"),
    row("password-hash", &["$2a$", "$2b$", "$2y$"], Any, r"\$2[aby]\$[0-9]{2}\$[A-Za-z0-9./]{50,}"),
    row("password-hash", &["$argon2", "$scrypt$"], Any, r"\$(?:argon2(?:id|i|d)|scrypt)\$[A-Za-z0-9./$=,+-]{20,}"),
    row("password-hash", &["{SSHA", "{PBKDF2", "{CRYPT}"], Any, r"\{(?:SSHA(?:256|512)?|PBKDF2[A-Z0-9-]*|CRYPT)\}[A-Za-z0-9./$=+]{20,}"),
    row("password-hash", &["pbkdf2_sha256$", "pbkdf2:sha256:", "scrypt:32768:"], Any, r"(?:pbkdf2_sha256\$|pbkdf2:sha256:|scrypt:32768:)[A-Za-z0-9./$=+:]{20,}"),
    // Code and packages
    row("github-token", &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], Any, r"gh[pousr]_(?:[A-Za-z0-9]{20,}(?:[._-][A-Za-z0-9_-]{20,})*|[A-Za-z0-9_]{36,})"),
    row("github-token", &["github_pat_"], Any, r"github_pat_[A-Za-z0-9_]{22,}"),
    row("gitlab-token", &["glpat-", "gldt-", "glrt-", "glptt-", "glft-", "glsoat-", "glcbt-", "glimt-", "glagent-", "gloas-", "glffct-"], Any,
        r"gl(?:pat|dt|rt|ptt|ft|soat|cbt|imt|agent|oas|ffct)-[A-Za-z0-9_-]{20,}(?:\.[A-Za-z0-9_-]{2,}){0,2}"),
    row("gitlab-token", &["GR1348941"], Edge, r"GR1348941[A-Za-z0-9_-]{20,}"),
    row("bitbucket-token", &["ATBB"], Edge, r"ATBB[A-Za-z0-9_=.-]{28,}"),
    row("atlassian-token", &["ATATT3", "ATCTT3"], Edge, r"AT(?:AT|CT)T3[A-Za-z0-9+/=_-]{40,}"),
    row("npm-token", &["npm_"], Edge, r"npm_[A-Za-z0-9_]{30,}"),
    row("pypi-token", &["pypi-"], Any, r"pypi-(?:AgE[A-Za-z0-9_-]{20,}|[A-Za-z0-9_-]{85,})"),
    row("crates-io-token", &["cio"], Edge, r"cio[A-Za-z0-9]{32}(?-u:\b)"),
    row("rubygems-token", &["rubygems_"], Any, r"rubygems_[a-f0-9]{40,}"),
    row("nuget-key", &["oy2"], Edge, r"oy2[a-z0-9]{43}(?-u:\b)"),
    row("docker-token", &["dckr_pat_", "dckr_oat_"], Any, r"dckr_[po]at_[A-Za-z0-9_-]{20,}"),
    row("circleci-token", &["CCIPAT_", "CCIPRJ_"], Any, r"CCIP(?:AT|RJ)_[A-Za-z0-9]{10,}_[A-Za-z0-9]{32,}"),
    row("buildkite-token", &["bkua_"], Edge, r"bkua_[a-f0-9]{40,}"),
    row("sonar-token", &["sqp_", "squ_", "sqa_"], Edge, r"sq[pua]_[a-f0-9]{40}(?-u:\b)"),
    row("snyk-token", &["snyk_uat."], Any, r"snyk_uat\.[A-Za-z0-9._-]{30,}"),
    row("sentry-token", &["sntrys_", "sntryu_"], Any, r"sntry[su]_[A-Za-z0-9+/=_-]{40,}"),
    row("grafana-token", &["glsa_", "glc_eyJ"], Edge, r"(?:glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}|glc_eyJ[A-Za-z0-9+/=]{30,})"),
    row("newrelic-key", &["NRAK-", "NRII-"], Edge, r"NR(?:AK|II)-[A-Za-z0-9_-]{20,}"),
    row("postman-key", &["PMAK-"], Edge, r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}"),
    row("linear-token", &["lin_api_", "lin_oauth_"], Any, r"lin_(?:api|oauth)_[A-Za-z0-9_]{30,}"),
    row("notion-token", &["ntn_", "secret_"], Edge, r"(?:ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43}(?-u:\b))"),
    row("figma-token", &["figd_"], Edge, r"figd_[A-Za-z0-9_-]{36,}"),
    row("airtable-token", &["pat"], Edge, r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}"),
    row("dropbox-token", &["sl.u.", "sl.B"], Edge, r"sl\.(?:u\.)?[A-Za-z0-9_-]{100,}"),
    row("asana-token", &["2/"], Edge, r"2/[0-9]{15,17}/[0-9]{15,17}:[a-f0-9]{32}(?-u:\b)"),
    // Models
    row("anthropic-key", &["sk-ant-"], Any, r"sk-ant-[A-Za-z0-9_-]{16,}"),
    row("openai-key", &["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-"], Any, r"sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{16,}"),
    row("openrouter-key", &["sk-or-"], Edge, r"sk-or-v[0-9]+-[a-f0-9]{32,}"),
    row("langfuse-key", &["sk-lf-"], Edge, r"sk-lf-[a-f0-9-]{32,}"),
    row("openai-key", &["sk-"], Edge, r"sk-[A-Za-z0-9]{20,}(?-u:\b)"),
    row("huggingface-token", &["hf_", "api_org_"], Edge, r"(?:hf|api_org)_[A-Za-z0-9]{30,}"),
    row("groq-key", &["gsk_"], Edge, r"gsk_[A-Za-z0-9]{40,}"),
    row("xai-key", &["xai-"], Edge, r"xai-[A-Za-z0-9]{60,}"),
    row("perplexity-key", &["pplx-"], Edge, r"pplx-[A-Za-z0-9]{40,}"),
    row("replicate-token", &["r8_"], Edge, r"r8_[A-Za-z0-9]{36,}"),
    row("nvidia-key", &["nvapi-"], Edge, r"nvapi-[A-Za-z0-9_-]{50,}"),
    row("cerebras-key", &["csk-"], Edge, r"csk-[a-z0-9]{40,}"),
    row("fireworks-key", &["fw_"], Edge, r"fw_[A-Za-z0-9]{22,}(?-u:\b)"),
    row("pinecone-key", &["pcsk_"], Edge, r"pcsk_[A-Za-z0-9]{5,}_[A-Za-z0-9]{40,}"),
    row("langsmith-key", &["lsv2_"], Edge, r"lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{8,}"),
    row("tavily-key", &["tvly-"], Edge, r"tvly-(?:dev-|prod-)?[A-Za-z0-9]{28,}"),
    row("firecrawl-key", &["fc-"], Edge, r"fc-[a-f0-9]{32}(?-u:\b)"),
    row("apify-token", &["apify_api_"], Any, r"apify_api_[A-Za-z0-9]{30,}"),
    row("elevenlabs-key", &["sk_"], Edge, r"sk_[a-f0-9]{48}(?-u:\b)"),
    row("jina-key", &["jina_"], Edge, r"jina_[A-Za-z0-9_-]{40,}"),
    row("e2b-key", &["e2b_"], Edge, r"e2b_[a-f0-9]{40}(?-u:\b)"),
    row("voyage-key", &["pa-"], Edge, r"pa-[A-Za-z0-9_-]{40,}"),
    // Messages
    row("slack-token", &["xoxa-", "xoxb-", "xoxe-", "xoxe.", "xoxo-", "xoxp-", "xoxr-", "xoxs-", "xoxc-", "xoxd-"], Any, r"xox[abceoprsd][.-][A-Za-z0-9%._/+=-]{12,}"),
    row("slack-token", &["xapp-"], Edge, r"xapp-[0-9]-[A-Za-z0-9]+-[0-9]+-[A-Za-z0-9]{20,}"),
    row("slack-webhook", &["hooks.slack.com/"], Any, r"hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9/_-]{20,}"),
    row("discord-webhook", &["/api/webhooks/"], Any, r"/api/webhooks/[0-9]{15,20}/[A-Za-z0-9_-]{40,}"),
    row("telegram-bot-token", &[":A"], Digits, r"[0-9]{8,10}:A[A-Za-z0-9_-]{34}(?-u:\b)"),
    row("twilio-key", &["SK"], Edge, r"SK[A-Fa-f0-9]{32}(?-u:\b)"),
    row("sendgrid-key", &["SG."], Edge, r"SG\.(?:[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}|[A-Za-z0-9=_.-]{60,})"),
    row("mailgun-key", &["key-"], Edge, r"key-[a-f0-9]{32}(?-u:\b)"),
    row("mailersend-token", &["mlsn."], Edge, r"mlsn\.[a-f0-9]{60,}"),
    row("brevo-key", &["xkeysib-"], Any, r"xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}"),
    row("resend-key", &["re_"], Edge, r"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}"),
    // Money
    row("stripe-key", &["sk_live_", "sk_test_", "sk_prod_", "rk_live_", "rk_test_", "rk_prod_"], Any, r"[sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,}"),
    row("stripe-webhook-secret", &["whsec_"], Any, r"whsec_[A-Za-z0-9+/=]{20,}"),
    row("square-token", &["sq0atp-", "sq0csp-"], Any, r"sq0(?:atp|csp)-[A-Za-z0-9_-]{22,}"),
    row("shopify-token", &["shpat_", "shpca_", "shppa_", "shpss_", "shpua_", "shptka_", "shpsb_", "shpit_"], Any, r"shp[a-z]{2,3}_[A-Za-z0-9]{30,}"),
    row("braintree-token", &["access_token$production$"], Any, r"access_token\$production\$[a-z0-9]{16}\$[a-f0-9]{32}"),
    row("plaid-token", &["access-production-", "access-sandbox-", "access-development-"], Any, r"access-(?:production|sandbox|development)-[a-f0-9-]{36}"),
    row("easypost-key", &["EZAK", "EZTK"], Edge, r"EZ[AT]K[A-Za-z0-9]{54}"),
    row("hubspot-token", &["pat-na", "pat-eu"], Edge, r"pat-(?:na|eu)[0-9]?-[a-f0-9-]{36}"),
    row("square-token", &["EAAA"], Edge, r"EAAA[A-Za-z0-9_-]{40,}"),
    row("facebook-token", &["EAA"], Edge, r"EAA[A-Za-z0-9]{60,}"),
    row("mollie-key", &["live_", "test_"], Edge, r"(?:live|test)_[A-Za-z0-9]{30,}(?-u:\b)"),
    // Tools and services
    row("sourcegraph-token", &["sgp_", "slk_"], Edge, r"(?:sgp_(?:(?:[A-Fa-f0-9]{16}|local)_)?[A-Fa-f0-9]{40}|slk_[A-Fa-f0-9]{64})"),
    row("openshift-token", &["sha256~"], Any, r"sha256~[A-Za-z0-9_-]{40,}"),
    row("posthog-key", &["phx_"], Edge, r"phx_[A-Za-z0-9_]{30,}"),
    row("matrix-token", &["syt_"], Edge, r"syt_[A-Za-z0-9+/=_-]+_[A-Za-z]{20}_[A-Za-z0-9]{6}"),
    row("artifactory-key", &["AKC"], Edge, r"AKC[A-Za-z0-9]{40,}"),
    row("contentful-token", &["CFPAT-"], Edge, r"CFPAT-[A-Za-z0-9_-]{40,}"),
    row("neon-key", &["napi_"], Edge, r"napi_[a-z0-9]{40,}"),
    row("render-key", &["rnd_"], Edge, r"rnd_[A-Za-z0-9]{26,}(?-u:\b)"),
    row("dynatrace-token", &["dt0"], Edge, r"dt0[a-z][0-9]{2}\.[A-Z0-9]{24}\.[A-Z0-9]{60,}"),
    row("wakatime-key", &["waka_"], Edge, r"waka_[a-f0-9]{8}-[a-f0-9-]{27}"),
    row("yandex-token", &["y0_", "t1."], Edge, r"(?:y0_[A-Za-z0-9_-]{50,}|t1\.[A-Za-z0-9_-]+=*\.[A-Za-z0-9_-]{80,}=*)"),
    row("tencent-key", &["AKID"], Edge, r"AKID[A-Za-z0-9]{30,}(?-u:\b)"),
    row("instagram-token", &["IGQV", "IGAA"], Edge, r"IG(?:QV|AA)[A-Za-z0-9_-]{60,}"),
    row("aws-signature", &["X-Amz-Signature=", "X-Amz-Security-Token="], Any, r"X-Amz-(?:Signature=[a-f0-9]{64}|Security-Token=[A-Za-z0-9%+/=]{40,})"),
    // Shapes of no single issuer
    row("paseto", &["v1.local.", "v2.local.", "v3.local.", "v4.local.", "v1.public.", "v2.public.", "v3.public.", "v4.public."], Edge, r"v[1-4]\.(?:local|public)\.[A-Za-z0-9_-]{32,}(?:\.[A-Za-z0-9_-]+)?"),
    row("paserk", &["k1.", "k2.", "k3.", "k4."], Edge, r"k[1-4]\.(?:local|secret|local-wrap|secret-wrap|local-pw|secret-pw|seal)\.[A-Za-z0-9_.-]{32,}"),
    row("wallet-key", &["xprv", "tprv", "yprv", "zprv", "uprv", "vprv"], Edge, r"[tuvxyz]prv[1-9A-HJ-NP-Za-km-z]{90,}"),
    row("nostr-key", &["nsec1", "ncryptsec1"], Edge, r"n(?:crypt)?sec1[02-9ac-hj-np-z]{50,}"),
    row("json-web-token", &["eyJ"], Edge, r"eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{16,}(?:\.[A-Za-z0-9_-]*){0,3}"),
    row("age-secret-key", &["AGE-SECRET-KEY-1"], Any, r"AGE-SECRET-KEY-1[0-9A-Z]{20,}"),
    // The first bytes of every OpenSSH private key, when its frame was cut away.
    row("private-key", &["b3BlbnNzaC1rZXktdjE"], Any, r"b3BlbnNzaC1rZXktdjE[A-Za-z0-9+/=]+(?:(?:\\n|\\|\s)+[A-Za-z0-9+/=]{30,})*"),
];

/// A row ready for use; its pattern is compiled when one of its triggers is first met, as a hook that looks at a few lines meets none.
pub(super) struct Format {
    rule: &'static str,
    before: Before,
    pattern: &'static str,
    compiled: OnceLock<Regex>,
}

impl Format {
    pub(super) fn new(row: &Row) -> Self {
        Self { rule: row.rule, before: row.before, pattern: row.pattern, compiled: OnceLock::new() }
    }

    fn regex(&self) -> &Regex {
        let build =
            || Regex::new(&format!(r"\A(?:{})", self.pattern)).expect("the table's patterns are tested");
        self.compiled.get_or_init(build)
    }

    /// Finds the token around a trigger.
    pub(super) fn at(&self, text: &str, trigger: Range<usize>) -> Option<Finding> {
        let bytes = text.as_bytes();
        let start = match self.before {
            Any => trigger.start,
            Edge => at_edge(text, trigger.start).then_some(trigger.start)?,
            Digits => {
                let digits = bytes[..trigger.start]
                    .iter()
                    .rev()
                    .take(10)
                    .take_while(|byte| byte.is_ascii_digit())
                    .count();
                trigger.start - digits
            }
            Four => {
                let start = trigger.start.checked_sub(4)?;
                (bytes[start..trigger.start].is_ascii() && at_edge(text, start)).then_some(start)?
            }
        };
        let Some(token) = self.regex().find(&text[start..]) else {
            return self.find_wrapped(text, start, &trigger);
        };
        let token = token.as_str();
        let body = token.get(trigger.end - start..).unwrap_or_default();
        let masked = ["##", "**"].iter().any(|mark| text[start + token.len()..].starts_with(mark));
        if masked || is_stand_in(body) || values::reads_as_identifier(body) && self.rule != "nuget-key" {
            return None;
        }
        Some(Finding::by_shape(self.rule, start..views::wrapped_end(text, start, start + token.len())))
    }

    /// Finds a token of which the first line is too short to be one.
    fn find_wrapped(&self, text: &str, start: usize, trigger: &Range<usize>) -> Option<Finding> {
        let in_token = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_-+/=.".contains(byte);
        let first = text.as_bytes()[start..].iter().take(400).take_while(in_token).count();
        let end = views::wrapped_end(text, start, start + first);
        if first < 8 || end == start + first {
            return None;
        }
        let joined: String = text[start..end]
            .chars()
            .filter(|character| !character.is_whitespace() && !matches!(character, '\\' | '>' | '|'))
            .collect();
        let token = self.regex().find(&joined)?.as_str();
        let body = token.get(trigger.end - start..).unwrap_or_default();
        (!is_stand_in(body) && !values::reads_as_identifier(body))
            .then(|| Finding::by_shape(self.rule, start..end))
    }
}

/// Tells whether a token's body is filler, or says in words where one is to be put: `XXXX_PUT_YOUR_TOKEN_HERE`.
fn is_stand_in(body: &str) -> bool {
    let mut filled = body.bytes().filter(|byte| !matches!(byte, b'_' | b'-'));
    let first = filled.next().filter(|byte| byte.is_ascii_digit() || byte.is_ascii_lowercase());
    let one_sign = first.is_some() && filled.all(|byte| Some(byte) == first);
    one_sign || values::is_filler(body) || body.contains("XXXXXX") || body.contains("xxxxxx")
}

/// Tells whether a token may start here: not inside a word, unless the letters before are the tail of an escape
/// (`\n`, `%3D`, a terminal colour), as in text that was quoted into JSON or a URL.
fn at_edge(text: &str, at: usize) -> bool {
    let before = &text.as_bytes()[..at];
    match before {
        [] => true,
        // In a hash or a blob of base64url any short prefix turns up by chance.
        [.., blob, b'-' | b'+'] if blob.is_ascii_alphanumeric() => false,
        [.., last] if !last.is_ascii_alphanumeric() && *last != b'_' => true,
        [.., b'\\', b'n' | b'r' | b't' | b'b' | b'f'] => true,
        [.., b'%', high, low] => high.is_ascii_hexdigit() && low.is_ascii_hexdigit(),
        [.., b'\\', b'u', b'0', b'0', _, _] => true,
        [.., last] if *last == b'm' => {
            let digits = before[..before.len() - 1]
                .iter()
                .rev()
                .take(12)
                .take_while(|byte| byte.is_ascii_digit() || **byte == b';')
                .count();
            before[..before.len() - 1 - digits].ends_with(b"[")
        }
        _ => false,
    }
}

/// Finds Discord bot tokens: three parts joined by dots, the middle one of six characters, with no literal to look for.
///
/// The first part is the bot's id in base64, which always starts with M, N or O.
pub(super) fn discord_bot_tokens(text: &str, findings: &mut Vec<Finding>) {
    let bytes = text.as_bytes();
    let in_token = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte == b'-';
    for dot in memchr_iter(b'.', bytes) {
        if bytes.get(dot + 7) != Some(&b'.') || !bytes[dot + 1..dot + 7].iter().all(in_token) {
            continue;
        }
        let head = bytes[..dot].iter().rev().take(31).take_while(|byte| in_token(byte)).count();
        let tail = bytes[dot + 8..].iter().take(40).take_while(|byte| in_token(byte)).count();
        let start = dot - head;
        if (23..=30).contains(&head) && (27..40).contains(&tail) && matches!(bytes[start], b'M' | b'N' | b'O')
        {
            findings.push(Finding::by_shape("discord-bot-token", start..dot + 8 + tail));
        }
    }
}
