// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QAccessible>
#include <QApplication>
#include <QCheckBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTableView>
#include <QTableWidget>
#include <QTest>

#undef emit       // Qt's word for nothing is Asio's name of a function
#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "tests/support/gui_test.h"
#include "tests/ui/clients_fixture.h"
#include "tests/unit/store_fixture.h"
#include "ui/clients/client_pane.h"

using namespace belljar;
using namespace belljar::ui;
using namespace belljar::test;
namespace fs = std::filesystem;

namespace {

const char* const kOther = "{\n  // mine\n  \"mcpServers\": {\n    \"o\": {}\n  }\n}\n";

/// The screen as a person uses it.
struct Bench : ClientsBench {
    std::vector<Command> commands;

    void open()
    {
        show();
        QObject::connect(screen.get(), &ClientsScreen::commandWanted, [this](const Command& one) {
            commands.push_back(one);
        });
        new QAbstractItemModelTester(table()->model(), screen.get());
        QTRY_VERIFY(table()->isVisible());
    }
    template <class Widget>
    Widget* find(const char* name) const
    {
        auto* found = screen->findChild<Widget*>(QLatin1String(name));
        if (!found)
            qFatal("no %s", name);
        return found;
    }
    QTableView* table() const { return find<QTableView>("clientsTable"); }
    QTableWidget* connections() const { return find<QTableWidget>("clientConnections"); }
    QPushButton* button(const char* name) const { return find<QPushButton>(name); }
    QString label(const char* name) const { return find<QLabel>(name)->text(); }
    void press(const char* name) const
    {
        QVERIFY2(button(name)->isVisible() && button(name)->isEnabled(), name);
        QTest::mouseClick(button(name), Qt::LeftButton);
    }
    int rowOf(const QString& title) const
    {
        for (int row = 0; row < table()->model()->rowCount(); ++row) {
            if (cell(row, 0) == title)
                return row;
        }
        return -1;
    }
    QString cell(int row, int column) const
    {
        return table()->model()->index(row, column).data().toString();
    }
    QString cellOf(const QString& title, int column) const { return cell(rowOf(title), column); }
    void select(const QString& title) const { table()->selectRow(rowOf(title)); }
    /// Asks for the change and waits until it is shown.
    void plan(const char* name) const
    {
        press(name);
        QTRY_VERIFY(button("changeWrite")->isVisible());
    }
    void write() const
    {
        press("changeWrite");
        QTRY_VERIFY(!button("changeWrite")->isVisible());
    }
    template <class One>
    const One* command(std::size_t at) const
    {
        return at < commands.size() ? std::get_if<One>(&commands[at]) : nullptr;
    }
};

} // namespace
#endif

class TestClientsScreen : public QObject {
    Q_OBJECT

private slots:
    void listsWhoIsThereFirst()
    {
        Bench bench;
        Bench::put(bench.cursor, kOther);
        bench.open();
        QCOMPARE(bench.cell(0, ClientsModel::Title), QStringLiteral("Cursor"));
        QCOMPARE(bench.cell(0, ClientsModel::Configuration), QStringLiteral("not set up"));
        QCOMPARE(bench.cell(1, ClientsModel::Configuration), QStringLiteral("client not found"));
        QTRY_COMPARE(bench.label("clientTitle"), QStringLiteral("Cursor")); // chosen by itself
        QVERIFY(bench.table()->model()->rowCount() >= 10);
    }

