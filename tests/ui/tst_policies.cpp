// SPDX-License-Identifier: GPL-3.0-or-later
#include <Qsci/qsciscintilla.h>

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QFile>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QTabWidget>
#include <QTableView>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>

#undef emit       // Qt's word for nothing is Asio's name of a function
#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts, raw strings and Boost
#include "engine/base/file.h"
#include "tests/support/gui_test.h"
#include "tests/unit/store_fixture.h"
#include "ui/policies/effect_view.h"
#include "ui/policies/json_editor.h"
#include "ui/policies/policies_screen.h"
#include "ui/policies/rules_table.h"

using namespace belljar;
using namespace belljar::ui;
using namespace belljar::test;

namespace {

const std::string kText = R"({
  // why this policy
  "version": 1,
  "title": "Mine",
  "x_unknown": {"kept":   true},
  "limits": {
    "memory": { "default": "256m", "max": "512m" } // of each run
  },
  "languages": { "allow": ["python"] },
  "approval": {
    "rules": [
      { "name": "first", "when": { "severity_at_least": "high" }, "then": "ask" },
      // about the second
      { "name": "second", "when": { "severity_at_least": "critical" }, "then": "deny" },
      { "name": "third", "when": { "clients": ["b*"] }, "then": "ask" }
    ],
    "otherwise": "allow"
  }
}
)";

std::string replaced(std::string text, const std::string& what, const std::string& with)
{
    const auto at = text.find(what);
    if (at == std::string::npos)
        throw std::runtime_error("no " + what);
    return text.replace(at, what.size(), with);
}

PoliciesChanged policiesOf(const std::string& text)
{
    PoliciesChanged all;
    policy::PolicyState mine;
    mine.name = "mine";
    mine.text = text;
    mine.version = 4;
    policy::PolicyState other = mine;
    other.name = "other";
    other.text = replaced(text, "Mine", "Other");
    all.policies = {mine, other};
    all.defaultPolicy = "mine";
    all.assignments = {{"claude", "", "other"}};
    return all;
}

/// The screen, shown, with two policies.
struct Bench : History {
    std::unique_ptr<PoliciesScreen> screen;
    std::vector<Command> commands;
    QObject receiver; ///< before the screen goes, nothing is told to what has gone

    explicit Bench(const std::string& text = kText) { show(text); }
    void show(const std::string& text)
    {
        screen = std::make_unique<PoliciesScreen>(file);
        QObject::connect(
            screen.get(),
            &PoliciesScreen::commandWanted,
            &receiver,
            [this](const Command& command) { commands.push_back(command); }
        );
        screen->resize(790, 700); // the offscreen platform's is 800 by 800
        screen->show();
        screen->apply({policiesOf(text)});
    }
    ~Bench() { screen.reset(); }

    template <class Widget = QPushButton>
    [[nodiscard]] Widget* find(const char* name) const
    {
        auto* widget = screen->findChild<Widget*>(QString::fromUtf8(name));
        if (!widget)
            throw std::runtime_error(std::string("there is no ") + name);
        return widget;
    }
    template <class Widget>
    [[nodiscard]] Widget* in(const char* field) const
    {
        return find<QWidget>((std::string("field:") + field).c_str())->findChild<Widget*>();
    }
    void click(const char* name) const
    {
        QPushButton* button = find(name);
        QVERIFY2(button->isEnabled(), name);
        button->click();
    }
    [[nodiscard]] PolicyDocument& document() const { return *screen->document(); }
    [[nodiscard]] const std::string& text() const { return document().text(); }
    [[nodiscard]] std::string json(const char* pointer) const
    {
        const Json* value = document().value(pointer);
        return value ? value->dump() : "nothing";
    }
    [[nodiscard]] QString label(const char* name) const { return find<QLabel>(name)->text(); }
    [[nodiscard]] QsciScintilla* editor() const { return find<QsciScintilla>("policyText"); }
    [[nodiscard]] QTableView* rules() const { return find<QTableView>("policyRules"); }
    [[nodiscard]] QString rule(int row) const
    {
        return rules()->model()->index(row, RulesModel::Name).data(Qt::EditRole).toString();
    }
    template <class Wanted>
    [[nodiscard]] const Wanted* last() const
    {
        return commands.empty() ? nullptr : std::get_if<Wanted>(&commands.back());
    }
    void tab(int index) const { find<QTabWidget>("policyTabs")->setCurrentIndex(index); }
};

void type(QLineEdit* line, const char* text)
{
    line->setFocus();
    line->selectAll();
    QTest::keyClicks(line, QLatin1String(text));
    QTest::keyClick(line, Qt::Key_Return);
}

