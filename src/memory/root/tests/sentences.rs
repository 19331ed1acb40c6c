//! What of a conversation stands in ROOT.md as sentences, and what as words.

use super::*;

/// A sitting: what the user said, and what came of it. Everything else is talk about something else.
fn sitting(asked: &str, reply: &str) -> String {
    format!("## Session — 2026-03-15 14:02:11\n\n**User:** {asked}\n\n**Assistant:** {reply}\n\n")
}

/// A sitting on something else in which the user also says this.
fn sitting_with(said: &str) -> String {
    sitting("why does the gauge of the pier stop?", "Its `wrapBuffer` was full.")
        + &format!("**User:** {said}\n\n**Assistant:** Noted.\n\n")
}

/// Days before today, newest first, each with its sitting.
fn root(sittings: &[(u64, String)], cap: u32) -> String {
    let today = day("2026-03-30");
    let mut cache = RootCache::default();
    for (ago, text) in sittings {
        cache.insert(today - chrono::Days::new(*ago), 0, text, Depth::Sentences);
    }
    text(&plan_root(None, &cache, today, cap))
}

/// Sittings on subjects of their own, to fill a page with.
fn others() -> Vec<(u64, String)> {
    const SUBJECTS: [&str; 12] = [
        "ledger", "ingress", "parser", "quota", "runner", "schema", "socket", "tenant", "vector",
        "webhook", "daemon", "lantern",
    ];
    let of = |(at, subject): (usize, &&str)| {
        let asked = format!("the {subject} of port {at} loses its {subject}s since the upgrade");
        let reply = format!("I read the {subject}. The {subject} kept a stale {subject} handle.");
        (20 + at as u64, sitting(&asked, &reply))
    };
    SUBJECTS.iter().enumerate().map(of).collect()
}

/// What came of an old day stands there as a sentence, also where there is little room, and not the smalltalk of builds.
#[test]
fn npm_root_told_old_days_in_no_sentence() {
    let mut sittings = others();
    let reply =
        "All tests pass. The tide gauge drops samples because its buffer wraps. Linter clean.";
    sittings.push((60, sitting("why does the tide gauge drop samples?", reply)));
    let root = root(&sittings, 620);
    let history = section(&root, "## Historical Summary").join("\n");
    assert!(history.contains("tide gauge drops samples because buffer wraps"), "{root}");
    assert!(!history.contains("tests pass") && !history.contains("Linter clean"), "{root}");
}

/// A line that begins with a few words of its title, since the share of the section was used up, has all of it and what came
/// of it once there is room on the page.
#[test]
fn what_began_in_few_words_is_told_whole_where_there_is_room() {
    let subjects = [
        ["crane", "brake", "warehouse"],
        ["ledger", "rounding", "quarter"],
        ["parser", "lookahead", "grammar"],
        ["lantern", "battery", "evening"],
        ["webhook", "signature", "retry"],
        ["schema", "migration", "tenant"],
    ];
    let titles = subjects
        .map(|[what, part, when]| format!("Mend the {what}, whose {part} fails in each {when}"));
    for length in 0..20 {
        let of = |(ago, [what, part, when]): (u64, [&str; 3])| {
            let more = format!(" {when}").repeat(length);
            let reply =
                format!("The {what} fails because its {part} is older than the {when}{more}.");
            let text = sitting(&format!("why does the {what} fail?"), &reply);
            (
                ago,
                text.replace(
                    "02:11\n",
                    &format!("02:11 — {}\n", titles[usize::try_from(ago).unwrap()]),
                ),
            )
        };
        let root = root(&(0..).zip(subjects).map(of).collect::<Vec<_>>(), 3000);
        let lines = section(&root, "## Active Context");
        assert_eq!(lines.len(), subjects.len(), "{root}");
        for (line, title) in lines.iter().zip(&titles) {
            assert!(
                line.starts_with(&format!("- {title} [project, ")) && line.contains("]: "),
                "{root}"
            );
        }
    }
}

