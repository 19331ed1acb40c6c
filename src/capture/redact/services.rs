//! Names of services whose keys carry no prefix of their own: the name beside the value is the evidence.
//!
//! Left out are names that are everyday words (box, line, column, front, flat) and hosts whose hashes
//! stand in every log (GitHub, GitLab); keys of those are found by their prefix or beside a key word.

use std::ops::Range;

use super::operators;
use super::separator::{Link, value_span};
use super::text::{bare_end, is_one_of, is_word, run_of, starts_token};
use super::{shapes, validators};

/// The names, lower case; found in any case.
const NAMES: &str = "
    abuseipdb adafruit airbrake airship aiven algolia alienvault amplitude anypoint
    apifonica apify apilayer appcues appfollow appoptics appsynergy asana assemblyai atera
    atlassian auth0 avaza aweber axonaut bannerbear baremetrics beebole bitbar bitbucket
    bitcoinaverage bitfinex bitly bitmex bitrise bittrex blazemeter blocknative bombbomb
    brandfetch browserstack browshot bugherd bugsnag buildkite bulksms buttercms calendarific
    calendly campayn censys chartmogul chatfuel checio circleci civo clearbit clickhelp clicksend
    clickup clientary clinchpad clockify closecrm cloudant cloudconvert cloudelements
    cloudflare cloudimage cloudinary cloudmersive cloudplan cloudsight clustdoc codacy
    codeclimate codecov codequiry coinapi coinbase coinlayer coinlib confluence confluent
    contentful conversiontools convertapi convertkit countrylayer coveralls craftmypdf
    crowdin cryptocompare currencycloud currencylayer currencyscoop currentsapi customerio
    databox datadog deepai deepgram deepl deepseek delighted detectify detectlanguage dfuse
    diffbot diggernaut disqus docparser docusign dovico dronahq droneci dropbox dwolla dynalist
    dynatrace dyspatch eagleeyenetworks easyinsight edamam edenai eightxeight elasticemail
    enablex enigma etherscan ethplorer etsy eventbrite everhour exchangerate exoscale fastforex
    fastly feedier fetchrss fibery filestack finage finicity finnhub fixerio flickr flightapi
    flightlabs flightstats floatapp flutterwave formbucket formcraft formio foursquare freshbooks
    freshdesk freshworks fulcrum fullstory fusebill fxmarket gatecoin geckoboard geoapify geocode
    geocodify geocodio geoipifi getemail getgeoapi getgist getresponse getsandbox gitter
    glassnode gocanvas gocardless goodday graphcms graphhopper greptile groovehq gtmetrix gumroad
    happyscribe helpcrunch helpscout hereapi heroku hiveage holidayapi html2pdf hubspot humanity
    hypertrack iconfinder iexcloud imagekit impala influxdb infomaniak infura insightly instabot
    intercom intrinio invoiceocean ipapi ipgeolocation ipify ipinfo ipquality ipstack jotform
    jumpcloud juro kaleyra kanbantool karmacrm keenio kickbox klipfolio kontent kraken kucoin
    larksuite lastfm launchdarkly lemlist lendflow lessannoyingcrm lexigram linemessaging
    linenotify linkedin linkpreview liveagent livestorm loadmill locationiq loginradius lokalise
    looker loyverse lunchmoney luno mailboxlayer mailchimp mailerlite mailgun mailjet mailmodo
    mandrill mapbox mapquest marketstack mattermost mavenlink maxmind meistertask meraki mesibo
    message-bird message_bird messagebird metaapi metrilo mindmeister mixmax mixpanel mockaroo
    monkeylearn moonclerk moonshot moosend mrticktock myfreshworks myintervals netlify
    neutrinoapi new-relic newrelic newsapi newscatcher nftport ngrok nicereply nimble nozbeteams
    numverify nutritionix nylas nytimes oanda okta omnisend onedesk onelogin onesignal onwaterio
    oopspam opencagedata openuv openweather packagecloud pagerduty pandadoc pandascore paperform
    paralleldots parsehub parseur partnerstack pastebin paydirtapp paymoapp paymongo pdflayer
    pdfshift peopledatalabs pepipost phantombuster pipedream pipedrive pivotaltracker pixabay
    plaid planetscale planviewleankit planyo plivo podio pollsapi poloniex polymarket postageapp
    postbacks postmark powrbot privatekeyio prospectcrm prospectio proxycrawl pubnub pushbullet
    pusher qualaroo qubole rapidapi rawg razorpay reallysimplesystems rebrandly
    recaptcha rentman repairshopr requestfinance restpack rev.ai ringcentral ritekit
    rocketreach rockset rollbar route4me rownd salesblink salescookie salesflare
    salesforce satismeter saucelabs scaleway scalr scraperapi scraperbox scrapersite scrapestack
    scrapfly scrapingant scrapingbee screenshotapi screenshotlayer securitytrails sendbird
    sendgrid sendinblue sentry serphouse serpstack sheety sherpadesk shipday shodan shopify
    shortcut shotstack shutterstock signable signalwire signaturit signupgenius sigopt simfin
    simplesat simplynoted simvoly sirv sitebeam siteleaf skybiometry slackwebhook smartsheet
    snipcart snowflake snyk socrata sonarcloud sonarqube speechtext splunk sportradar sportsmonk
    spotify squarespace squareup sslmate stability statuscake statuspage statuspal stitchdata
    stockdata storecove stormboard stormglass storyblok strava stripo stytch sugester sumologic
    surveyanyplace surveybot surveysparrow survicate swiftype tallyfy tatumio taxjar teamgate
    teamworkcrm teamworkdesk technicalanalysisapi tefter telnyx textmagic theoddsapi thinkific
    thousandeyes tickettailor tiingo tmetric todoist toggl tomorrowio tomtom tradier transferwise
    travelpayouts travisci trello twelvedata twilio twitter tyntec typeform ubidots uclassify
    unifyid unplugg unsplash upcdatabase uplead uploadcare uptimerobot upwave urlscan userflow
    userstack vatlayer vercel verimail veriphone versioneye viewneo virustotal
    visualcrossing voicegain vouchery vpnapi vultr vyte wakatime walkscore wandb weatherbit
    weatherstack webex webflow webscraper webscraping weightsandbiases whoxy wistia wolframalpha
    worksnaps workstack worldcoinindex worldweather wrike yandex yelp youneedabudget zapier
    zendesk zenkit zenscrape zenserp zeplin zerobounce zerotier zipapi zipbooks zipcodeapi
    zipcodebase zonka
    bigmodel bitwarden descope stripe zhipu zhipuai
