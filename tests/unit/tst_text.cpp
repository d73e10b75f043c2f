// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts, raw strings and Boost
#include "engine/base/ids.h"
#include "engine/base/log.h"
#include "engine/base/text.h"

#include <set>

using namespace belljar;

namespace {

constexpr char32_t kReplacement = 0xFFFD;

QByteArray bytes(std::string_view text)
{
    return QByteArray(text.data(), static_cast<qsizetype>(text.size()));
}

std::string utf8(const std::u32string& text)
{
    return QString::fromUcs4(text.data(), static_cast<qsizetype>(text.size())).toStdString();
}

} // namespace
#endif

class TestText : public QObject {
    Q_OBJECT

private slots:
    // Unicode 3.9: tables 3-7 (what is well-formed) and 3-8 to 3-11 (one U+FFFD per maximal
    // subpart).
    void decodesHoweverTheBytesAreSplit_data()
    {
        QTest::addColumn<QByteArray>("input");
        QTest::addColumn<QString>("expected"); // '?' stands for U+FFFD
        QTest::addColumn<int>("invalid");
        QTest::newRow("ASCII") << QByteArray("abc") << "abc" << 0;
        QTest::newRow("two bytes, first") << QByteArray("\xC2\x80") << QString(QChar(0x80)) << 0;
        QTest::newRow("two bytes, last") << QByteArray("\xDF\xBF") << QString(QChar(0x7FF)) << 0;
        QTest::newRow("three bytes, first")
            << QByteArray("\xE0\xA0\x80") << QString(QChar(0x800)) << 0;
        QTest::newRow("before the surrogates")
            << QByteArray("\xED\x9F\xBF") << QString(QChar(0xD7FF)) << 0;
        QTest::newRow("after the surrogates")
            << QByteArray("\xEE\x80\x80") << QString(QChar(0xE000)) << 0;
        QTest::newRow("four bytes, first")
            << QByteArray("\xF0\x90\x80\x80") << QString::fromUcs4(U"\U00010000") << 0;
        QTest::newRow("four bytes, last")
            << QByteArray("\xF4\x8F\xBF\xBF") << QString::fromUcs4(U"\U0010FFFF") << 0;
        QTest::newRow("emoji between text")
            << QByteArray("a\xF0\x9F\x98\x80z") << QString::fromUcs4(U"a\U0001F600z") << 0;
        QTest::newRow("byte order mark")
            << QByteArray("\xEF\xBB\xBFx") << QString(QChar(0xFEFF)) + "x" << 0;
        QTest::newRow("lone continuation") << QByteArray("a\x80z") << "a?z" << 1;
        QTest::newRow("two continuations") << QByteArray("\x80\xBF") << "??" << 2;
        QTest::newRow("table 3-8, overlong")
            << QByteArray("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41") << "????????A" << 8;
        QTest::newRow("table 3-9, surrogates")
            << QByteArray("\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41") << "????????A" << 8;
        QTest::newRow("table 3-10, beyond")
            << QByteArray("\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42") << "?????A??B" << 7;
        QTest::newRow("table 3-11, cut off")
            << QByteArray("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41") << "????A" << 8;
        QTest::newRow("no lead byte") << QByteArray("\xF5\xFE\xFF") << "???" << 3;
        QTest::newRow("two of three at the end") << QByteArray("a\xE2\x82") << "a?" << 2;
        QTest::newRow("three of four at the end") << QByteArray("\xF0\x9F\x98") << "?" << 3;
        QTest::newRow("lead after an unfinished one")
            << QByteArray("\xE2\x82\xC3\xA9") << QString("?") + QChar(0xE9) << 2;
        QTest::newRow("ASCII after an unfinished one")
            << QByteArray("\xF0\x9F\x98\nb") << "?\nb" << 3;
    }
    void decodesHoweverTheBytesAreSplit()
    {
        QFETCH(QByteArray, input);
        QFETCH(QString, expected);
        QFETCH(int, invalid);
        // As bytes, since QString drops a byte order mark.
        const std::string wanted = expected.replace('?', QChar(kReplacement)).toStdString();
        const std::string whole = input.toStdString();
        QCOMPARE(toValidUtf8(whole), wanted);
        QCOMPARE(isValidUtf8(whole), invalid == 0);

        for (std::size_t first = 0; first <= whole.size(); ++first) {
            for (std::size_t second = first; second <= whole.size(); ++second) {
                Utf8Decoder decoder;
                std::string text = decoder.feed(std::string_view(whole).substr(0, first));
                text += decoder.feed(std::string_view(whole).substr(first, second - first));
                text += decoder.feed(std::string_view(whole).substr(second));
                text += decoder.finish();
                QCOMPARE(text, wanted);
                QCOMPARE(decoder.invalidBytes(), static_cast<std::uint64_t>(invalid));
            }
        }
    }

