// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts, raw strings and Boost
#include "engine/base/file.h"
#include "engine/clients/block_list.h"
#include "engine/clients/configurations.h"

#include <filesystem>
#include <map>
#include <string>

#include "private_folder.h"
#include <sys/stat.h>
#include <unistd.h>

using namespace belljar;
using namespace belljar::clients;
using namespace belljar::test;
namespace fs = std::filesystem;

namespace {

constexpr const char* kOther = "{\n  // mine\n  \"mcpServers\": {\n    \"o\": {}\n  }\n}\n";

/// A home folder with a program `belljar` in it, and what finds clients there.
struct Home {
    PrivateFolder folder;
    std::map<std::string, std::string> variables;
    fs::path program = folder.path() / "bin/belljar";
    fs::path cursor = folder.path() / ".cursor/mcp.json";
    Configurations configurations{
        loadKnownClients(BELLJAR_CLIENT_ROWS).value_or(std::vector<KnownClient>()), place()};

    Home() { put(program, "#!/bin/sh\n", 0755); }

    Configurations::Place place()
    {
        Configurations::Place place;
        place.home = folder.path();
        place.environment = [this](const std::string& name) -> std::optional<std::string> {
            const auto found = variables.find(name);
            return found == variables.end() ? std::nullopt : std::optional(found->second);
        };
        place.program = program;
        place.ledger = folder.path() / "ledger.json";
        return place;
    }
    static void put(const fs::path& file, const std::string& text, unsigned mode = 0600)
    {
        fs::create_directories(file.parent_path());
        if (!writeFile(file, text, mode))
            qFatal("can't write %s", file.c_str());
    }
    static std::string get(const fs::path& file) { return readFile(file).value_or("(none)"); }

    [[nodiscard]] Found look(const std::string& client = "cursor") const
    {
        return configurations.find(client).value_or(Found());
    }
    [[nodiscard]] Result<> connect(const std::string& client = "cursor") const
    {
        const auto plan = configurations.planConnect(client, {});
        return plan ? configurations.apply(*plan) : Result<>(fail(plan.error()));
    }
    [[nodiscard]] Result<> disconnect() const
    {
        const auto plan = configurations.planDisconnect("cursor");
        return plan ? configurations.apply(*plan) : Result<>(fail(plan.error()));
    }
    [[nodiscard]] Result<> undo() const
    {
        const auto plan = configurations.planUndo("cursor");
        return plan ? configurations.apply(*plan) : Result<>(fail(plan.error()));
    }
};

unsigned modeOf(const fs::path& file)
{
    struct stat info {};
    return ::stat(file.c_str(), &info) == 0 ? info.st_mode & 07777U : 0U;
}

} // namespace
#endif

/// Clients of a home folder, and how their files are changed.
class TestClients : public QObject {
    Q_OBJECT

private slots:
    void findsWhatIsInstalled();
    void environmentMovesFiles();
    void tellsWhereAnEntryLeads();
    void connectsAndUndoesToTheByte();
    void makesAFileAndTakesItAway();
    void disconnectLeavesWhatOthersWroteSince();
    void refusesAFileThatChangedSinceThePlan();
    void undoRefusesWhatBelljarDidNotLeave();
    void undoRefusesABackupThatIsNotItsOwn();
    void tellsForeignEntriesApart();
    void keepsModeAndFollowsLinks();
    void refusesWhatOthersCanWrite();
    void refusesWhatIsNoFile();
    void brokenTextIsToldAndStays();
    void damagedLedgerStopsWriting();
    void projectsHaveTheirOwn();
    void writesNothingForNothing();
    void blocksOutliveTheProcess();
    void aDamagedBlockListLetsNobodyIn();
};

void TestClients::findsWhatIsInstalled()
{
    Home home;
    QVERIFY(!home.look().installed);
    QVERIFY(home.look().file == home.cursor && !home.look().fileExists);
    fs::create_directories(home.cursor.parent_path());
    QVERIFY(home.look().installed);
    QVERIFY(!home.look("zed").installed);
    Home::put(home.folder.path() / "tools/zed", "#!/bin/sh\n", 0755);
    home.variables["PATH"] = "relative:" + (home.folder.path() / "tools").string() + "::";
    QVERIFY(home.look("zed").installed);
    Home::put(home.folder.path() / "tools/windsurf", "no program", 0600);
    QVERIFY(!home.look("windsurf").installed);
    const auto all = home.configurations.findAll();
    QCOMPARE(all.size(), home.configurations.known().size());
    QVERIFY(all[0].installed && all[1].installed);
    const auto nobody = home.configurations.find("nobody");
    QVERIFY(!nobody && nobody.error().code() == Errc::NotFound);
    QVERIFY(nobody.error().message().find("claude-code, ") != std::string::npos);
}

