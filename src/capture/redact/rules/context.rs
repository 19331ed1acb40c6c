//! Secrets known by their place: headers, command lines, SQL, phrases.

use super::{Gate, Rule};

#[rustfmt::skip]
pub(super) static RULES: &[Rule] = &[
    // `Authorization: Bearer ...`, as a header, in JSON at any depth, in code
    Rule::after("authorization-header", &["authorization"], Gate::Opaque, r#"(?i:authorization)[\\"'`\]]{0,6}\s{0,3}[:=,]{1,2}>?\s{0,3}[\\"'`bf]{0,4}(?i:bearer|basic|token|apikey|api-token|api-key|bot|digest|negotiate|ntlm|kerberos|key|ssws|oauth|splunk|genie(?:key)?|klaviyo-api-key|personal)\s+(?:token=)?[\\"'`]{0,3}([A-Za-z0-9+/=_.~:%|!-]{8,})"#).start().window(8192),
    Rule::after("authorization-header", &["authorization"], Gate::Random, r#"(?i:authorization)[\\"'`\]]{0,6}\s{0,3}[:=,]{1,2}\s{0,3}[\\"'`]{0,4}([A-Za-z0-9+/=_.~:-]{16,})"#).start().window(8192),
    Rule::after("authorization-header", &["bearer "], Gate::Random, r"(?i:bearer) ([A-Za-z0-9+/=_.~-]{20,})").window(8192),
    // curl: `-u user:password`, also after a line that ends in a backslash
    Rule::after("basic-auth-option", &[" -u", " --user", " --proxy-user"], Gate::Literal, r#" (?i:-u|--user|--proxy-user)[ =]?[\\"']{0,4}([^\s:'"\\$<>{}]{0,80}:[^\s'"\\]{3,})"#).behind("curl", 300),
    Rule::after("basic-auth-option", &[" -u", " --user"], Gate::Password, r#" (?:-u|--user)[ =]?[\\"']{0,4}([^\s:'"\\$<>{}]{8,}):[\\"'\s]"#).behind("curl", 300),
    Rule::after("password-option", &["mysql", "mariadb"], Gate::Literal, r#"(?i:mysql|mariadb)[a-z_-]{0,12}(?: [^\n\r|;&]{0,160}?)?\s-p[\\"']{0,2}([^\s'"\\-][^\s'"\\]{4,})"#),
    Rule::after("password-option", &["sshpass"], Gate::Literal, r#"sshpass\s+-p\s*[\\"']{0,2}([^\s'"\\]{4,})"#),
    Rule::after("password-option", &["redis-cli"], Gate::Literal, r#"redis-cli\s[^\n\r|;&]{0,120}?-a\s+[\\"']{0,2}([^\s'"\\]{6,})"#),
    Rule::after("password-option", &["docker login", "podman login", "helm registry login", "npm login"], Gate::Literal, r#"(?i:(?:docker|podman|npm|helm registry) login)[^\n\r|;&]{0,160}?\s-p\s+[\\"']{0,2}([^\s'"\\]{6,})"#),
    Rule::after("password-option", &["convertto-securestring"], Gate::Literal, r#"(?i:convertto-securestring)(?:\s+-[A-Za-z]+){0,3}\s+[\\"']{0,4}([^\s'"\\-][^\s'"\\]{5,})"#),
    Rule::after("password-option", &["unseal "], Gate::Random, r"unseal ([A-Za-z0-9+/=]{40,})"),
    Rule::after("password-option", &["curlopt_"], Gate::Literal, r#"CURLOPT_(?:USERPWD|KEYPASSWD|PASSWORD|PROXYPASSWORD|XOAUTH2_BEARER)\s*[,=]>?\s*[\\"']{1,2}([^\s'"\\]{6,})"#),
    // A password as an argument, or piped into what asks for one
    Rule::after("password-option", &["htpasswd "], Gate::Password, r#"htpasswd(?:\s+-[A-Za-z0-9]+){0,3}?\s+-[A-Za-z]*b[A-Za-z]*(?:\s+-[A-Za-z0-9]+){0,3}\s+\S+\s+(?:[^\s>|;&]+\s+)?[\\"']{0,2}([^\s'"\\]{4,})"#),
    Rule::after("password-option", &["7z ", "7za ", "7zz "], Gate::Password, r#"(?i:7z[az]?)\s[^\n\r|;&]{0,120}?\s?-p[\\"']{0,2}([^\s'"\\]{4,})"#),
    Rule::after("password-option", &["zip -", "zip --"], Gate::Password, r#"zip\s[^\n\r|;&]{0,80}?-P\s+[\\"']{0,2}([^\s'"\\]{4,})"#),
    Rule::after("password-option", &["ldapsearch", "ldapmodify", "ldapadd", "ldapwhoami", "ldapdelete"], Gate::Password, r#"ldap[a-z]{3,8}\s[^\n\r|;]{0,200}?-w\s+[\\"']{0,2}([^\s'"\\]{4,})"#),
    Rule::after("password-option", &["az login"], Gate::Password, r#"az login\s[^\n\r|;]{0,200}?-p\s+[\\"']{0,2}([^\s'"\\]{4,})"#),
    Rule::after("password-option", &["echo "], Gate::Password, r#"echo\s+(?:-[A-Za-z]+\s+)?[\\"']{0,2}[A-Za-z0-9_.-]{1,32}:([^\s'"\\|]{4,})[\\"']{0,2}\s*\|\s*(?:sudo\s+)?chpasswd"#),
    Rule::after("password-option", &["echo "], Gate::Password, r#"echo\s+(?:-[A-Za-z]+\s+)?[\\"']{0,2}([^\s'"\\|]{4,})[\\"']{0,2}\s*\|\s*(?:sudo\s+(?:-[A-Za-z]+\s+)*-[A-Za-z]*S|gh auth login|docker login|podman login|helm registry login|passwd\b)"#),
    Rule::after("password-option", &["wpa_passphrase "], Gate::Password, r#"wpa_passphrase\s+(?:"[^"\n]*"|'[^'\n]*'|\S+)\s+[\\"']{0,2}([^\s'"\\]{8,63})"#),
    Rule::after("password", &["psk=", "psk ", "requirepass ", "masterauth "], Gate::Password, r#"(?i:psk|requirepass|masterauth)\s{0,3}[= ]\s{0,3}[\\"']{0,2}([^\s'"\\]{6,63})"#),
    Rule::after("password", &[":5432:", ":5433:", ":6432:"], Gate::Password, r":\d{4}:[^:\s]{1,64}:[^:\s]{1,64}:([^\s:\x22'\\]{4,})"),
    Rule::after("password", &["auth=(", "auth = ("], Gate::Password, r#"auth ?= ?\(\s*[\\]{0,2}["'][^'"\n\\]{1,80}[\\]{0,2}["']\s*,\s*[\\]{0,2}["']([^'"\s\\]{4,})"#),
    Rule::after("password", &["jdbc:oracle:"], Gate::Password, r#"jdbc:oracle:[a-z0-9]{2,8}:[^/\s@:"']{1,64}/([^@\s"'\\]{4,})@"#),
    Rule::after("password", &["app password", "application password", "app_password", "app-specific password", "app_specific_password", "--password "], Gate::Literal, r#"(?i:(?:--|app[a-z]*[ _-](?:specific[ _-])?)password)(?: is)?[ :="'`]{1,5}([a-z]{4}(?: [a-z]{4}){3}|[a-z]{4}(?:-[a-z]{4}){3})\b"#),
    Rule::after("cookie", &[" -b ", " --cookie "], Gate::Random, r#" (?:-b|--cookie) [\\"']{0,2}[^=;\s"']{1,64}=([^;\s"'\\]{16,})"#).behind("curl", 300),
    Rule::after("secret", &["secret set "], Gate::Opaque, r#"secret set [A-Za-z0-9_]{2,64}\s+(?:--body|-b)[ =][\\"']{0,2}([^\s'"\\]{6,})"#),
    Rule::after("secret", &["signature=", "&sig=", "?sig="], Gate::Random, r"(?i:signature|[?&]sig)=([A-Za-z0-9%+/=_-]{20,})"),
    Rule::after("secret", &["client-key-data"], Gate::Format, r#"client-key-data[\\"']{0,3}:\s*[\\"']{0,3}([A-Za-z0-9+/=]{80,})"#).window(8192),
    // SQL
    Rule::after("sql-password", &["identified "], Gate::Literal, r#"IDENTIFIED\s+(?:WITH\s+[\\'"`]{0,2}\w+[\\'"`]{0,2}\s+)?BY\s+(?:PASSWORD\s+)?[\\]{0,3}['"]([^\s"'`\\;]{4,})['"\\]"#),
    Rule::after("sql-password", &["identified "], Gate::Password, r#"IDENTIFIED\s+BY\s+(?:PASSWORD\s+)?([^\s"'`\\;]{6,})"#),
    Rule::after("sql-password", &["identified "], Gate::Password, r#"(?i:identified\s+by\s+(?:password\s+)?)[\\]{0,3}['"]([^\s"'`\\;]{6,})['"\\]"#),
    Rule::after("sql-password", &["password "], Gate::Password, r#"(?i:login\s+|with\s+|encrypted\s+)?(?i:password)\s+(?:=\s*)?[\\]{0,3}'([^\s"'`\\;]{6,})'"#),
    Rule::after("sql-password", &["login password ", "with password ", "encrypted password "], Gate::Password, r#"(?i:(?:login|with|encrypted)\s+password)\s+[\\"'`]{0,3}([^\s"'`\\;]{6,})"#),
    // A value named by a sentence after it or long before it
    Rule::after("secret", &["set `"], Gate::Random, r"(?i:set) `([^`\s\\]{8,512})` as (?:(?i:the|my|our|your|a) )?[^\n`]{0,80}?\b(?i:key|token|password|secret|credential)").window(640),
    Rule::after("secret", &["new value is ", "new key is ", "new token is ", "new secret is "], Gate::Random, r"(?i:new (?:value|key|token|secret) is) [`\x22']?([^`\s\\'\x22]{8,512})").window(640),
    Rule::after("password", &["new value is ", "new password is "], Gate::Password, r"(?i:new (?:value|password) is) [`\x22']?([^`\s\\'\x22]{8,64})").window(640),
    Rule::after("secret", &["bot used "], Gate::Random, r"bot used ([^`\s\\'\x22]{16,512}) against").window(640),
    // .netrc in one line
    Rule::after("netrc", &["machine "], Gate::Literal, r#"machine\s+\S{3,80}\s+login\s+\S{1,80}\s+password\s+([^\s"'\\]{4,})"#),
    // NuGet and .NET: `<add key="ClearTextPassword" value="..." />`
    Rule::after("password", &["cleartextpassword\"", "key=\"password\"", "key=\\\"password\\\""], Gate::Literal, r#"(?i:key=\\*"password|cleartextpassword)\\*"\s{1,200}value=\\*"([^"\\\s]{4,})"#),
    // WebSocket login of TrueNAS
    Rule::after("secret", &["auth.login_with_api_key"], Gate::Random, r#"auth\.login_with_api_key\\*"\s*,\s*\\*"params\\*"\s*:\s*\[\s*\\*"([A-Za-z0-9-]{30,})"#),
    Rule::after("secret", &["sonar.login", "sonarlogin"], Gate::Random, r#"(?i:sonar\.?login)[\\'"]{0,3}\s*[=:]\s*[\\'"]{0,3}([A-Za-z0-9_]{30,})"#),
    Rule::after("sidekiq-credential", &["contribsys"], Gate::Format, r#"(?i:contribsys__com)[A-Za-z_]{0,12}[\\"' ]{0,4}(?:string )?(?:=>|[:=])\s*[\\"']{0,3}([a-f0-9]{8}:[a-f0-9]{8})\b"#),
    Rule::after("jenkins-crumb", &["jenkins-crumb", "crumb"], Gate::Random, r#"(?i:crumb)[\\'"]{0,3}\s*[:=]\s*[\\'"]{0,3}([A-Fa-f0-9]{32,64})\b"#),
    Rule::after("sidekiq-credential", &["://"], Gate::Format, r"://([a-f0-9]{8}:[a-f0-9]{8})@(?:gems|enterprise)\.contribsys\.com").probe(11, b':'),
];
