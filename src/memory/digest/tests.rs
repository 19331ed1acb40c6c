//! The rules of a digest as a whole.

use chrono::{Days, NaiveDate};

use super::*;
use crate::memory::body::count_lines;
use crate::memory::period::Week;

/// The digest of sources that follow each other, days or weeks from 2026-03-09 on.
fn of(level: Level, sources: &[&str]) -> String {
    let first = NaiveDate::from_ymd_opt(2026, 3, 9).unwrap();
    let step = if level == Level::Monthly { 7 } else { 1 };
    let dated = sources.iter().zip((0..).step_by(step)).map(|(source, passed)| {
        let day = first + Days::new(passed);
        let week = Period::Week(Week::of(day));
        (if level == Level::Monthly { week } else { Period::Day(day) }, *source)
    });
    digest(level, dated)
}

fn long(entries: &str) -> String {
    format!("# 2026-03-15\n{entries}{}", "- filler\n".repeat(200))
}

fn section<'a>(digest: &'a str, name: &str) -> &'a str {
    let from = digest.find(&format!("## {name}\n")).map_or(digest.len(), |at| at + name.len() + 4);
    digest[from..].split("\n\n").next().unwrap_or_default()
}

#[test]
fn a_days_extract_has_the_sections_of_the_spec() {
    let log = long(
        "\n## Auth [project]\n- decision: httpOnly cookies\n- work done: audited the middleware\n\
         - pending: migration script\n- [ ] ask legal\n- [x] done already\n\
         \n## Terse answers [feedback]\n- rule: no preamble\n- why: asked twice\n\
         - how-to-apply: always\n\
         \n## Docs site [reference]\n- https://example.org\n",
    );
    let digest = of(Level::Daily, &[&log]);
    assert_eq!(
        section(&digest, "Topics").trim(),
        "Auth [project], Terse answers [feedback], Docs site [reference]"
    );
    assert_eq!(section(&digest, "Key Decisions").trim(), "- Auth: httpOnly cookies");
    assert_eq!(section(&digest, "Tasks Completed").trim(), "- Auth: audited the middleware");
    assert_eq!(
        section(&digest, "Lessons Learned").trim(),
        "- Terse answers [feedback]\n  - rule: no preamble\n  - why: asked twice\n  - how-to-apply: always"
    );
    assert_eq!(
        section(&digest, "Open Items").trim(),
        "- Auth: migration script\n- Auth: ask legal"
    );
    assert!(digest.contains("hipocampus-compaction"));
}

#[test]
fn a_week_merges_logs_digests_and_summaries() {
    let first = long("\n## Auth [project]\n- decision: cookies\n");
    let first = of(Level::Daily, &[&first]);
    let second = "## Topics\nauth [project], billing [project]\n\n## Key Decisions\n- billing: Stripe\n\n## Mood\n- good\n";
    let third = "# 2026-03-17\n\n## Search [project]\n- outcome: indexed\n";
    let week = of(Level::Weekly, &[&first, second, third]);
    assert_eq!(
        section(&week, "Topics").trim(),
        "Auth [project], billing [project], Search [project]"
    );
    assert_eq!(section(&week, "Key Decisions").trim(), "- Auth: cookies\n- billing: Stripe");
    assert_eq!(section(&week, "Tasks Completed").trim(), "- Search: indexed");
    assert_eq!(section(&week, "Mood").trim(), "- good");
    assert!(!week.contains("This daily node"));
}

#[test]
fn the_newest_stay_and_the_whole_keeps_within_the_threshold() {
    let log = (0..400).fold(String::new(), |log, n| {
        log + &format!("## Topic {n} [project]\n- decision: number {n}\n- outcome: {n} works\n")
    });
    let digest = of(Level::Daily, &[&log]);
    assert!(count_lines(digest.as_bytes()) <= 200, "{}", count_lines(digest.as_bytes()));
    assert!(count_lines(digest.as_bytes()) > 180);
    assert!(
        digest.contains("- Topic 399: number 399\n") && digest.contains("- Topic 399: 399 works\n")
    );
    assert!(!digest.contains("number 0\n"));
    assert!((0..400).all(|n| digest.contains(&format!("Topic {n} [project]"))));
    assert!(digest.ends_with(" more lines in the log)\n"));
}

