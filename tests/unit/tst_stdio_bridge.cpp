// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts and raw strings
#include "app/cli/stdio_bridge.h"

using belljar::cli::BridgeLedger;
#endif

class TestStdioBridge : public QObject {
    Q_OBJECT

private slots:
    void answersForWhatWasInFlight();
    void answersNothingThatWasAnsweredOrCancelled();
    void repeatsTheHandshakeWithAnIdOfItsOwn();
    void survivesWhatIsNoMessage();
};

void TestStdioBridge::answersForWhatWasInFlight()
{
    BridgeLedger ledger;
    ledger.sent(R"({"jsonrpc":"2.0","id":5,"method":"tools/call"})");
    ledger.sent(
        R"([{"jsonrpc":"2.0","id":"a","method":"ping"},{"jsonrpc":"2.0","method":"notifications/x"}])"
    );
    const auto answers = ledger.answersForLost("gone");
    QCOMPARE(answers.size(), std::size_t(2));
    QVERIFY(answers[0].find("\"a\"") != std::string::npos);
    QVERIFY(answers[1].find("\"id\":5") != std::string::npos);
    QVERIFY(answers[1].find("gone") != std::string::npos);
    QVERIFY2(ledger.answersForLost("gone").empty(), "each is answered once");
}

void TestStdioBridge::answersNothingThatWasAnsweredOrCancelled()
{
    BridgeLedger ledger;
    ledger.sent(R"({"jsonrpc":"2.0","id":1,"method":"ping"})");
    ledger.sent(R"({"jsonrpc":"2.0","id":"1","method":"ping"})");
    ledger.sent(R"({"jsonrpc":"2.0","id":2,"method":"tools/call"})");
    QVERIFY(ledger.received(R"({"jsonrpc":"2.0","id":1,"result":{}})"));
    ledger.sent(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}})");
    const auto answers = ledger.answersForLost("gone");
    QCOMPARE(answers.size(), std::size_t(1));
    QVERIFY(answers[0].find("\"id\":\"1\"") != std::string::npos);
}

void TestStdioBridge::repeatsTheHandshakeWithAnIdOfItsOwn()
{
    BridgeLedger ledger;
    QVERIFY(ledger.handshake().empty());
    ledger.sent(
        R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}})"
    );
    ledger.sent(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    const auto lines = ledger.handshake();
    QCOMPARE(lines.size(), std::size_t(2));
    QVERIFY(lines[0].find("2025-11-25") != std::string::npos);
    QVERIFY(lines[0].find("\"id\":0") == std::string::npos);
    QVERIFY2(
        !ledger.received(R"({"jsonrpc":"2.0","id":"belljar-bridge-handshake","result":{}})"),
        "the client must not see it"
    );
}

void TestStdioBridge::survivesWhatIsNoMessage()
{
    BridgeLedger ledger;
    for (const char* line :
         {"", "x", "[]", "[[]]", "5", "null", R"({"id":{}})", R"({"method":5,"id":1})"}) {
        ledger.sent(line);
        QVERIFY(ledger.received(line));
    }
    QVERIFY(ledger.answersForLost("gone").empty());
}

QTEST_GUILESS_MAIN(TestStdioBridge)
#include "tst_stdio_bridge.moc"
