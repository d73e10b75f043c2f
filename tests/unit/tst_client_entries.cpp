// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts, raw strings and Boost
#include "engine/clients/diff.h"
#include "engine/clients/entry.h"

#include <string>
#include <vector>

using namespace belljar;
using namespace belljar::clients;

namespace {

const std::vector<KnownClient>& known()
{
    static const std::vector<KnownClient> all =
        loadKnownClients(BELLJAR_CLIENT_ROWS).value_or(std::vector<KnownClient>());
    return all;
}

const KnownClient& client(const char* id)
{
    return *findById(known(), id);
}

OrderedJson stdioEntry(const KnownClient& client, const std::string& program = "/opt/b/belljar")
{
    EntryValues values;
    values.program = program;
    return makeEntry(client, values).value_or(OrderedJson());
}

OrderedJson httpEntry(const KnownClient& client)
{
    EntryValues values;
    values.transport = Transport::Http;
    values.url = "http://127.0.0.1:7707/mcp";
    values.token = "abc123";
    return makeEntry(client, values).value_or(OrderedJson());
}

/// `text` with KEY standing for the client's key.
std::string forClient(const KnownClient& client, std::string text)
{
    for (std::size_t at = 0; (at = text.find("KEY", at)) != std::string::npos;)
        text.replace(at, 3, client.key);
    return text;
}

struct Layout {
    const char* name;
    const char* json;
    const char* toml;
};

/// Taking out what was put in gives these back byte for byte.
const Layout kReversible[] = {
    {"another server",
     "{\n  \"KEY\": {\n    \"other\": {\n      \"command\": \"x\"\n    }\n  }\n}\n",
     "model = \"o\"\n\n[KEY.other]\ncommand = \"x\"\n"},
    {"tabs",
     "{\n\t\"KEY\": {\n\t\t\"other\": { \"command\": \"x\" }\n\t},\n\t\"z\": 1\n}\n",
     "[KEY.other]\n\tcommand = \"x\"\n"},
    {"comments",
     "// mine\n{\n  // servers\n  \"KEY\": {\n    \"other\": {} // last\n    // \"off\": {}\n  "
     "}\n}",
     "# mine\n[KEY.other] # this\ncommand = \"x\" # that\n# \"off\"\n"},
    {"trailing commas",
     "{\n  \"KEY\": {\n    \"other\": {\"command\": \"x\",}, // last\n  },\n}\n",
     "[KEY.other]\nargs = [\n  \"a\",\n]\n"},
    {"line ends of Windows",
     "{\r\n  \"KEY\": {\r\n    \"other\": {}\r\n  }\r\n}\r\n",
     "a = 1\r\n[KEY.other]\r\ncommand = \"x\"\r\n"},
    {"no final newline", "{\"KEY\": {\"other\": {}}}", "[KEY.other]\ncommand = \"x\""},
    {"no final newline, Windows", "{\r\n\"KEY\": {\"o\": {}}}", "a = 1\r\n[KEY.o]\r\nb = 2"},
    {"one line", "{\"a\":1,\"KEY\":{\"other\":{}},\"z\":[1,2]}", "KEY.other.command = \"x\"\n"},
    {"one line, trailing commas", "{\"KEY\":{\"other\":{},},}", "[KEY.other]\ncommand='x'\n"},
    {"byte order mark",
     "\xEF\xBB\xBF{\n  \"KEY\": {\n    \"other\": {}\n  }\n}\n",
     "\xEF\xBB\xBF[KEY.other]\ncommand = \"x\"\n"},
    {"what looks like an entry in texts",
     "{\n  \"KEY\": {\n    \"a\": \"\\\"belljar\\\": {\"\n  },\n  \"belljar\": {\"command\": "
     "\"y\"}\n}\n",
     "a = '''\n[KEY.belljar]\n'''\n[belljar]\ncommand = \"y\"\n"},
    {"odd characters",
     "{\n  \"KEY\": {\n    \"caf\xC3\xA9 \\u202e\": {\"command\": \"\xF0\x9F\x90\x8D\"}\n  }\n}\n",
     "[KEY.\"caf\xC3\xA9\"]\ncommand = \"\xF0\x9F\x90\x8D\" # \xC3\xA9\n"},
    {"repeated keys", "{\"KEY\": {\"a\": 1, \"a\": 2}}", "b = [ { x = 1 }, { y = 2 } ]\n"},
};

struct Refused {
    const char* name;
    const char* json;
    const char* toml;
    std::uint32_t line;
    std::uint32_t column;
};
const Refused kRefused[] = {
    {"cut off", "{\n  \"KEY\": {\n", "a = 1\nb = [1,\n", 3, 1},
    {"no colon", "{\n  \"\xC3\xA9\" 1}", "\xC3\xA9 = 1\n", 2, 7},
    {"two values", "{} {}", "a = 1 b = 2\n", 1, 4},
};

} // namespace
#endif