#[test]
fn of_ever_so_many_turns_all_are_counted() {
    for level in [Level::Daily, Level::Weekly, Level::Monthly] {
        let log = (0..9000).fold("## Session\n".to_owned(), |log, n| {
            log + &format!("**User:** question number {n}\n")
        });
        let digest = of(level, &[&log]);
        let lines = count_lines(digest.as_bytes());
        assert!(lines <= level.threshold() && lines + 5 > level.threshold(), "{lines}");
        let told = digest.matches("- user: question number").count();
        assert!(
            digest.ends_with(&format!("({} more lines in the log)\n", 9000 - told)),
            "{digest}"
        );
    }
}

#[test]
fn a_section_that_finds_no_room_is_named() {
    let day = (0..300).fold("## Topics\nauth\n## Empty\n".to_owned(), |day, n| {
        day + &format!("## Area {n}\n- note {n}\n")
    });
    let digest = of(Level::Weekly, &[&day]);
    assert!(count_lines(digest.as_bytes()) <= 300, "{}", count_lines(digest.as_bytes()));
    assert!(digest.contains("\n## Area 299\n- note 299\n") && !digest.contains("- note 0\n"));
    assert!((0..300).all(|n| digest.contains(&format!("Area {n}"))));
    assert!(section(&digest, "Topics").contains("auth [project], "));
    assert!(section(&digest, "Topics").contains("Empty [project]"));
}

#[test]
fn user_and_feedback_entries_stay_whole_whatever_they_take() {
    let log = (0..80).fold(String::new(), |log, n| {
        log + &format!("## Habit {n} [user]\n- a {n}\n- b {n}\n- c {n}\n")
    });
    let digest = of(Level::Daily, &[&log]);
    assert!(count_lines(digest.as_bytes()) > 200);
    assert!((0..80).all(|n| digest.contains(&format!("  - c {n}\n"))));
}

#[test]
fn code_traces_and_passing_entries_are_left_out_but_named() {
    let log = long(
        "\n## Crash [feedback]\n- rule: check the pool\n```rust src/pool.rs:10-20\nlet x = 1;\n```\n\
         Error: ECONNRESET at pool.rs\n    at frame_0 (src/pool.rs:1)\n    at frame_1 (src/pool.rs:2)\n\
         \n## Scratch [project]\n- temporary\n- decision: gone tomorrow\n",
    );
    let digest = of(Level::Daily, &[&log]);
    assert!(digest.contains("→ src/pool.rs:10-20"));
    assert!(digest.contains("Error: ECONNRESET at pool.rs"));
    assert!(!digest.contains("let x") && !digest.contains("frame_0"));
    assert!(digest.contains("Scratch [project]") && !digest.contains("gone tomorrow"));
}

#[test]
fn a_conversation_is_known_by_what_the_user_asked() {
    let log = long(
        "\n## Session 3d0effd8\n\nUser: What should I check before a track day? I have new brakes.\n\
         Assistant: Tyres.\nUser: And after it?\n\
         \n## Session — 2026-03-15 10:00:00\n\n**User:** Plan the v1.2 release. Then ship.\n\n**Assistant:** Done.\n",
    );
    let digest = of(Level::Daily, &[&log]);
    assert_eq!(
        section(&digest, "Topics").trim(),
        "What should I check before a track day [project], Plan the v1.2 release [project]"
    );
    let detail = section(&digest, "In Detail");
    assert!(
        detail.contains("- user: What should I check before a track day? I have new brakes.\n"),
        "{detail}"
    );
    assert!(detail.contains("- user: And after it?\n"), "{detail}");
    let week = of(Level::Weekly, &[&digest]);
    assert_eq!(section(&week, "Topics"), section(&digest, "Topics"));
    assert!(
        week.contains(
            "### 2026-03-09 Plan the v1.2 release\n- user: Plan the v1.2 release. Then ship.\n"
        ),
        "{week}"
    );
    let month = of(Level::Monthly, &[&week]);
    assert_eq!(section(&month, "In Detail"), section(&week, "In Detail"));
}

