// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "ui/runs/query_text.h"

#include <chrono>

using namespace belljar;
using namespace belljar::ui;
using execution::Status;
using store::RunFilter;
using Kind = QueryProblem::Kind;
using namespace std::chrono_literals;

namespace {

constexpr execution::UnixMs kNow = 1'796'000'000'000; ///< 2026-11-29 in UTC, as the tests run

struct GoodCase {
    const char* line;
    void (*set)(RunFilter&);
};
const GoodCase kGood[] = {
    {"", [](RunFilter&) {}},
    {"  \t ", [](RunFilter&) {}},
    {"status:failed", [](RunFilter& f) { f.statuses = {Status::Failed}; }},
    {"STATUS:Failed,timed_out status:error",
     [](RunFilter& f) {
         f.statuses = {Status::Failed, Status::TimedOut, Status::Error};
     }},
    {"status:waiting",
     [](RunFilter& f) {
         f.statuses = {
             Status::Received, Status::Analysing, Status::AwaitingApproval, Status::Queued};
     }},
    {"client:claude", [](RunFilter& f) { f.clients = {"claude"}; }},
    {"client:\"Claude Code\"", [](RunFilter& f) { f.clients = {"Claude Code"}; }},
    {"lang:Python", [](RunFilter& f) { f.languages = {"python"}; }},
    {"language:bash", [](RunFilter& f) { f.languages = {"bash"}; }},
    {"policy:strict tag:keep,later",
     [](RunFilter& f) {
         f.policies = {"strict"}, f.tags = {"keep", "later"};
     }},
    {"memory:>200MB", [](RunFilter& f) { f.moreMemoryThan = 200U << 20U; }},
    {"memory:<1.5GB", [](RunFilter& f) { f.lessMemoryThan = 1536U << 20U; }},
    {"memory:>=1KB", [](RunFilter& f) { f.moreMemoryThan = 1023; }},
    {"duration:>2s", [](RunFilter& f) { f.longerThan = 2s; }},
    {"duration:<=100ms", [](RunFilter& f) { f.shorterThan = 101ms; }},
    {"duration:>1s duration:<2min", [](RunFilter& f) { f.longerThan = 1s, f.shorterThan = 2min; }},
    {"before:2026-11-20", [](RunFilter& f) { f.before = 1'795'132'800'000; }},
    {"after:2026-11-20T14:30", [](RunFilter& f) { f.since = 1'795'132'800'000 + 52'200'000; }},
    {"since:2h", [](RunFilter& f) { f.since = kNow - 7'200'000; }},
    {"after:today", [](RunFilter& f) { f.since = kNow - kNow % 86'400'000; }},
    {"before:yesterday", [](RunFilter& f) { f.before = kNow - kNow % 86'400'000 - 86'400'000; }},
    {"has:finding has:note", [](RunFilter& f) { f.hasFinding = f.noted = true; }},
    {"is:pinned is:asked", [](RunFilter& f) { f.pinned = f.asked = true; }},
    {"finding:high", [](RunFilter& f) { f.findingAtLeast = analysis::Severity::High; }},
    {"rule:python.process", [](RunFilter& f) { f.findingRule = "python.process"; }},
    {"session:cl_1 code:ABC", [](RunFilter& f) { f.session = "cl_1", f.codeSha256 = "abc"; }},
    {"\"import requests\" numpy",
     [](RunFilter& f) {
         f.phrases = {"import requests", "numpy"};
     }},
    {"\"say \\\"hi\\\" \\\\ \\n\"", [](RunFilter& f) { f.phrases = {"say \"hi\" \\ \\n"}; }},
    {"http://example.com std::vector",
     [](RunFilter& f) {
         f.phrases = {"http://example.com", "std::vector"};
     }},
    {"\xE6\xB2\x99\xE7\xAE\xB1", [](RunFilter& f) { f.phrases = {"\xE6\xB2\x99\xE7\xAE\xB1"}; }},
};

struct BadCase {
    const char* line;
    Kind kind;
    const char* token;
};
const BadCase kBad[] = {
    {"numpy memry:>1MB", Kind::UnknownKey, "memry:>1MB"},
    {"status:", Kind::NoValue, "status:"},
    {"status:,", Kind::NoValue, "status:,"},
    {"has:", Kind::NoValue, "has:"},
    {"status:failed,brilliant", Kind::Status, "status:failed,brilliant"},
    {"duration:>", Kind::Duration, "duration:>"},
    {"duration:>2parsecs", Kind::Duration, "duration:>2parsecs"},
    {"duration:>-2s", Kind::Duration, "duration:>-2s"},
    {"duration:>inf", Kind::Duration, "duration:>inf"},
    {"duration:>1e300h", Kind::Duration, "duration:>1e300h"},
    {"memory:>lots", Kind::Size, "memory:>lots"},
    {"memory:>99999999999GB", Kind::Size, "memory:>99999999999GB"},
    {"before:2026-02-31", Kind::Time, "before:2026-02-31"},
    {"before:2026-13-01", Kind::Time, "before:2026-13-01"},
    {"before:2026-11-20T25:00", Kind::Time, "before:2026-11-20T25:00"},
    {"after:20261120", Kind::Time, "after:20261120"},
    {"after:soon", Kind::Time, "after:soon"},
    {"after:-026-01-01", Kind::Time, "after:-026-01-01"},
    {"has:everything", Kind::Has, "has:everything"},
    {"is:nice", Kind::Is, "is:nice"},
    {"finding:awful", Kind::Severity, "finding:awful"},
    {"== x", Kind::NotSearchable, "=="},
    {"\"open end", Kind::OpenQuote, "\"open end"},
};

} // namespace
#endif

