//! Tokens of vendors by the shapes they document, bare in a sentence, in a cell and in a string; and near misses.

use crate::sample::{ALNUM, BASE36, HEX, Random, rules};

/// The rule and the shape of a token. `<a36>` stands for 36 letters and digits, `<h32>` for hexadecimal digits, `<b26>`
/// for small letters and digits, `<d16>` for digits, `<s44>` for Base58, `<p1>` for a letter from `A` to `P`, `<q1>`
/// for one of `AQgw`; the rest for itself.
const SHAPES: [(&str, &str); 59] = [
    ("socket-key", "sktsec_<a38>_api"),
    ("trigger-dev-key", "tr_prod_<a20>"),
    ("trigger-dev-key", "tr_pat_<a40>"),
    ("cartesia-key", "sk_car_<a22>"),
    ("supermemory-key", "sm_<a22>_<a64>"),
    ("factory-key", "fk-<a22>-<a43>"),
    ("warp-key", "wk-1.<h64>"),
    ("chroma-key", "ck-<s44>"),
    ("turbopuffer-key", "tpuf_<a32>"),
    ("arcjet-key", "ajkey_<b26>"),
    ("xata-key", "xau_<a33>"),
    ("retool-token", "retool_01<b24>"),
    ("retell-key", "key_<h28>"),
    ("stack-auth-key", "ssk_<b52>"),
    ("netbird-token", "nbp_<a36>"),
    ("aiven-password", "AVNS_<a19>"),
    ("confluent-key", "cflt<a60>"),
    ("backblaze-key", "K005<a27>"),
    ("riot-key", "RGAPI-<u>"),
    ("baidu-key", "bce-v3/ALTAK-<a21>/<h40>"),
    ("mercado-pago-token", "APP_USR-<d16>-<d6>-<h32>-<d9>"),
    ("vk-token", "vk1.a.<a198>"),
    ("chromatic-token", "chpt_<h15>"),
    ("builder-key", "bpk-<h32>"),
    ("permit-key", "permit_key_<a80>"),
    ("growthbook-key", "secret_admin_<a44>"),
    ("growthbook-key", "secret_readonly_<a44>"),
    ("zoho-token", "1000.<h32>.<h32>"),
    ("apollo-key", "service:shop-graph:<a22>"),
    ("pangea-token", "pts_<b32>"),
    ("windsurf-key", "sk-ws-01-<a90>"),
    ("checkly-key", "cu_<h32>"),
    ("flagsmith-key", "ser.<a22>"),
    ("copilot-token", "tid=<h32>;exp=1795876210;sku=x;8kp=1:<h64>"),
    ("upstash-token", "eyJVc2VySUQi<a90>"),
    ("upstash-token", "sig_<a28>"),
    ("firebase-server-key", "AAAA<a7>:APA91b<a134>"),
    ("tinybird-token", "p.eyJ<a60>.<a43>"),
    ("woocommerce-key", "cs_<h40>"),
    ("woocommerce-key", "ck_<h40>"),
    ("toss-payments-key", "live_sk_<a28>"),
    ("toss-payments-key", "test_gsk_<a32>"),
    ("lambda-cloud-key", "secret_ci_<h32>.<a32>"),
    ("svix-token", "testsk_<a32>.us"),
    ("azure-storage-key", "<a76>+ASt<a5><q1>=="),
    ("azure-storage-key", "<a76>+ABa<a5><q1>=="),
    ("azure-storage-key", "<a76>+AMC<a5><q1>=="),
    ("azure-cosmos-key", "<a76>ACDb<a5><q1>=="),
    ("azure-api-management-key", "<a76>APIM<a5><q1>=="),
    ("azure-function-key", "<a44>AzFu<a5><q1>=="),
    ("azure-search-key", "<a42>AzSeD<a5>"),
    ("azure-registry-key", "<a42>+ACRA<a3>+/"),
    ("azure-cache-key", "<a33>AzCa<p1><a5>="),
    ("azure-messaging-key", "<a33>+ASb<p1><a5>="),
    ("azure-messaging-key", "<a33>+AEh<p1><a5>="),
    ("azure-messaging-key", "<a33>AIoT<p1><a5>="),
    ("azure-messaging-key", "<a33>AZEG<p1><a5>="),
    ("azure-openai-key", "<a52>JQQJ99<a26>"),
    ("azure-openai-key", "<a52>JQQJ9D<a26>"),
];

/// A token of this shape.
fn made(shape: &str, random: &mut Random) -> String {
    let mut token = String::new();
    for (index, part) in shape.split(['<', '>']).enumerate() {
        if index % 2 == 0 {
            token.push_str(part);
            continue;
        }
        let (kind, count) = part.split_at(1);
        let count = || count.parse().unwrap();
        token.push_str(&match kind {
            "a" => random.text(ALNUM, count()),
            "h" => random.text(HEX, count()),
            "b" => random.text(BASE36, count()),
            "d" => random.text("123456789", count()),
            "s" => {
                random.text("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz", count())
            }
            "p" => random.text("ABCDEFGHIJKLMNOP", count()),
            "q" => random.text("AQgw", count()),
            _ => {
                let parts = [8, 4, 4, 4, 12].map(|length| random.text(HEX, length));
                parts.join("-")
            }
        });
    }
    token
}

#[test]
fn tokens_of_vendors_go_wherever_they_stand() {
    for seed in 0..4 {
        let mut random = Random::new(seed);
        for (rule, shape) in SHAPES {
            let token = made(shape, &mut random);
            for place in [
                "- the run used # and finished\n",
                "| staging | `#` | rotate by Friday |",
                "first\n#\nlast\n",
                "{\"note\":\"it was # then\"}",
            ] {
                let (text, ids) = rules(&place.replace('#', &token));
                let mark = format!("[REDACTED:{rule}]");
                let expect = match shape.rsplit_once(':') {
                    // What is before the last colon is a name.
                    Some((name, _)) if rule == "apollo-key" => format!("{name}:{mark}"),
                    _ => mark,
                };
                assert_eq!(text, place.replace('#', &expect), "{shape}");
                assert_eq!(ids, [rule], "{shape}");
            }
        }
    }
}

#[test]
fn what_only_begins_like_a_token_stays() {
    for text in [
        "tr_prod_worker_pool_autoscaling is on",
        "sm_breakpoint_container_width_large",
        "fk-customer-orders-2024",
        "ck-editor-toolbar-buttons-and-their-icons-in-order",
        "cs_test_fixture and ck_editor",
        "key_0123456789abcdef",
        "K0001-2024 is the case",
        "1000.50 and 1000.25.30",
        "service:orders:restart_on_failure_only",
        "user:bob:can_read_everything_here",
        "AAAA:APA91b",
        "retool_01_first_dashboard_of_ops",
        "secret_admin_page_that_nobody_should_ever_see_in_production",
        "sig_handler_for_terminate_and_hup",
        "TEST-1234567890123456-run",
        "nbp_network_byte_protocol_definition",
        "permit_key_rotation",
        "AVNS_is_the_prefix",
        "cflt is short for confluent",
    ] {
        assert_eq!(rules(text).0, text);
    }
}