/// Who decides what, why, and what came of it is told wherever it stands in a turn; what nobody wants to know is not.
#[test]
fn npm_kept_the_first_lines_of_a_talk() {
    let filler = (0..400).fold(String::new(), |text, n| {
        text + &format!("Let me look at part {n}. Reading file number {n} of the tree now.\n")
    });
    let log = format!(
        "## Session — 2026-03-09 10:00:00 — sign in on staging\n\n\
         **User:** Why does signing in to staging answer 405?\n\n\
         **Assistant:** {filler}\n\
         **Assistant:** The cause: a trailing slash gave a double slash in the URL, because `join` was called twice. \
         Fixed in `src/url.rs`.\n[tools: Bash ×3]\n[files: src/url.rs, src/login.rs]\n[commit: join the URL once]\n\n\
         **User:** thanks, go ahead\n\n\
         **User:** 2026-03-09 10:12:00 INFO start\n2026-03-09 10:12:01 INFO worker-17 pumpernickel\n\
         2026-03-09 10:12:02 INFO run\n2026-03-09 10:12:03 WARN slow\n2026-03-09 10:12:04 INFO end\nWhat is slow here?\n\n\
         **Assistant:** We will poll every ten seconds instead of every second.\n"
    );
    let digest = of(Level::Daily, &[&log]);
    for told in [
        "### sign in on staging\n- user: Why does signing in to staging answer 405?\n",
        "\n- answer: The cause: a trailing slash gave a double slash in the URL, because `join` was called twice. Fixed in `src/url.rs`.\n",
        "\n- files: src/url.rs, src/login.rs\n",
        "\n- commits: join the URL once\n",
        "\n- user: What is slow here?\n- answer: We will poll every ten seconds instead of every second.\n",
    ] {
        assert!(digest.contains(told), "{told}\n{digest}");
    }
    for untold in ["Let me", "go ahead", "pumpernickel", "[tools"] {
        assert!(!digest.contains(untold), "{untold}\n{digest}");
    }
    assert!(digest.lines().all(|line| line.chars().count() <= 260));
}

#[test]
fn every_sitting_has_its_share_and_no_heading_stands_alone() {
    let talk = (0..600).fold(String::new(), |text, n| {
        text + &format!("**User:** tell me about thing{n} and part{n}\n\n**Assistant:** thing{n} has a part{n} of size {n}.\n\n")
    });
    let log = (0..12).fold(format!("## Session — 2026-03-09 09:00:00\n\n{talk}"), |log, n| {
        log + &format!("## Session — 2026-03-09 1{}:{}0:00\n\n**User:** why is harbour{n} shut?\n\n**Assistant:** Storm{n} shut it.\n\n", n / 6, n % 6)
    });
    let digest = of(Level::Daily, &[&log]);
    assert!(
        (0..12)
            .all(|n| digest.contains(&format!("harbour{n} "))
                || digest.contains(&format!("Storm{n} "))),
        "{digest}"
    );
    let lines: Vec<&str> = digest.lines().collect();
    assert!(
        lines.windows(2).all(|pair| !pair[0].starts_with("### ") || pair[1].starts_with("- ")),
        "{digest}"
    );
    assert!(lines.len() <= 200 && lines.len() > 190, "{}", lines.len());
}

/// Two agents at work in one project: their blocks alternate, each under a heading of its own.
#[test]
fn sittings_that_interrupt_each_other_are_told_one_after_the_other() {
    let block = |session: &str, title: &str, n: usize| {
        let exchange = (0..12).fold(String::new(), |said, k| {
            said + &format!("**User:** move {title}{n}x{k}\n\n**Assistant:** The {title}{n}x{k} stands at quay{n}x{k}.\n\n")
        });
        format!(
            "<!-- hipocampus:session {session} 0-9 -->\n## Session — 2026-03-09 10:{n:02}:00 — {title}\n\n{exchange}\
             <!-- hipocampus:end {session} 9 -->\n\n"
        )
    };
    let log = (0..30).fold(String::new(), |log, n| {
        log + &block("a", "the harbour crane", n) + &block("b", "the tide table", n)
    });
    let digest = of(Level::Daily, &[&log]);
    let headings: Vec<&str> = digest.lines().filter(|line| line.starts_with("### ")).collect();
    assert_eq!(headings, ["### the harbour crane", "### the tide table"]);
    assert!(digest.lines().count() > 190, "{digest}");
}