/// Entries in the texts of other programs: only they change.
class TestClientEntries : public QObject {
    Q_OBJECT

private slots:
    void rowsAreWhole();
    void addedAndTakenOutLeavesEveryByte_data();
    void addedAndTakenOutLeavesEveryByte();
    void emptyTextBecomesAConfiguration_data();
    void emptyTextBecomesAConfiguration();
    void exactShapes_data();
    void exactShapes();
    void refusesWhatItCannotRead_data();
    void refusesWhatItCannotRead();
    void refusesWhatIsNoListOfServers();
    void keepsWhatThePersonSetInTheEntry_data();
    void keepsWhatThePersonSetInTheEntry();
    void switchesTheTransport();
    void takesOutEveryEntryOfTheName();
    void knowsTheNestedForm();
    void tomlInlineTables();
    void tomlFormsThatStayAsTheyAre();
    void deepKeysDoNotEndTheProcess();
    void tokensAreOneWord();
    void pathsAreExpanded();
    void diffShowsTheBlock();
};

void TestClientEntries::rowsAreWhole()
{
    QVERIFY(known().size() >= 10);
    for (const KnownClient& one : known()) {
        QVERIFY2(!one.title.empty() && !one.key.empty() && !one.userFiles.empty(), one.id.c_str());
        QVERIFY2(!one.names.empty() && !one.paths.empty(), one.id.c_str());
        const std::string entry = stdioEntry(one).dump();
        QVERIFY2(entry.find("/opt/b/belljar") != std::string::npos, entry.c_str());
        QVERIFY2(entry.find('@') == std::string::npos, entry.c_str());
        const std::string text = forClient(one, "");
        const auto with = withEntry(one, text, stdioEntry(one));
        QVERIFY2(with.has_value(), one.id.c_str());
        const Reading reading = readEntry(one, *with);
        QVERIFY2(reading.entry.has_value(), one.id.c_str());
        QVERIFY2(leadsTo(one, *reading.entry, stdioEntry(one)), one.id.c_str());
        QVERIFY2(!leadsTo(one, *reading.entry, stdioEntry(one, "/else")), one.id.c_str());
        if (one.http) {
            const auto http = withEntry(one, text, httpEntry(one));
            QVERIFY2(http.has_value(), one.id.c_str());
            QVERIFY2(http->find("Bearer abc123") != std::string::npos, http->c_str());
            QVERIFY(readEntry(one, *http).entry->transport == Transport::Http);
        }
    }
    QVERIFY(!client("claude-desktop").http);
    QCOMPARE(findByName(known(), "codex-mcp-client")->id, std::string("codex"));
    QVERIFY(findByName(known(), "nobody") == nullptr);
}

void TestClientEntries::addedAndTakenOutLeavesEveryByte_data()
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<QByteArray>("text");
    for (const KnownClient& one : known()) {
        for (const Layout& layout : kReversible) {
            const std::string text =
                forClient(one, one.format == Format::Toml ? layout.toml : layout.json);
            QTest::addRow("%s, %s", one.id.c_str(), layout.name)
                << QString::fromStdString(one.id) << QByteArray::fromStdString(text);
        }
    }
}

void TestClientEntries::addedAndTakenOutLeavesEveryByte()
{
    QFETCH(QString, id);
    QFETCH(QByteArray, text);
    const KnownClient& one = client(id.toUtf8().constData());
    const std::string before = text.toStdString();
    const auto with = withEntry(one, before, stdioEntry(one));
    QVERIFY2(with.has_value(), with ? "" : with.error().message().c_str());
    QVERIFY(*with != before);
    QVERIFY2(readEntry(one, *with).entry.has_value(), with->c_str());
    // A second time there is nothing to do.
    QCOMPARE(withEntry(one, *with, stdioEntry(one)).value_or(""), *with);
    const auto without = withoutEntry(one, *with);
    QVERIFY2(without.has_value(), without ? "" : without.error().message().c_str());
    QCOMPARE(QByteArray::fromStdString(*without), text);
}