    void givesWholeCharactersAsSoonAsTheyAreWhole()
    {
        Utf8Decoder decoder;

        QCOMPARE(bytes(decoder.feed("a\xE2\x82")), QByteArray("a"));
        QCOMPARE(bytes(decoder.feed("\xAC!")), QByteArray("\xE2\x82\xAC!"));
        QCOMPARE(bytes(decoder.finish()), QByteArray());
    }

    void keepsNul()
    {
        Utf8Decoder decoder;

        QCOMPARE(bytes(decoder.feed(std::string_view("a\0b", 3))), QByteArray("a\0b", 3));
        QCOMPARE(decoder.invalidBytes(), 0U);
    }

    void escapesWhatAPersonCanNotSee_data()
    {
        QTest::addColumn<uint>("codePoint");
        QTest::addColumn<bool>("escaped");
        const auto row = [](uint codePoint, bool escaped) {
            QTest::addRow("U+%04X", codePoint) << codePoint << escaped;
        };
        for (const uint codePoint :
             {0x00U,    0x07U,    0x08U,    0x0BU,    0x0DU,   0x1BU,   0x1FU,
              0x7FU,    0x80U,    0x85U,    0x9BU,    0x9FU, // controls
              0xADU,    0x034FU,  0x061CU,  0x115FU,  0x1160U, 0x17B4U, 0x180BU,
              0x180EU,  0x180FU,                                                 // ignorable
              0x200BU,  0x200CU,  0x200DU,  0x200EU,  0x200FU,                   // zero width
              0x2028U,  0x2029U,  0x202AU,  0x202BU,  0x202CU, 0x202DU, 0x202EU, // reading order
              0x2060U,  0x2066U,  0x2067U,  0x2068U,  0x2069U, 0x206FU, 0x3164U,
              0xFE00U,  0xFE0FU,  0xFEFFU,  0xFFA0U,  0xFFF9U, 0xFFFBU, 0x1D173U,
              0xE0001U, 0xE0020U, 0xE007FU, 0xE0100U, 0xE01EFU})
            row(codePoint, true);
        for (const uint codePoint :
             {0x09U,
              0x0AU,
              0x20U,
              0x22U,
              0x41U,
              0x7EU,
              0xA0U,
              0xE9U,
              0x200AU,
              0x2010U,
              0x202FU,
              0x3000U,
              0x4E2DU,
              0xFFFDU,
              0x1F600U,
              0x10FFFFU})
            row(codePoint, false);
    }
    void escapesWhatAPersonCanNotSee()
    {
        QFETCH(uint, codePoint);
        QFETCH(bool, escaped);
        const std::string text = utf8({U'a', static_cast<char32_t>(codePoint), U'z'});

        const std::string expected =
            escaped ? QString("a\\u{%1}z").arg(codePoint, 0, 16).toStdString() : text;

        QCOMPARE(isUnusual(codePoint), escaped);
        QCOMPARE(escapeUnusual(text), expected);
    }

    void escapesForOneLine()
    {
        QCOMPARE(
            bytes(escapeForLine("a\tb\r\n\"c\"\x1b[31m\xff")),
            QByteArray("a\\u{9}b\\u{d}\\u{a}\"c\"\\u{1b}[31m\xEF\xBF\xBD")
        );
    }