/// A subject of which only the name stands in the Active Context is told in the summary, like those that have no line there.
#[test]
fn of_what_is_only_named_the_summary_tells_more() {
    let mut sittings = others();
    for (ago, what) in [(1, "mooring ropes"), (2, "tide tables"), (3, "berth numbers")] {
        let reply = format!(
            "The {what} are wrong because the import of the {what} takes every second row for a heading since Monday."
        );
        let text = sitting(&format!("why are the {what} wrong since the last import?"), &reply);
        let title = format!("02:11 — Import of the {what} takes rows for headings\n");
        sittings.push((ago, text.replace("02:11\n", &title)));
    }
    let root = root(&sittings, 700);
    let active = section(&root, "## Active Context");
    let named: Vec<_> = active.iter().filter(|line| !line.contains("]: ")).collect();
    assert!(!named.is_empty() && named.len() < active.len(), "{root}");
    let history = section(&root, "## Historical Summary");
    for line in named {
        let day = format!("- {}: ", &line[line.len() - 5..]);
        assert!(history.iter().any(|line| line.starts_with(&day)), "{day}{root}");
    }
}

/// Where nothing of a conversation tells more, the words of its title stand there, in their order: no day is without a line.
#[test]
fn a_day_of_which_nothing_else_tells_has_its_title() {
    let mut sittings = others();
    let text = sitting("ok then", "Ok. Berth, quay, mooring, bollard: see there?");
    let text = text.replace("02:11\n", "02:11 — Move the harbour tariff to its own parser\n");
    sittings.push((60, text));
    let root = root(&sittings, 620);
    let line =
        section(&root, "## Historical Summary").into_iter().find(|line| line.contains("01-29"));
    assert!(
        line.is_some_and(|line| line.starts_with("- 01-29: Move harbour tariff parser")),
        "{root}"
    );
}

/// Where there is little room, words lead to a day before any sentence does, but for what a person settled in few words: that
/// stands in front of them, for whoever works on must not break it.
#[test]
fn an_old_day_is_told_by_what_was_settled_and_in_words() {
    let asked = "why does the tide gauge drop samples of halyard and bollard at `wrapBuffer`?";
    let found = "The tide gauge drops samples of the halyard and of the bollard because `wrapBuffer` cuts \
        halyard and bollard samples.";
    let settled = "We prefer to keep tide samples for a month.";
    let text = sitting(asked, found) + &format!("**User:** {settled}\n\n**Assistant:** Ok.\n\n");
    let mut sittings = others();
    sittings.push((60, text));
    let root = root(&sittings, 620);
    let line =
        section(&root, "## Historical Summary").into_iter().find(|line| line.contains("01-29"));
    let line = line.unwrap_or_default();
    let place = |text: &str| line.find(text).unwrap_or(usize::MAX);
    assert!(place("halyard") < usize::MAX, "{root}");
    assert!(place("keep tide samples") < place("halyard"), "{root}");
    assert!(place("halyard") < place("because wrapBuffer cuts"), "{root}");
}

/// What held for a while is over by the time its day is an old one, and a guess settled nothing.
#[test]
fn what_was_settled_for_a_while_does_not_lead_an_old_day() {
    let found = "The tide gauge drops samples of the halyard and of the bollard because `wrapBuffer` cuts \
        halyard and bollard samples.";
    let leads = |settled: &str| {
        let asked = "why does the tide gauge drop samples of halyard and bollard at `wrapBuffer`?";
        let told = format!("**User:** {settled}\n\n**Assistant:** Ok.\n\n");
        let mut sittings = others();
        sittings.push((60, sitting(asked, found) + &told));
        let root = root(&sittings, 620);
        let history = section(&root, "## Historical Summary").join("\n");
        let place = |text: &str| history.find(text).unwrap_or(usize::MAX);
        assert!(place("wrapBuffer") < usize::MAX, "{root}");
        place("rain") < place("wrapBuffer")
    };
    assert!(leads("We don't want rain in the table."));
    assert!(!leads("We don't want rain in the table for now."));
    assert!(!leads("Presumably we don't want rain there."));
}