void TestClientEntries::emptyTextBecomesAConfiguration_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("blanks") << QByteArray(" \r\n\n");
    QTest::newRow("mark alone") << QByteArray("\xEF\xBB\xBF");
    QTest::newRow("empty object") << QByteArray("{}");
    QTest::newRow("empty servers") << QByteArray("{ \"mcpServers\": { } }");
    QTest::newRow("comment only inside") << QByteArray("{\n  // nothing yet\n}\n");
}

void TestClientEntries::emptyTextBecomesAConfiguration()
{
    QFETCH(QByteArray, text);
    const KnownClient& one = client("cursor");
    const auto with = withEntry(one, text.toStdString(), stdioEntry(one));
    QVERIFY(with.has_value());
    QCOMPARE(readEntry(one, *with).entry->command, std::string("/opt/b/belljar"));
    QVERIFY(text.contains("nothing yet") == (with->find("// nothing yet") != std::string::npos));
    QVERIFY(withoutEntry(one, *with).has_value());
    QVERIFY(withoutEntry(one, text.toStdString()).error().code() == Errc::NotFound);
}

void TestClientEntries::exactShapes_data()
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<QByteArray>("expected");
    QTest::newRow("cursor") << "cursor"
                            << QByteArray("{\n"
                                          "  \"mcpServers\": {\n"
                                          "    \"belljar\": {\n"
                                          "      \"type\": \"stdio\",\n"
                                          "      \"command\": \"/opt/b/belljar\",\n"
                                          "      \"args\": [\"stdio\"]\n"
                                          "    }\n"
                                          "  }\n"
                                          "}\n");
    QTest::newRow("vscode") << "vscode"
                            << QByteArray("{\n"
                                          "  \"servers\": {\n"
                                          "    \"belljar\": {\n"
                                          "      \"type\": \"stdio\",\n"
                                          "      \"command\": \"/opt/b/belljar\",\n"
                                          "      \"args\": [\"stdio\"]\n"
                                          "    }\n"
                                          "  }\n"
                                          "}\n");
    QTest::newRow("codex"
    ) << "codex"
      << QByteArray("[mcp_servers.belljar]\n"
                    "command = \"/opt/b/belljar\"\n"
                    "args = [\"stdio\"]\n"
                    "env_vars = [\"XDG_RUNTIME_DIR\", \"DBUS_SESSION_BUS_ADDRESS\", "
                    "\"DOCKER_HOST\"]\n"
                    "startup_timeout_sec = 20\n"
                    "tool_timeout_sec = 600\n");
}

void TestClientEntries::exactShapes()
{
    QFETCH(QString, id);
    QFETCH(QByteArray, expected);
    const KnownClient& one = client(id.toUtf8().constData());
    QCOMPARE(QByteArray::fromStdString(withEntry(one, "", stdioEntry(one)).value_or("")), expected);
}

void TestClientEntries::refusesWhatItCannotRead_data()
{
    QTest::addColumn<int>("index");
    for (int index = 0; index < int(std::size(kRefused)); ++index)
        QTest::newRow(kRefused[index].name) << index;
}

void TestClientEntries::refusesWhatItCannotRead()
{
    QFETCH(int, index);
    const Refused& refused = kRefused[index];
    const KnownClient& one = client("cursor");
    const std::string text = forClient(one, refused.json);
    const Reading reading = readEntry(one, text);
    QVERIFY(reading.problem.has_value());
    QCOMPARE(reading.problem->line, refused.line);
    QCOMPARE(reading.problem->column, refused.column);
    const auto with = withEntry(one, text, stdioEntry(one));
    QVERIFY(!with);
    QVERIFY(QString::fromStdString(with.error().message())
                .startsWith(
                    QStringLiteral("line %1, column %2: ").arg(refused.line).arg(refused.column)
                ));
    QVERIFY(!withoutEntry(one, text));
    const KnownClient& codex = client("codex");
    QVERIFY(readEntry(codex, refused.toml).problem.has_value());
    QVERIFY(!withEntry(codex, refused.toml, stdioEntry(codex)));
}

void TestClientEntries::refusesWhatIsNoListOfServers()
{
    const KnownClient& one = client("cursor");
    for (const char* text : {"[]", "1", "{\"mcpServers\": []}", "{\"mcpServers\": null}"}) {
        QVERIFY2(readEntry(one, text).problem.has_value(), text);
        QVERIFY2(!withEntry(one, text, stdioEntry(one)), text);
    }
    const KnownClient& codex = client("codex");
    QVERIFY(!withEntry(codex, "mcp_servers = 1\n", stdioEntry(codex)));
    // An entry that is no object is replaced, like any other that leads nowhere.
    const auto with = withEntry(one, "{\"mcpServers\": {\"belljar\": 7}}", stdioEntry(one));
    QVERIFY(with && readEntry(one, *with).entry->command == "/opt/b/belljar");
}