    void connectsAfterTheChangeWasSeen()
    {
        Bench bench;
        Bench::put(bench.cursor, kOther);
        bench.open();
        bench.plan("clientConnect");
        QCOMPARE(Bench::get(bench.cursor), std::string(kOther)); // nothing yet
        const QString diff = bench.find<QPlainTextEdit>("changeDiff")->toPlainText();
        QVERIFY2(diff.contains(QStringLiteral("+     \"belljar\": {")), qPrintable(diff));
        QVERIFY(bench.label("changeBackup").contains(QStringLiteral("mcp.json.belljar-backup")));
        QVERIFY(!bench.find<QCheckBox>("changeConsent")->isVisible());
        bench.write();
        QVERIFY(Bench::get(bench.cursor).find(bench.program.string()) != std::string::npos);
        QCOMPARE(bench.cell(0, ClientsModel::Configuration), QStringLiteral("set up"));
        QCOMPARE(bench.cell(0, ClientsModel::Now), QStringLiteral("waiting for it"));
        QVERIFY(bench.label("clientNote").contains(QStringLiteral("Waiting for Cursor to connect"))
        );
        bench.connectClient("cursor-vscode", "/usr/bin/cursor");
        QCOMPARE(bench.cell(0, ClientsModel::Now), QStringLiteral("connected"));
        QCOMPARE(
            bench.label("clientNote"),
            QStringLiteral("Written. Cursor is connected, protocol revision 2025-11-25.")
        );
        // It was seen: that it goes again is nothing to wait for.
        bench.plan("clientUndo");
        bench.write();
        QCOMPARE(Bench::get(bench.cursor), std::string(kOther));
        QCOMPARE(bench.cell(0, ClientsModel::Configuration), QStringLiteral("not set up"));
    }

    void leavingItWritesNothing()
    {
        Bench bench;
        Bench::put(bench.cursor, kOther);
        bench.open();
        bench.plan("clientConnect");
        bench.press("changeCancel");
        QVERIFY(!bench.button("changeWrite")->isVisible());
        QVERIFY(bench.button("clientConnect")->isEnabled());
        // A change that is on the screen isn't one of the next client.
        bench.plan("clientConnect");
        bench.select(QStringLiteral("Zed"));
        QVERIFY(!bench.button("changeWrite")->isVisible());
        QCOMPARE(Bench::get(bench.cursor), std::string(kOther));
    }

    void entriesOfOthersNeedATick()
    {
        Bench bench;
        Bench::put(bench.cursor, "{\"mcpServers\": {\"belljar\": {\"command\": \"/bin/sh\"}}}");
        bench.open();
        QCOMPARE(bench.cell(0, ClientsModel::Configuration), QStringLiteral("leads elsewhere"));
        for (const char* name : {"clientConnect", "clientRemove"}) {
            bench.plan(name);
            QVERIFY(bench.find<QCheckBox>("changeConsent")->isVisible());
            QVERIFY(!bench.button("changeWrite")->isEnabled());
            bench.press("changeCancel");
        }
        bench.plan("clientConnect");
        QTest::keyClick(bench.find<QCheckBox>("changeConsent"), Qt::Key_Space);
        bench.write();
        QCOMPARE(bench.cell(0, ClientsModel::Configuration), QStringLiteral("set up"));
    }

    void clientsThatAreNotThereNeedATick()
    {
        Bench bench;
        bench.open();
        bench.select(QStringLiteral("Cursor"));
        QTRY_COMPARE(bench.label("clientTitle"), QStringLiteral("Cursor"));
        bench.plan("clientConnect");
        QVERIFY(!bench.button("changeWrite")->isEnabled());
        bench.find<QCheckBox>("changeConsent")->setChecked(true);
        bench.write();
        QCOMPARE(bench.cell(0, ClientsModel::Title), QStringLiteral("Cursor")); // it moved up
        QCOMPARE(bench.label("clientTitle"), QStringLiteral("Cursor"));
        bench.plan("clientRemove");
        bench.write();
        QVERIFY(!fs::exists(bench.cursor));
    }

    void aBrokenFileIsToldWithItsPlace()
    {
        Bench bench;
        Bench::put(bench.cursor, "{\n  \"mcpServers\" <b>{}\n}\n");
        bench.open();
        QCOMPARE(bench.cell(0, ClientsModel::Configuration), QStringLiteral("can't be read"));
        QVERIFY(bench.label("clientState").contains(QStringLiteral("line 2, column 16")));
        QVERIFY(!bench.button("clientConnect")->isEnabled());
        QVERIFY(bench.button("clientFolder")->isEnabled());
        // Mended and looked at again.
        Bench::put(bench.cursor, "{}");
        bench.press("clientsLook");
        QTRY_VERIFY(bench.button("clientConnect")->isEnabled());
    }

