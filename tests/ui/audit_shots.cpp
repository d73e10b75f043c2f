// SPDX-License-Identifier: GPL-3.0-or-later
// Renders the audit screen in its states, light and dark, to PNG files that a person looks at:
// audit_shots FOLDER
#include "tests/ui/shots_program.h"
#include "tests/unit/store_fixture.h"
#include "ui/audit/audit_screen.h"
#include "ui/shell/theme.h"

#include <QComboBox>
#include <QEventLoop>
#include <QLineEdit>
#include <QTableView>
#include <QTimer>

#include <functional>

namespace {

using namespace belljar;
using audit::Type;

void write(
    store::Store& store, Type type, Json detail, const char* execution = "", const char* client = ""
)
{
    audit::Entry entry;
    entry.type = type;
    entry.at -= 7000;
    entry.execution = ExecutionId(execution);
    entry.client = ClientId(client);
    entry.detail = std::move(detail);
    store.audit(std::move(entry));
}

void fill(test::History& history)
{
    const char* id = "ex_4f1d2c7a90be41d3a6f00b7d55e1c2aa";
    const char* client = "cl_77b1c2d3e4f5061728394a5b6c7d8e9f";
    store::Store& store = *history.store;
    write(store, Type::EngineStarted, {{"version", "0.3.0"}, {"pid", 4711}});
    write(
        store, Type::ClientConnected, {{"name", "Claude Code"}, {"transport", "socket"}}, "", client
    );
    for (int round = 0; round < 6; ++round) {
        write(
            store,
            Type::RequestReceived,
            {{"code_sha256", std::string(64, 'c')}, {"language", "python"}, {"code_bytes", 412}},
            id,
            client
        );
        write(
            store,
            Type::Decided,
            {{"verdict", "ask"},
             {"policy", {{"name", "balanced"}, {"version", 3}}},
             {"rules", {"a finding of severity high asks: os.system (python.process.spawn)"}},
             {"findings", 2}},
            id,
            client
        );
        write(store, Type::ApprovalAsked, {{"until_ms", 1796132282569}}, id, client);
        write(
            store,
            Type::ApprovalAnswered,
            {{"answer", "allow_once"}, {"waited_ms", 8123}, {"by", "person"}, {"edited", false}},
            id,
            client
        );
        write(store, Type::ExecutionStarted, {{"code_sha256", std::string(64, 'c')}}, id, client);
        write(store, Type::ExecutionEnded, {{"status", "succeeded"}, {"exit_code", 0}}, id, client);
    }
    write(store, Type::PolicyChanged, {{"name", "balanced"}, {"version", 4}, {"author", "me"}});
    history.store.reset();
}

void wait(const std::function<bool()>& done)
{
    QEventLoop loop;
    QTimer timer;
    QObject::connect(&timer, &QTimer::timeout, &loop, [&] {
        if (done())
            loop.quit();
    });
    timer.start(20);
    QTimer::singleShot(5000, &loop, &QEventLoop::quit);
    loop.exec();
}

void save(QWidget& screen, const QString& file)
{
    int rounds = 0;
    wait([&] { return ++rounds > 10; });
    screen.grab().save(file);
}

void shoot(const QString& prefix)
{
    using ui::AuditScreen;
    {
        AuditScreen screen("/nonexistent/history.db");
        screen.resize(1180, 720);
        screen.show();
        wait([&] { return screen.state() == AuditScreen::State::Empty; });
        save(screen, prefix + QStringLiteral("empty.png"));
    }
    test::History history;
    fill(history);
    AuditScreen screen(history.file);
    screen.resize(1180, 720);
    screen.show();
    wait([&] { return screen.state() == AuditScreen::State::Ready; });
    auto* table = screen.findChild<QTableView*>(QStringLiteral("auditTable"));
    table->setFocus();
    table->selectRow(5);
    save(screen, prefix + QStringLiteral("rows.png"));
    screen.verify();
    save(screen, prefix + QStringLiteral("verified.png"));
    screen.resize(600, 700);
    save(screen, prefix + QStringLiteral("small.png"));
    screen.resize(1180, 720);
    screen.findChild<QComboBox*>(QStringLiteral("auditTime"))->setCurrentIndex(5);
    screen.findChild<QLineEdit*>(QStringLiteral("auditSearch"))->setText(QStringLiteral("nothing"));
    wait([&] { return screen.state() == AuditScreen::State::NoMatch; });
    save(screen, prefix + QStringLiteral("no-match.png"));
    screen.showFor(ExecutionId(""));
    {
        SQLite::Database database(history.file.string(), SQLite::OPEN_READWRITE, 5000);
        database.exec("UPDATE audit SET detail = '{}' WHERE sequence = 7; "
                      "DELETE FROM audit WHERE sequence = 30");
    }
    screen.verify();
    save(screen, prefix + QStringLiteral("damaged.png"));
    screen.resize(560, 700);
    save(screen, prefix + QStringLiteral("damaged-small.png"));
}

} // namespace

int main(int argc, char** argv)
{
    const test::ShotsProgram program(argc, argv);
    program.inBothSchemes([](ui::Theme& /*theme*/, ui::Scheme /*scheme*/, const QString& prefix) {
        shoot(prefix);
    });
    return 0;
}