/// A conversation of a whole day says more than one of two turns.
#[test]
fn a_long_day_says_more_than_a_short_one() {
    const STATED: [&str; 4] = [
        "The tide gauge drops samples because its buffer wraps.",
        "The crane scheduler keeps manual brakes instead of hydraulic ones.",
        "The bollard inventory moved from spreadsheets to the quay registry.",
        "The pilot roster must never overlap the dredging calendar.",
    ];
    let turn = |stated: &str| {
        let filler: Vec<String> =
            stated.split(' ').map(|word| format!("{word}yard {word}wharf")).collect();
        format!("**User:** what about {}?\n\n**Assistant:** {stated}\n\n", filler.join(" "))
    };
    let long = format!("## Session — 2026-03-15 14:02:11\n\n{}", STATED.map(turn).concat());
    let mut sittings = others();
    sittings.push((19, long));
    let root = root(&sittings, 540);
    let line = section(&root, "## Historical Summary")
        .into_iter()
        .find(|line| line.contains("03-11"))
        .unwrap();
    let told = ["buffer wraps", "manual brakes", "quay registry", "dredging calendar"];
    let told = told.iter().filter(|told| line.contains(**told)).count();
    assert!(told > 1, "{root}");
}

/// What a person says in few words counts more than the same in a pasted document.
#[test]
fn a_short_turn_outweighs_a_document() {
    let greased =
        |at| format!("The crane hoist winch of berth {at} must always be greased twice.\n\n");
    let document = (0..40).map(greased).collect::<Vec<_>>().concat();
    let asked = "The crane hoist winch stays on manual brake.";
    let day = format!(
        "## Session — 2026-03-15 14:02:11\n\n**User:** {document}\n**Assistant:** Read.\n\n**User:** {asked}\n\n**Assistant:** Set.\n",
    );
    let root = root(&[(3, day)], 3000);
    let first = section(&root, "## Active Context")[0];
    assert!(first.contains("The crane hoist winch stays on manual brake"), "{root}");
}

/// A young memory is told in whole sentences, whatever it is written in.
#[test]
fn a_young_memory_is_told_in_sentences_of_any_script() {
    fn check(asked: &str, reply: &str, expect: &[&str]) {
        let root = root(&[(1, sitting(asked, reply))], 3000);
        for sentence in expect {
            assert!(root.contains(sentence), "{sentence}\n{root}");
        }
    }
    check(
        "检索索引的重建为什么这么慢？",
        "原因是每次都重新读取全部文本。现在只读取差异，重建只需三秒。",
        &["原因是每次都重新读取全部文本", "现在只读取差异，重建只需三秒"],
    );
    check(
        "検索インデックスの再構築が遅い。原因を調べて。",
        "原因は全文を毎回読み直していたことです。差分だけを読むように変更しました。",
        &["原因は全文を毎回読み直していたことです", "差分だけを読むように変更しました"],
    );
    check(
        "검색 색인 재구축이 왜 느린지 찾아줘",
        "원인은 매번 본문 전체를 다시 읽는 것이었습니다. 이제 변경분만 읽습니다.",
        &["원인은 매번 본문 전체를 다시 읽는 것이었습니다", "이제 변경분만 읽습니다"],
    );
    check(
        "Почему импорт тарифов падает на больших файлах?",
        "Причина: файл читался целиком в память. Теперь чтение идёт построчно.",
        &["файл читался целиком в память", "Теперь чтение идёт построчно"],
    );
}

/// What a person settled a day ago stands before what was found about it, also where that has rarer words.
#[test]
fn what_a_person_settled_is_told_first() {
    let found =
        "The tide gauge of pier 7 drops samples because `wrapBuffer` cuts the 4096th halyard off.";
    let settled = "We never keep samples of the tide for longer than a month.";
    let asked = "why does the gauge of the pier drop samples?";
    let text = sitting(asked, found) + &format!("**User:** {settled}\n\n**Assistant:** Ok.\n\n");
    let mut sittings = others();
    sittings.push((1, text));
    let root = root(&sittings, 620);
    let first = section(&root, "## Active Context")[0];
    let place = |text: &str| first.find(text).unwrap_or(usize::MAX);
    assert!(place("never keep samples of the tide") < place("wrapBuffer"), "{root}");
}