/// A decision in few words has a line, however much the replies say.
#[test]
fn what_a_user_says_in_few_words_is_told() {
    let talk = (0..40).fold(String::new(), |talk, n| {
        let reply = (0..20).fold(String::new(), |reply, part| {
            reply + &format!("The crane{n} of shed{part} has moved load{n}x{part} because of the storm{part} at quay{n}.\n\n")
        });
        talk + &format!("**User:** no, keep that shut\n\n**Assistant:** {reply}**User:** keep hinge{n}\n\n**Assistant:** {reply}")
    });
    let digest = of(Level::Daily, &[&format!("## Session — 2026-03-09 10:00:00\n\n{talk}")]);
    let told = (0..40).filter(|n| digest.contains(&format!("- user: keep hinge{n}\n"))).count();
    assert_eq!(told, 40, "{digest}");
}

/// A table is told with its figures, a second list by what it is called, and a list that is chosen from with its numbers.
#[test]
fn what_a_choice_and_a_figure_mean_is_told() {
    let digest = |asked: &str, reply: &str, then: &str| {
        let filler = (0..120).map(|n| format!("The crane{n} lifts load{n} at quay{n}.\n\n"));
        let talk = format!("**User:** {asked}\n\n**Assistant:** {reply}\n\n**User:** {then}\n\n");
        let rest = format!("**Assistant:** {}", filler.collect::<String>());
        of(Level::Daily, &[&format!("## Session — 2026-03-09 10:00:00\n\n{talk}{rest}")])
    };
    let table = "| load | brake, 0 °C |\n|---|---|\n| 3.05 t | 9 % |\n| 2.95 t | 3.5 % |";
    let told = digest("how does the brake hold?", table, "fine");
    assert!(told.contains("load — brake, 0 °C; 3.05 t — 9 %; 2.95 t — 3.5 %"), "{told}");

    let items = |names: [&str; 3]| names.map(|name| format!("1. {name} {}\n", "hinge ".repeat(12)));
    let lists = format!(
        "For the spring:\n\n{}\nFor the autumn:\n\n{}",
        items(["winch", "drum", "rope"]).concat(),
        items(["tide", "gauge", "berth"]).concat()
    );
    let told = digest("what comes when?", &lists, "fine");
    assert!(told.contains("For the autumn: tide hinge"), "{told}");

    let choice = "1. Oil the brake every week\n2. Take the hydraulic brake of the old crane";
    let numbered = "1. Oil the brake every week; 2. Take the hydraulic brake";
    let bare = "Oil the brake every week; Take the hydraulic brake";
    for (then, expect) in [
        ("ok do it, 2", numbered),
        ("2", numbered),
        ("选2吧", numbered),
        ("in 2027, and 3.5 t", bare),
        ("the second one", bare),
    ] {
        let told = digest("what helps?", choice, then);
        assert!(told.contains(expect), "{then}: {told}");
    }
}

/// The room for what people asked goes to every sitting, whoever asks, and not to `why?` again and again.
#[test]
fn what_people_ask_has_its_share_in_every_sitting() {
    fn talk(speakers: [&str; 2], asked: impl Fn(usize) -> String, sittings: usize) -> String {
        let [user, other] = speakers;
        let turn = |n: usize| {
            let reply = (0..10).map(|part| {
                format!("The crane{n} of shed{part} has moved load{n}x{part} because of storm{part} at quay{n}.\n\n")
            });
            format!("{user} {}\n\n{other} {}", asked(n), reply.collect::<String>())
        };
        let sitting = |at: usize| {
            let turns: String = (at * 40..at * 40 + 40).map(turn).collect();
            format!("## Session — 2026-03-09 1{at}:00:00\n\n{turns}")
        };
        (0..sittings).map(sitting).collect()
    }
    let client = ["**User:**", "**Assistant:**"];
    let hinge = |n: usize| format!("keep hinge{n}");
    let digest = of(Level::Daily, &[&talk(client, hinge, 8)]);
    let told = |at: usize| {
        let asked = (at * 40..at * 40 + 40).map(|n| format!("- user: {}\n", hinge(n)));
        asked.filter(|line| digest.contains(line)).count()
    };
    let shares: Vec<usize> = (0..8).map(told).collect();
    assert!(shares.iter().all(|share| (4..=9).contains(share)), "{shares:?}");
    let digest = of(Level::Daily, &[&talk(client, |_| "why?".to_owned(), 1)]);
    assert!(digest.lines().filter(|line| *line == "- user: why?").count() < 5, "{digest}");
    let digest = of(Level::Daily, &[&talk(["Alice:", "Bob:"], hinge, 1)]);
    assert!(digest.matches("- Alice: keep hinge").count() > 20, "{digest}");
}