void TestClientEntries::keepsWhatThePersonSetInTheEntry_data()
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    QTest::newRow("json"
    ) << "kiro"
      << QByteArray("{ \"mcpServers\": { \"belljar\": { \"disabled\": true, /* mine */ "
                    "\"command\": \"/old/belljar\", \"args\": [\"stdio\"], "
                    "\"autoApprove\": [\"execute_code\"] } } }")
      << QByteArray("{ \"mcpServers\": { \"belljar\": { \"disabled\": false, /* mine */ "
                    "\"command\": \"/opt/b/belljar\", \"args\": [\"stdio\"], "
                    "\"autoApprove\": [\"execute_code\"] } } }");
    QTest::newRow("toml"
    ) << "codex"
      << QByteArray("[mcp_servers.belljar] # mine\ncommand = '/\xC3\xA9/belljar' # old\n"
                    "tool_timeout_sec = 30\nenabled = false\n[mcp_servers.z]\ncommand = 'z'\n")
      << QByteArray("[mcp_servers.belljar] # mine\ncommand = \"/opt/b/belljar\" # old\n"
                    "args = [\"stdio\"]\n"
                    "tool_timeout_sec = 30\nenabled = true\n[mcp_servers.z]\ncommand = 'z'\n");
}

void TestClientEntries::keepsWhatThePersonSetInTheEntry()
{
    QFETCH(QString, id);
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    const KnownClient& one = client(id.toUtf8().constData());
    const Reading reading = readEntry(one, before.toStdString());
    QVERIFY(!leadsTo(one, *reading.entry, stdioEntry(one)));
    const auto with = withEntry(one, before.toStdString(), stdioEntry(one));
    QVERIFY2(with.has_value(), with ? "" : with.error().message().c_str());
    QCOMPARE(QByteArray::fromStdString(*with), after);
}

void TestClientEntries::switchesTheTransport()
{
    for (const char* id : {"cursor", "codex", "cline"}) {
        const KnownClient& one = client(id);
        const auto stdio = withEntry(one, "", stdioEntry(one));
        const auto http = withEntry(one, *stdio, httpEntry(one));
        QVERIFY2(http.has_value(), id);
        const Reading reading = readEntry(one, *http);
        QCOMPARE(reading.entry->url, std::string("http://127.0.0.1:7707/mcp"));
        QVERIFY2(http->find("/opt/b/belljar") == std::string::npos, http->c_str());
        QVERIFY(
            readEntry(one, *withEntry(one, *http, stdioEntry(one))).entry->transport ==
            Transport::Stdio
        );
    }
}

void TestClientEntries::takesOutEveryEntryOfTheName()
{
    const KnownClient& one = client("cursor");
    const std::string text = "{\"mcpServers\": {\"belljar\": {\"command\": \"a\"}, \"x\": 1, "
                             "\"belljar\": {\"command\": \"b\"}}}";
    QCOMPARE(withoutEntry(one, text).value_or(""), std::string("{\"mcpServers\": {\"x\": 1}}"));
}

void TestClientEntries::knowsTheNestedForm()
{
    const KnownClient& one = client("cline");
    const std::string text = "{\"mcpServers\": {\"belljar\": {\"transport\": {\"type\": \"stdio\", "
                             "\"command\": \"/old\", \"args\": [\"stdio\"]}, \"disabled\": true}}}";
    QCOMPARE(readEntry(one, text).entry->command, std::string("/old"));
    QCOMPARE(
        withEntry(one, text, stdioEntry(one)).value_or(""),
        std::string("{\"mcpServers\": {\"belljar\": {\"transport\": {\"type\": \"stdio\", "
                    "\"command\": \"/opt/b/belljar\", \"args\": [\"stdio\"]}, \"disabled\": "
                    "false}}}")
    );
}

void TestClientEntries::tomlInlineTables()
{
    const KnownClient& codex = client("codex");
    const std::string text = "[mcp_servers]\nx = { command = \"x\" }\n"
                             "belljar = { command = \"/old\" } # mine\ny = 1\n";
    QCOMPARE(
        withEntry(codex, text, stdioEntry(codex)).value_or(""),
        std::string("[mcp_servers]\nx = { command = \"x\" }\n"
                    "belljar = { command = \"/opt/b/belljar\", args = [\"stdio\"] } # mine\ny = 1\n"
        )
    );
    QCOMPARE(
        withoutEntry(codex, text).value_or(""),
        std::string("[mcp_servers]\nx = { command = \"x\" }\ny = 1\n")
    );
}