/// What a person settled in passing is told while it is fresh, and later where nothing else is left to say.
#[test]
fn an_aside_is_told_while_it_is_fresh_or_nothing_else_is_left() {
    let asked = "why does the tide gauge of pier 7 drop its samples?";
    let found = "The tide gauge and its samples: halyard, halyard, halyard.";
    let aside = "The port should not lose the upgrade since we read the port.";
    let text = sitting(asked, found) + &format!("**User:** {aside}\n\n**Assistant:** Ok.\n\n");
    let text = text.replace("02:11\n", "02:11 — Mend the tide gauge\n");
    for (ago, section_of) in [(1, "## Active Context"), (60, "## Historical Summary")] {
        let mut sittings = others();
        sittings.push((ago, text.clone()));
        let root = root(&sittings, 620);
        let told = section(&root, section_of).join("\n");
        assert!(told.contains("lose"), "{root}");
        assert!(told.contains("tide gauge"), "{root}");
    }
}

/// Where there is room to be read, a sentence that begins with the title stands in its place.
#[test]
fn a_young_memory_says_no_title_twice() {
    let found = "The harbour gauge drops samples because `wrapBuffer` cuts halyards.\n\n\
        The harbour gauge never drops samples because `wrapBuffer` keeps 4096 halyards.";
    let text = sitting("ok, see?", found);
    let text = text.replace("02:11\n", "02:11 — the harbour gauge drops samples\n");
    let root = root(&[(20, text)], 3_000);
    let line = section(&root, "## Historical Summary")[0];
    assert_eq!(line.matches("gauge drops samples").count(), 1, "{root}");
    assert!(line.contains("gauge drops samples because wrapBuffer cuts halyards"), "{root}");
    assert!(line.contains("gauge never drops samples"), "{root}");
}

/// Words of other days go before an aside, however few words its own day has.
#[test]
fn an_aside_waits_for_what_leads_to_other_days() {
    const PARTS: [&str; 12] =
        ["tam", "rok", "lis", "ven", "dor", "qua", "bel", "nim", "gor", "fat", "sul", "pex"];
    let words = |n: usize| {
        let names: Vec<String> = PARTS.iter().map(|part| PARTS[n].to_owned() + part).collect();
        let names = names.join(", ");
        sitting(&format!("ok then: {names}"), &format!("Ok. {names}: see there?"))
    };
    // Longer than what a person settles in few words, which goes before other words.
    let aside = "The port should not lose the upgrade since we read the port, and we read the port and the port.";
    let asked = "why does the tide gauge of pier 7 drop its samples?";
    let found = "The gauge and its samples: halyard, halyard, halyard.";
    let few = sitting(asked, found) + &format!("**User:** {aside}\n\n**Assistant:** Ok.\n\n");
    let few = few.replace("02:11\n", "02:11 — Mend the tide gauge\n");
    let mut sittings = vec![(32, few)];
    sittings.extend((40..52).zip(0..).map(|(ago, n)| (ago, words(n))));
    let told = |cap: u32| root(&sittings, cap).contains("lose the upgrade");
    assert!(!told(440));
    assert!(told(3_000));
}

/// Two sittings of a day with the same title say it once; the second has its words.
#[test]
fn a_title_stands_once_on_a_line() {
    let mut sittings = others();
    let title = "02:11 — Move the harbour tariff to its own parser\n";
    let of = |reply: &str| sitting("ok then", reply).replace("02:11\n", title);
    let both = of("Ok. Berth, quay, mooring: see there?") + &of("Ok. Bollard, berth, quay: there?");
    sittings.push((60, both));
    let root = root(&sittings, 620);
    let line =
        section(&root, "## Historical Summary").into_iter().find(|line| line.contains("01-29"));
    let line = line.unwrap_or_default();
    assert_eq!(line.matches("Move harbour tariff parser").count(), 1, "{root}");
}

/// What came up on many days stands once among the patterns.
#[test]
fn no_pattern_stands_twice() {
    let of = |ago: u64| {
        let (n, quay) = (60 - ago, ago % 7);
        let text = sitting(
            &format!("hinge{n} creaks at quay{quay}?"),
            &format!(
                "The hinge{n} was loose at quay{quay}, so pin{n} fell out. hinge{n} hinge{n} quay{quay}."
            ),
        );
        (ago, text.replace("02:11\n", &format!("02:11 — Mend hinge{n}\n")))
    };
    let root = root(&(1..60).map(of).collect::<Vec<_>>(), 3_000);
    let mut patterns = section(&root, "## Recent Patterns");
    let all = patterns.len();
    patterns.sort_unstable();
    patterns.dedup();
    assert!(all > 2 && patterns.len() == all, "{root}");
}