    void aFileThatChangedMeanwhileIsNotWritten()
    {
        Bench bench;
        Bench::put(bench.cursor, kOther);
        bench.open();
        bench.plan("clientConnect");
        Bench::put(bench.cursor, "{}");
        bench.press("changeWrite");
        QTRY_VERIFY(bench.label("clientNote").contains(QStringLiteral("has changed meanwhile")));
        QCOMPARE(Bench::get(bench.cursor), std::string("{}"));
        QVERIFY(bench.button("clientConnect")->isEnabled());
    }

    void rowsThatCannotBeReadAreAFailure()
    {
        Bench bench;
        bench.screen = std::make_unique<ClientsScreen>(
            bench.folder.path() / "history.db",
            []() -> Result<clients::Configurations> {
                return fail(Errc::NotFound, "no <b>rows</b>\x1b[31m");
            }
        );
        bench.screen->show();
        QTRY_VERIFY(bench.find<QLabel>("clientsFailure")->isVisible());
        QVERIFY(bench.label("clientsFailure").contains(QStringLiteral("no <b>rows</b>\\u{1b}[31m"))
        );
        QCOMPARE(bench.find<QLabel>("clientsFailure")->textFormat(), Qt::PlainText);
    }

    void connectionsAreShownWithTheirRunsAndPolicy()
    {
        Bench bench;
        Bench::put(bench.cursor, kOther);
        bench.open();
        PoliciesChanged policies;
        policies.defaultPolicy = "balanced";
        policies.assignments.push_back({"cursor-vscode", "/usr/bin/cursor", "strict"});
        bench.screen->apply({policies});
        const auto one = bench.connectClient("cursor-vscode", "/usr/bin/cursor");
        bench.connectClient("Cursor", "");
        for (int run = 0; run < 3; ++run) {
            ExecutionChanged changed{recordFor("print()")};
            changed.record.client = one;
            changed.record.receivedAt = execution::unixNow();
            bench.screen->apply({changed, changed}); // one run changes often
        }
        QCOMPARE(bench.cell(0, ClientsModel::Now), QStringLiteral("2 connections"));
        QVERIFY(bench.cell(0, ClientsModel::LastRun) != QStringLiteral("–"));
        const auto text = [&bench](int row, int column) {
            return bench.connections()->item(row, column)->text();
        };
        QCOMPARE(bench.connections()->rowCount(), 2);
        QCOMPARE(text(0, 0), QStringLiteral("cursor-vscode 1.4.2"));
        QCOMPARE(text(0, 1), QStringLiteral("stdio"));
        QCOMPARE(text(0, 2), QStringLiteral("2025-11-25"));
        QCOMPARE(text(0, 4), QStringLiteral("3"));
        QCOMPARE(text(0, 5), QStringLiteral("strict"));
        QCOMPARE(text(1, 5), QStringLiteral("balanced"));
        QCOMPARE(text(0, 6), QStringLiteral("/usr/bin/cursor (process 4711)"));
        QCOMPARE(text(1, 6), QStringLiteral("unknown"));
        bench.screen->apply({ClientDisconnected{one.id}});
        QCOMPARE(bench.cell(0, ClientsModel::Now), QStringLiteral("connected"));
        bench.screen->apply({EngineFailed{Error(Errc::Busy, "gone")}});
        QCOMPARE(bench.cell(0, ClientsModel::Now), QStringLiteral("–"));
    }

    void disconnectsTheOneThatIsSelected()
    {
        Bench bench;
        Bench::put(bench.cursor, kOther);
        bench.open();
        bench.connectClient("Cursor", "/a");
        const auto second = bench.connectClient("Cursor", "/b");
        for (int row = 0; row < 2; ++row) {
            if (bench.connections()->item(row, 6)->text().startsWith(QStringLiteral("/b")))
                bench.connections()->selectRow(row);
        }
        // Which one that is survives what happens to the others.
        bench.connectClient("Cursor", "/c");
        bench.press("clientDisconnect");
        const auto* command = bench.command<DisconnectClient>(0);
        QVERIFY(command && command->client == second.id);
    }

