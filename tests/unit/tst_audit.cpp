// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts
#include "engine/audit/chain.h"
#include "engine/audit/head.h"
#include "engine/audit/masking.h"
#include "engine/audit/verifier.h"
#include "engine/base/file.h"
#include "engine/base/sha256.h"

#include <limits>

#include "private_folder.h"
#include <sys/stat.h>

using namespace belljar;
using namespace belljar::audit;
using belljar::test::PrivateFolder;

namespace {

Row exampleRow()
{
    Row row;
    row.sequence = 12;
    row.at = 1'700'000'000'123;
    row.type = "decided";
    row.execution = "ex_1";
    row.client = "cl_2";
    row.detail = R"({"a":1})";
    row.previous = std::string(64, 'b');
    row.hash = hashOf(row);
    return row;
}

/// `count` rows as the store makes them.
std::vector<Row> chainOf(int count)
{
    std::vector<Row> rows;
    std::string previous = zeroHash();
    for (int sequence = 1; sequence <= count; ++sequence) {
        Entry entry;
        entry.type = Type::Decided;
        entry.at = 1'000 + sequence;
        entry.detail = {{"n", sequence}};
        rows.push_back(seal(entry, sequence, previous));
        previous = rows.back().hash;
    }
    return rows;
}

Head headOf(const std::vector<Row>& rows)
{
    return {rows.front().hash, rows.back().sequence, rows.back().hash, 0};
}

Verification verify(const std::vector<Row>& rows, Result<Head> head)
{
    Verifier verifier(std::move(head));
    for (const Row& row : rows)
        verifier.add(row);
    return verifier.finish();
}

QByteArray text(const std::string& value)
{
    return QByteArray::fromStdString(value);
}

} // namespace
#endif

class TestAudit : public QObject {
    Q_OBJECT

private slots:
    void namesAreReadBackAsTheirTypes()
    {
        for (int value = 0; value <= int(Type::HistoryDeleted); ++value) {
            const auto type = static_cast<Type>(value);
            QVERIFY(typeFromName(nameOf(type)) == type);
        }
        QVERIFY(!typeFromName("Decided"));
        QVERIFY(!typeFromName(""));
    }

    void writesTheSameJsonForTheSameValue()
    {
        const Json value = {
            {"b", 1},
            {"a", {{"z", true}, {"y", nullptr}}},
            {"\xc3\xa9", "\xe2\x80\xae<"},
            {"B", 0.1}};
        QCOMPARE(
            text(canonicalJson(value)),
            text("{\"B\":0.1,\"a\":{\"y\":null,\"z\":true},\"b\":1,\"\xc3\xa9\":\"\xe2\x80\xae<\"}")
        );
        const double nan = std::numeric_limits<double>::quiet_NaN();
        QCOMPARE(
            text(canonicalJson(Json::array({1.0, -0.0, 1e300, nan, 18446744073709551615U}))),
            text("[1.0,-0.0,1e+300,null,18446744073709551615]")
        );
        QVERIFY2(
            isValidUtf8Text(canonicalJson("a\xff"
                                          "b")),
            "what isn't text is repaired"
        );
    }

    /// The preimage is a promise to whoever verifies an export: written out here by hand.
    void hashesTheDocumentedPreimage()
    {
        const Row row = exampleRow();
        const std::string preimage = "15:belljar-audit-1,64:" + std::string(64, 'b') +
                                     ",2:12,13:1700000000123,7:decided,4:ex_1,4:cl_2,7:{\"a\":1},";
        QCOMPARE(text(row.hash), text(sha256Hex(preimage)));
    }

    void noFieldCanBorrowFromItsNeighbour()
    {
        Row spliced = exampleRow();
        spliced.type = "decidedex_1";
        spliced.execution = "";
        QVERIFY(hashOf(spliced) != exampleRow().hash);
    }

    void masksWhatLooksLikeASecret_data()
    {
        QTest::addColumn<QString>("given");
        QTest::addColumn<QString>("expected");
        QTest::newRow("key of a provider") << "use sk-" + QString(20, 'a') + " now"
                                           << "use sk-[masked] now";
        QTest::newRow("token of a forge") << "ghp_0123456789abcdefABCDEF0123456789abcd"
                                          << "ghp_[masked]";
        QTest::newRow("header") << "Authorization: Bearer abcdef.123456"
                                << "Authorization: Bearer [masked]";
        QTest::newRow("password in an address") << "https://me:hunter2@host/x and more"
                                                << "https://me:[masked]@host/x and more";
        QTest::newRow("private key")
            << "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----;"
            << "-----BEGIN OPENSSH PRIVATE KEY-----[masked];";
        QTest::newRow("a hash is none") << QString(64, 'a') << QString(64, 'a');
        QTest::newRow("a word that ends like one") << "task-abcdefghijklmnopqrstuv"
                                                   << "task-abcdefghijklmnopqrstuv";
        QTest::newRow("an address without password") << "https://host:80/a@b"
                                                     << "https://host:80/a@b";
        QTest::newRow("too short") << "sk-1"
                                   << "sk-1";
    }
    void masksWhatLooksLikeASecret()
    {
        QFETCH(QString, given);
        QFETCH(QString, expected);
        QCOMPARE(QString::fromStdString(maskedText(given.toStdString())), expected);
    }

    void masksMembersThatSayTheyAreSecret()
    {
        const Json detail = {
            {"API-Key", "plain"}, {"note", "plain"}, {"deep", Json::array({{{"password", "x"}}})}};
        QCOMPARE(
            text(canonicalJson(masked(detail))),
            text(R"({"API-Key":"[masked]","deep":[{"password":"[masked]"}],"note":"plain"})")
        );
    }

