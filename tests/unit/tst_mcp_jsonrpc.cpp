// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts and raw strings
#include "engine/mcp/bridge.h"
#include "engine/mcp/jsonrpc.h"
#include "engine/mcp/line_framer.h"
#include "engine/mcp/revision.h"

#include <string>
#include <vector>

using namespace belljar;
using namespace belljar::mcp;

namespace {

/// The single element of a line that is no batch.
Parsed::Element one(const std::string& line)
{
    const Parsed parsed = parseLine(line);
    return parsed.elements.size() == 1 && !parsed.batch ? parsed.elements.front()
                                                        : Parsed::Element{};
}

std::string nested(std::size_t depth)
{
    const std::string start = R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":)";
    // Two levels are there already.
    return start + std::string(depth - 2, '[') + std::string(depth - 2, ']') + "}}";
}

std::vector<std::string> texts(const std::vector<LineFramer::Line>& lines)
{
    std::vector<std::string> list;
    for (const LineFramer::Line& line : lines)
        list.push_back(line.tooLong ? "<too long>" : line.text);
    return list;
}

using Texts = std::vector<std::string>;

} // namespace
#endif

class TestMcpJsonrpc : public QObject {
    Q_OBJECT

private slots:
    void echoesIdsWithTheirJsonType_data()
    {
        QTest::addColumn<QByteArray>("id");
        for (const char* id :
             {"7",
              "\"7\"",
              "0",
              "-1",
              "9223372036854775807",
              "18446744073709551615",
              "-9223372036854775808",
              "\"\"",
              "\"\xC3\xA9\\n\""})
            QTest::newRow(id) << QByteArray(id);
    }
    void echoesIdsWithTheirJsonType()
    {
        QFETCH(QByteArray, id);
        const auto element =
            one(R"({"jsonrpc":"2.0","method":"ping","id":)" + id.toStdString() + "}");

        QVERIFY(element.message.has_value());
        QVERIFY(element.message->kind == MessageKind::Request);
        QCOMPARE(
            QByteArray::fromStdString(dumpJson(resultMessage(element.message->id, Json::object()))),
            "{\"id\":" + id + ",\"jsonrpc\":\"2.0\",\"result\":{}}"
        );
    }

    void refusesWhatIsNoMessage_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<int>("code");
        QTest::addColumn<bool>("keepsId");
        const auto row = [](const char* line, int code, bool keepsId) {
            QTest::newRow(line) << QByteArray(line) << code << keepsId;
        };
        row("not json", kParseError, false);
        row("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"", kParseError, false);
        row("{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":2,\"method\":\"a\"}", kParseError, false);
        row("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xFF\"}", kParseError, false);
        row("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\\ud800\"}", kParseError, false);
        row("5", kInvalidRequest, false);
        row("null", kInvalidRequest, false);
        row("\"text\"", kInvalidRequest, false);
        row("{}", kInvalidRequest, false);
        row("{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"a\"}", kInvalidRequest, true);
        row("{\"jsonrpc\":2.0,\"id\":1,\"method\":\"a\"}", kInvalidRequest, true);
        row("{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"a\"}", kInvalidRequest, false);
        row("{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"a\"}", kInvalidRequest, false);
        row("{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"a\"}", kInvalidRequest, false);
        row("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":5}", kInvalidRequest, true);
        row("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\",\"params\":[]}", kInvalidRequest, true);
        row("{\"jsonrpc\":\"2.0\",\"id\":1}", kInvalidRequest, true);
    }
    void refusesWhatIsNoMessage()
    {
        QFETCH(QByteArray, line);
        QFETCH(int, code);
        QFETCH(bool, keepsId);
        const auto element = one(line.toStdString());

        QVERIFY(element.error.has_value());
        QCOMPARE(element.error->code, code);
        QCOMPARE(errorMessage(element.id, *element.error).contains("id"), keepsId);
    }