";

pub(super) fn names() -> impl Iterator<Item = &'static str> {
    NAMES.split_ascii_whitespace()
}

/// How far a value may stand behind the name.
const REACH: usize = 28;

/// The value a service name leads to: `fastly: ...`, `OPENWEATHER||...`, `nicereply ...`.
pub(super) fn value(text: &[u8], hit: &Range<usize>) -> Option<Range<usize>> {
    if text[..hit.start].ends_with(b"::") {
        return None;
    }
    if hit.start > 0
        && text[hit.start - 1].is_ascii_alphabetic()
        && !starts_token(text, hit.start)
        && !text[hit.start].is_ascii_uppercase()
    {
        return None;
    }
    let near = &text[hit.end..text.len().min(hit.end + REACH)];
    let skip = near
        .iter()
        .take_while(|byte| is_word(**byte) || matches!(byte, b'-' | b'.' | b' ' | b'\t'))
        .count();
    let op = near[skip..]
        .iter()
        .take_while(|b| {
            b.is_ascii_whitespace() || matches!(b, 0x0b | b'\'' | b'"' | b'`' | b')' | b'\\')
        })
        .count();
    if near
        .get(skip + op)
        .is_some_and(|byte| matches!(byte, b'=' | b':' | b'>' | b'|' | b',' | b'?'))
    {
        let glue = operators::glue(text, hit.end + skip, true)?;
        let span = value_span(text, &glue)?;
        let value = &text[span.clone()];
        // Its ids look like its keys: `stripe: "price_..."`. Keys with a prefix have rules of their own.
        let stripe = text[hit.clone()].eq_ignore_ascii_case(b"stripe");
        if stripe && (value.contains(&b'_') || value.len() < 20) {
            return None;
        }
        if counted(&text[hit.start..hit.end + skip]) && (plain_hash(value) || value.len() < 24)
            || addressed(value)
        {
            return None;
        }
        let exact = matches!(glue.link, Link::Assign) || glue.quote.is_some();
        let fits = validators::random(value, 16)
            && (exact || !shapes::digest(value) && !shapes::uuid(value))
            || exact
                && (shapes::digest(value) || shapes::uuid(value))
                && validators::literal(value);
        // Forty digits are a commit before they are a key.
        let fits = fits
            && (value.len() != 40
                || !shapes::hexadecimal(value)
                || told(&text[hit.end..hit.end + skip]));
        return fits.then_some(span);
    }
    beside(text, hit.end)
}

/// Whether a name like `deploy id`, `commit`, `rev` says that the value is the number of a thing.
fn counted(name: &[u8]) -> bool {
    const NUMBERED: &str = "id ids uuid gid rev revision deploy deployment commit track action actions release \
        build version sha sha1 sha256 hash checksum digest ref";
    name.split(|byte| !byte.is_ascii_alphanumeric()).any(|part| is_one_of(part, NUMBERED))
}

/// Hexadecimal digits or a UUID: what ids look like, too.
fn plain_hash(value: &[u8]) -> bool {
    shapes::hexadecimal(value) || shapes::uuid(value)
}

/// Words with `@`, `/` or `:` between them: where something is, not what opens it.
fn addressed(value: &[u8]) -> bool {
    let word = value.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    word >= 3 && matches!(value.get(word), Some(b'@' | b'/' | b':'))
        || value.contains(&b'@')
        || memchr::memmem::find(value, b"://").is_some()
}

/// Whether a word for key stands in the rest of the name.
fn told(name: &[u8]) -> bool {
    WORDS.iter().any(|word| shapes::contains(name, word))
}

/// What a key of a service is called.
const WORDS: [&str; 9] =
    ["secret", "token", "key", "access", "private", "api", "auth", "apikey", "password"];

/// `blazemeter 123e4567-...`, `fastforex-abcd1234...`, `bugherd SECRET key 1234...`
fn beside(text: &[u8], from: usize) -> Option<Range<usize>> {
    let mut at = from;
    let mut told = false;
    for _ in 0..4 {
        at += usize::from(matches!(text.get(at), Some(b' ' | b'-' | b'\t' | b'_' | b'.')));
        let word = run_of(&text[at..], 9, u8::is_ascii_alphabetic);
        if !WORDS.iter().any(|known| known.as_bytes().eq_ignore_ascii_case(&text[at..at + word])) {
            break;
        }
        told = true;
        at += word;
    }
    if at == from || !matches!(text[at - 1], b' ' | b'-' | b'\t') {
        return None;
    }
    let end = bare_end(text, at, 512);
    let value = &text[at..end];
    if addressed(value) {
        return None;
    }
    let fits = if told {
        validators::random(value, 14) || shapes::uuid(value) && validators::literal(value)
    } else {
        shapes::uuid(value) && validators::literal(value) || validators::random(value, 24)
    };
    fits.then_some(at..end)
}