analysis::Report reportWith(analysis::Severity severity)
{
    analysis::Report report;
    report.findings.push_back({"python.process", severity, "process", "It starts a process.", {}});
    return report;
}

} // namespace
#endif

class TestPolicies : public QObject {
    Q_OBJECT

private slots:
    void changesOnlyTheBytesOfAFieldsValue()
    {
        Bench bench;
        type(bench.in<QLineEdit>("/limits/memory/max"), "400 MB");
        QCOMPARE(bench.text(), replaced(kText, "\"512m\"", "\"400m\""));
    }

    void normalisesAQuantityWhenItIsLeft()
    {
        Bench bench;
        auto* line = bench.in<QLineEdit>("/limits/memory/max");
        type(line, "0.5 GB");
        QCOMPARE(line->text(), QStringLiteral("512m"));
        QCOMPARE(bench.text(), kText);
    }

    void saysWhatAQuantityMayBe()
    {
        Bench bench;
        type(bench.in<QLineEdit>("/limits/memory/max"), "plenty");
        auto* field = bench.find<QWidget>("field:/limits/memory/max");
        QVERIFY(field->findChild<QLabel*>("problem")->isVisibleTo(field));
        QCOMPARE(bench.text(), kText);
    }

    void addsAMemberThatWasNotThere()
    {
        Bench bench;
        bench.in<QSlider>("/limits/pids/default")->setValue(0);
        QCOMPARE(bench.json("/limits/pids/default"), Json(4).dump());
        QVERIFY(bench.text().find("// of each run") != std::string::npos);
        QVERIFY(bench.text().find("\"x_unknown\": {\"kept\":   true}") != std::string::npos);
    }

    void warnsOfWhatIsWeakened()
    {
        Bench bench;
        auto* field = bench.find<QWidget>("field:/container/read_only_root");
        auto* warning = field->findChild<QLabel*>("warning");
        QVERIFY(!warning->isVisibleTo(field));
        field->findChild<QCheckBox*>()->click();
        QCOMPARE(bench.json("/container/read_only_root"), Json(false).dump());
        QVERIFY(warning->isVisibleTo(field));
        QCOMPARE(field->findChild<QLabel*>("modified")->isVisibleTo(field), true);
        field->findChild<QAbstractButton*>("reset")->click();
        QVERIFY(!bench.document().value("/container/read_only_root"));
        QVERIFY(!warning->isVisibleTo(field));
    }

    void undoSpansTextAndForm()
    {
        Bench bench;
        bench.editor()->setFocus();
        bench.editor()->setCursorPosition(0, 1);
        QTest::keyClicks(bench.editor(), "   ");
        const std::string typed = bench.text();
        QCOMPARE(typed, replaced(kText, "{\n", "{   \n"));
        type(bench.in<QLineEdit>("/limits/memory/default"), "128m");
        QVERIFY(bench.text() != typed);
        QUndoStack& stack = bench.document().undoStack();
        QCOMPARE(stack.count(), 2); // the typing is one
        stack.undo();
        QCOMPARE(bench.text(), typed);
        QCOMPARE(bench.in<QLineEdit>("/limits/memory/default")->text(), QStringLiteral("256m"));
        stack.undo();
        QCOMPARE(bench.text(), kText);
        QCOMPARE(bench.editor()->text().toStdString(), kText);
        stack.redo();
        stack.redo();
        QCOMPARE(bench.editor()->text().toStdString(), bench.text());
        QCOMPARE(bench.json("/limits/memory/default"), Json("128m").dump());
    }

    void showsTextThatIsNotAsciiTheSame()
    {
        Bench bench(replaced(kText, "why this", "沙箱 é 😀"));
        type(bench.in<QLineEdit>("/limits/memory/max"), "300m");
        QCOMPARE(bench.editor()->text().toStdString(), bench.text());
        QVERIFY(bench.text().find("沙箱 é 😀") != std::string::npos);
    }

    void greysTheFormWhileTheTextIsBroken()
    {
        Bench bench;
        QVERIFY(bench.find<QWidget>("policyFields")->isEnabled());
        bench.editor()->setCursorPosition(3, 0);
        bench.editor()->insert("{");
        QTRY_VERIFY(bench.document().broken().has_value());
        QVERIFY(!bench.find<QWidget>("policyFields")->isEnabled());
        QVERIFY(bench.label("policyBroken").contains("line 4"));
        QVERIFY(!bench.find("policySave")->isEnabled());
        QCOMPARE(bench.in<QLineEdit>("/limits/memory/max")->text(), QStringLiteral("512m"));
        QVERIFY(!bench.document().setValue("/title", "x"));
        bench.document().undoStack().undo();
        QVERIFY(bench.find<QWidget>("policyFields")->isEnabled());
    }