/// Where an edit would touch something else, nothing is written.
void TestClientEntries::tomlFormsThatStayAsTheyAre()
{
    const KnownClient& codex = client("codex");
    const char* texts[] = {
        "mcp_servers = { x = { command = 'x' } }\n",
        "mcp_servers = { belljar = { url = 'x' }, x = { command = 'x' } }\n",
    };
    for (const char* text : texts) {
        const auto with = withEntry(codex, text, stdioEntry(codex));
        QVERIFY2(!with && with.error().code() == Errc::Unsupported, text);
    }
    // Its tables stand apart, with another between them.
    const auto apart = withoutEntry(
        codex,
        "[mcp_servers.belljar]\ncommand = 'b'\n[other]\na = 1\n[mcp_servers.belljar.tools.x]\nq = "
        "1\n"
    );
    QVERIFY(!apart && apart.error().code() == Errc::Unsupported);
}

void TestClientEntries::deepKeysDoNotEndTheProcess()
{
    const KnownClient& codex = client("codex");
    std::string key = "a";
    for (int part = 0; part < 200'000; ++part)
        key += ".a";
    QVERIFY(readEntry(codex, key + " = 1\n").problem.has_value());
    QVERIFY(readEntry(codex, "[" + key + "]\n").problem.has_value());
    QVERIFY(readEntry(codex, "a = " + std::string(200'000, '[')).problem.has_value());
    QVERIFY(readEntry(client("cursor"), std::string(200'000, '[')).problem.has_value());
}

void TestClientEntries::tokensAreOneWord()
{
    EntryValues values;
    values.transport = Transport::Http;
    values.url = "http://127.0.0.1:7707/mcp";
    for (const char* token : {"", "a b", "a\n", "a\r\nX-Evil: 1", "\xC3\xA9"}) {
        values.token = token;
        QVERIFY2(!makeEntry(client("cursor"), values), token);
    }
    values.token = "good";
    QVERIFY(makeEntry(client("cursor"), values).has_value());
    QVERIFY(makeEntry(client("claude-desktop"), values).error().code() == Errc::Unsupported);
}

void TestClientEntries::pathsAreExpanded()
{
    const Environment environment = [](const std::string& name) -> std::optional<std::string> {
        if (name == "SET")
            return "/set";
        if (name == "RELATIVE")
            return "rel";
        return {};
    };
    const auto path = [&](const char* text) {
        return expandPath(text, "/home/u", environment).value_or("(none)").string();
    };
    QCOMPARE(path("~/.x/y"), std::string("/home/u/.x/y"));
    QCOMPARE(path("${SET}/y"), std::string("/set/y"));
    QCOMPARE(path("${SET}"), std::string("/set"));
    QCOMPARE(path("${UNSET}/y"), std::string("(none)"));
    QCOMPARE(path("${RELATIVE}/y"), std::string("(none)"));
    QCOMPARE(path("${UNSET:-~/.config}/y"), std::string("/home/u/.config/y"));
    QCOMPARE(path("${RELATIVE:-~/.config}/y"), std::string("/home/u/.config/y"));
    QCOMPARE(path("/etc/x"), std::string("/etc/x"));
    QCOMPARE(path("relative"), std::string("(none)"));
    QCOMPARE(path("${UNCLOSED"), std::string("(none)"));
}

void TestClientEntries::diffShowsTheBlock()
{
    const auto lines = diffLines("a\nb\nc\nd\ne\n", "a\nb\nX\r\nd\ne\n", 1);
    const std::vector<DiffLine> expected{
        {' ', 2, "b"}, {'-', 3, "c"}, {'+', 3, "X"}, {' ', 4, "d"}};
    QVERIFY(lines == expected);
    QVERIFY(diffLines("a\n", "a\n").empty());
    QVERIFY(diffLines("", "").empty());
    QCOMPARE(diffLines("", "a\nb").size(), std::size_t(2));
    QCOMPARE(diffLines("a\nb", "").size(), std::size_t(2));
    QCOMPARE(diffLines("a", "a\n").size(), std::size_t(2));
}

QTEST_GUILESS_MAIN(TestClientEntries)
#include "tst_client_entries.moc"