/// What always happens was not settled by anybody, and what a reviewer says was not yet.
#[test]
fn a_tale_with_always_in_it_and_a_comment_are_no_patterns() {
    let settled = "We keep the tide table in the repository instead of the wiki.";
    let tale = "The harbour master always asks me whether the berth is deep enough.";
    let comment = "A review comment: the berths have two lists instead of one.";
    let mut sittings = others();
    let said = [(12, settled), (13, tale), (14, comment)];
    sittings.extend(said.map(|(ago, said)| (ago, sitting_with(said))));
    let root = root(&sittings, 3_000);
    let patterns = section(&root, "## Recent Patterns").join("\n");
    assert!(patterns.contains("tide table"), "{root}");
    assert!(!patterns.contains("harbour master") && !patterns.contains("two lists"), "{root}");
}

/// What a person takes back tells more than what they said first, and stands there too where it reads like an answer or a
/// request.
#[test]
fn what_takes_the_place_of_something_is_a_pattern() {
    let mut sittings = others();
    sittings.push((
        12,
        sitting_with("no crane any more, we use the winch instead because it is quiet"),
    ));
    sittings
        .push((13, sitting_with("So let's say forty-eight hours at the pier instead of a day")));
    sittings.push((14, sitting_with("can you see why the table has a tide instead of a berth")));
    sittings.push((15, sitting_with("3 of 10000 ships come late, i dont care")));
    let root = root(&sittings, 3_000);
    let patterns = section(&root, "## Recent Patterns").join("\n");
    assert!(patterns.contains("we use the winch instead"), "{root}");
    assert!(patterns.contains("forty-eight hours"), "{root}");
    assert!(!patterns.contains("a tide instead"), "{root}");
    assert!(!patterns.contains("dont care"), "{root}");
}

/// Who is told of a rule as long as it is new only, breaks it a month later.
#[test]
fn a_rule_of_few_words_is_told_whatever_else_was_said() {
    let said = "ok look. from now on you dont post anything there. no comments, no labels. you write drafts and i post them";
    let others = "The pier gauge stops at the north quay. The crane list loads for eleven seconds. The ledger rounds to cents. \
        The parser looks ahead by two. The tide table begins in april. The scale of the yard drifts in the cold. \
        The harbour office prints on paper. The ferry docks at seven. The lamp of the winch is broken. \
        The berth of the tug has a number. The mail of the pilot bounces. The clock of the lock is slow. The rope is wet.";
    let told = root(&[(3, sitting_with(said) + &sitting_with(others))], 3000);
    assert!(told.contains("from now on you dont post anything there"), "{told}");
    let said = "no and not because of the lawyers. no camera on the pier, ever, not even for a day";
    let told = root(&[(3, sitting_with(said))], 3000);
    assert!(told.contains("no camera on the pier, ever, not even for a day"), "{told}");
}

#[test]
fn a_rule_for_all_times_stays_however_old_it_is() {
    let mut sittings: Vec<(u64, String)> = others();
    // Of other days, more than there is room for.
    sittings.extend((40..80).map(|ago| {
        let asked =
            format!("the winch{ago} of berth{ago} stalls since its grease{ago} was changed");
        let reply =
            format!("I took the winch{ago} apart. Its `drum{ago}` was worn at the flange{ago}.");
        (ago, sitting(&asked, &reply))
    }));
    sittings.push((90, sitting_with("we never query the harbour primary, only the replica")));
    sittings.push((91, sitting_with("The harbour primary was never asked by the replica")));
    // What a game or a long task needs is no rule for the next one.
    sittings.push((
        88,
        sitting_with("Lets play a game of harbours.\nNever name the ships of the other port."),
    ));
    let steps = |step: usize| format!("Step {step} looks at pier {step} and at its gauge.\n");
    let task: String = (0..20).map(steps).collect();
    sittings.push((89, sitting_with(&format!("{task}Never invent a reading of the gauge."))));
    let root = root(&sittings, 900);
    let patterns = section(&root, "## Recent Patterns");
    let rule = "- we never query the harbour primary, only the replica → 2025-12-30";
    assert!(patterns.contains(&rule), "{root}");
    for passing in ["asked by the replica", "name the ships", "invent a reading"] {
        assert!(!patterns.iter().any(|line| line.contains(passing)), "{passing}\n{root}");
    }
}