    void goesToProblems()
    {
        Bench bench(replaced(kText, "\"python\"", "7"));
        auto* editor = bench.editor();
        bench.document().checkNow();
        QVERIFY(!bench.label("policyProblem").isEmpty());
        QTest::keyClick(editor, Qt::Key_F8);
        int line = 0;
        int column = 0;
        int steps = 0;
        for (editor->getCursorPosition(&line, &column); line != 8 && ++steps < 5;
             editor->getCursorPosition(&line, &column))
            bench.screen->findChild<JsonEditor*>()->nextProblem();
        QCOMPARE(line, 8);
    }

    void completesFromTheSchema()
    {
        Bench bench;
        auto* editor = bench.editor();
        const auto unknown = bench.text().find("true}");
        editor->SendScintilla(QsciScintilla::SCI_GOTOPOS, static_cast<unsigned long>(unknown));
        auto* json = bench.screen->findChild<JsonEditor*>();
        QVERIFY(!json->complete());
        // A value with few answers.
        const auto then = bench.text().find("\"ask\"");
        editor->SendScintilla(QsciScintilla::SCI_GOTOPOS, static_cast<unsigned long>(then));
        QVERIFY(json->complete());
        char current[64] = {};
        editor->SendScintilla(QsciScintilla::SCI_AUTOCGETCURRENTTEXT, 0UL, current);
        QCOMPARE(QByteArray(current), QByteArray("\"allow\""));
        editor->SendScintilla(QsciScintilla::SCI_AUTOCCANCEL);
        // A key, by the quote that begins it.
        bench.document().setText("{\n  \"limits\": {\n    \n  }\n}\n", "test");
        editor->setCursorPosition(2, 4);
        QTest::keyClicks(editor, "\"");
        QVERIFY(editor->SendScintilla(QsciScintilla::SCI_AUTOCACTIVE) != 0);
        QTest::keyClicks(editor, "tim");
        QTest::keyClick(editor, Qt::Key_Return);
        QCOMPARE(bench.text(), std::string("{\n  \"limits\": {\n    \"timeout\": \n  }\n}\n"));
    }

    void findsFields()
    {
        Bench bench;
        QTest::keyClicks(bench.find<QLineEdit>("policySearch"), "kernel kills");
        QVERIFY(!bench.find<QWidget>("field:/limits/pids/max")->isVisible());
        bench.find<QLineEdit>("policySearch")->setText("memory");
        QVERIFY(bench.find<QWidget>("field:/limits/memory/max")->isVisible());
        QVERIFY(!bench.find<QWidget>("field:/container/seccomp")->isVisible());
    }

    void dragsRulesWithTheirComments()
    {
        Bench bench;
        auto* model = bench.rules()->model();
        QAbstractItemModelTester tester(model);
        std::unique_ptr<QMimeData> second(model->mimeData({model->index(1, 0)}));
        QVERIFY(!model->dropMimeData(second.get(), Qt::MoveAction, 0, 0, {}));
        QCOMPARE(bench.rule(0), QStringLiteral("second"));
        QCOMPARE(bench.rule(1), QStringLiteral("first"));
        const auto comment = bench.text().find("// about the second");
        QVERIFY(comment < bench.text().find("\"second\""));
        QVERIFY(bench.text().find("\"second\"") < bench.text().find("\"first\""));
        QCOMPARE(bench.rules()->currentIndex().row(), 0); // the selection goes with it
        // Below the default there is nothing: it becomes the last rule.
        std::unique_ptr<QMimeData> first(model->mimeData({model->index(0, 0)}));
        model->dropMimeData(first.get(), Qt::MoveAction, 4, 0, {});
        QCOMPARE(bench.rule(2), QStringLiteral("second"));
        QCOMPARE(bench.rule(3), QStringLiteral("otherwise"));
    }