    void tellsRequestsNotificationsAndResponsesApart()
    {
        const auto request = one(R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"a":1}})");
        const auto notification = one(R"({"jsonrpc":"2.0","method":"m"})");
        const auto response = one(R"({"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":""}})");

        QVERIFY(request.message && request.message->kind == MessageKind::Request);
        QCOMPARE(request.message->params.at("a").get<int>(), 1);
        QVERIFY(notification.message && notification.message->kind == MessageKind::Notification);
        QVERIFY(notification.message->params.is_object());
        QVERIFY(response.message && response.message->kind == MessageKind::Response);
    }

    void boundsTheDepth()
    {
        QVERIFY(one(nested(128)).message.has_value());
        QCOMPARE(one(nested(129)).error.value_or(RpcError{}).code, kParseError);
        QCOMPARE(one(std::string(1'000'000, '[')).error.value_or(RpcError{}).code, kParseError);
    }

    void takesABatchApart()
    {
        const Parsed batch = parseLine(R"([{"jsonrpc":"2.0","id":1,"method":"a"},5])");
        const Parsed empty = parseLine("[]");

        QVERIFY(batch.batch);
        QCOMPARE(batch.elements.size(), std::size_t(2));
        QVERIFY(batch.elements[0].message.has_value());
        QVERIFY(batch.elements[1].error.has_value());
        QVERIFY(empty.batch);
        QCOMPARE(empty.elements.front().error.value_or(RpcError{}).code, kInvalidRequest);
    }

    void framesTheSameLinesHoweverTheBytesCome()
    {
        const std::string bytes = "one\ntwo\r\n\n\r\nthree\r\r\nrest";
        const Texts expected{"one", "two", "three\r"};
        for (std::size_t step = 1; step <= bytes.size(); ++step) {
            LineFramer framer;
            Texts got;
            for (std::size_t at = 0; at < bytes.size(); at += step) {
                for (const std::string& line :
                     texts(framer.feed(std::string_view(bytes).substr(at, step))))
                    got.push_back(line);
            }
            QVERIFY2(got == expected, qPrintable(QString::number(step)));
        }
    }

    void skipsALineThatIsTooLongAndGoesOn()
    {
        LineFramer framer(8);

        QCOMPARE(texts(framer.feed("12345678\n123456789")), (Texts{"12345678", "<too long>"}));
        QCOMPARE(texts(framer.feed("and on and on")), Texts{});
        QCOMPARE(texts(framer.feed(" to here\nnext\n")), Texts{"next"});
    }

    void knowsTheRevisionsAndWhatDiffers()
    {
        QVERIFY(findRevision("2026-07-28")->stateless && !findLegacyRevision("2026-07-28"));
        QVERIFY(!findRevision(""));
        QCOMPARE(newestLegacyRevision().name, std::string_view("2025-11-25"));
        QVERIFY(findRevision("2025-03-26")->batches);
        for (const char* name : {"2025-11-25", "2025-06-18", "2024-11-05"})
            QVERIFY(!findRevision(name)->batches);
        QVERIFY(!findRevision("2024-11-05")->progressMessage);
        QVERIFY(!findRevision("2024-11-05")->toolAnnotations);
        QVERIFY(!findRevision("2025-03-26")->titles);
        QVERIFY(findRevision("2025-06-18")->structuredContent);
    }

    void readsTheLimitsOfAConfiguration_data()
    {
        QTest::addColumn<QByteArray>("memory");
        QTest::addColumn<qint64>("bytes"); // 0: refused
        QTest::newRow("256m") << QByteArray("256m") << qint64(268'435'456);
        QTest::newRow("1g") << QByteArray("1g") << qint64(1'073'741'824);
        QTest::newRow("512MiB") << QByteArray("512MiB") << qint64(536'870'912);
        QTest::newRow("plain") << QByteArray("536870912") << qint64(536'870'912);
        QTest::newRow("spaces") << QByteArray(" 256 MB ") << qint64(268'435'456);
        for (const char* wrong :
             {"x", "12q", "-1g", "0", "15m", "1e99g", "nan", "inf", "1g1g", "0x10g", "m"})
            QTest::newRow(wrong) << QByteArray(wrong) << qint64(0);
    }
    void readsTheLimitsOfAConfiguration()
    {
        QFETCH(QByteArray, memory);
        QFETCH(qint64, bytes);
        const auto got = parseMemory(memory.toStdString());

        QCOMPARE(static_cast<qint64>(got.value_or(0)), bytes);
        if (!got)
            QVERIFY(got.error().message().find("256m") != std::string::npos);
    }

    void namesTheVariableThatCannotBeUsed()
    {
        Json params;
        params["parent_pid"] = 4711;
        params["parent_executable"] = "/usr/bin/client";
        params["sandbox_timeout"] = "soon";
        const BridgeIntroduction bad = readIntroduction(params);
        params["sandbox_timeout"] = "2.5";
        const BridgeIntroduction good = readIntroduction(params);

        QCOMPARE(bad.pid, 4711);
        QCOMPARE(bad.executable, std::string("/usr/bin/client"));
        QVERIFY(bad.limits.problem.has_value());
        for (const char* piece : {"SANDBOX_TIMEOUT", "soon", "2.5"})
            QVERIFY(bad.limits.problem->find(piece) != std::string::npos);
        QVERIFY(!good.limits.problem);
        QVERIFY(good.limits.timeout == std::chrono::milliseconds(2500));
        for (const char* wrong : {"0", "-3", "0.0001", "1e3", "5 apples", "inf"})
            QVERIFY2(!parseSeconds(wrong), wrong);
    }
};

QTEST_GUILESS_MAIN(TestMcpJsonrpc)
#include "tst_mcp_jsonrpc.moc"
