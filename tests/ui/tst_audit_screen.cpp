// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QApplication>
#include <QComboBox>
#include <QDateTimeEdit>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#undef emit       // Qt's word for nothing is Asio's name of a function
#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts, raw strings and Boost
#include "engine/audit/head.h"
#include "engine/base/file.h"
#include "tests/support/gui_test.h"
#include "tests/unit/store_fixture.h"
#include "ui/audit/audit_screen.h"
#include "ui/audit/filter_bar.h"
#include "ui/shell/theme.h"

using namespace belljar;
using namespace belljar::ui;
using namespace belljar::test;
using audit::Type;

namespace {

/// A log, and the screen over it.
struct Bench : History {
    std::unique_ptr<AuditScreen> screen;

    explicit Bench(int rows = 0)
    {
        for (int number = 1; number <= rows; ++number)
            write(Type::Decided, {{"number", number}}, "ex_" + std::to_string(number % 2));
    }
    void write(Type type, Json detail, const std::string& execution = "")
    {
        audit::Entry entry;
        entry.type = type;
        entry.execution = ExecutionId(execution);
        entry.detail = std::move(detail);
        store->audit(std::move(entry));
    }
    /// Makes what was written visible to readers.
    void settle()
    {
        audit::Entry entry;
        entry.type = Type::EngineStarted;
        if (!runToEnd(context, store->auditDurable(entry)))
            throw std::runtime_error("the audit log can't be written");
    }
    void damage(const std::string& sql)
    {
        store.reset();
        SQLite::Database database(file.string(), SQLite::OPEN_READWRITE, 5000);
        database.exec(sql);
    }
    void show(QSize size = {1000, 640})
    {
        screen = std::make_unique<AuditScreen>(file);
        screen->resize(size);
        screen->show();
    }
    template <class Widget = QPushButton>
    [[nodiscard]] Widget* find(const char* name) const
    {
        auto* widget = screen->findChild<Widget*>(QString::fromLatin1(name));
        if (!widget)
            throw std::runtime_error(std::string("there is no ") + name);
        return widget;
    }
    void click(const char* name) const { QTest::mouseClick(find(name), Qt::LeftButton); }
    [[nodiscard]] QTableView* table() const { return find<QTableView>("auditTable"); }
    [[nodiscard]] int rows() const { return table()->model()->rowCount(); }
    [[nodiscard]] QString cell(int row, int column) const
    {
        return table()->model()->index(row, column).data().toString();
    }
    [[nodiscard]] QString chain() const { return find<QLabel>("chainText")->text(); }
    [[nodiscard]] QString label(const char* name) const { return find<QLabel>(name)->text(); }
    [[nodiscard]] bool is(AuditScreen::State state) const { return screen->state() == state; }
};

QByteArray contentOf(const QString& file)
{
    QFile opened(file);
    return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
}

} // namespace
#endif