    void movesAndRemovesRulesByKeyboard()
    {
        Bench bench;
        bench.rules()->selectRow(0);
        QTest::keyClick(bench.rules(), Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(bench.rule(1), QStringLiteral("first"));
        QCOMPARE(bench.rules()->currentIndex().row(), 1);
        QTest::keyClick(bench.rules(), Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(bench.text(), kText);
        QTest::keyClick(bench.rules(), Qt::Key_Delete);
        QCOMPARE(bench.rules()->model()->rowCount(), 3);
        bench.rules()->selectRow(2); // the default
        QTest::keyClick(bench.rules(), Qt::Key_Delete);
        QTest::keyClick(bench.rules(), Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(bench.rules()->model()->rowCount(), 3);
        QCOMPARE(bench.rule(2), QStringLiteral("otherwise"));
    }

    void editsRulesInPlaceAndInDetail()
    {
        Bench bench;
        auto* model = bench.rules()->model();
        QVERIFY(model->setData(model->index(3, RulesModel::Then), "deny"));
        QCOMPARE(bench.json("/approval/otherwise"), Json("deny").dump());
        bench.rules()->selectRow(2);
        type(bench.in<QLineEdit>("/approval/rules/0/when/languages"), "bash, python");
        QCOMPARE(bench.json("/approval/rules/2/when/languages"), Json({"bash", "python"}).dump());
        bench.click("ruleAdd");
        QCOMPARE(model->rowCount(), 5);
        QCOMPARE(bench.rules()->currentIndex().row(), 3);
    }

    void marksRulesThatAreNeverReached()
    {
        Bench bench;
        const auto name = [&](int row) {
            return bench.rules()->model()->index(row, RulesModel::Name).data().toString();
        };
        QVERIFY(name(1).contains("never reached: rule 1 covers it"));
        QCOMPARE(name(2), QStringLiteral("third"));
    }

    void savesATighteningWithoutAQuestion()
    {
        Bench bench;
        QVERIFY(!bench.find("policySave")->isEnabled());
        type(bench.in<QLineEdit>("/limits/memory/max"), "300m");
        QTRY_VERIFY(bench.find("policySave")->isEnabled());
        QVERIFY(bench.label("policyBadge").contains("1 value"));
        bench.find<QLineEdit>("policyNote")->setText("less");
        bench.click("policySave");
        const auto* saved = bench.last<SavePolicy>();
        QVERIFY(saved);
        QCOMPARE(saved->name, std::string("mine"));
        QCOMPARE(saved->text, bench.text());
        QCOMPARE(saved->note, std::string("less"));
        bench.screen->apply({policiesOf(saved->text), PolicyCommandDone{saved->token, {}}});
        QVERIFY(!bench.document().isDirty());
        QVERIFY(bench.find<QLineEdit>("policyNote")->text().isEmpty());
    }

    void asksBeforeItLoosens()
    {
        Bench bench;
        type(bench.in<QLineEdit>("/limits/memory/max"), "2g");
        QTRY_VERIFY(bench.find("policySave")->isEnabled());
        bench.click("policySave");
        QVERIFY(bench.commands.empty());
        auto* dialog = bench.find<QDialog>("loosenDialog");
        QVERIFY(bench.find<QListWidget>("loosenList")->count() == 1);
        QTest::keyClick(bench.find<QListWidget>("loosenList"), Qt::Key_Return);
        QVERIFY(dialog->isVisible());
        QVERIFY(bench.commands.empty());
        bench.click("loosenKeep");
        QVERIFY(bench.commands.empty());
        QTRY_VERIFY(!bench.screen->findChild<QDialog*>("loosenDialog"));
        bench.click("policySave");
        bench.click("loosenAccept");
        QVERIFY(bench.last<SavePolicy>());
    }

    void saysWhyASaveFailed()
    {
        Bench bench;
        type(bench.in<QLineEdit>("/limits/memory/max"), "300m");
        QTRY_VERIFY(bench.find("policySave")->isEnabled());
        bench.click("policySave");
        bench.screen->apply({PolicyCommandDone{
            bench.last<SavePolicy>()->token, Error(Errc::IoFailed, "the disk is full")}});
        QVERIFY(bench.label("policyMessage").contains("the disk is full"));
        QVERIFY(bench.document().isDirty());
    }

    void showsWhatAPresetChangesBeforeItReplaces()
    {
        Bench bench;
        const auto preset = [](const char* name) {
            return readFile(std::string(BELLJAR_POLICIES_DIR "/") + name + ".json").value();
        };
        type(bench.in<QLineEdit>("/limits/memory/max"), "300m");
        const std::string draft = bench.text();
        bench.click("policyPreset");
        auto* choice = bench.find<QComboBox>("presetChoice");
        QCOMPARE(choice->count(), 3);
        choice->setCurrentText("Trusted");
        QVERIFY(bench.find<QLabel>("presetLoosens")->text().contains("Loosens: "));
        const auto panes = bench.find<QDialog>("presetDialog")->findChildren<QPlainTextEdit*>();
        QCOMPARE(panes.size(), 2);
        QVERIFY(panes[0]->toPlainText().contains("// why this policy"));
        QVERIFY(panes[1]->toPlainText().contains("\"title\": \"Mine\""));
        bench.click("presetKeep");
        QTRY_VERIFY(!bench.screen->findChild<QDialog*>("presetDialog"));
        QCOMPARE(bench.text(), draft);
        bench.click("policyPreset");
        bench.find<QComboBox>("presetChoice")->setCurrentText("Strict");
        bench.click("presetReplace");
        QCOMPARE(bench.text(), replaced(preset("strict"), "\"Strict\"", "\"Mine\""));
        QVERIFY(bench.commands.empty());
        bench.document().undoStack().undo();
        QCOMPARE(bench.text(), draft);
    }

    void keepsDraftsWhenAnotherPolicyIsShown()
    {
        Bench bench;
        type(bench.in<QLineEdit>("/limits/memory/max"), "300m");
        const std::string draft = bench.text();
        bench.screen->showPolicy("other");
        QCOMPARE(bench.in<QLineEdit>("/limits/memory/max")->text(), QStringLiteral("512m"));
        auto changed = policiesOf(kText);
        changed.policies[0].text = replaced(kText, "256m", "100m");
        bench.screen->apply({changed});
        bench.screen->showPolicy("mine");
        QCOMPARE(bench.text(), draft);
        QVERIFY(bench.screen->hasDrafts());
        bench.click("policyDiscard");
        QCOMPARE(bench.text(), changed.policies[0].text);
    }

    void followsWhatIsInForceWhileNothingIsEdited()
    {
        Bench bench;
        bench.screen->apply({policiesOf(replaced(kText, "256m", "100m"))});
        QCOMPARE(bench.in<QLineEdit>("/limits/memory/default")->text(), QStringLiteral("100m"));
        QVERIFY(!bench.screen->hasDrafts());
    }

    void asksAboutAFileThatLoosens()
    {
        Bench bench;
        auto policies = policiesOf(kText);
        policies.policies[0].pendingText = "{\"a\": 1}";
        policies.policies[0].pendingLoosens = {"memory: <b>more</b>"};
        bench.screen->apply({policies});
        QVERIFY(bench.label("policyBannerText").contains("<b>more</b>"));
        QCOMPARE(bench.find<QLabel>("policyBannerText")->textFormat(), Qt::PlainText);
        bench.click("policyPutBack");
        const auto* answer = bench.last<ConfirmPolicy>();
        QVERIFY(answer && !answer->accept);
        QCOMPARE(answer->sha256, sha256Hex("{\"a\": 1}"));
    }

    // What is confirmed is what the question showed, whatever the file says by then.
    void confirmsTheTextThatWasShown_data()
    {
        QTest::addColumn<bool>("ofAssignments");
        QTest::newRow("a policy") << false;
        QTest::newRow("the assignments") << true;
    }
    void confirmsTheTextThatWasShown()
    {
        QFETCH(bool, ofAssignments);
        Bench bench;
        const auto waits = [&](const std::string& text, const std::string& loosens) {
            auto policies = policiesOf(kText);
            if (ofAssignments) {
                policies.pendingAssignmentsText = text;
                policies.pendingAssignments = {loosens};
            } else {
                policies.policies[0].pendingText = text;
                policies.policies[0].pendingLoosens = {loosens};
            }
            bench.screen->apply({policies});
        };
        bench.screen->showPolicy(ofAssignments ? policy::kAssignmentsName : "mine");
        waits("one", "a little");
        bench.click("policyConfirm");
        QVERIFY(bench.commands.empty()); // it is asked first
        waits("two", "everything");
        QVERIFY(bench.label("policyBannerText").contains("everything"));
        QVERIFY(bench.find<QListWidget>("loosenList")->item(0)->text().contains("a little"));
        bench.click("loosenAccept");
        const auto* answer = bench.last<ConfirmPolicy>();
        QVERIFY(answer && answer->accept);
        QCOMPARE(answer->name, std::string(ofAssignments ? policy::kAssignmentsName : "mine"));
        QCOMPARE(answer->sha256, sha256Hex("one"));
        bench.screen->apply({PolicyCommandDone{
            answer->token, Error(Errc::Conflict, "the file has changed again")}});
        QVERIFY(bench.label("policyMessage").contains("has changed again"));
    }

    void saysWhereAFileIsBroken()
    {
        Bench bench;
        auto policies = policiesOf(kText);
        policies.policies[0].problems = {{true, "", "a comma is missing", 14, 3}};
        bench.screen->apply({policies});
        QVERIFY(bench.label("policyBannerText").contains("line 14, column 3"));
        QVERIFY(!bench.find("policyConfirm")->isVisible());
    }

    void saysWhatADraftWouldHaveDone()
    {
        Bench bench;
        for (int number = 0; number < 6; ++number) {
            const auto record = bench.receive("print(" + std::to_string(number) + ")\n");
            bench.store->keepReport(
                record.id, number < 2 ? reportWith(analysis::Severity::High) : analysis::Report{}
            );
        }
        bench.reopen(); // everything is written
        auto* effect = bench.screen->findChild<EffectView*>();
        const auto counts = [&] { return effect->effect().counts; };
        using Counts = std::array<std::size_t, kChanges>;
        bench.tab(1);
        QTRY_VERIFY((counts() == Counts{6, 0, 0, 0, 0}));
        bench.document().setValue("/approval/rules/0/then", "deny");
        QTRY_VERIFY((counts() == Counts{4, 0, 0, 2, 0}));
        bench.document().setValue("/approval/otherwise", "ask");
        QTRY_VERIFY((counts() == Counts{0, 0, 4, 2, 0}));
        auto* rows = bench.find<QTableWidget>("effectRows");
        QCOMPARE(rows->rowCount(), 6);
        QSignalSpy activated(bench.screen.get(), &PoliciesScreen::executionActivated);
        rows->setCurrentCell(0, 0);
        rows->setFocus();
        QTest::keyClick(rows, Qt::Key_Return);
        QCOMPARE(activated.count(), 1);
        QCOMPARE(activated[0][0].value<ExecutionId>(), effect->effect().rows[0].record.id);
    }

    // Remembered decisions are part of what happens, and they end with the policy they were made
    // under; limits change what runs without a word about its decision.
    void saysWhatBecomesOfLimitsAndRememberedDecisions()
    {
        Bench bench;
        execution::Record asked;
        for (int number = 0; number < 4; ++number) {
            auto record = recordFor("print(" + std::to_string(number) + ")\n");
            record.limits.memoryBytes = (number == 0 ? 400U : 256U) << 20U;
            record = bench.received(record, "print(" + std::to_string(number) + ")\n").value();
            bench.store->keepReport(
                record.id, number == 3 ? reportWith(analysis::Severity::High) : analysis::Report{}
            );
            asked = record;
        }
        bench.reopen(); // everything is written
        ImagesChanged images;
        images.images.resize(1);
        images.images[0].language = asked.language;
        images.images[0].digest = "sha256:1";
        policy::Remembered remembered;
        remembered.id = "r1";
        remembered.language = asked.language;
        remembered.codeSha256 = asked.codeSha256;
        remembered.clientName = asked.client.name;
        remembered.clientExecutable = asked.client.executable;
        remembered.policyName = "mine";
        remembered.policySha256 = sha256Hex(kText);
        remembered.imageDigest = "sha256:1";
        bench.screen->apply({images, RememberedChanged{{remembered}}});
        auto* effect = bench.screen->findChild<EffectView*>();
        const auto counts = [&] { return effect->effect().counts; };
        using Counts = std::array<std::size_t, kChanges>;
        bench.tab(1);
        QTRY_VERIFY((counts() == Counts{4, 0, 0, 0, 0}));
        QVERIFY(effect->effect().rows[0].wasRemembered && effect->effect().rows[0].isRemembered);
        // Only its layout: yet it is another text, and what was remembered was for the old one.
        bench.document().setText(kText + "\n", "edit");
        QTRY_VERIFY((counts() == Counts{3, 0, 1, 0, 0}));
        QVERIFY2(
            bench.label("effectSummary").contains("1 remembered decision(s) end") &&
                bench.label("effectSummary").contains("they answered 1 of these"),
            qPrintable(bench.label("effectSummary"))
        );
        auto* rows = bench.find<QTableWidget>("effectRows");
        QCOMPARE(rows->rowCount(), 1);
        QCOMPARE(rows->item(0, 0)->text(), QStringLiteral("allowed (remembered)"));
        QCOMPARE(rows->item(0, 1)->text(), QStringLiteral("asks"));
        // What asked for more than the new most is clamped; the others keep what they got.
        bench.document().setValue("/limits/memory/max", "300m");
        QTRY_VERIFY((counts() == Counts{2, 0, 1, 0, 1}));
        QVERIFY2(
            bench.label("effectSummary").contains("memory 400 MB → 300 MB (1)"),
            qPrintable(bench.label("effectSummary"))
        );
        QCOMPARE(rows->item(1, 5)->text(), QStringLiteral("memory 400 MB → 300 MB"));
        bench.screen->apply({RememberedChanged{}});
        QTRY_VERIFY((counts() == Counts{3, 0, 0, 0, 1}));
        bench.document().setValue("/limits/over_limit", "refuse");
        QTRY_VERIFY((counts() == Counts{3, 0, 0, 1, 0}));
    }

    // From a run to a rule in the table, its effect said, nothing saved.
    void draftsARuleFromARun()
    {
        Bench bench;
        execution::Record record;
        for (int number = 0; number < 3; ++number) {
            record = bench.receive("print(" + std::to_string(number) + ")\n");
            bench.store->keepReport(record.id, reportWith(analysis::Severity::Medium));
        }
        bench.receive();
        bench.reopen(); // everything is written
        record.policy = "other";
        record.verdict = execution::Verdict::Allow;
        record.decidingRule = "otherwise";
        record.findings = 1;
        bench.screen->makeRule(record);
        QTRY_VERIFY(bench.label("policyMessage").contains("3 would ask"));
        QVERIFY(bench.label("policyMessage").contains("ask python.process"));
        QCOMPARE(bench.find<QListWidget>("policyList")->currentItem()->data(Qt::UserRole), "other");
        QCOMPARE(bench.rule(3), QStringLiteral("ask python.process"));
        QCOMPARE(bench.rules()->currentIndex().row(), 3);
        QCOMPARE(bench.json("/approval/rules/3/when/findings"), "[\"python.process\"]");
        QVERIFY(bench.document().isDirty());
        QVERIFY(bench.commands.empty());
        bench.document().undoStack().undo();
        QVERIFY(!bench.document().isDirty());
        // One of the same name, in a policy that has gone meanwhile: the client's own is taken.
        record.policy = "gone";
        record.client.name = "claude";
        bench.screen->makeRule(record);
        QTRY_COMPARE(bench.rule(3), QStringLiteral("ask python.process"));
        bench.screen->makeRule(record);
        QTRY_COMPARE(bench.rule(4), QStringLiteral("ask python.process 2"));
        QTRY_VERIFY(!bench.rules()->visibleRegion().isEmpty()); // scrolled to
        QCOMPARE(bench.find<QListWidget>("policyList")->currentItem()->data(Qt::UserRole), "other");
        // What has nothing on record is taken by its code; broken text takes no rule.
        record.id = ExecutionId("none");
        bench.screen->makeRule(record);
        QTRY_COMPARE(bench.json("/approval/rules/5/when/code_sha256").size(), std::size_t{68});
        bench.document().setText("{", "break");
        bench.screen->makeRule(record);
        QTRY_VERIFY(bench.label("policyMessage").contains("broken"));
    }

    void triesAProgramOut()
    {
        Bench bench;
        bench.tab(1);
        bench.click("tryButton");
        QVERIFY(bench.label("tryAnswer").contains("isn't available"));
        bench.screen->setAnalyse([](const std::string& language, const std::string& code) {
            return language == "python" && code == "bad" ? reportWith(analysis::Severity::High)
                                                         : analysis::Report{};
        });
        bench.find<QPlainTextEdit>("tryCode")->setPlainText("bad");
        bench.click("tryButton");
        QTRY_VERIFY(bench.label("tryAnswer").contains("asks"));
        QVERIFY(bench.label("tryAnswer").contains("\"first\""));
        bench.find<QPlainTextEdit>("tryCode")->setPlainText("good");
        bench.click("tryButton");
        QTRY_VERIFY(bench.label("tryAnswer").contains("allowed"));
    }

    void showsAndRestoresVersions()
    {
        Bench bench;
        for (const std::string& text : {replaced(kText, "512m", "1g"), kText}) {
            store::PolicyVersion version;
            version.name = "mine";
            version.text = text;
            version.sha256 = sha256Hex(text);
            version.author = "me";
            version.note = "why";
            version.source = "window";
            audit::Entry entry;
            entry.type = audit::Type::PolicyChanged;
            QVERIFY(runToEnd(bench.context, bench.store->addPolicyVersion(version, entry)));
        }
        bench.tab(2);
        auto* list = bench.find<QTableWidget>("versionsList");
        QTRY_COMPARE(list->rowCount(), 2);
        const QString diff = bench.find<QPlainTextEdit>("versionsDiff")->toPlainText();
        QVERIFY(diff.contains("-     \"memory\": { \"default\": \"256m\", \"max\": \"1g\" }"));
        QVERIFY(diff.contains("+     \"memory\": { \"default\": \"256m\", \"max\": \"512m\" }"));
        QVERIFY(!bench.find("versionsRestore")->isEnabled()); // it is in force
        list->setCurrentCell(1, 0);
        bench.click("versionsRestore");
        QVERIFY(bench.commands.empty()); // it loosens
        bench.click("loosenAccept");
        QVERIFY(bench.last<RestorePolicy>());
        QCOMPARE(bench.last<RestorePolicy>()->version, std::int64_t{1});
    }

    void assignsPolicies()
    {
        Bench bench;
        bench.screen->showPolicy(policy::kAssignmentsName);
        auto* table = bench.find<QTableWidget>("assignments");
        QCOMPARE(table->rowCount(), 1);
        bench.click("assignAdd");
        table->item(1, 0)->setText("cursor*");
        bench.click("assignUp");
        auto* fallback = bench.find<QComboBox>("defaultPolicy");
        fallback->setCurrentText("other");
        bench.click("assignApply");
        const auto* assigned = bench.last<AssignPolicies>();
        QVERIFY(assigned);
        const std::vector<Assignment> wanted{{"cursor*", "", "mine"}, {"claude", "", "other"}};
        QVERIFY(assigned->assignments == wanted);
        QCOMPARE(assigned->defaultPolicy, std::string("other"));
    }

    void asksBeforeAClientGetsALaxerPolicy()
    {
        Bench bench;
        auto policies = policiesOf(kText);
        policies.policies[1].text =
            replaced(policies.policies[1].text, "\"max\": \"512m\"", "\"max\": \"2g\"");
        bench.screen->apply({policies});
        bench.screen->showPolicy(policy::kAssignmentsName);
        auto* policyOfClaude =
            qobject_cast<QComboBox*>(bench.find<QTableWidget>("assignments")->cellWidget(0, 2));
        const auto choose = [](QComboBox* combo, const char* name) {
            combo->setFocus();
            QTest::keyClicks(combo, QLatin1String(name));
            QCOMPARE(combo->currentText(), QLatin1String(name));
        };
        choose(policyOfClaude, "mine"); // stricter: no question
        bench.click("assignApply");
        QVERIFY(bench.last<AssignPolicies>());
        bench.commands.clear();
        bench.click("assignRevert");
        choose(bench.find<QComboBox>("defaultPolicy"), "other");
        bench.click("assignApply");
        QVERIFY(bench.commands.empty());
        const QString said = bench.find<QListWidget>("loosenList")->item(0)->text();
        QVERIFY2(
            said.contains("every other client: mine -> other") && said.contains("2 GB"),
            qPrintable(said)
        );
        bench.click("loosenKeep");
        QTRY_VERIFY(!bench.screen->findChild<QDialog*>("loosenDialog"));
        QVERIFY(bench.commands.empty());
        bench.click("assignApply");
        bench.click("loosenAccept");
        QCOMPARE(bench.last<AssignPolicies>()->defaultPolicy, std::string("other"));
    }

    void renamesByANewOneBeforeTheOldGoes()
    {
        Bench bench;
        bench.screen->showPolicy("other");
        bench.click("policyRename");
        auto* dialog = bench.screen->findChild<QInputDialog*>();
        dialog->setTextValue("My Other!");
        dialog->accept();
        const auto* saved = bench.last<SavePolicy>();
        QVERIFY(saved);
        QCOMPARE(saved->name, std::string("my-other"));
        QCOMPARE(bench.commands.size(), std::size_t{1});
        const auto token = saved->token;
        bench.screen->apply({PolicyCommandDone{token, {}}});
        QCOMPARE(bench.commands.size(), std::size_t{3});
        QCOMPARE(
            std::get<AssignPolicies>(bench.commands[1]).assignments[0].policy,
            std::string("my-other")
        );
        QCOMPARE(bench.last<DeletePolicy>()->name, std::string("other"));
    }

    void duplicatesImportsAndExports()
    {
        Bench bench;
        bench.click("policyDuplicate");
        QCOMPARE(bench.json("/title"), Json("Mine (copy)").dump());
        QTRY_VERIFY(bench.find("policySave")->isEnabled());
        bench.click("policySave");
        QCOMPARE(bench.last<SavePolicy>()->name, std::string("mine-copy"));
        QTemporaryDir folder;
        const QString file = folder.filePath("Some Policy.json");
        QVERIFY(bench.screen->exportTo(file));
        const std::string exported = bench.text();
        QVERIFY(bench.screen->importFrom(file));
        QCOMPARE(bench.text(), exported);
        QVERIFY(bench.screen->hasDrafts());
        bench.click("policySave");
        QCOMPARE(bench.last<SavePolicy>()->name, std::string("some-policy"));
        QVERIFY(!bench.screen->importFrom(folder.filePath("none")));
        QVERIFY(bench.label("policyMessage").contains("can't be read"));
    }

    void namesEveryControl()
    {
        Bench bench;
        bench.rules()->selectRow(0);
        for (const QWidget* widget : bench.screen->findChildren<QWidget*>()) {
            const bool control = qobject_cast<const QLineEdit*>(widget) ||
                                 qobject_cast<const QComboBox*>(widget) ||
                                 qobject_cast<const QSlider*>(widget);
            const bool inner = qobject_cast<const QComboBox*>(widget->parentWidget()) ||
                               widget->objectName().startsWith("qt_");
            if (!control || inner || !widget->accessibleName().isEmpty())
                continue;
            const auto labels = bench.screen->findChildren<QLabel*>();
            const bool labelled =
                std::any_of(labels.begin(), labels.end(), [&](const QLabel* label) {
                    return label->buddy() == widget || label->buddy() == widget->parentWidget();
                });
            QVERIFY2(labelled, qPrintable(widget->parentWidget()->objectName()));
        }
    }
};

BELLJAR_GUI_TEST_MAIN(TestPolicies)
#include "tst_policies.moc"
