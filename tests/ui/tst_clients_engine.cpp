// SPDX-License-Identifier: GPL-3.0-or-later
//
// Connecting, disconnecting and blocking as the person at the window does it, against the real
// engine and its socket. Nothing runs, so no Docker is needed.
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLocalSocket>
#include <QPushButton>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#undef emit       // Qt's word for nothing is Asio's name of a function
#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/audit/log_reader.h"
#include "tests/support/gui_test.h"
#include "tests/ui/clients_fixture.h"
#include "ui/bridge/engine_bridge.h"

#include <memory>
#include <set>
#include <string>

using namespace belljar;
using namespace belljar::ui;
using namespace belljar::test;
using namespace Qt::StringLiterals;

namespace {

constexpr int kLongMs = 20'000;

/// A client on the engine's socket, introduced as the bridge introduces one.
class Peer {
public:
    Peer(const QString& socket, const QString& name)
    {
        m_socket.connectToServer(socket);
        if (!m_socket.waitForConnected(kLongMs))
            qFatal("no engine at %s", qPrintable(socket));
        write(
            {{u"jsonrpc"_s, u"2.0"_s},
             {u"method"_s, u"notifications/belljar/bridge"_s},
             {u"params"_s, QJsonObject{{u"pid"_s, 4711}, {u"executable"_s, u"/opt/odd"_s}}}}
        );
        const QJsonObject info{{u"name"_s, name}, {u"version"_s, u"1"_s}};
        ask(u"initialize"_s,
            {{u"protocolVersion"_s, u"2025-11-25"_s},
             {u"clientInfo"_s, info},
             {u"capabilities"_s, QJsonObject()}});
    }
    QJsonObject ask(const QString& method, const QJsonObject& params)
    {
        write(
            {{u"jsonrpc"_s, u"2.0"_s},
             {u"id"_s, ++m_last},
             {u"method"_s, method},
             {u"params"_s, params}}
        );
        // Not with waitForReadyRead: the window's events go on meanwhile.
        [&] { QTRY_VERIFY_WITH_TIMEOUT(m_socket.canReadLine() || isGone(), kLongMs); }();
        return QJsonDocument::fromJson(m_socket.readLine()).object();
    }
    QJsonObject call()
    {
        const QJsonObject arguments{{u"language"_s, u"python"_s}, {u"code"_s, u"print()"_s}};
        return ask(u"tools/call"_s,
                   {{u"name"_s, u"execute_code"_s}, {u"arguments"_s, arguments}})[u"result"_s]
            .toObject();
    }
    [[nodiscard]] bool isGone() const { return m_socket.state() == QLocalSocket::UnconnectedState; }

private:
    void write(const QJsonObject& message)
    {
        m_socket.write(QJsonDocument(message).toJson(QJsonDocument::Compact) + '\n');
        m_socket.flush();
    }

    QLocalSocket m_socket;
    int m_last = 0;
};

/// An engine in folders of its own with the clients' screen at it.
struct Life : ClientsBench {
    EngineOptions options;
    std::unique_ptr<EngineBridge> bridge;

