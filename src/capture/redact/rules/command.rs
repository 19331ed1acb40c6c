//! Passwords on command lines whose options do not say so: `-P`, `/p:`, `user%password`.

use super::{Gate, Rule};

#[rustfmt::skip]
pub(super) static RULES: &[Rule] = &[
    Rule::after("basic-auth-option", &[" -u", " --user", " --proxy-user"], Gate::Literal, r#" (?i:-u|--user|--proxy-user)[ =]?['"]?[^\s:'"\\$<>{}]{0,80}['"]?:['"]([^\s'"\\$<>{}][^\s'"\\]{2,})"#).behind("curl", 300),
    Rule::after("basic-auth-option", &["http -a ", "http --auth ", "https -a ", "httpie -a "], Gate::Literal, r#"https?(?:ie)? (?:-a|--auth)[ =]['"]?[^\s:'"]{1,80}:([^\s'"\\$<>{}][^\s'"\\]{2,})"#),
    Rule::after("password-option", &["--oauth2-bearer"], Gate::Opaque, r#"--oauth2-bearer[ =]['"]?([^\s'"\\$<>]{12,})"#),
    Rule::after("password-option", &["curlopt_"], Gate::Literal, r#"CURLOPT_(?:PROXY)?USERPWD\s*[,=]>?\s*[\\"']{1,2}[^\s:'"\\]{0,80}:([^\s'"\\]{3,})"#),
    Rule::after("password-option", &["curlopt_"], Gate::Password, r#"CURLOPT_[A-Z0-9_]{0,24}PASS(?:WORD|WD)\s*[,=]>?\s*[\\"']{1,2}([^\s'"\\]{4,})"#),
    Rule::after("password-option", &["mongosh ", "mongo ", "mongodump ", "mongorestore ", "sqlplus ", "expo login", "eas login", "oc login", "twine upload", "ftp -u", "vcenter ", "psexec "], Gate::Password, r#"(?i:mongosh|mongo|mongodump|mongorestore|sqlplus|expo login|eas login|oc login|twine upload|ftp|vcenter|psexec)\s[^\n\r|;&]{0,160}?\s-p[ =]['"]?([^\s'"\\$<>-][^\s'"\\]{3,})"#),
    Rule::after("password-option", &["sqlcmd ", "bcp ", "isql "], Gate::Password, r#"(?:sqlcmd|bcp|isql)\s[^\n\r|;&]{0,160}?\s-P[ =]?['"]?([^\s'"\\$<>-][^\s'"\\]{3,})"#),
    Rule::after("password-option", &["openssl "], Gate::Password, r#"openssl\s[^\n\r|;&]{0,200}?\s(?:-k|-K)\s+['"]?([^\s'"\\$<>-][^\s'"\\]{3,})"#),
    Rule::after("password-option", &["smbclient", "smbget", "rpcclient", "mount.cifs"], Gate::Password, r#"(?:smbclient|smbget|rpcclient|mount\.cifs)\s[^\n\r|;&]{0,160}?\s(?:-U|--user(?:name)?)[ =]?['"]?[^\s%'"]{1,64}%([^\s'"\\]{4,})"#),
    Rule::after("password-option", &["net use "], Gate::Password, r#"(?i:net use)\s[^\n\r|;&]{0,120}?\s/user:\S{1,64}\s+['"]?([^\s'"\\/]{4,})"#),
    Rule::after("password-option", &["net user "], Gate::Password, r#"(?i:net user)\s+[^\s/]{1,64}\s+['"]?([^\s'"\\/*]{4,})['"]?\s+/add"#),
    Rule::after("password-option", &["rabbitmqctl "], Gate::Password, r#"rabbitmqctl\s+(?:-\S+\s+)*(?:add_user|change_password|authenticate_user)\s+\S{1,64}\s+['"]?([^\s'"\\$<>]{4,})"#),
    Rule::after("password-option", &["snmpwalk ", "snmpget ", "snmpset "], Gate::Password, r#"snmp(?:walk|get|set)\s[^\n\r|;&]{0,120}?\s-[AX]\s+['"]?([^\s'"\\$<>-][^\s'"\\]{5,})"#),
    Rule::after("password-option", &["add-generic-password", "add-internet-password"], Gate::Password, r#"add-(?:generic|internet)-password\s[^\n\r|;&]{0,160}?\s-w\s+['"]?([^\s'"\\$<>-][^\s'"\\]{3,})"#),
    Rule::after("password-option", &["lftp "], Gate::Password, r#"lftp\s[^\n\r|;&]{0,80}?-u\s*['"]?[^\s,'"]{1,64},([^\s'"\\]{4,})"#),
    Rule::after("password-option", &["/p:"], Gate::Password, r#"/p:['"]?([^\s'"\\$<>/][^\s'"\\]{3,})"#).behind("/u:", 160),
    Rule::after("password-option", &["/p:"], Gate::Password, r#"/p:['"]?([^\s'"\\$<>/][^\s'"\\]{3,})"#).behind("freerdp", 160),
    Rule::after("password-option", &["rclone config"], Gate::Password, r#"rclone config\s[^\n\r|;&]{0,160}?\s(?:pass|password|secret_access_key|token)[ =]['"]?([^\s'"\\$<>]{4,})"#),
    Rule::after("password-option", &["impacket-", "psexec.py", "wmiexec.py", "secretsdump", "smbexec", "evil-winrm", "crackmapexec"], Gate::Password, r#"(?:impacket-[a-z]+|[a-z]+exec\.py|secretsdump(?:\.py)?)\s+(?:-\S+\s+)*['"]?[^\s:'"/]{1,64}/[^\s:'"]{1,64}:([^\s@'"\\]{4,})@"#),
    Rule::after("password-option", &["mc alias set ", "mc config host add "], Gate::Opaque, r#"mc (?:alias set|config host add)\s+\S+\s+\S+\s+\S+\s+['"]?([^\s'"\\$<>]{8,})"#),
    Rule::after("password-option", &["-passin ", "-passout ", "pass:"], Gate::Literal, r#"(?:-pass(?:in|out)?\s+)?['"]?pass:([^\s'"\\$<>]{4,})"#).behind("-pass", 12),
    // `Authorization` in the forms that have no token behind one word
    Rule::after("authorization-header", &["digest username="], Gate::Literal, r#"(?i:digest) username=[^\n\r]{0,400}?\bresponse=\\*"?([a-f0-9]{32,64})"#).window(640),
    Rule::after("authorization-header", &["bearer '", "bearer \"", "bearer `", "token ' +", "basic ' +"], Gate::Random, r#"(?i:bearer|token|basic) ?["'`]\s{0,2}[+.]\s{0,2}[\\"'`]{1,3}([A-Za-z0-9+/=_.~:-]{12,})"#).window(8192),
];