    void blocksAndUnblocks()
    {
        Bench bench;
        bench.open();
        const auto odd = bench.connectClient("odd one", "/tmp/odd");
        bench.select(QStringLiteral("odd one"));
        QVERIFY(!bench.button("clientConnect")->isVisible()); // Belljar knows no file of it
        bench.press("clientBlock");
        const auto* block = bench.command<BlockClient>(0);
        QVERIFY(block && block->name == "odd one" && block->executable == "/tmp/odd");
        bench.screen->apply(
            {BlockedClientsChanged{{{"odd one", "/tmp/odd", 1}}}, ClientDisconnected{odd.id}}
        );
        QCOMPARE(
            bench.cellOf(QStringLiteral("odd one"), ClientsModel::Now), QStringLiteral("blocked")
        );
        QVERIFY(bench.label("clientNoConnection").contains(QStringLiteral("calls are refused")));
        QVERIFY(!bench.button("clientDisconnect")->isVisible());
        bench.press("clientBlock");
        const auto* unblock = bench.command<UnblockClient>(1);
        QVERIFY(unblock && unblock->name == "odd one" && unblock->executable == "/tmp/odd");
        bench.screen->apply({BlockedClientsChanged{}});
        QCOMPARE(bench.rowOf(QStringLiteral("odd one")), -1); // nothing is known of it any more
    }

    void hostileNamesArePlainText()
    {
        Bench bench;
        bench.open();
        bench.connectClient("<img src=x>\u202egnp\n\x1b[31m", "/tmp/<b>x</b>");
        const int row = bench.rowOf(QStringLiteral("<img src=x>\\u{202e}gnp\\u{a}\\u{1b}[31m"));
        QVERIFY(row >= 0);
        bench.table()->selectRow(row);
        for (const QLabel* label : bench.screen->findChildren<QLabel*>())
            QVERIFY2(
                label->textFormat() == Qt::PlainText || !label->text().contains(QLatin1Char('<')),
                qPrintable(label->objectName())
            );
        for (int column = 0; column < bench.connections()->columnCount(); ++column) {
            const auto* item = bench.connections()->item(0, column);
            QVERIFY(!item->text().contains(QChar(0x202e)) && !item->text().contains(QChar(0x1b)));
            QCOMPARE(item->toolTip().count(QLatin1Char('<')), 2); // the span alone
        }
    }

    void lastRunsComeFromTheHistory()
    {
        Bench bench;
        Bench::put(bench.cursor, kOther);
        History history;
        auto record = recordFor("print()");
        record.client.name = "Cursor";
        record.receivedAt = 1'700'000'000'000;
        QVERIFY(runToEnd(history.context, history.store->received(record, test::text("print()"))));
        bench.screen = std::make_unique<ClientsScreen>(history.file, bench.opener());
        bench.screen->show();
        QTRY_VERIFY(bench.table()->isVisible());
        QVERIFY(bench.cell(0, ClientsModel::LastRun).startsWith(QStringLiteral("2023-11-1")));
    }

    void everythingHasANameAndIsReachedByKeys()
    {
        Bench bench;
        Bench::put(bench.cursor, kOther);
        bench.open();
        bench.connectClient("Cursor", "/a");
        bench.plan("clientConnect");
        bench.screen->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(bench.screen.get()));
        QSet<QWidget*> reached;
        for (int step = 0; step < 40; ++step) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
            reached << QApplication::focusWidget();
        }
        for (const char* name :
             {"clientsTable",
              "clientsLook",
              "clientFolder",
              "changeDiff",
              "changeWrite",
              "changeCancel",
              "clientConnections",
              "clientDisconnect",
              "clientBlock"})
            QVERIFY2(reached.contains(bench.find<QWidget>(name)), name);
        for (QWidget* one : reached) {
            QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(one);
            const bool isLabel = qobject_cast<QLabel*>(one);
            QVERIFY2(
                isLabel || !accessible->text(QAccessible::Name).isEmpty(),
                qPrintable(one->objectName())
            );
        }
    }
};

BELLJAR_GUI_TEST_MAIN(TestClientsScreen)
#include "tst_clients_screen.moc"