    Life()
    {
        options.dockerHost = "unix:///nonexistent/docker.sock";
        options.paths.config = folder.path() / "config";
        options.paths.data = folder.path() / "data";
        options.paths.state = folder.path() / "state";
        options.paths.runtime = folder.path() / "run";
        options.paths.home = home;
        if (!makeFolders(options.paths))
            qFatal("no folders");
    }
    ~Life() { end(); }
    void begin()
    {
        show();
        bridge = std::make_unique<EngineBridge>(options);
        QObject::connect(
            bridge.get(),
            &EngineBridge::eventsReady,
            screen.get(),
            [this](const std::vector<Event>& events) { screen->apply(events); }
        );
        QObject::connect(
            screen.get(),
            &ClientsScreen::commandWanted,
            screen.get(),
            [this](const Command& command) { bridge->submit(command); }
        );
        bridge->start();
        [&] { QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(socket()), kLongMs); }();
    }
    void end()
    {
        bridge.reset();
        screen.reset();
    }
    [[nodiscard]] QString socket() const
    {
        return QString::fromStdString(options.paths.socketFile().string());
    }
    /// Picks the row of `title` when it is there.
    bool select(const QString& title) const
    {
        auto* table = screen->findChild<QTableView*>(u"clientsTable"_s);
        for (int row = 0; row < table->model()->rowCount(); ++row) {
            if (table->model()->index(row, ClientsModel::Title).data() != title)
                continue;
            table->selectRow(row);
            return true;
        }
        return false;
    }
    [[nodiscard]] QString now(const QString& title) const
    {
        auto* model = screen->findChild<QTableView*>(u"clientsTable"_s)->model();
        for (int row = 0; row < model->rowCount(); ++row) {
            if (model->index(row, ClientsModel::Title).data() == title)
                return model->index(row, ClientsModel::Now).data().toString();
        }
        return u"no such row"_s;
    }
    void press(const char* name) const
    {
        auto* button = screen->findChild<QPushButton*>(QLatin1String(name));
        QVERIFY2(button->isVisible() && button->isEnabled(), name);
        QTest::mouseClick(button, Qt::LeftButton);
    }
    /// Types of the rows of the audit log.
    [[nodiscard]] std::multiset<std::string> audited() const
    {
        std::multiset<std::string> types;
        auto log = audit::LogReader::open(options.paths.historyFile());
        const auto page = log ? log->page({}) : Result<std::vector<audit::Row>>();
        for (const audit::Row& row : page.value_or(std::vector<audit::Row>()))
            types.insert(row.type);
        return types;
    }
};

} // namespace
#endif

class TestClientsEngine : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        qputenv("BELLJAR_DATA_DIR", BELLJAR_DATA);
        qputenv("BELLJAR_RUNNER", BELLJAR_RUNNER_FILE);
    }

    void aDisconnectedClientMayComeAgain()
    {
        Life life;
        life.begin();
        Peer peer(life.socket(), u"odd"_s);
        QTRY_COMPARE_WITH_TIMEOUT(life.now(u"odd"_s), u"connected"_s, kLongMs);
        QVERIFY(life.select(u"odd"_s));
        life.press("clientDisconnect");
        QTRY_VERIFY_WITH_TIMEOUT(peer.isGone(), kLongMs);
        QTRY_COMPARE(life.now(u"odd"_s), u"no such row"_s);
        Peer again(life.socket(), u"odd"_s);
        QTRY_COMPARE_WITH_TIMEOUT(life.now(u"odd"_s), u"connected"_s, kLongMs);
    }

    void aBlockedClientIsRefusedUntilItIsUnblocked()
    {
        Life life;
        life.begin();
        Peer peer(life.socket(), u"odd"_s);
        Peer other(life.socket(), u"other"_s);
        QTRY_COMPARE_WITH_TIMEOUT(life.now(u"other"_s), u"connected"_s, kLongMs);
        QVERIFY(life.select(u"odd"_s));
        life.press("clientBlock");
        QTRY_VERIFY_WITH_TIMEOUT(peer.isGone(), kLongMs);
        QTRY_COMPARE(life.now(u"odd"_s), u"blocked"_s);
        QVERIFY(!other.isGone());

        life.end();
        life.begin(); // it holds after a restart
        QTRY_COMPARE_WITH_TIMEOUT(life.now(u"odd"_s), u"blocked"_s, kLongMs);
        Peer again(life.socket(), u"odd"_s);
        const QJsonObject refused = again.call();
        QVERIFY(refused[u"isError"_s].toBool());
        const QString text = refused[u"content"_s][0][u"text"_s].toString();
        QVERIFY2(text.contains(u"blocked this client"_s), qPrintable(text));

        QVERIFY(life.select(u"odd"_s));
        life.press("clientBlock"); // now it says Unblock
        QTRY_COMPARE_WITH_TIMEOUT(life.now(u"odd"_s), u"connected"_s, kLongMs);
        QVERIFY(!again.ask(u"ping"_s, {}).isEmpty());
        const QString allowed = again.call()[u"content"_s][0][u"text"_s].toString();
        QVERIFY2(!allowed.contains(u"blocked"_s), qPrintable(allowed));
        life.end();
        const auto types = life.audited();
        QCOMPARE(types.count("client_blocked"), std::size_t(1));
        QCOMPARE(types.count("client_unblocked"), std::size_t(1));
    }
};

BELLJAR_GUI_TEST_MAIN(TestClientsEngine)
#include "tst_clients_engine.moc"