    void exportsALineThatIsAsciiAndHarmless()
    {
        Row row = exampleRow();
        row.detail = "{\"x\":\"<script>&\xe2\x80\xae\xc3\xa9\\n\"}";
        row.hash = hashOf(row);
        const std::string line = exportLine(row);
        for (const char byte : line)
            QVERIFY(byte >= 0x20 && byte < 0x7f && byte != '<' && byte != '>' && byte != '&');
        const auto read = parseJson(line);
        QVERIFY(read);
        QCOMPARE(text(read->at("detail").get<std::string>()), text(row.detail));
        QCOMPARE(text(read->at("hash").get<std::string>()), text(row.hash));
        QCOMPARE(read->at("sequence").get<int>(), 12);
    }

    void findsALogIntact()
    {
        const auto rows = chainOf(10);
        const Verification found = verify(rows, headOf(rows));
        QVERIFY(found.intact);
        QCOMPARE(found.rows, 10U);
        QCOMPARE(found.lastSequence, 10);
        QCOMPARE(found.lastAt, 1'010);
        QVERIFY(found.head == HeadState::Agrees);
        QVERIFY(!found.firstBroken());
    }

    void aHeadThatLagsBehindIsNoDamage()
    {
        const auto rows = chainOf(10);
        const Head head{rows[0].hash, 7, rows[6].hash, 0};
        QVERIFY(verify(rows, head).intact);
        QVERIFY(verify(rows, Head{"", 0, zeroHash(), 0}).intact);
    }

    void anEmptyLogIsIntact()
    {
        const auto missing = fail(Errc::NotFound, "audit.head");
        QVERIFY(verify({}, missing).intact);
        QVERIFY(verify({}, Head{"", 0, zeroHash(), 0}).intact);
        QVERIFY(verify({}, missing).head == HeadState::NothingYet);
    }

    void oneChangedRowIsOneBreak()
    {
        auto rows = chainOf(10);
        rows[4].detail = "{}";
        const Verification found = verify(rows, headOf(rows));
        QVERIFY(!found.intact);
        QCOMPARE(found.breakCount, 1U);
        QCOMPARE(*found.firstBroken(), 5);
        QVERIFY(found.breaks[0].kind == BreakKind::Edited);
        QVERIFY(QString::fromStdString(found.summary()).contains("damaged at row 5"));
    }

    void aStoppedVerificationPromisesNothing()
    {
        const auto rows = chainOf(3);
        Verifier verifier(headOf(rows));
        verifier.add(rows[0]);
        verifier.stop();
        const Verification found = verifier.finish();
        QVERIFY(!found.intact);
        QVERIFY2(found.breaks.empty(), "the missing end isn't damage: it wasn't read");
        QVERIFY(QString::fromStdString(found.summary()).startsWith("stopped"));
    }

    void keepsAHundredBreaksAndCountsTheRest()
    {
        auto rows = chainOf(150);
        for (Row& row : rows)
            row.client = "x";
        const Verification found = verify(rows, headOf(rows));
        QCOMPARE(found.breaks.size(), Verification::kMostBreaks);
        QCOMPARE(found.breakCount, 150U);
    }

    void theHeadFileIsPrivateAndComesBack()
    {
        PrivateFolder folder;
        const auto file = folder.path() / "audit.head";
        const Head head = headOf(chainOf(3));
        ::umask(0);
        QVERIFY(writeHead(file, head));
        struct stat info {};
        QCOMPARE(::stat(file.c_str(), &info), 0);
        QCOMPARE(info.st_mode & 0777U, 0600U);
        const auto read = readHead(file);
        QVERIFY(read);
        QVERIFY(*read == head);
    }

    void refusesAHeadThatIsNone_data()
    {
        QTest::addColumn<QByteArray>("content");
        const QByteArray hash(64, 'a');
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("not JSON") << QByteArray("sequence 5");
        QTest::newRow("a list") << QByteArray("[]");
        QTest::newRow("no hash") << QByteArray("{\"sequence\":0}");
        QTest::newRow("upper case"
        ) << QByteArray("{\"first\":\"\",\"hash\":\"" + QByteArray(64, 'A') + "\",\"sequence\":0}");
        QTest::newRow("rows without a first")
            << QByteArray("{\"first\":\"\",\"hash\":\"" + hash + "\",\"sequence\":5}");
        QTest::newRow("negative"
        ) << QByteArray("{\"first\":\"\",\"hash\":\"" + hash + "\",\"sequence\":-5}");
        QTest::newRow("beyond any log") << QByteArray(
            "{\"first\":\"" + hash + "\",\"hash\":\"" + hash + "\",\"sequence\":9007199254740993}"
        );
    }
    void refusesAHeadThatIsNone()
    {
        QFETCH(QByteArray, content);
        PrivateFolder folder;
        const auto file = folder.path() / "audit.head";
        QVERIFY(writeFile(file, content.toStdString(), 0600));
        const auto read = readHead(file);
        QVERIFY(!read);
        QCOMPARE(text(std::string(nameOf(read.error().code()))), QByteArray("invalid_argument"));
    }

private:
    static bool isValidUtf8Text(const std::string& value)
    {
        return QString::fromUtf8(text(value)).toUtf8() == text(value);
    }
};

QTEST_GUILESS_MAIN(TestAudit)
#include "tst_audit.moc"