class TestQueryText : public QObject {
    Q_OBJECT

private slots:
    void understands_data()
    {
        QTest::addColumn<int>("at");
        for (int at = 0; at < int(std::size(kGood)); ++at)
            QTest::newRow(kGood[at].line) << at;
    }
    void understands()
    {
        QFETCH(int, at);
        RunFilter wanted;
        kGood[at].set(wanted);
        const auto parsed = parseQuery(kGood[at].line, kNow);
        QVERIFY2(
            parsed.problems.empty(),
            parsed.problems.empty() ? "" : parsed.problems.front().token.c_str()
        );
        QVERIFY(parsed.filter == wanted);
    }

    void namesWhatItDoesNotUnderstand_data()
    {
        QTest::addColumn<int>("at");
        for (int at = 0; at < int(std::size(kBad)); ++at)
            QTest::newRow(kBad[at].line) << at;
    }
    void namesWhatItDoesNotUnderstand()
    {
        QFETCH(int, at);
        const auto parsed = parseQuery(kBad[at].line, kNow);
        QCOMPARE(parsed.problems.size(), 1U);
        QCOMPARE(int(parsed.problems[0].kind), int(kBad[at].kind));
        QCOMPARE(QString::fromStdString(parsed.problems[0].token), QString(kBad[at].token));
    }

    void writesWhatItReads_data()
    {
        QTest::addColumn<QString>("value");
        for (const char* value : {"plain", "two words", "a\"b", "back\\slash", "\\\"", "a:b", ""})
            QTest::newRow(value) << value;
    }
    void writesWhatItReads()
    {
        QFETCH(QString, value);
        const auto parsed = parseQuery("x " + writeToken("tag", value.toStdString()) + " y", kNow);
        QCOMPARE(parsed.tokens.size(), 3U);
        QCOMPARE(QString::fromStdString(parsed.tokens[1].value), value);
    }

    void takesTokensOutAndPutsThemIn()
    {
        const std::string line = "client:a  status:failed \"x y\"";
        const auto tokens = parseQuery(line, kNow).tokens;
        QCOMPARE(withoutToken(line, tokens[0]), std::string("status:failed \"x y\""));
        QCOMPARE(withoutToken(line, tokens[1]), std::string("client:a \"x y\""));
        QCOMPARE(withoutToken(line, tokens[2]), std::string("client:a  status:failed"));
        QCOMPARE(
            withToken(line, "status", "running"), std::string("client:a \"x y\" status:running")
        );
        QCOMPARE(withToken("language:c lang:b", "lang", "a"), std::string("lang:a"));
        QCOMPARE(withToken("  ", "tag", "a b"), std::string("tag:\"a b\""));
        QCOMPARE(withToken("word", "", "more"), std::string("word more"));
    }

    void everyOfferIsUnderstood()
    {
        for (const std::string& key : queryKeys()) {
            for (const std::string& value : queryValues(key)) {
                const std::string line = writeToken(key, value);
                QVERIFY2(parseQuery(line, kNow).problems.empty(), line.c_str());
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestQueryText)
#include "tst_query_text.moc"