    void cutsBetweenCharacters_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("limit");
        QTest::addColumn<QByteArray>("prefix");
        QTest::addColumn<QByteArray>("suffix");
        const QByteArray euro("\xE2\x82\xAC");
        QTest::newRow("fits") << QByteArray("abc") << 3 << QByteArray("abc") << QByteArray("abc");
        QTest::newRow("nothing") << QByteArray("abc") << 0 << QByteArray() << QByteArray();
        QTest::newRow("ASCII") << QByteArray("abc") << 2 << QByteArray("ab") << QByteArray("bc");
        QTest::newRow("at a boundary") << euro + euro << 3 << euro << euro;
        QTest::newRow("one byte over") << euro + euro << 4 << euro << euro;
        QTest::newRow("one byte under") << euro + euro << 5 << euro << euro;
        QTest::newRow("no room for one") << euro << 2 << QByteArray() << QByteArray();
        QTest::newRow("four bytes")
            << QByteArray("\xF0\x9F\x98\x80\xF0\x9F\x98\x80") << 7 << QByteArray("\xF0\x9F\x98\x80")
            << QByteArray("\xF0\x9F\x98\x80");
        // What is no text is no reason to lose it.
        QTest::newRow("continuations only")
            << QByteArray(300, '\x80') << 200 << QByteArray(200, '\x80') << QByteArray(200, '\x80');
    }
    void cutsBetweenCharacters()
    {
        QFETCH(QByteArray, text);
        QFETCH(int, limit);
        QFETCH(QByteArray, prefix);
        QFETCH(QByteArray, suffix);
        const std::string whole = text.toStdString();

        QCOMPARE(bytes(prefixWithin(whole, static_cast<std::size_t>(limit))), prefix);
        QCOMPARE(bytes(suffixWithin(whole, static_cast<std::size_t>(limit))), suffix);
    }

    void tellsSizesToPeople_data()
    {
        QTest::addColumn<qulonglong>("size");
        QTest::addColumn<QString>("told");
        QTest::newRow("0") << 0ULL << "0 bytes";
        QTest::newRow("980") << 980ULL << "980 bytes";
        QTest::newRow("1 KB") << 1024ULL << "1 KB";
        QTest::newRow("1.5 KB") << 1536ULL << "1.5 KB";
        QTest::newRow("512 MB") << 512ULL * 1024 * 1024 << "512 MB";
        QTest::newRow("1.5 GB") << 1536ULL * 1024 * 1024 << "1.5 GB";
        QTest::newRow("a byte less than 1 MB")
            << 1024ULL * 1024 - 1 << "1.0 MB"; // never "1024.0 KB"
        QTest::newRow("the most") << ~0ULL << "16777216 TB";
    }
    void tellsSizesToPeople()
    {
        QFETCH(qulonglong, size);
        QFETCH(QString, told);

        QCOMPARE(QString::fromStdString(humanBytes(size)), told);
    }

    void groupsDigits()
    {
        QCOMPARE(groupedDigits(0), std::string("0"));
        QCOMPARE(groupedDigits(999), std::string("999"));
        QCOMPARE(groupedDigits(1000), std::string("1,000"));
        QCOMPARE(groupedDigits(104'857'600), std::string("104,857,600"));
        QCOMPARE(groupedDigits(~0ULL), std::string("18,446,744,073,709,551,615"));
    }

    void makesLogTextSafeAndShort()
    {
        QCOMPARE(log::safe("plain"), std::string("plain"));
        QVERIFY(log::safe("a\nb").find('\n') == std::string::npos);
        for (const std::string& text :
             {std::string(5000, 'x'),
              std::string(1024, '\x1b'),
              std::string(1023, 'x') + "\xE2\x82\xAC"}) {
            const std::string safe = log::safe(text);
            QVERIFY(safe.size() <= 1024);
            QVERIFY(isValidUtf8(safe));
            QVERIFY(safe.ends_with("..."));
        }
    }

    void makesIdsThatDiffer()
    {
        std::set<ExecutionId> ids;
        for (int count = 0; count < 1000; ++count) {
            const ExecutionId id = ExecutionId::make();
            QVERIFY(id.text().starts_with("ex_"));
            QCOMPARE(id.text().size(), 3U + 32U);
            QCOMPARE(id.text().find_first_not_of("0123456789abcdef", 3), std::string::npos);
            ids.insert(id);
        }
        QCOMPARE(ids.size(), 1000U);
        QVERIFY(ClientId::make().text().starts_with("cl_"));
        QVERIFY(ExecutionId().empty());
        QCOMPARE(randomHex(0), std::string());
    }
};

QTEST_GUILESS_MAIN(TestText)
#include "tst_text.moc"
