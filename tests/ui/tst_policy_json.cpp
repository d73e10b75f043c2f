// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts, raw strings and Boost
#include "engine/base/json_edit.h"
#include "ui/policies/shadow.h"
#include "ui/policies/unit_field.h"

using namespace belljar;
using namespace belljar::ui;

namespace {

struct Case {
    const char* name;
    const char* before;
    const char* pointer;
    const char* value; ///< JSON
    const char* after; ///< null: refused
};

const Case kSets[] = {
    {"replaces only the value", "{ \"a\" :1 , \"b\":2}", "/a", "7", "{ \"a\" :7 , \"b\":2}"},
    {"keeps comments", "{ // x\n \"a\": 1 /* y */ }", "/a", "2", "{ // x\n \"a\": 2 /* y */ }"},
    {"adds in the layout of its neighbours",
     "{\n    \"a\": 1\n}\n",
     "/b",
     "2",
     "{\n    \"a\": 1,\n    \"b\": 2\n}\n"},
    {"adds behind the comment of the last",
     "{\n  \"a\": 1 // one\n}",
     "/b",
     "2",
     "{\n  \"a\": 1, // one\n  \"b\": 2\n}"},
    {"adds on the same line", "{\"a\": 1}", "/b", "2", "{\"a\": 1, \"b\": 2}"},
    {"fills an empty object", "{}", "/a", "1", "{\n  \"a\": 1\n}"},
    {"fills an empty object inside",
     "{\n\t\"o\": {}\n}",
     "/o/a",
     "1",
     "{\n\t\"o\": {\n\t\t\"a\": 1\n\t}\n}"},
    {"keeps the comment of an empty object", "{ // why\n}", "/a", "1", "{ // why\n  \"a\": 1\n}"},
    {"makes the objects on the way",
     "{\n  \"x\": 1\n}",
     "/a/b/c",
     "true",
     "{\n  \"x\": 1,\n  \"a\": {\n    \"b\": {\n      \"c\": true\n    }\n  }\n}"},
    {"keeps the line ends of Windows",
     "{\r\n  \"a\": 1\r\n}\r\n",
     "/b",
     "2",
     "{\r\n  \"a\": 1,\r\n  \"b\": 2\r\n}\r\n"},
    {"keeps a comment before the line end of Windows",
     "{\r\n  \"a\": 1 // x\r\n}",
     "/b",
     "2",
     "{\r\n  \"a\": 1, // x\r\n  \"b\": 2\r\n}"},
    {"replaces the last of two same keys",
     "{\"a\": 1, \"a\": 2}",
     "/a",
     "3",
     "{\"a\": 1, \"a\": 3}"},
    {"knows escapes of pointers",
     "{\"a/b\": 1, \"c~d\": 2}",
     "/a~1b",
     "9",
     "{\"a/b\": 9, \"c~d\": 2}"},
    {"knows escapes of keys", "{\"\\u0061\": 1}", "/a", "2", "{\"\\u0061\": 2}"},
    {"is not misled by brackets in texts",
     "{\"s\": \"}],{\\\"\", \"a\": 1}",
     "/a",
     "2",
     "{\"s\": \"}],{\\\"\", \"a\": 2}"},
    {"reaches into arrays",
     "{\"r\": [{\"n\": 1}, {\"n\": 2}]}",
     "/r/1/n",
     "5",
     "{\"r\": [{\"n\": 1}, {\"n\": 5}]}"},
    {"refuses a broken text", "{\"a\": 1,}", "/a", "2", nullptr},
    {"refuses a text without end", "{\"a\": ", "/a", "2", nullptr},
    {"refuses members of a number", "{\"a\": 1}", "/a/b", "2", nullptr},
    {"refuses beyond an array", "{\"a\": [1]}", "/a/4", "2", nullptr},
};

const Case kRemoves[] = {
    {"takes the line", "{\n  \"a\": 1,\n  \"b\": 2\n}", "/a", "", "{\n  \"b\": 2\n}"},
    {"takes the comma before the last",
     "{\n  \"a\": 1,\n  \"b\": 2\n}",
     "/b",
     "",
     "{\n  \"a\": 1\n}"},
    {"leaves comments of others",
     "{\n  \"a\": 1, // one\n  \"b\": 2\n}",
     "/b",
     "",
     "{\n  \"a\": 1 // one\n}"},
    {"takes from a line", "{\"a\": 1, \"b\": 2}", "/a", "", "{\"b\": 2}"},
    {"leaves an empty object", "{\n  \"a\": 1\n}", "/a", "", "{}"},
    {"takes elements", "[1, 2, 3]", "/1", "", "[1, 3]"},
    {"takes nothing where there is nothing", "{\"a\": 1}", "/b", "", "{\"a\": 1}"},
    {"refuses a broken text", "{\"a\": 1", "/a", "", nullptr},
};

struct Move {
    const char* name;
    const char* before;
    int from;
    int to;
    const char* after;
};

const Move kMoves[] = {
    {"down on a line", "[1, 2, 3]", 0, 2, "[2, 3, 1]"},
    {"up on a line", "[1, 2, 3]", 2, 0, "[3, 1, 2]"},
    {"over lines", "[\n  1,\n  2\n]", 0, 1, "[\n  2,\n  1\n]"},
    {"with the comments above", "[\n  // one\n  1,\n  2\n]", 0, 1, "[\n  2,\n  // one\n  1\n]"},
    {"to itself", "[1, 2]", 1, 1, "[1, 2]"},
};

} // namespace
#endif

