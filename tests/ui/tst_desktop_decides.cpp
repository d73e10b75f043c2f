// SPDX-License-Identifier: GPL-3.0-or-later
//
// A client's program from its call to the person's answer and back: the real MCP client on `belljar
// stdio`, the real engine and sandbox, the real window on a screen with a window manager.
#include <QAbstractButton>
#include <QApplication>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QProcess>
#include <QPushButton>
#include <QSettings>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QToolButton>

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "app/desktop/desktop.h"
#include "engine/base/paths.h"
#include "engine/base/sha256.h"
#include "tests/support/gui_test.h"
#include "ui/approvals/approval_card.h"
#include "ui/approvals/approvals_screen.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>
#endif

#include <Qsci/qsciscintilla.h>

using namespace belljar;
using namespace Qt::StringLiterals;

namespace {

constexpr int kSettledMs = 900; ///< more than the guard asks for
constexpr int kRunMs = 60'000;  ///< a container on a loaded machine
constexpr int kQuestionMs = 20'000;

/// Asks under `balanced`, and says what it is made of as the sandbox sees it.
const QString kRisky = u"import hashlib, os\n"
                       "os.system('true')\n"
                       "print(hashlib.sha256(open(__file__, 'rb').read()).hexdigest())\n"_s;

QString sha256(const QString& code)
{
    return QString::fromStdString(belljar::sha256Hex(code.toStdString()));
}

/// One real client, driven line by line (tests/clients/driven.mjs).
class Client {
public:
    explicit Client(const QString& name)
    {
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"BELLJAR_BIN"_s, QString::fromStdString(commandProgram().string()));
        m_process.setProcessEnvironment(environment);
        m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        m_process.start(u"node"_s, {QStringLiteral(BELLJAR_CLIENTS_DIR "/driven.mjs"), name});
        QObject::connect(&m_process, &QProcess::readyReadStandardOutput, [this] { read(); });
    }
    ~Client()
    {
        m_process.closeWriteChannel();
        if (!m_process.waitForFinished(10'000))
            m_process.kill();
        m_process.waitForFinished();
    }

    [[nodiscard]] bool isReady() const { return m_ready; }
    int call(const QString& code)
    {
        write(
            {{u"call"_s, ++m_last},
             {u"args"_s, QJsonObject{{u"language"_s, u"python"_s}, {u"code"_s, code}}}}
        );
        return m_last;
    }
    void cancel(int call) { write({{u"cancel"_s, call}}); }
    [[nodiscard]] bool isAnswered(int call) const { return m_answers.contains(call); }
    /// The structured result of `call`.
    [[nodiscard]] QJsonObject result(int call) const
    {
        return m_answers.at(call)[u"result"_s][u"structuredContent"_s].toObject();
    }
    /// What the model reads.
    [[nodiscard]] QString text(int call) const
    {
        return m_answers.at(call)[u"result"_s][u"content"_s][0][u"text"_s].toString();
    }
    [[nodiscard]] QStringList progress(int call) const
    {
        const auto found = m_progress.find(call);
        return found == m_progress.end() ? QStringList() : found->second;
    }

private:
    void write(const QJsonObject& line)
    {
        m_process.write(QJsonDocument(line).toJson(QJsonDocument::Compact) + '\n');
    }
    void read()
    {
        while (m_process.canReadLine()) {
            const QJsonObject line = QJsonDocument::fromJson(m_process.readLine()).object();
            if (line.contains(u"ready"_s))
                m_ready = true;
            else if (line.contains(u"progress"_s))
                m_progress[line[u"call"_s].toInt()] << line[u"progress"_s].toString();
            else
                m_answers.emplace(line[u"call"_s].toInt(), line);
        }
    }

    QProcess m_process;
    bool m_ready = false;
    int m_last = 0;
    std::map<int, QJsonObject> m_answers;
    std::map<int, QStringList> m_progress;
};

/// As a person at the keyboard: through the X server, to whoever has the focus.
void press(const QString& keys)
{
    QProcess process;
    process.start(u"xdotool"_s, {u"key"_s, keys});
    QTRY_COMPARE(process.state(), QProcess::NotRunning);
    QCOMPARE(process.exitCode(), 0);
}

} // namespace

class TestDesktopDecides : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_home = std::make_unique<QTemporaryDir>();
        QVERIFY(m_home->isValid());
        for (const auto& [variable, folder] :
             {std::pair{"XDG_CONFIG_HOME", "config"},
              std::pair{"XDG_DATA_HOME", "data"},
              std::pair{"XDG_STATE_HOME", "state"},
              std::pair{"XDG_CACHE_HOME", "cache"},
              std::pair{"XDG_RUNTIME_DIR", "run"}}) {
            const QString path = m_home->filePath(QLatin1String(folder));
            QDir().mkdir(path);
            QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
            qputenv(variable, path.toUtf8());
        }
        qputenv("HOME", m_home->path().toUtf8());
    }

    void cleanup()
    {
        m_client.reset();
        m_desktop.reset();
        m_home.reset();
    }

    // What was approved is byte for byte what ran: one hash in the question, the audit log and the
    // sandbox.
    void allowedCodeRunsByteForByte()
    {
        open();
        const int call = ask(kRisky);
        QCOMPARE(
            label("approvalTitle"), u"Terminal agent wants to run Python, 3 lines, 100 bytes"_s
        );
        press(u"ctrl+Return"_s);
        QTRY_VERIFY_WITH_TIMEOUT(m_client->isAnswered(call), kRunMs);
        const QJsonObject result = m_client->result(call);
        QCOMPARE(result[u"stdout"_s].toString(), sha256(kRisky) + u'\n');
        QCOMPARE(result[u"decision"_s][u"verdict"_s].toString(), u"ask"_s);
        QCOMPARE(result[u"decision"_s][u"by"_s].toString(), u"person"_s);
        QTRY_VERIFY(find<QLabel>("nothingWaits")->isVisible());
        auto log = endAndReadLog();
        for (const char* type :
             {"request_received", "approval_asked", "approval_answered", "execution_started"})
            QCOMPARE(log[QLatin1String(type)].at(0)[u"code_sha256"_s].toString(), sha256(kRisky));
        QCOMPARE(log[u"approval_answered"_s].at(0)[u"by"_s].toString(), u"person"_s);
    }

    void aRefusalTakesItsReasonToTheClient()
    {
        open();
        const int call = ask(kRisky);
        QTest::keyClicks(find<QLineEdit>("approvalComment"), u"use os.listdir instead"_s);
        QTest::qWait(kSettledMs); // keys came fast
        press(u"ctrl+BackSpace"_s);
        QTRY_VERIFY_WITH_TIMEOUT(m_client->isAnswered(call), kRunMs);
        QCOMPARE(m_client->result(call)[u"status"_s].toString(), u"rejected"_s);
        const QString text = m_client->text(call);
        QVERIFY2(text.contains(u"use os.listdir instead"_s), qPrintable(text));
        QVERIFY2(text.contains(u"serious finding"_s), qPrintable(text));
        QCOMPARE(m_client->result(call)[u"stdout"_s].toString(), QString());
        auto log = endAndReadLog();
        QVERIFY(log[u"execution_started"_s].empty());
        QCOMPARE(
            log[u"approval_answered"_s].at(0)[u"comment"_s].toString(), u"use os.listdir instead"_s
        );
    }

    void whatThePersonEditsIsWhatRuns()
    {
        open();
        const int call = ask(kRisky);
        QTest::mouseClick(find<QPushButton>("editButton"), Qt::LeftButton);
        auto* code = find<QsciScintilla>("approvalCode");
        QTRY_VERIFY(!code->isReadOnly());
        const QString edited = u"import hashlib\n"
                               "print(hashlib.sha256(open(__file__, 'rb').read()).hexdigest())\n"_s;
        code->setText(edited);
        auto* allow = find<QPushButton>("allowButton");
        QTRY_VERIFY(allow->isEnabled()); // the draft was analysed
        QTest::qWait(kSettledMs);
        QCOMPARE(allow->text(), u"Allow the edited code  (Ctrl+Return)"_s);
        QTest::mouseClick(allow, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(m_client->isAnswered(call), kRunMs);
        QCOMPARE(m_client->result(call)[u"stdout"_s].toString(), sha256(edited) + u'\n');
        QVERIFY2(m_client->text(call).contains(u"edited"_s), qPrintable(m_client->text(call)));
        auto log = endAndReadLog();
        QCOMPARE(log[u"request_received"_s].at(0)[u"code_sha256"_s].toString(), sha256(kRisky));
        QCOMPARE(log[u"execution_started"_s].at(0)[u"code_sha256"_s].toString(), sha256(edited));
    }

    void whatIsRememberedIsNotAskedAgain()
    {
        open();
        const int first = ask(kRisky);
        chooseOffer(u"ctrl+Return"_s);
        QTRY_VERIFY_WITH_TIMEOUT(m_client->isAnswered(first), kRunMs);
        QCOMPARE(find<QTableWidget>("rememberedTable")->rowCount(), 1);
        const int again = m_client->call(kRisky);
        QTRY_VERIFY_WITH_TIMEOUT(m_client->isAnswered(again), kRunMs);
        QCOMPARE(m_client->result(again)[u"stdout"_s].toString(), sha256(kRisky) + u'\n');
        QCOMPARE(m_client->result(again)[u"decision"_s][u"by"_s].toString(), u"remembered"_s);
        // One byte more is another program.
        ask(kRisky + u'#');
        QCOMPARE(screen()->waiting(), 1);
    }

    void whatNobodyAnswersIsRejected()
    {
        writePolicy(u"\"timeout_seconds\": 300"_s, u"\"timeout_seconds\": 5"_s);
        open();
        const int call = m_client->call(kRisky);
        QTRY_COMPARE_WITH_TIMEOUT(screen()->waiting(), 1, kQuestionMs);
        QTRY_VERIFY_WITH_TIMEOUT(m_client->isAnswered(call), kQuestionMs);
        QCOMPARE(m_client->result(call)[u"status"_s].toString(), u"rejected"_s);
        QCOMPARE(m_client->result(call)[u"decision"_s][u"by"_s].toString(), u"timeout"_s);
        QTRY_COMPARE(screen()->waiting(), 0);
    }

    void aClientThatGivesUpTakesItsQuestionBack()
    {
        open();
        const int call = ask(kRisky);
        m_client->cancel(call);
        QTRY_COMPARE_WITH_TIMEOUT(screen()->waiting(), 0, kQuestionMs);
        QTRY_VERIFY2(
            label("approvalOutcome").contains(u"client"_s), qPrintable(label("approvalOutcome"))
        );
        QVERIFY(!find<QPushButton>("allowButton")->isVisible());
        auto log = endAndReadLog();
        QVERIFY(log[u"execution_started"_s].empty());
    }

    void twoWaitAndEachGetsItsOwnAnswer()
    {
        open();
        const QString other = kRisky + u"# the other\n"_s;
        const int first = ask(kRisky);
        const int second = m_client->call(other);
        QTRY_COMPARE_WITH_TIMEOUT(screen()->waiting(), 2, kQuestionMs);
        QCOMPARE(m_desktop->window().windowTitle().left(3), u"(2)"_s);
        QTest::qWait(kSettledMs);
        press(u"ctrl+BackSpace"_s); // the first
        QTRY_VERIFY_WITH_TIMEOUT(m_client->isAnswered(first), kRunMs);
        QTRY_COMPARE(screen()->waiting(), 1);
        QVERIFY(!m_client->isAnswered(second));
        QTRY_COMPARE(card()->approval()->codeSha256, sha256(other).toStdString());
        QTest::qWait(2 * kSettledMs);
        press(u"ctrl+Return"_s);
        QTRY_VERIFY_WITH_TIMEOUT(m_client->isAnswered(second), kRunMs);
        QCOMPARE(m_client->result(first)[u"status"_s].toString(), u"rejected"_s);
        QCOMPARE(m_client->result(second)[u"stdout"_s].toString(), sha256(other) + u'\n');
    }

    // Closing answers nothing: the client waits on, is told so, and the window can come back.
    void theQuestionOutlivesTheWindow()
    {
        QSettings().setValue(u"window/on_close"_s, u"background"_s);
        open();
        const int call = ask(kRisky);
        m_desktop->window().close();
        QTRY_VERIFY(!m_desktop->window().isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(m_client->progress(call).size() > 1, kQuestionMs);
        QCOMPARE(m_client->progress(call).back(), u"waiting for approval in Belljar"_s);
        QVERIFY(!m_client->isAnswered(call));
        m_desktop->window().raiseWindow();
        QVERIFY(QTest::qWaitForWindowActive(&m_desktop->window()));
        QCOMPARE(screen()->waiting(), 1);
        QTest::qWait(kSettledMs);
        press(u"ctrl+Return"_s);
        QTRY_VERIFY_WITH_TIMEOUT(m_client->isAnswered(call), kRunMs);
        QCOMPARE(m_client->result(call)[u"stdout"_s].toString(), sha256(kRisky) + u'\n');
    }

    // What comes while everything is paused waits, says why to its client, and runs in the end.
    void whatIsPausedWaitsAndSaysSo()
    {
        open();
        press(u"ctrl+p"_s);
        QTRY_VERIFY(find<QWidget>("pauseBanner")->isVisible());
        const int call = m_client->call(u"print('late')"_s);
        QTRY_VERIFY_WITH_TIMEOUT(
            m_client->progress(call).contains(
                u"paused by the user in Belljar; it runs when the user resumes"_s
            ),
            kQuestionMs
        );
        QVERIFY(!m_client->isAnswered(call));
        press(u"ctrl+p"_s);
        QTRY_VERIFY_WITH_TIMEOUT(m_client->isAnswered(call), kRunMs);
        QCOMPARE(m_client->result(call)[u"stdout"_s].toString(), u"late\n"_s);
        QVERIFY(!find<QWidget>("pauseBanner")->isVisible());
        auto log = endAndReadLog();
        QCOMPARE(log[u"runs_paused"_s].size(), 1);
        QCOMPARE(log[u"runs_resumed"_s].size(), 1);
    }

    // Quitting is no answer either; the engine's end is a rejection that names it.
    void theEnginesEndRejectsWhatWaits()
    {
        open();
        const int call = ask(kRisky);
        m_desktop.reset();
        QTRY_VERIFY_WITH_TIMEOUT(m_client->isAnswered(call), kRunMs);
        QCOMPARE(m_client->result(call)[u"status"_s].toString(), u"rejected"_s);
        auto log = endAndReadLog();
        QVERIFY(log[u"execution_started"_s].empty());
    }

private:
    /// The program as it is opened by a person, and a client that has connected.
    void open()
    {
        EngineOptions options;
        options.paths = findPaths();
        QVERIFY(makeFolders(options.paths).has_value());
        m_desktop = std::make_unique<desktop::Desktop>(options);
        m_desktop->window().show();
        QVERIFY(QTest::qWaitForWindowActive(&m_desktop->window()));
        m_desktop->start();
        QTRY_COMPARE_WITH_TIMEOUT(label("dockerLabel").left(8), u"Docker: "_s, kRunMs);
        QTRY_VERIFY_WITH_TIMEOUT(
            QFile::exists(m_home->filePath(u"run/belljar/mcp.sock"_s)), kRunMs
        );
        m_client = std::make_unique<Client>(u"Terminal agent"_s);
        QTRY_VERIFY_WITH_TIMEOUT(m_client->isReady(), kRunMs);
    }

    /// Calls, goes to the question by the banner, and waits until the guard lets answers through.
    int ask(const QString& code)
    {
        const int call = m_client->call(code);
        [&] { QTRY_VERIFY_WITH_TIMEOUT(screen()->waiting() > 0, kQuestionMs); }();
        QTest::mouseClick(find<QPushButton>("approvalsBannerButton"), Qt::LeftButton);
        [&] { QTRY_VERIFY(card()->approval() && card()->isVisible()); }();
        QTest::qWait(kSettledMs);
        return call;
    }

    /// Takes the first offer of the Allow menu. From outside, since the menu has a loop of its own.
    static void chooseOffer(const QString& chord)
    {
        QProcess keys;
        keys.start(
            u"xdotool"_s,
            {u"key"_s,
             u"ctrl+shift+Return"_s,
             u"sleep"_s,
             u"0.9"_s,
             u"key"_s,
             u"Down"_s,
             u"sleep"_s,
             u"0.9"_s,
             u"key"_s,
             chord}
        );
        QTRY_COMPARE_WITH_TIMEOUT(keys.state(), QProcess::NotRunning, 10'000);
    }

    /// The shipped balanced policy with `was` replaced, as the one for every client.
    void writePolicy(const QString& was, const QString& is)
    {
        QFile shipped(QStringLiteral(BELLJAR_POLICIES_DIR "/balanced.json"));
        QVERIFY(shipped.open(QFile::ReadOnly));
        QString text = QString::fromUtf8(shipped.readAll());
        QVERIFY(text.contains(was));
        const QDir config(m_home->filePath(u"config"_s));
        QVERIFY(config.mkpath(u"belljar/policies"_s));
        write(config.filePath(u"belljar/policies/tests.json"_s), text.replace(was, is));
        write(
            config.filePath(u"belljar/assignments.json"_s),
            u"{\"default\": \"tests\", \"clients\": []}"_s
        );
        for (const char* folder : {"belljar", "belljar/policies"})
            QFile::setPermissions(
                config.filePath(QLatin1String(folder)),
                QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner
            );
    }
    static void write(const QString& path, const QString& text)
    {
        QFile file(path);
        QVERIFY(file.open(QFile::WriteOnly));
        file.write(text.toUtf8());
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
    }

    /// Ends the client and the program, and reads the audit log: details by type, in order.
    std::map<QString, std::vector<QJsonObject>> endAndReadLog()
    {
        m_client.reset();
        m_desktop.reset();
        QProcess program;
        program.start(QString::fromStdString(commandProgram().string()), {u"audit"_s, u"export"_s});
        program.waitForFinished();
        std::map<QString, std::vector<QJsonObject>> log;
        for (const QByteArray& line : program.readAllStandardOutput().split('\n')) {
            const QJsonObject entry = QJsonDocument::fromJson(line).object();
            log[entry[u"type"_s].toString()].push_back(
                QJsonDocument::fromJson(entry[u"detail"_s].toString().toUtf8()).object()
            );
        }
        [&] { QCOMPARE(log[u"engine_stopped"_s].size(), std::size_t{1}); }();
        return log;
    }

    template <class T>
    [[nodiscard]] T* find(const char* name) const
    {
        auto* found = m_desktop->window().findChild<T*>(QLatin1String(name));
        if (!found)
            qFatal("no widget %s", name);
        return found;
    }
    [[nodiscard]] QString label(const char* name) const { return find<QLabel>(name)->text(); }
    [[nodiscard]] ui::ApprovalsScreen* screen() const
    {
        return m_desktop->window().findChild<ui::ApprovalsScreen*>();
    }
    [[nodiscard]] ui::ApprovalCard* card() const
    {
        return m_desktop->window().findChild<ui::ApprovalCard*>();
    }

    std::unique_ptr<QTemporaryDir> m_home;
    std::unique_ptr<desktop::Desktop> m_desktop;
    std::unique_ptr<Client> m_client;
};

BELLJAR_GUI_TEST_MAIN(TestDesktopDecides)
#include "tst_desktop_decides.moc"