void TestClients::environmentMovesFiles()
{
    Home home;
    const fs::path elsewhere = home.folder.path() / "elsewhere";
    home.variables["CODEX_HOME"] = elsewhere.string();
    QVERIFY(home.look("codex").file == elsewhere / "config.toml");
    home.variables["CODEX_HOME"] = "relative";
    QVERIFY(home.look("codex").file == home.folder.path() / ".codex/config.toml");
}

void TestClients::tellsWhereAnEntryLeads()
{
    Home home;
    const auto state = [&home](const std::string& entry) {
        Home::put(home.cursor, "{\"mcpServers\": {\"belljar\": " + entry + "}}");
        return home.look().state;
    };
    const auto command = [](const fs::path& program) {
        return "{\"type\": \"stdio\", \"args\": [\"stdio\"], \"command\": \"" + program.string() +
               "\"}";
    };
    QVERIFY(home.look().state == State::NotConnected);
    QVERIFY(state(command(home.program)) == State::Connected);
    QVERIFY(state(command("/bin/sh")) == State::LeadsAway);
    QVERIFY(state(command("/nowhere/belljar")) == State::ProgramGone);
    QVERIFY(state("{\"url\": \"http://127.0.0.1:7707/mcp\"}") == State::Connected);
    QVERIFY(state("7") == State::LeadsAway);
    QVERIFY(state("{") == State::Unreadable);
}

void TestClients::connectsAndUndoesToTheByte()
{
    Home home;
    Home::put(home.cursor, kOther);
    QVERIFY(!home.look().canUndo);
    QVERIFY(home.connect());
    const Found found = home.look();
    QVERIFY(found.state == State::Connected && found.isOurs && found.canUndo);
    QCOMPARE(found.entry->command, home.program.string());
    QCOMPARE(Home::get(backupOf(home.cursor)), std::string(kOther));
    QVERIFY(home.undo());
    QCOMPARE(Home::get(home.cursor), std::string(kOther));
    QVERIFY(!fs::exists(backupOf(home.cursor)));
    QVERIFY(!home.look().canUndo);
    QVERIFY(home.undo().error().code() == Errc::NotFound);
}

void TestClients::makesAFileAndTakesItAway()
{
    Home home;
    QVERIFY(home.connect());
    QCOMPARE(modeOf(home.cursor), 0600U);
    QCOMPARE(modeOf(home.cursor.parent_path()), 0700U);
    QVERIFY(!fs::exists(backupOf(home.cursor)));
    QVERIFY(home.undo());
    QVERIFY(!fs::exists(home.cursor));
    QVERIFY(home.connect());
    QVERIFY(home.disconnect());
    QVERIFY(!fs::exists(home.cursor));
}

void TestClients::disconnectLeavesWhatOthersWroteSince()
{
    Home home;
    Home::put(home.cursor, kOther);
    QVERIFY(home.connect());
    std::string text = Home::get(home.cursor);
    text.replace(text.find("// mine"), 7, "// changed since");
    Home::put(home.cursor, text);
    QVERIFY(home.look().isOurs && !home.look().canUndo);
    QVERIFY(home.disconnect());
    QCOMPARE(
        Home::get(home.cursor),
        std::string("{\n  // changed since\n  \"mcpServers\": {\n    \"o\": {}\n  }\n}\n")
    );
    // That, too, can be undone.
    QVERIFY(home.undo());
    QCOMPARE(Home::get(home.cursor), text);
    QVERIFY(home.disconnect());
    QVERIFY(home.disconnect().error().code() == Errc::NotFound);
}