class TestPolicyJson : public QObject {
    Q_OBJECT

private slots:
    void setsValues_data() { rows(kSets); }
    void setsValues()
    {
        QFETCH(int, row);
        const Case& test = kSets[row];
        check(test, json::setValue(test.before, test.pointer, Json::parse(test.value)));
    }

    void removesValues_data() { rows(kRemoves); }
    void removesValues()
    {
        QFETCH(int, row);
        const Case& test = kRemoves[row];
        check(test, json::removeValue(test.before, test.pointer));
    }

    void movesElements_data() { rows(kMoves); }
    void movesElements()
    {
        QFETCH(int, row);
        const Move& test = kMoves[row];
        const auto edit = json::moveElement(
            test.before, "", static_cast<std::size_t>(test.from), static_cast<std::size_t>(test.to)
        );
        QVERIFY(edit);
        QCOMPARE(json::applied(test.before, *edit), std::string(test.after));
    }

    void insertsElements()
    {
        const auto put = [](std::string text, std::size_t at) {
            return json::applied(text, *json::insertElement(text, "", at, Json(9)));
        };
        QCOMPARE(put("[1, 2]", 1), std::string("[1, 9, 2]"));
        QCOMPARE(put("[1, 2]", 2), std::string("[1, 2, 9]"));
        QCOMPARE(
            put("[\n  1,\n  // two\n  2\n]", 1), std::string("[\n  1,\n  9,\n  // two\n  2\n]")
        );
        QCOMPARE(put("[\n  1\n]", 1), std::string("[\n  1,\n  9\n]"));
        QCOMPARE(put("[]", 0), std::string("[\n  9\n]"));
    }

    void everyEditLeavesReadableText()
    {
        // Each set and removal at each pointer of a text with everything in it.
        const std::string text =
            "{ // c\n  \"a\": {\"b\": [1, {\"c\": null}], /* d */ \"e\": {}},\r\n"
            "  \"f\": [], // g\n  \"h\": \"\\\"//\"\n}\n";
        for (const char* pointer :
             {"/a", "/a/b", "/a/b/0", "/a/b/1", "/a/b/1/c", "/a/e", "/f", "/h"}) {
            const auto set = json::setValue(text, pointer, Json{{"x", {1, 2}}});
            QVERIFY(set);
            const std::string now = json::applied(text, *set);
            const json::Tree tree = json::parse(now);
            QVERIFY2(tree.root, now.c_str());
            const json::Node* node = json::find(*tree.root, pointer);
            QVERIFY(node);
            QCOMPARE(json::valueOf(now, *node).dump(), std::string("{\"x\":[1,2]}"));
            QVERIFY(now.find("// g") != std::string::npos);
            const std::string without = json::applied(text, *json::removeValue(text, pointer));
            QVERIFY2(json::parse(without).root, without.c_str());
            QVERIFY(without.find("// g") != std::string::npos);
        }
    }