/// What people tell every agent, sitting after sitting, is told once; `yes` means something else each time.
#[test]
fn a_line_that_is_said_again_stands_there_once() {
    let log = (0..30).fold(String::new(), |log, n| {
        let reply = (0..20).fold(String::new(), |reply, part| {
            reply + &format!("The crane{n} of shed{part} has moved load{n}x{part} at quay{n}.\n\n")
        });
        log + &format!("## Session — 2026-03-09 10:00:{n:02} — crane {n}\n\n\
            **User:** Review all gates of the dock, number each finding, explain the purpose of hinges and bolts\n\n**Assistant:** {reply}\
            **User:** yes, mend it\n\n**Assistant:** {reply}")
    });
    let digest = of(Level::Daily, &[&log]);
    let told = |what: &str| digest.lines().filter(|line| *line == what).count();
    assert_eq!(
        told(
            "- user: Review all gates of the dock, number each finding, explain the purpose of hinges and bolts"
        ),
        1,
        "{digest}"
    );
    assert!(told("- user: yes, mend it") > 1, "{digest}");
    assert_eq!(digest.lines().filter(|line| line.starts_with("### ")).count(), 30, "{digest}");
}

/// What clients put into a prompt is longer than all that people say.
#[test]
fn the_text_of_a_skill_and_a_long_document_leave_room_for_what_came_of_them() {
    let rules = (0..300)
        .fold(String::new(), |text, n| text + &format!("Rule{n} forbids harbour{n} at tide{n}.\n"));
    let steps = (0..900).fold(String::new(), |text, n| {
        text + &format!("The crane{n} has moved a load{n} of {n} tons to the shed.\n\n")
    });
    for (first, most) in [("Base directory for this skill: /s/tide", 0), ("Follow these:", 20)] {
        let log = format!(
            "## Session — 2026-03-09 10:00:00\n\n**User:** {first}\n\n{rules}\n**Assistant:** {steps}\n"
        );
        let digest = of(Level::Daily, &[&log]);
        let of_prompt = digest.lines().filter(|line| line.contains("forbids harbour")).count();
        let told = digest.lines().filter(|line| line.contains("The crane")).count();
        assert!(of_prompt <= most && told > 100, "{of_prompt}, {told}: {digest}");
    }
}

#[test]
fn a_prompt_that_was_cut_off_and_sent_again_stands_there_once() {
    let log = long(
        "\n## Session — 2026-03-09 10:00:00\n\n**User:** The gate stays open at low tide. Mend it in @doc\n\n\
         **User:** The gate stays open at low tide. Mend it in @docs/gates.md first.\n\n**Assistant:** The hinge was loose.\n",
    );
    let digest = of(Level::Daily, &[&log]);
    let said = digest.lines().filter(|line| line.starts_with("- user: "));
    assert_eq!(said.filter(|line| line.contains("stays open")).count(), 1, "{digest}");
    assert!(digest.contains("docs/gates.md"), "{digest}");
}

/// A client's summary tells of its session; what it lists beside that stands elsewhere.
#[test]
fn a_clients_summary_is_drawn_from() {
    let log = long(
        "\n## Session — 2026-03-09 10:00:00\n\n**User:** go on\n\n**Summary:** The session so far.\n\
         1. Primary Request and Intent:\nThe user wants receipts never to be sent twice.\n\
         2. Files and Code Sections:\n- src/pumpernickel.rs was read\n\
         3. Pending Tasks:\n- Retry must look for the mail's id first.\n",
    );
    let digest = of(Level::Daily, &[&log]);
    assert!(digest.contains("The user wants receipts never to be sent twice."), "{digest}");
    assert!(digest.contains("Retry must look for the mail's id first."), "{digest}");
    assert!(!digest.contains("pumpernickel"), "{digest}");
}

#[test]
fn one_forgotten_fence_hides_neither_its_day_nor_the_next() {
    let days = "# 2026-03-09\n\n## A [project]\n```\nopen\n\n# 2026-03-10\n\n## B [project]\n```\ncode\n```\n## C [project]\n- x\n";
    let month = of(Level::Monthly, &[days]);
    assert_eq!(section(&month, "Topics").trim(), "A [project], B [project], C [project]");
}