void TestClients::refusesAFileThatChangedSinceThePlan()
{
    Home home;
    Home::put(home.cursor, kOther);
    const auto plan = home.configurations.planConnect("cursor", {});
    QVERIFY(plan.has_value());
    Home::put(home.cursor, "{}");
    QVERIFY(home.configurations.apply(*plan).error().code() == Errc::Conflict);
    QCOMPARE(Home::get(home.cursor), std::string("{}"));
    QVERIFY(!fs::exists(backupOf(home.cursor)));
    fs::remove(home.cursor);
    QVERIFY(home.configurations.apply(*plan).error().code() == Errc::Conflict);
    QVERIFY(!fs::exists(home.cursor));
    // One that came to be since is not overwritten either.
    const auto fresh = home.configurations.planConnect("cursor", {});
    Home::put(home.cursor, "{}");
    QVERIFY(home.configurations.apply(*fresh).error().code() == Errc::Conflict);
    for (const auto& entry : fs::directory_iterator(home.cursor.parent_path()))
        QVERIFY2(entry.path() == home.cursor, entry.path().c_str());
}

void TestClients::undoRefusesWhatBelljarDidNotLeave()
{
    Home home;
    Home::put(home.cursor, kOther);
    QVERIFY(home.connect());
    const std::string text = Home::get(home.cursor) + "\n";
    Home::put(home.cursor, text);
    const auto undone = home.undo();
    QVERIFY(!undone && undone.error().code() == Errc::Conflict);
    QVERIFY(undone.error().message().find(backupOf(home.cursor).string()) != std::string::npos);
    QCOMPARE(Home::get(home.cursor), text);
}

void TestClients::undoRefusesABackupThatIsNotItsOwn()
{
    Home home;
    Home::put(home.cursor, kOther);
    QVERIFY(home.connect());
    const std::string text = Home::get(home.cursor);
    Home::put(backupOf(home.cursor), "{\"mcpServers\": {\"evil\": {}}}");
    QVERIFY(home.undo().error().code() == Errc::Conflict);
    // Disconnecting does not trust it either.
    QVERIFY(home.disconnect());
    QCOMPARE(Home::get(home.cursor), std::string(kOther));
}

void TestClients::tellsForeignEntriesApart()
{
    Home home;
    Home::put(home.cursor, "{\"mcpServers\": {\"belljar\": {\"command\": \"/bin/sh\", \"x\": 1}}}");
    auto plan = home.configurations.planConnect("cursor", {});
    QVERIFY(plan && plan->replacesOther);
    QVERIFY(home.configurations.planDisconnect("cursor")->replacesOther);
    QVERIFY(home.configurations.apply(*plan));
    QVERIFY(home.look().isOurs);
    QVERIFY(!home.configurations.planDisconnect("cursor")->replacesOther);
    // Disconnecting takes ours out; it doesn't bring the other back.
    QVERIFY(home.disconnect());
    QVERIFY(home.look().state == State::NotConnected);
    QVERIFY(Home::get(home.cursor).find("/bin/sh") == std::string::npos);
}

void TestClients::keepsModeAndFollowsLinks()
{
    Home home;
    const fs::path real = home.folder.path() / "dotfiles/cursor.json";
    Home::put(real, kOther, 0644);
    fs::create_directories(home.cursor.parent_path());
    fs::create_symlink("../dotfiles/cursor.json", home.cursor);
    QVERIFY(home.look().file == real);
    QVERIFY(home.connect());
    QVERIFY(fs::is_symlink(home.cursor));
    QCOMPARE(modeOf(real), 0644U);
    QVERIFY(Home::get(real).find("belljar") != std::string::npos);
    QVERIFY(fs::exists(backupOf(real)));
    QVERIFY(home.undo());
    QCOMPARE(Home::get(real), std::string(kOther));
    fs::remove(real);
    QVERIFY(home.connect());
    QVERIFY(fs::is_symlink(home.cursor) && fs::exists(real));
}

void TestClients::refusesWhatOthersCanWrite()
{
    Home home;
    Home::put(home.cursor, kOther, 0666);
    QVERIFY(home.look().state == State::Unreadable && !home.look().error.empty());
    const auto refused = home.connect();
    QVERIFY(!refused && refused.error().code() == Errc::Unsafe);
    QCOMPARE(Home::get(home.cursor), std::string(kOther));
    fs::permissions(home.cursor, fs::perms(0600));
    fs::permissions(home.cursor.parent_path(), fs::perms(0777));
    QVERIFY(home.connect().error().code() == Errc::Unsafe);
}

