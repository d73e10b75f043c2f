// SPDX-License-Identifier: GPL-3.0-or-later
// The runner's parsers and buffers by themselves, so that sanitizers see them.

#include "engine/runner/engine_queue.h"
#include "engine/runner/frame_reader.h"
#include "engine/runner/json_reader.h"
#include "engine/runner/launch.h"
#include "engine/runner/output_stream.h"
#include "engine/runner/sha256.h"
#include "engine/runner/stdin_spool.h"
#include "engine/runner/text.h"

#include <QCryptographicHash>
#include <QRandomGenerator>
#include <QTest>

#include <array>
#include <memory>
#include <string>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

using namespace belljar::runner;

namespace {

std::array<int, 2> openPipe()
{
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_NONBLOCK | O_CLOEXEC) != 0)
        qFatal("pipe2");
    return ends;
}

QByteArray readAll(int descriptor)
{
    QByteArray all;
    std::array<char, 65536> piece{};
    for (ssize_t size; (size = ::read(descriptor, piece.data(), piece.size())) > 0;)
        all.append(piece.data(), qsizetype(size));
    return all;
}

} // namespace

class TestRunnerParts : public QObject {
    Q_OBJECT

private slots:
    void readsWhatTheEngineWrites()
    {
        std::string text =
            " {\"op\":\"run\",\"n\":-12,\"big\":9007199254740993,\"f\":1.5e3,\"b\":true,\"no\":"
            "null,\n"
            "            "
            "\"list\":[\"a\",\"\",\"\\\"\\\\\\/"
            "\\b\\f\\n\\r\\t\",\"\\u00e9\\ud83d\\ude00\"],\"object\":{\"k\":{\"deep\":[]}}} ";
        const auto document = std::make_unique<JsonDocument>();

        QVERIFY(document->parse(text));

        const JsonNode& root = document->root();
        QCOMPARE(document->find(root, "op")->text, std::string_view("run"));
        QCOMPARE(document->find(root, "n")->number, std::int64_t{-12});
        QCOMPARE(document->find(root, "big")->number, std::int64_t{9007199254740993});
        QCOMPARE(document->find(root, "f")->kind, JsonKind::Fraction);
        QCOMPARE(document->find(root, "b")->kind, JsonKind::True);
        QCOMPARE(document->find(root, "missing"), nullptr);
        const JsonNode* item = document->firstChild(*document->find(root, "list"));
        QCOMPARE(item->text, std::string_view("a"));
        item = document->next(*item);
        QCOMPARE(item->text, std::string_view(""));
        item = document->next(*item);
        QCOMPARE(item->text, std::string_view("\"\\/\b\f\n\r\t"));
        item = document->next(*item);
        QCOMPARE(item->text, std::string_view("é😀"));
        QCOMPARE(item->text.data()[item->text.size()], '\0');
        QCOMPARE(document->next(*item), nullptr);
    }