#[test]
fn a_date_as_a_heading_inside_an_entry_ends_nothing() {
    let day = "## Me [user]\n- a\n\n# 2026-01-05\n\n- after\n";
    let whole = "- Me [user]\n  - a\n  # 2026-01-05\n  - after\n";
    let week = of(Level::Weekly, &[day]);
    assert!(week.contains(whole), "{week}");
    let days = format!("# 2026-01-05\n\n{day}\n# 2026-01-06\n\n## B\n- decision: x\n");
    let month = of(Level::Monthly, &[&days]);
    assert!(month.contains(whole) && month.contains("\n- B: x\n"), "{month}");
    assert!(!month.contains("2026-01-06"), "{month}");
}

#[test]
fn of_more_lines_than_are_kept_to_choose_from_all_are_counted_and_the_rule_stays() {
    let sitting = |of: usize| {
        let turns = (0..7000).map(|turn| {
            format!(
                "**User:** Please look at module number{of}x{turn} in the parser of the report service, it fails for \
                 records of kind{turn}.\n\n**Assistant:** The cause was the missing bound check{turn} in reader{of}; I \
                 added it and the tests of case{turn} pass now.\n\n"
            )
        });
        let marker = format!("hipocampus:session s{of} 0-9");
        let talk = turns.collect::<String>();
        format!(
            "<!-- {marker} -->\n## Session — 2026-03-09 0{of}:00:00 — sitting {of} of the parser\n\n{talk}<!-- /{marker} -->\n"
        )
    };
    let log =
        format!("## Terse answers [feedback]\n- rule: no preamble\n\n{}{}", sitting(1), sitting(2));
    let digest = of(Level::Daily, &[&log]);
    assert!(digest.contains("rule: no preamble"), "{digest}");
    assert!(count_lines(digest.as_bytes()) <= Level::Daily.threshold());
    for title in ["sitting 1 of the parser", "sitting 2 of the parser"] {
        assert!(section(&digest, "In Detail").contains(title), "{title}\n{digest}");
    }
    let told = digest
        .lines()
        .filter(|line| line.starts_with("- user: ") || line.contains("cause was"))
        .count();
    let left_out = digest.lines().find_map(list::more).unwrap_or(0);
    assert_eq!(told + left_out, 28_000, "{digest}");
}

#[test]
fn no_line_is_longer_than_260_characters_whatever_is_in_it() {
    let topic = "한국어로 쓴 아주 긴 제목 ".repeat(20);
    let words = "the tide table of the north quay ".repeat(20);
    let bullet = format!("- decision: {words}\n");
    let check = |name: &str, text: &str| {
        let all = [
            of(Level::Daily, &[&long(text)]),
            of(Level::Weekly, &[text, &long(text)]),
            of(Level::Weekly, &[&of(Level::Daily, &[&long(text)]), &"- x\n".repeat(400)]),
        ];
        for digest in all {
            let longest = digest.lines().max_by_key(|line| line.chars().count()).unwrap();
            assert!(longest.chars().count() <= 260, "{name}: {longest}");
        }
    };
    for title in [&topic, &words, &"x".repeat(500)] {
        check("project", &format!("## {title} [project]\n{bullet}- more of it\n"));
        check("feedback", &format!("## {title} [feedback]\n- rule: {words}\n"));
        check(
            "sitting",
            &format!(
                "## Session — 2026-03-09 09:00:00 — {title}\n\n**User:** {words}\n\n**Assistant:** {words}\n[files: {}]\n[commit: {words}]\n",
                "a/".repeat(400)
            ),
        );
        check("untyped", &format!("## {title}\n{words}\n{bullet}"));
        let answers = (200..260).fold(String::new(), |text, length| {
            text + &format!(
                "- user: what of quay{length}?\n- later answer: crane{length} {}\n",
                &words[..length]
            )
        });
        check("answers", &format!("## Topics\n- quays\n\n## In Detail\n### {title}\n{answers}"));
        check(
            "sections",
            &format!(
                "## Topics\n- {title}\n\n## Key Decisions\n- {words}\n  - {words}\n{words}\n\n## {title}\n- {words}\n\n## In Detail\n### {title}\n- {words}\n"
            ),
        );
    }
}