void TestClients::refusesWhatIsNoFile()
{
    Home home;
    fs::create_directories(home.cursor.parent_path());
    QCOMPARE(::mkfifo(home.cursor.c_str(), 0600), 0); // opening it would wait for ever
    QVERIFY(home.look().state == State::Unreadable);
    QVERIFY(home.connect().error().code() == Errc::Unsafe);
    fs::remove(home.cursor);
    fs::create_symlink(home.cursor, home.cursor);
    QVERIFY(home.look().state == State::Unreadable);
    QVERIFY(!home.connect());
}

void TestClients::brokenTextIsToldAndStays()
{
    Home home;
    Home::put(home.cursor, "{\n  \"mcpServers\": {\n    \"o\" {}\n");
    const Found found = home.look();
    QVERIFY(found.state == State::Unreadable && found.problem);
    QCOMPARE(found.problem->line, 3U);
    QCOMPARE(found.problem->column, 9U);
    const auto refused = home.connect();
    QVERIFY(!refused);
    QVERIFY(refused.error().message().find("mcp.json: line 3, column 9: ") != std::string::npos);
    QVERIFY(!fs::exists(backupOf(home.cursor)));
}

/// Without its record nothing could be undone.
void TestClients::damagedLedgerStopsWriting()
{
    Home home;
    Home::put(home.cursor, kOther);
    Home::put(home.folder.path() / "ledger.json", "[");
    QVERIFY(home.look().state == State::NotConnected);
    QVERIFY(!home.connect());
    QCOMPARE(Home::get(home.cursor), std::string(kOther));
    QVERIFY(!fs::exists(backupOf(home.cursor)));
}

void TestClients::projectsHaveTheirOwn()
{
    Home home;
    const fs::path project = home.folder.path() / "work";
    fs::create_directories(project);
    Configurations::Connect how;
    how.project = project;
    const auto plan = home.configurations.planConnect("vscode", how);
    QVERIFY(plan && home.configurations.apply(*plan));
    QVERIFY(Home::get(project / ".vscode/mcp.json").find("\"servers\"") != std::string::npos);
    QVERIFY(home.configurations.find("vscode", project)->state == State::Connected);
    QVERIFY(home.look("vscode").state == State::NotConnected);
    QVERIFY(home.configurations.find("windsurf", project).error().code() == Errc::NotFound);
    QVERIFY(home.configurations.findAll(project).size() < home.configurations.known().size());
}

void TestClients::writesNothingForNothing()
{
    Home home;
    QVERIFY(home.connect());
    struct stat before {};
    struct stat after {};
    QCOMPARE(::stat(home.cursor.c_str(), &before), 0);
    const auto plan = home.configurations.planConnect("cursor", {});
    QVERIFY(plan && plan->changesNothing() && !plan->replacesOther);
    QVERIFY(home.configurations.apply(*plan));
    QCOMPARE(::stat(home.cursor.c_str(), &after), 0);
    QCOMPARE(before.st_ino, after.st_ino);
    QVERIFY(home.look().canUndo); // of the change before it
}

void TestClients::blocksOutliveTheProcess()
{
    const PrivateFolder folder;
    const fs::path file = folder.path() / "blocked.json";
    auto list = BlockList::load(file);
    QVERIFY(list && list->all().empty());
    QVERIFY(list->add({"\x1b[31m evil", "/usr/bin/node", 7}));
    QVERIFY(list->add({"\x1b[31m evil", "/usr/bin/node", 8}));
    QVERIFY(list->add({"other", "", 9}));
    auto again = BlockList::load(file);
    QVERIFY(again && again->all() == list->all());
    QCOMPARE(again->all().size(), std::size_t(2));
    QCOMPARE(again->all().front().at, std::int64_t(7));
    QVERIFY(again->has("\x1b[31m evil", "/usr/bin/node"));
    QVERIFY(!again->has("\x1b[31m evil", "") && !again->has("", "/usr/bin/node"));
    QVERIFY(again->remove("\x1b[31m evil", "/usr/bin/node"));
    QCOMPARE(BlockList::load(file)->all().size(), std::size_t(1));
    QCOMPARE(modeOf(file), 0600U);
}

void TestClients::aDamagedBlockListLetsNobodyIn()
{
    const PrivateFolder folder;
    const fs::path file = folder.path() / "blocked.json";
    for (const char* text : {"", "[", "{}", "[7]", "[{}]", "[{\"name\": 7}]"}) {
        QVERIFY(writeFile(file, text, 0600));
        QVERIFY2(!BlockList::load(file), text);
    }
}

QTEST_GUILESS_MAIN(TestClients)
#include "tst_clients.moc"