    void saysWhereTheCursorIs()
    {
        const auto at = [](const std::string& marked) {
            std::string text = marked;
            const std::size_t cursor = text.find('|');
            text.erase(cursor, 1);
            const json::Place place = json::placeAt(text, cursor);
            return place.pointer + (place.isKey ? " key" : " value");
        };
        QCOMPARE(at("{ | }"), std::string(" key"));
        QCOMPARE(at("{\"limits\": {\"|"), std::string("/limits key"));
        QCOMPARE(
            at("{\"limits\": {\"over_limit\": \"|\"}}"), std::string("/limits/over_limit value")
        );
        QCOMPARE(at("{\"a\": 1, \"b|\": 2}"), std::string(" key"));
        QCOMPARE(at("{\"r\": [{}, {\"then\": |"), std::string("/r/1/then value"));
        QCOMPARE(at("{\"a\": {\"b\": 1}, |"), std::string(" key"));
    }

    void refusesWhatIsTooDeep()
    {
        QVERIFY(json::parse(std::string(100000, '[')).error.has_value());
    }

    void normalisesQuantities()
    {
        const auto text = [](Unit unit, const char* json) {
            return quantityText(unit, Json::parse(json)).toStdString();
        };
        QCOMPARE(text(Unit::Size, "\"512 MB\""), std::string("512m"));
        QCOMPARE(text(Unit::Size, "\"1.5g\""), std::string("1536m"));
        QCOMPARE(text(Unit::Size, "\"1000000\""), std::string("1000000"));
        QCOMPARE(text(Unit::Duration, "\"90 s\""), std::string("90s"));
        QCOMPARE(text(Unit::Duration, "\"300s\""), std::string("5min"));
        QCOMPARE(text(Unit::Duration, "\"1h\""), std::string("1h"));
        QCOMPARE(text(Unit::Cpus, "0.5"), std::string("0.5"));
        QCOMPARE(text(Unit::Size, "\"plenty\""), std::string("plenty"));
    }

    void knowsRulesThatAreNeverReached()
    {
        policy::Rule high;
        high.when.severityAtLeast = analysis::Severity::High;
        policy::Rule critical;
        critical.when.severityAtLeast = analysis::Severity::Critical;
        critical.when.languages = {"python"};
        policy::Rule python;
        python.when.findings = {"python.*"};
        policy::Rule eval;
        eval.when.findings = {"python.eval"};
        policy::Rule always;
        QCOMPARE(coveredBy({high, critical}, 1).value_or(9), std::size_t{0});
        QVERIFY(!coveredBy({critical, high}, 1));
        QCOMPARE(coveredBy({high, python, eval}, 2).value_or(9), std::size_t{1});
        QVERIFY(!coveredBy({eval, python}, 1));
        QCOMPARE(coveredBy({always, eval}, 1).value_or(9), std::size_t{0});
        QVERIFY(!coveredBy({high, always}, 1));
    }

private:
    template <class Row, std::size_t count>
    void rows(const Row (&table)[count])
    {
        QTest::addColumn<int>("row");
        for (std::size_t at = 0; at < count; ++at)
            QTest::newRow(table[at].name) << static_cast<int>(at);
    }
    void check(const Case& test, const Result<json::Edit>& edit)
    {
        QCOMPARE(edit.has_value(), test.after != nullptr);
        if (edit)
            QCOMPARE(json::applied(test.before, *edit), std::string(test.after));
    }
};

QTEST_GUILESS_MAIN(TestPolicyJson)
#include "tst_policy_json.moc"