/// The subject of a commit says in the fewest words what came of a sitting.
#[test]
fn what_was_committed_is_told() {
    let quay = "I have looked at each berth of the quay. The old ropes of berth 4 are worn, and those of berth 9 are new.";
    let other = |ago: u64| (ago, sitting("how are the berths of the quay", quay));
    let committed = "<!-- hipocampus:session a 0-9 -->\n".to_owned()
        + &sitting(
            "the crane leans",
            "The crane leans. It leans to the north. I have seen that it leans.",
        )
        + "[commit: fix(yard): hold the crane with four ropes instead of two]\n[commit: Merge branch 'main' of the harbour]\n\n<!-- hipocampus:end a 9 -->\n";
    let days: Vec<_> = [(9, committed)].into_iter().chain((10..16).map(other)).collect();
    let root = root(&days, 900);
    assert!(root.contains("yard: hold the crane with four ropes instead of two"), "{root}");
    assert!(!root.contains("Merge branch"), "{root}");
}

#[test]
fn a_rule_is_told_with_the_sentence_that_stresses_it() {
    let said = "the crane stands. whatever lifts shows me the load first. every crane, always, i've been burnt";
    let days = [(3, sitting_with("the crane is grey.")), (30, sitting_with(said))];
    let root = root(&days, 3000);
    let rule = "- whatever lifts shows me the load first. every crane, always, i've been burnt → 2026-02-28";
    assert!(section(&root, "## Recent Patterns").contains(&rule), "{root}");
}

/// What a person says in passing points at what was said before; what agents are to read does not.
#[test]
fn a_rule_that_a_reply_wrote_down_stands_among_the_rules() {
    let asked = "jesus no. so none of that while one is in";
    let reply = "I stopped the crane. The rule is in `AGENTS.md`: the crane is still as long as a ship lies at the quay.";
    let ruled = "never move the crane while a ship lies at the quay";
    for (asked, told) in [
        (asked, "the crane is still as long as a ship lies at the quay"),
        // Told in the person's own words, it is not told twice.
        (ruled, ruled),
    ] {
        let days = [(3, sitting_with("the crane is grey.")), (60, sitting(asked, reply))];
        let root = root(&days, 3000);
        let patterns = section(&root, "## Recent Patterns");
        let lines: Vec<_> = patterns.iter().filter(|line| line.contains("quay")).collect();
        assert_eq!(lines, [&&*format!("- {told} → 2026-01-29")], "{root}");
    }
}

/// What was written down may stand below what says so, but not behind a block of code.
#[test]
fn a_rule_that_a_reply_announces_stands_among_the_rules() {
    for (below, is_told) in [
        ("> Cranes are still as long as a ship lies at the quay.", true),
        (
            "```\nno ship, no crane\n```\n\nCranes are still as long as a ship lies at the quay.",
            false,
        ),
    ] {
        let reply =
            format!("I stopped the crane.\n\nAdded under \"Cranes\" in `AGENTS.md`:\n\n{below}");
        let days = [(3, sitting_with("the crane is grey.")), (60, sitting("none of that", &reply))];
        let root = root(&days, 3000);
        let rule = "- Cranes are still as long as a ship lies at the quay → 2026-01-29";
        let patterns = section(&root, "## Recent Patterns");
        assert_eq!(patterns.contains(&rule), is_told, "{below}\n{root}");
    }
}

/// A rule does not say what its day was about.
#[test]
fn a_day_is_told_by_its_title_beside_its_rule() {
    let asked = "why does the gate of the north pier stick at low tide?";
    let ruled = "never move the crane while a ship lies at the quay";
    let reply = "The gate of the north pier sticks at low tide, as its rail is bent by the ice.";
    let talk = sitting(asked, reply) + &format!("**User:** {ruled}\n\n**Assistant:** Noted.\n\n");
    let days = [(3, sitting_with("the crane is grey.")), (60, talk)];
    let root = root(&days, 3000);
    assert!(section(&root, "## Recent Patterns").iter().any(|line| line.contains(ruled)), "{root}");
    let line = section(&root, "## Historical Summary").join("\n");
    assert!(line.contains("why does the gate of the north pier stick at low tide"), "{root}");
}