class TestAuditScreen : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

    void saysThatNothingIsRecordedYet()
    {
        Bench bench;
        bench.store.reset();
        std::filesystem::remove(bench.file);
        bench.show();
        QTRY_VERIFY(bench.is(AuditScreen::State::Empty));
        bench.click("chainVerify");
        QTRY_COMPARE(bench.chain(), QStringLiteral("Verified: nothing was recorded yet"));
    }

    void showsRowsNewestFirst()
    {
        Bench bench(3);
        bench.settle();
        bench.show();
        QTRY_COMPARE(bench.rows(), 4);
        const QAbstractItemModelTester tester(
            bench.table()->model(), QAbstractItemModelTester::FailureReportingMode::QtTest
        );
        QCOMPARE(bench.cell(0, AuditModel::Type), QStringLiteral("Engine started"));
        QCOMPARE(bench.cell(1, AuditModel::Number), QStringLiteral("3"));
        QCOMPARE(bench.cell(1, AuditModel::Execution), QStringLiteral("ex_1"));
        QCOMPARE(bench.cell(1, AuditModel::Detail), QStringLiteral("number: 3"));
    }

    void fetchesOlderPagesAsOneScrolls()
    {
        Bench bench(450);
        bench.settle();
        bench.show();
        QTRY_COMPARE(bench.rows(), 200);
        bench.table()->scrollToBottom();
        QTRY_COMPARE(bench.rows(), 400);
        bench.table()->scrollToBottom();
        QTRY_COMPARE(bench.rows(), 451);
        QCOMPARE(bench.cell(450, AuditModel::Number), QStringLiteral("1"));
    }

    void findsByWordsTypeAndExecution()
    {
        Bench bench(20);
        bench.write(Type::PolicyChanged, {{"name", "strict"}});
        bench.settle();
        bench.show();
        QTRY_COMPARE(bench.rows(), 22);
        QTest::keyClicks(bench.find<QLineEdit>("auditSearch"), QStringLiteral("STRICT"));
        QTRY_COMPARE(bench.rows(), 1);
        QCOMPARE(bench.cell(0, AuditModel::Type), QStringLiteral("Policy changed"));
        bench.find<QLineEdit>("auditSearch")->clear();
        QTRY_COMPARE(bench.rows(), 22);
        auto* type = bench.find<QComboBox>("auditType");
        type->setCurrentIndex(type->findData(QStringLiteral("decided")));
        QTRY_COMPARE(bench.rows(), 20);
        bench.screen->showFor(ExecutionId("ex_1"));
        QTRY_COMPARE(bench.rows(), 10);
        QCOMPARE(bench.find<QLineEdit>("auditExecution")->text(), QStringLiteral("ex_1"));
        QCOMPARE(type->currentIndex(), 0);
    }

    void filtersByTime()
    {
        Bench bench(3);
        bench.settle();
        bench.damage("UPDATE audit SET at_ms = at_ms - 7200000 WHERE sequence = 1; "
                     "UPDATE audit SET at_ms = 1000 WHERE sequence = 2");
        bench.show();
        QTRY_COMPARE(bench.rows(), 4);
        auto* time = bench.find<QComboBox>("auditTime");
        time->setCurrentIndex(1);
        QTRY_COMPARE(bench.rows(), 2);
        time->setCurrentIndex(2);
        QTRY_COMPARE(bench.rows(), 3);
        QVERIFY(!bench.find<QWidget>("auditFrom")->isVisible());
        time->setCurrentIndex(time->count() - 1);
        QVERIFY(bench.find<QWidget>("auditFrom")->isVisible());
        QTRY_COMPARE(bench.rows(), 3);
        bench.find<QDateTimeEdit>("auditFrom")->setDateTime(QDateTime(QDate(2000, 1, 1), {}));
        bench.find<QDateTimeEdit>("auditTo")->setDateTime(QDateTime(QDate(2001, 1, 1), {}));
        QTRY_VERIFY(bench.is(AuditScreen::State::NoMatch));
    }

    void offersToClearAFilterThatMatchesNothing()
    {
        Bench bench(3);
        bench.settle();
        bench.show();
        QTest::keyClicks(bench.find<QLineEdit>("auditSearch"), QStringLiteral("'; DROP TABLE"));
        QTRY_VERIFY(bench.is(AuditScreen::State::NoMatch));
        bench.click("auditClearFilter");
        QTRY_COMPARE(bench.rows(), 4);
        QVERIFY(bench.is(AuditScreen::State::Ready));
    }

    void newRowsLeaveSelectionAndScrollAlone()
    {
        Bench bench(150);
        bench.settle();
        bench.show();
        QTRY_COMPARE(bench.rows(), 151);
        QTableView* table = bench.table();
        table->selectRow(60);
        QScrollBar* bar = table->verticalScrollBar();
        QTRY_VERIFY(bar->maximum() > 0);
        bar->setValue(bar->maximum() / 2);
        const int top = table->rowAt(0);
        const QString firstShown = bench.cell(top, AuditModel::Number);
        const QString selected = bench.cell(60, AuditModel::Number);

        for (int number = 0; number < 7; ++number)
            bench.write(Type::PolicyChanged, {{"name", number}});
        bench.settle();
        bench.screen->rowsAppended();
        QTRY_COMPARE(bench.rows(), 159);

        QCOMPARE(bench.cell(table->currentIndex().row(), AuditModel::Number), selected);
        QCOMPARE(bench.cell(table->rowAt(0), AuditModel::Number), firstShown);
    }

    void manyNewRowsLeaveNoGap()
    {
        Bench bench(3);
        bench.settle();
        bench.show();
        QTRY_COMPARE(bench.rows(), 4);
        bench.table()->selectRow(0);
        for (int number = 0; number < 300; ++number)
            bench.write(Type::Decided, Json::object());
        bench.settle();
        bench.screen->rowsAppended();
        QTRY_COMPARE(bench.cell(0, AuditModel::Number), QStringLiteral("305"));
        bench.table()->scrollToBottom();
        QTRY_COMPARE(bench.rows(), 305);
        for (int row = 0; row < 305; ++row)
            QCOMPARE(
                bench.table()->model()->index(row, 0).data(AuditModel::SequenceRole).toInt(),
                305 - row
            );
    }

    void looksForNewRowsWhenItIsShownAgain()
    {
        Bench bench(3);
        bench.settle();
        bench.show();
        QTRY_COMPARE(bench.rows(), 4);
        bench.screen->hide();
        bench.settle();
        bench.screen->rowsAppended();
        bench.screen->show();
        QTRY_COMPARE(bench.rows(), 5);
    }

    void newRowsPassTheFilterToo()
    {
        Bench bench(3);
        bench.settle();
        bench.show();
        bench.screen->showFor(ExecutionId("ex_1"));
        QTRY_COMPARE(bench.rows(), 2);
        bench.write(Type::ExecutionEnded, Json::object(), "ex_0");
        bench.write(Type::ExecutionEnded, Json::object(), "ex_1");
        bench.settle();
        bench.screen->rowsAppended();
        QTRY_COMPARE(bench.rows(), 3);
        QCOMPARE(bench.cell(0, AuditModel::Execution), QStringLiteral("ex_1"));
    }

    void showsARowWhole()
    {
        Bench bench;
        bench.write(
            Type::ApprovalAnswered,
            {{"by", "a person"}, {"comment", "<b>\xe2\x80\xaeno</b>"}},
            "ex_7"
        );
        bench.settle();
        bench.show();
        QTRY_COMPARE(bench.rows(), 2);
        bench.table()->selectRow(1);
        QCOMPARE(bench.label("auditRowTitle"), QStringLiteral("Row 1: Approval answered"));
        QCOMPARE(bench.label("auditRowExecution"), QStringLiteral("ex_7"));
        QCOMPARE(
            bench.find<QPlainTextEdit>("auditRowDetail")->toPlainText(),
            QStringLiteral("{\n  \"by\": \"a person\",\n  \"comment\": \"<b>\\u{202e}no</b>\"\n}")
        );
        QCOMPARE(bench.find<QLineEdit>("auditRowHash")->text().size(), 64);
        QCOMPARE(bench.find<QLineEdit>("auditRowPrevious")->text(), QString(64, QLatin1Char('0')));
        QVERIFY(bench.cell(1, AuditModel::Detail).contains(QStringLiteral("\\u{202e}")));

        QSignalSpy activated(bench.screen.get(), &AuditScreen::executionActivated);
        bench.click("auditOpenExecution");
        QTest::keyClick(bench.table(), Qt::Key_Return);
        QCOMPARE(activated.size(), 2);
        QVERIFY(activated[1][0].value<ExecutionId>() == ExecutionId("ex_7"));
        bench.table()->selectRow(0);
        QTest::keyClick(bench.table(), Qt::Key_Return);
        QCOMPARE(activated.size(), 2);
        QVERIFY(!bench.find("auditOpenExecution")->isVisible());
    }

    void aHugeDetailIsCutAndSaysSo()
    {
        Bench bench;
        bench.write(Type::Decided, {{"text", std::string(2'000'000, 'x')}});
        bench.settle();
        bench.show();
        QTRY_COMPARE(bench.rows(), 2);
        bench.table()->selectRow(1);
        const QString shown = bench.find<QPlainTextEdit>("auditRowDetail")->toPlainText();
        QVERIFY(shown.size() < 70'000);
        QVERIFY(shown.contains(QStringLiteral("bytes are not shown")));
    }

    void verifiesTheWholeLog()
    {
        Bench bench(1233);
        bench.settle();
        bench.show();
        QTRY_VERIFY(bench.chain().startsWith(QStringLiteral("The end of the log is intact")));
        QSignalSpy damage(bench.screen.get(), &AuditScreen::damageFound);
        bench.click("chainVerify");
        QTRY_VERIFY(bench.chain().startsWith(QStringLiteral("Verified to ")));
        QVERIFY(bench.chain().endsWith(QStringLiteral("1,234 rows")));
        QVERIFY(!bench.find("chainEvidence")->isVisible());
        QVERIFY(bench.find("chainVerify")->isVisible());
        QVERIFY(damage.isEmpty());
    }

    void saysWhereTheLogIsDamagedAndShowsTheRow()
    {
        Bench bench(500);
        bench.settle();
        bench.damage("UPDATE audit SET detail = '{\"verdict\":\"deny\"}' WHERE sequence = 7");
        bench.show();
        QTRY_COMPARE(bench.rows(), 200);
        QSignalSpy damage(bench.screen.get(), &AuditScreen::damageFound);
        bench.click("chainVerify");
        QTRY_VERIFY(bench.chain().startsWith(QStringLiteral("Damaged at row 7")));
        QCOMPARE(damage.size(), 1);
        QVERIFY(bench.label("chainMore").contains(QStringLiteral("Export the evidence")));
        bench.click("chainShowRow");
        QTRY_COMPARE(bench.label("auditRowTitle"), QStringLiteral("Row 7: Decided"));
        QVERIFY(bench.find("chainEvidence")->isVisible());
    }

    void showsDamageAtTheEndWithoutBeingAsked()
    {
        Bench bench(20);
        bench.settle();
        bench.damage("DELETE FROM audit WHERE sequence > 15");
        bench.show();
        QTRY_VERIFY(bench.chain().contains(QStringLiteral("rows from 16 on were removed")));
        QVERIFY(!bench.find("chainShowRow")->isVisible());
        bench.click("chainVerify");
        QTRY_VERIFY(bench.find("chainVerify")->isVisible());
        QVERIFY(bench.chain().contains(QStringLiteral("rows from 16 on were removed")));
    }

    void showsDamageThatIsFoundWhileItRuns()
    {
        Bench bench(20);
        bench.settle();
        bench.show();
        QTRY_COMPARE(bench.rows(), 21);
        bench.click("chainVerify");
        QTRY_VERIFY(bench.chain().startsWith(QStringLiteral("Verified to ")));
        {
            SQLite::Database database(bench.file.string(), SQLite::OPEN_READWRITE, 5000);
            database.exec("DELETE FROM audit WHERE sequence > 19");
        }
        bench.settle();
        QSignalSpy damage(bench.screen.get(), &AuditScreen::damageFound);
        bench.screen->rowsAppended();
        QTRY_VERIFY(bench.chain().startsWith(QStringLiteral("Damaged earlier")));
        QVERIFY(bench.label("chainMore").contains(QStringLiteral("changed while Belljar ran")));
        QCOMPARE(damage.size(), 1);
    }

    void exportsWhatTheFilterShows()
    {
        Bench bench(30);
        bench.settle();
        bench.show();
        bench.screen->showFor(ExecutionId("ex_1"));
        QTRY_COMPARE(bench.rows(), 15);
        bench.click("chainExport");
        auto* dialog = bench.screen->findChild<QFileDialog*>();
        QVERIFY(dialog);
        const QString file = QString::fromStdString((bench.folder.path() / "x.jsonl").string());
        dialog->selectFile(file);
        QMetaObject::invokeMethod(dialog, "accept");
        QTRY_VERIFY(bench.label("chainMore").startsWith(QStringLiteral("15 rows written to ")));
        const QByteArray content = contentOf(file);
        QCOMPARE(content.count('\n'), 15);
        QVERIFY(content.startsWith("{\"at\":"));
    }

    void saysWhyAnExportFailed()
    {
        Bench bench(3);
        bench.settle();
        bench.show();
        bench.screen->exportTo(QStringLiteral("/nowhere/x.jsonl"), {});
        QTRY_VERIFY(bench.label("chainMore").contains(QStringLiteral("/nowhere/x.jsonl")));
        QVERIFY(bench.find("chainVerify")->isVisible());
    }

    void saysWhyTheLogCannotBeReadAndTriesAgain()
    {
        Bench bench(3);
        bench.settle();
        bench.store.reset();
        const std::filesystem::path aside = bench.file.string() + ".aside";
        std::filesystem::rename(bench.file, aside);
        QVERIFY(writeFile(bench.file, "this is no database, and long enough to be one", 0600));
        bench.show();
        QTRY_VERIFY(bench.is(AuditScreen::State::Failed));
        QVERIFY(bench.label("auditFailure").contains(QStringLiteral("history.db")));
        std::filesystem::rename(aside, bench.file);
        bench.click("auditRetry");
        QTRY_COMPARE(bench.rows(), 4);
    }

    void endsWhileItReads()
    {
        Bench bench(2000);
        bench.settle();
        bench.show();
        bench.click("chainVerify");
        bench.screen.reset();
    }

    void everyControlHasANameAndIsReachedByTab()
    {
        Bench bench(3);
        bench.settle();
        bench.show();
        QTRY_COMPARE(bench.rows(), 4);
        bench.table()->selectRow(1);
        for (const char* name :
             {"auditFrom",
              "auditTo",
              "auditTable",
              "auditRowDetail",
              "auditRowHash",
              "auditRowPrevious",
              "chainProgress"})
            QVERIFY2(!bench.find<QWidget>(name)->accessibleName().isEmpty(), name);
        bench.screen->activateWindow();
        bench.screen->focusSearch();
        QStringList reached;
        for (int step = 0; step < 30; ++step) {
            if (QWidget* focus = bench.screen->focusWidget())
                reached << focus->objectName();
            QTest::keyClick(bench.screen.get(), Qt::Key_Tab);
        }
        for (const char* name :
             {"chainVerify",
              "chainExport",
              "auditSearch",
              "auditType",
              "auditExecution",
              "auditTime",
              "auditTable",
              "auditOpenExecution",
              "auditRowDetail",
              "auditRowHash"})
            QVERIFY2(reached.contains(QString::fromLatin1(name)), name);
    }

    void fitsASmallWindow()
    {
        Bench bench(3);
        bench.settle();
        bench.damage("DELETE FROM audit WHERE sequence = 2");
        bench.show({560, 400});
        QTRY_COMPARE(bench.rows(), 3);
        QTRY_VERIFY(bench.find("chainEvidence")->isVisible());
        QVERIFY(bench.find("chainShowRow")->isVisible());
        QVERIFY2(
            bench.screen->minimumSizeHint().width() <= 560,
            qPrintable(QString::number(bench.screen->minimumSizeHint().width()))
        );
    }
};

BELLJAR_GUI_TEST_MAIN(TestAuditScreen)
#include "tst_audit_screen.moc"