    void refusesJson_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("open object") << QByteArray("{\"a\":1");
        QTest::newRow("open string") << QByteArray("\"a");
        QTest::newRow("open escape") << QByteArray("\"\\");
        QTest::newRow("half an escape") << QByteArray("\"\\u00");
        QTest::newRow("comma at the end") << QByteArray("[1,]");
        QTest::newRow("two values") << QByteArray("1 2");
        QTest::newRow("no key") << QByteArray("{1:2}");
        QTest::newRow("a control character") << QByteArray("\"a\nb\"");
        QTest::newRow("a NUL character") << QByteArray("\"a\\u0000b\"");
        QTest::newRow("half a surrogate pair") << QByteArray("\"\\ud83d\"");
        QTest::newRow("the other half") << QByteArray("\"\\ude00\"");
        QTest::newRow("too large a number") << QByteArray("9223372036854775808");
        QTest::newRow("a sign alone") << QByteArray("-");
        QTest::newRow("too deep") << QByteArray(17, '[') + QByteArray(17, ']');
        QTest::newRow("much too deep") << QByteArray(60'000, '[');
        QTest::newRow("too many values") << "[" + QByteArray("1,").repeated(5000) + "1]";
        QTest::newRow("too long") << "\"" + QByteArray(70'000, 'x') + "\"";
    }

    void refusesJson()
    {
        QFETCH(QByteArray, text);
        const auto document = std::make_unique<JsonDocument>();

        QVERIFY(!document->parse({text.data(), std::size_t(text.size())}));
    }

    void survivesBrokenJson()
    {
        const QByteArray good = "{\"op\":\"run\",\"argv\":[\"a\\n\\u00e9\"],\"env\":{\"A\":\"b\"},"
                                "\"n\":12.5e-3,\"t\":true}";
        QRandomGenerator random(7);
        const auto document = std::make_unique<JsonDocument>();
        for (int round = 0; round < 20'000; ++round) {
            QByteArray text = good.left(random.bounded(int(good.size()) + 1));
            for (int change = 0; change < 3 && !text.isEmpty(); ++change)
                text[random.bounded(int(text.size()))] = char(random.bounded(256));
            document->parse({text.data(), std::size_t(text.size())});
        }
        QByteArray text = good;
        QVERIFY(document->parse({text.data(), std::size_t(text.size())}));
    }

    void hashesLikeEveryoneElse()
    {
        QRandomGenerator random(3);
        for (int size : {0, 1, 55, 56, 57, 63, 64, 65, 119, 120, 128, 1000, 100'000}) {
            QByteArray bytes(size, '\0');
            for (char& byte : bytes)
                byte = char(random.bounded(256));
            Sha256 ours;
            for (qsizetype at = 0; at < bytes.size();) {
                const qsizetype piece =
                    std::min<qsizetype>(bytes.size() - at, 1 + random.bounded(200));
                ours.add(
                    {reinterpret_cast<const std::uint8_t*>(bytes.constData()) + at,
                     std::size_t(piece)}
                );
                at += piece;
            }
            const auto digest = ours.finish();
            QCOMPARE(
                QByteArray(digest.data(), qsizetype(digest.size())),
                QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex()
            );
        }
    }

    void cutsFramesWhereverTheBytesAreSplit()
    {
        FrameHeader control;
        control.length = 2;
        FrameHeader data;
        data.type = FrameType::Data;
        data.channel = Channel::Stdin;
        data.flags = 1;
        data.length = 5;
        QByteArray stream;
        const auto add = [&stream](const FrameHeader& header, const char* payload) {
            const auto bytes = encodeHeader(header);
            stream.append(reinterpret_cast<const char*>(bytes.data()), qsizetype(bytes.size()));
            stream.append(payload);
        };
        add(control, "{}");
        add(data, "hello");
        add(control, "[]");

        for (qsizetype cut = 0; cut <= stream.size(); ++cut) {
            const auto reader = std::make_unique<FrameReader>();
            const auto ends = openPipe();
            QByteArray seen;
            for (const QByteArray& part : {stream.left(cut), stream.mid(cut)}) {
                QCOMPARE(
                    ::write(ends[1], part.constData(), std::size_t(part.size())),
                    ssize_t(part.size())
                );
                reader->read(ends[0]);
                for (auto event = reader->next(3); event.kind != FrameReader::Kind::Nothing;
                     event = reader->next(3)) {
                    QVERIFY(event.kind != FrameReader::Kind::Invalid);
                    seen.append(event.payload.data(), qsizetype(event.payload.size()));
                    seen.append(event.end ? "|" : "");
                }
            }
            QCOMPARE(seen, QByteArray("{}hello|[]"));
            ::close(ends[0]);
            ::close(ends[1]);
        }
    }

    void keepsHeadAndTailExactly_data()
    {
        QTest::addColumn<int>("total");
        QTest::addColumn<int>("head");
        QTest::addColumn<int>("tail");
        QTest::newRow("all in the head") << 1000 << 1000 << 10;
        QTest::newRow("one byte more") << 1001 << 1000 << 10;
        QTest::newRow("head and tail full") << 1010 << 1000 << 10;
        QTest::newRow("one byte dropped") << 1011 << 1000 << 10;
        QTest::newRow("no head") << 5000 << 0 << 777;
        QTest::newRow("no tail") << 5000 << 777 << 0;
        QTest::newRow("nothing kept") << 5000 << 0 << 0;
        QTest::newRow("many rounds") << 300'000 << 3 << 1021;
    }

    void keepsHeadAndTailExactly()
    {
        QFETCH(int, total);
        QFETCH(int, head);
        QFETCH(int, tail);
        QByteArray bytes(total, '\0');
        for (int index = 0; index < total; ++index)
            bytes[index] = char(index * 31 + index / 256);
        const auto input = openPipe();
        const auto output = openPipe();
        const auto queue = std::make_unique<EngineQueue>(output[1]);
        const auto stream = std::make_unique<OutputStream>(Channel::Stdout);
        stream->setDescriptor(input[0]);
        stream->setLimits(std::uint64_t(head), std::uint64_t(tail));
        QByteArray sent;
        const auto drain = [&] {
            QCOMPARE(queue->write(), WriteOutcome::Good);
            sent += readAll(output[0]);
        };

        for (int at = 0; at < total;) {
            const int piece = std::min(total - at, 1 + (at * 13) % 5000);
            QCOMPARE(::write(input[1], bytes.constData() + at, std::size_t(piece)), ssize_t(piece));
            at += piece;
            while (stream->read(0) == OutputStream::ReadOutcome::Bytes)
                QVERIFY(stream->flush(*queue, 0));
            drain();
        }
        QVERIFY(stream->flush(*queue, 0));
        QVERIFY(stream->flushTail(*queue));
        drain();

        QByteArray gotHead;
        QByteArray gotTail;
        for (qsizetype at = 0; at < sent.size();) {
            const auto header =
                decodeHeader(reinterpret_cast<const std::uint8_t*>(sent.constData()) + at);
            QByteArray payload = sent.mid(at + qsizetype(kHeaderBytes), header.length);
            at += qsizetype(kHeaderBytes) + qsizetype(header.length);
            if (hasFlag(header, FrameFlag::HasOffset))
                gotTail += payload.mid(qsizetype(kOffsetBytes));
            else
                gotHead += payload;
        }
        QCOMPARE(gotHead, bytes.left(head));
        QCOMPARE(gotTail, bytes.mid(head).right(tail));
        QCOMPARE(stream->totalBytes(), std::uint64_t(total));
        QCOMPARE(stream->keptBytes(), std::uint64_t(gotHead.size() + gotTail.size()));
        stream->close();
        for (int descriptor : {input[1], output[0], output[1]})
            ::close(descriptor);
    }

    void holdsStandardInputUntilItIsRead()
    {
        const auto ends = openPipe();
        StdinSpool spool;
        QVERIFY(spool.open());
        spool.setPipe(ends[1]);
        QByteArray bytes;
        for (int index = 0; index < 400'000; ++index)
            bytes += QByteArray::number(index);
        QVERIFY(spool.add({bytes.constData(), std::size_t(bytes.size())}));
        spool.end();
        QVERIFY(spool.room() < StdinSpool::kMaxWaiting);

        QByteArray got;
        for (int round = 0; round < 1000 && got.size() < bytes.size(); ++round) {
            got += readAll(ends[0]);
            spool.write();
        }

        QCOMPARE(got.size(), bytes.size());
        QVERIFY(got == bytes);
        char extra = 0;
        QCOMPARE(::read(ends[0], &extra, 1), ssize_t{0}); // at its end
        ::close(ends[0]);
    }

    void quotesForJson()
    {
        Text<64> text;
        text.addQuoted("a\"b\\c\n\x01é");
        const std::string_view quoted = "\"a\\\"b\\\\c\\u000a\\u0001é\"";
        QCOMPARE(text.view(), quoted);
        Text<4> small;
        small.add("abc").add("de");
        QVERIFY(!small.isWhole());
        QCOMPARE(small.view(), std::string_view("abc"));
    }

    void letsTheLaterVariableWin()
    {
        const auto launch = std::make_unique<Launch>();
        launch->clear();
        std::array<char*, 4> inherited = {
            const_cast<char*>("PATH=/bin"),
            const_cast<char*>("A=old"),
            const_cast<char*>("AB=x"),
            nullptr};
        QVERIFY(launch->setVariable("A", "1"));
        QVERIFY(launch->setVariable("A", "2=2"));
        QVERIFY(launch->addInherited(inherited.data()));
        QVERIFY(!launch->setVariable("B=C", "x"));
        QVERIFY(!launch->setVariable("", "x"));
        QCOMPARE(launch->variable("A"), std::string_view("2=2"));
        QCOMPARE(launch->variable("AB"), std::string_view("x"));
        QCOMPARE(launch->variable("PATH"), std::string_view("/bin"));
        QCOMPARE(launch->variables()[3], nullptr);
        QVERIFY(!launch->addArgument(std::string(300'000, 'x')));
        QVERIFY(!launch->hasArguments());
    }
};

QTEST_GUILESS_MAIN(TestRunnerParts)
#include "tst_runner_parts.moc"