/// Both are told: who misses a rule breaks it, and which one is meant may not be guessed.
#[test]
fn what_takes_a_rule_back_stands_among_the_rules() {
    let rule = "never start the crane without two keys and the harbour log";
    for newer in [
        "forget my rule about the two keys of the crane",
        "that rule about the two keys is gone",
        "i said no crane without two keys, i take that back",
    ] {
        let days = [
            (3, sitting_with("the crane is grey.")),
            (30, sitting_with(newer)),
            (60, sitting_with(rule)),
        ];
        let root = root(&days, 3000);
        let patterns = section(&root, "## Recent Patterns");
        for (said, day) in [(newer, "2026-02-28"), (rule, "2026-01-29")] {
            assert!(patterns.contains(&&*format!("- {said} → {day}")), "{root}");
        }
    }
}

/// What a person set another number for is told no more where it was told before, and the new one is.
#[test]
fn a_number_that_another_took_the_place_of_is_told_no_more() {
    let titled =
        |said: &str| sitting_with(said).replace("02:11\n", "02:11 — The gauge of the pier\n");
    let check = |newer: &str, older: &str, expect: bool| {
        let days = [(3, titled(newer)), (9, titled(older))];
        let root = root(&days, 3000);
        let told = older.trim_end_matches('.');
        assert_eq!(root.contains(told), expect, "{newer} / {older}\n{root}");
        assert!(root.contains(newer.trim_end_matches('.')), "{root}");
    };
    let budget = "budget 12 KB for the crane page, CI fails above it.";
    check(
        "the budget goes from 12 to 18 KB for the crane page, because of the labels.",
        budget,
        false,
    );
    check("we use 18 KB as the budget of the crane page instead of 12.", budget, false);
    // Another thing, another number, and how far something reaches.
    check("the harbour log goes from 12 to 18 days of the tide.", budget, true);
    check(
        "the budget goes from 14 to 18 KB for the crane page, because of the labels.",
        budget,
        true,
    );
    check("we always mend cranes from 12 to 18 KB of log on the crane page.", budget, true);
    // A rule gives way as well.
    let rule = "from now on no crane waits longer than 24 hours for its berth.";
    check("let's say 48 hours instead of 24 for a crane that waits.", rule, false);
    // What was said before the number changed says nothing of the newer one.
    let days = [
        (3, titled(budget)),
        (9, titled("the budget goes from 12 to 18 KB for the crane page now.")),
    ];
    assert!(root(&days, 3000).contains("budget 12 KB"));
}

/// Whoever says it, and whether the newer sentence is told or not.
#[test]
fn a_name_that_was_set_to_another_number_is_not_told_with_the_old_one() {
    let of = |reply: &str| {
        sitting("can you look at the gauge of the pier", reply)
            .replace("02:11\n", "02:11 — The gauge of the pier\n")
    };
    let check = |older: &str, newer: &str, expect: bool| {
        let root = root(&[(3, of(newer)), (9, of(older))], 3000);
        assert_eq!(root.contains(older.trim_end_matches('.')), expect, "{older} / {newer}\n{root}");
    };
    let old = "The gauge of the pier waits with a gauge_timeout of 2000 ms.";
    check(old, "But it blocks. The DSN has gauge_timeout(8000) in place of 2000.", false);
    check(old, "The pier keeps its gauge_timeout: 2000 ms.", true);
    check(old, "Gave up at the gauge_timeout after 2 seconds.", true);
    check(old, "The pier has a crane_timeout of 8000 ms.", true);
    check(
        "The gauge of the pier reads with PIER_READS = 5 a minute.",
        "It goes on: PIER_READS passe de 5 à 9.",
        false,
    );
    check(
        "The gauge of the pier reads with PIER_READS = 5 a minute.",
        "It goes on: QUAY_READS passe de 5 à 9.",
        true,
    );
    // What was said last holds.
    check(old, "First gauge_timeout(8000). It blocks, so gauge_timeout = 2000 again.", true);
}
