// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts, raw strings and Boost
#include "engine/base/json.h"

#include <cmath>
#include <limits>

using namespace belljar;

namespace {

QString told(const Error& error)
{
    return QString::fromStdString(error.message());
}

std::string nested(std::size_t depth, char open, char close)
{
    return std::string(depth, open) + std::string(depth, close);
}

} // namespace
#endif

class TestJson : public QObject {
    Q_OBJECT

private slots:
    void parsesWhatIsValid_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("again");
        QTest::newRow("object") << QByteArray(" {\"b\":1,\"a\":[true,null,\"x\"]} ")
                                << QByteArray("{\"a\":[true,null,\"x\"],\"b\":1}");
        QTest::newRow("escaped NUL") << QByteArray("\"a\\u0000b\"") << QByteArray("\"a\\u0000b\"");
        QTest::newRow("surrogate pair")
            << QByteArray("\"\\ud83d\\ude00\"") << QByteArray("\"\xF0\x9F\x98\x80\"");
        QTest::newRow("same key, other objects") << QByteArray("[{\"a\":{\"a\":1}},{\"a\":2}]")
                                                 << QByteArray("[{\"a\":{\"a\":1}},{\"a\":2}]");
        QTest::newRow("brackets in text") << QByteArray("\"" + QByteArray(500, '[') + "\\\"[\"")
                                          << QByteArray("\"" + QByteArray(500, '[') + "\\\"[\"");
        QTest::newRow("minus zero") << QByteArray("-0.0") << QByteArray("-0.0");
        QTest::newRow("most unsigned")
            << QByteArray("18446744073709551615") << QByteArray("18446744073709551615");
        QTest::newRow("more than unsigned")
            << QByteArray("18446744073709551616") << QByteArray("1.8446744073709552e+19");
    }
    void parsesWhatIsValid()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, again);

        const auto json = parseJson(text.toStdString());

        QVERIFY2(json, json ? "" : json.error().message().c_str());
        QCOMPARE(QByteArray::fromStdString(dumpJson(*json)), again);
    }

    void refusesWhatIsNot_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("says");
        QTest::newRow("nothing") << QByteArray("") << "at byte 1";
        QTest::newRow("cut off") << QByteArray("{\"a\":") << "at byte 6";
        QTest::newRow("two values") << QByteArray("1 2") << "at byte 3";
        QTest::newRow("comma at the end") << QByteArray("[1,]") << "at byte 4";
        QTest::newRow("comment") << QByteArray("/* */ 1") << "at byte 1";
        QTest::newRow("NaN") << QByteArray("NaN") << "at byte 1";
        QTest::newRow("too large a number") << QByteArray("1e400") << "not valid JSON";
        QTest::newRow("raw control in text") << QByteArray("\"a\nb\"") << "at byte 3";
        QTest::newRow("duplicate key") << QByteArray("{\"a\":1,\"a\":2}") << "the key \"a\" twice";
        QTest::newRow("duplicate key, deep")
            << QByteArray("[{\"b\":{\"x\":1,\"\\u0078\":2}}]") << "the key \"x\" twice";
        QTest::newRow("duplicate key with a control")
            << QByteArray("{\"\\u001b\":1,\"\\u001b\":2}") << "\\u{1b}";
        QTest::newRow("lone high surrogate") << QByteArray("\"\\ud83d\"") << "at byte";
        QTest::newRow("lone low surrogate") << QByteArray("\"\\ude00\"") << "at byte";
        QTest::newRow("two high surrogates") << QByteArray("\"\\ud83d\\ud83d\"") << "at byte";
        QTest::newRow("invalid UTF-8") << QByteArray("\"\xff\"") << "at byte 2";
        QTest::newRow("overlong UTF-8") << QByteArray("\"\xC0\xAF\"") << "at byte 2";
        QTest::newRow("surrogate in UTF-8") << QByteArray("\"\xED\xA0\x80\"") << "at byte 3";
        QTest::newRow("NUL after a value") << QByteArray("{}\0garbage", 10) << "NUL at byte 3";
        QTest::newRow("NUL alone") << QByteArray("\0", 1) << "NUL at byte 1";
        QTest::newRow("NUL in text") << QByteArray("\"a\0b\"", 5) << "NUL at byte 3";
    }
    void refusesWhatIsNot()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, says);

        const auto json = parseJson(text.toStdString());

        QVERIFY(!json);
        QCOMPARE(nameOf(json.error().code()), nameOf(Errc::InvalidArgument));
        QVERIFY2(told(json.error()).contains(says), json.error().message().c_str());
    }

    void boundsDepth_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("accepted");
        QTest::newRow("64 arrays") << QByteArray::fromStdString(nested(64, '[', ']')) << true;
        QTest::newRow("65 arrays") << QByteArray::fromStdString(nested(65, '[', ']')) << false;
        QTest::newRow("a million arrays, none closed") << QByteArray(1'000'000, '[') << false;
        QByteArray objects;
        for (int depth = 0; depth < 65; ++depth)
            objects += "{\"a\":";
        QTest::newRow("65 objects") << objects + "1" + QByteArray(65, '}') << false;
        QTest::newRow("brackets after an escaped quote")
            << "\"\\\\\"" + QByteArray(65, '[') << false;
    }
    void boundsDepth()
    {
        QFETCH(QByteArray, text);
        QFETCH(bool, accepted);

        const auto json = parseJson(text.toStdString());

        QCOMPARE(json.has_value(), accepted);
        if (!accepted)
            QVERIFY2(told(json.error()).contains("deeper than 64"), json.error().message().c_str());
    }

    void boundsSize()
    {
        JsonLimits limits;
        limits.maxBytes = 4;

        QVERIFY(parseJson("[12]", limits));
        const auto json = parseJson("[123]", limits);
        QVERIFY(!json);
        QVERIFY(told(json.error()).contains("5 bytes; at most 4"));
    }

    void keepsItsMessagesShort()
    {
        const auto broken = parseJson("\"" + std::string(1'000'000, 'x') + "\n\"");
        const std::string key(1'000'000, 'k');
        const auto twice = parseJson("{\"" + key + "\":1,\"" + key + "\":2}");

        QVERIFY(!broken);
        QVERIFY(broken.error().message().size() < 400);
        QVERIFY(!twice);
        QVERIFY(twice.error().message().size() < 400);
    }

    void repairsTextWhenItWrites()
    {
        QCOMPARE(
            dumpJson(Json("a\xff\x62")),
            std::string("\"a\xEF\xBF\xBD"
                        "b\"")
        );
        QCOMPARE(dumpJson(Json({{"a", "line\nline"}})), std::string("{\"a\":\"line\\nline\"}"));
    }

    void readsMembers()
    {
        const Json json = parseJson(R"({"s":"x","b":true,"i":7,"d":0.5,"n":null})").value();
        JsonReader reader(json, "place");

        QCOMPARE(reader.string("s").value(), std::string("x"));
        QCOMPARE(reader.boolean("b").value(), true);
        QCOMPARE(reader.integer("i", 0, 10).value(), 7);
        QCOMPARE(reader.number("d", 0, 1).value(), 0.5);
        QCOMPARE(reader.number("i", 0, 10).value(), 7.0);
        QVERIFY(!reader.string("n"));
        QVERIFY(!reader.string("absent"));
        QVERIFY(!reader.member("n"));
        QVERIFY(reader.member("s"));
        QVERIFY(!reader.error());
    }

    void namesThePlaceOfAnError_data()
    {
        QTest::addColumn<QString>("json");
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("says");
        QTest::newRow("text") << R"({"k":1})"
                              << "string"
                              << "limits.k: expected text, got number";
        QTest::newRow("yes or no") << R"({"k":"true"})"
                                   << "boolean"
                                   << "limits.k: expected true or false, got string";
        QTest::newRow("whole number")
            << R"({"k":"lots"})"
            << "integer"
            << "limits.k: expected a whole number from 1 to 10, got string";
        QTest::newRow("too low") << R"({"k":0})"
                                 << "integer"
                                 << "limits.k: expected a whole number from 1 to 10, got 0";
        QTest::newRow("too high") << R"({"k":11})"
                                  << "integer"
                                  << "limits.k: expected a whole number from 1 to 10, got 11";
        QTest::newRow("fraction") << R"({"k":1.5})"
                                  << "integer"
                                  << "limits.k: expected a whole number from 1 to 10, got 1.5";
        QTest::newRow("number") << R"({"k":[]})"
                                << "number"
                                << "limits.k: expected a number from 0.5 to 10.0, got array";
        QTest::newRow("number too low") << R"({"k":0.25})"
                                        << "number"
                                        << "limits.k: expected a number from 0.5 to 10.0, got 0.25";
        QTest::newRow("required") << R"({"k":null})"
                                  << "require"
                                  << "limits.k: is required";
        QTest::newRow("no object") << "[]"
                                   << "string"
                                   << "limits: expected an object, got array";
    }
    void namesThePlaceOfAnError()
    {
        QFETCH(QString, json);
        QFETCH(QString, kind);
        QFETCH(QString, says);
        const Json value = parseJson(json.toStdString()).value();
        JsonReader reader(value, "limits");

        if (kind == "string")
            QVERIFY(!reader.string("k"));
        else if (kind == "boolean")
            QVERIFY(!reader.boolean("k"));
        else if (kind == "integer")
            QVERIFY(!reader.integer("k", 1, 10));
        else if (kind == "number")
            QVERIFY(!reader.number("k", 0.5, 10));
        else
            reader.require("k");

        QVERIFY(reader.error());
        QCOMPARE(told(*reader.error()), says);
    }

    void remembersTheFirstError()
    {
        const Json value = parseJson(R"({"a":1,"b":2})").value();
        JsonReader reader(value, "");

        QVERIFY(!reader.string("a"));
        QVERIFY(!reader.string("b"));

        QCOMPARE(told(*reader.error()), QString("a: expected text, got number"));
    }

    void readsWholeNumbersExactly_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("fits");
        QTest::addColumn<qlonglong>("value");
        constexpr auto kMost = std::numeric_limits<qlonglong>::max();
        constexpr auto kLeast = std::numeric_limits<qlonglong>::min();
        QTest::newRow("2^63 - 1") << "9223372036854775807" << true << kMost;
        QTest::newRow("2^63") << "9223372036854775808" << false << 0LL;
        QTest::newRow("2^64 - 1") << "18446744073709551615" << false << 0LL;
        QTest::newRow("2^64") << "18446744073709551616" << false << 0LL;
        QTest::newRow("-2^63") << "-9223372036854775808" << true << kLeast;
        QTest::newRow("-2^63 - 1")
            << "-9223372036854775809" << true << kLeast; // the nearest double
        QTest::newRow("2^53 + 1") << "9007199254740993" << true << 9007199254740993LL;
        QTest::newRow("2^63 as a double") << "9.223372036854775808e18" << false << 0LL;
        QTest::newRow("1e3") << "1e3" << true << 1000LL;
        QTest::newRow("7.0") << "7.0" << true << 7LL;
        QTest::newRow("-0") << "-0" << true << 0LL;
        QTest::newRow("-0.0") << "-0.0" << true << 0LL;
        QTest::newRow("1e300") << "1e300" << false << 0LL;
    }
    void readsWholeNumbersExactly()
    {
        QFETCH(QString, text);
        QFETCH(bool, fits);
        QFETCH(qlonglong, value);
        const Json json = parseJson("{\"k\":" + text.toStdString() + "}").value();
        JsonReader reader(json, "");

        const auto read = reader.integer(
            "k", std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()
        );

        QCOMPARE(read.has_value(), fits);
        QCOMPARE(reader.error().has_value(), !fits);
        if (fits)
            QCOMPARE(static_cast<qlonglong>(*read), value);
    }
};

QTEST_GUILESS_MAIN(TestJson)
#include "tst_json.moc"
