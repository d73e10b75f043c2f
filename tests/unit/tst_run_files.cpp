// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#ifndef Q_MOC_RUN
#include "engine/base/text.h"
#include "engine/execution/files.h"

using namespace belljar;
using namespace belljar::execution;
#endif

class TestRunFiles : public QObject {
    Q_OBJECT

private slots:
    void savesUnderAHarmlessName_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("saved");
        QTest::newRow("plain") << QByteArray("plot.png") << QByteArray("plot.png");
        QTest::newRow("folder") << QByteArray("out/plot.png") << QByteArray("plot.png");
        QTest::newRow("leads out") << QByteArray("../../x") << QByteArray("x");
        QTest::newRow("only dots") << QByteArray("a/..") << QByteArray("file");
        QTest::newRow("hidden") << QByteArray(".bashrc") << QByteArray("bashrc");
        QTest::newRow("option") << QByteArray("--help") << QByteArray("help");
        QTest::newRow("markup") << QByteArray("<img>") << QByteArray("img_");
        QTest::newRow("home") << QByteArray("a~$x") << QByteArray("a__x");
        QTest::newRow("device") << QByteArray("CON.txt") << QByteArray("file-CON.txt");
        QTest::newRow("letters") << QByteArray("\xe5\x9b\xbe.png")
                                 << QByteArray("\xe5\x9b\xbe.png");
    }
    void savesUnderAHarmlessName()
    {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, saved);
        QCOMPARE(QByteArray::fromStdString(saveName(name.toStdString())), saved);
    }

    void neverSavesUnderWhatCantBeSeen_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::newRow("right to left") << QByteArray("a\xe2\x80\xaegnp.exe");
        QTest::newRow("newline") << QByteArray("a\nb\x1b[31m");
        QTest::newRow("invalid") << QByteArray("\xff\xfe.png");
        QTest::newRow("long") << QByteArray(4096, 'x') + ".png";
        QTest::newRow("backslash") << QByteArray("..\\..\\x");
    }
    void neverSavesUnderWhatCantBeSeen()
    {
        QFETCH(QByteArray, name);
        const std::string saved = saveName(name.toStdString());
        QVERIFY(!saved.empty() && saved.size() <= 120);
        QVERIFY(saved.find_first_of(std::string("/\\\n\x1b\0", 5)) == std::string::npos);
        QCOMPARE(saved, escapeForLine(saved));
        QVERIFY(saved.front() != '.' && saved.front() != '-');
        if (name.endsWith(".png"))
            QVERIFY(saved.ends_with(".png"));
        const std::string shown = shownName(name.toStdString());
        QVERIFY(isValidUtf8(shown) && shown.find('\n') == std::string::npos);
    }

    void numbersNamesThatWouldBeTheSame()
    {
        std::vector<RunFile> files(4);
        files[0].name = "a/plot.png";
        files[1].name = "b/Plot.png";
        files[2].name = "plot-2.png";
        files[3].name = "plot.png";
        const std::vector<std::string> expected = {
            "plot.png", "Plot-2.png", "plot-2-2.png", "plot-3.png"};
        QCOMPARE(saveNames(files), expected);
    }

    void tellsTheKindByTheFirstBytes_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QByteArray>("kind");
        QTest::newRow("png") << QByteArray("\x89PNG\r\n\x1a\nrest") << QByteArray("png");
        QTest::newRow("jpeg") << QByteArray("\xff\xd8\xff\xe0") << QByteArray("jpeg");
        QTest::newRow("gif") << QByteArray("GIF89a") << QByteArray("gif");
        QTest::newRow("webp") << QByteArray("RIFF\1\2\3\4WEBPVP8 ") << QByteArray("webp");
        QTest::newRow("svg") << QByteArray("\n<?xml?><svg>") << QByteArray("svg");
        QTest::newRow("text") << QByteArray("a <svg> in words") << QByteArray("text");
        QTest::newRow("empty") << QByteArray() << QByteArray("text");
        QTest::newRow("zeros") << QByteArray(3, '\0') << QByteArray("other");
        QTest::newRow("latin 1") << QByteArray("\xe9t\xe9") << QByteArray("other");
        QTest::newRow("cut character") << QByteArray(4095, 'x') + "\xc3\xa9" << QByteArray("text");
    }
    void tellsTheKindByTheFirstBytes()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QByteArray, kind);
        const FileKind found = sniffKind(bytes.toStdString());
        QCOMPARE(QByteArray::fromStdString(std::string(nameOf(found))), kind);
        QVERIFY(fileKindFromName(nameOf(found)) == found);
    }

    void saysHonestlyWhatIsMissing()
    {
        RunFiles files;
        QCOMPARE(summaryOf(files), std::string());
        files.counts = {12, 3, 25, 0, 0, 0, 0, 0, 0};
        QCOMPARE(summaryOf(files), std::string("12 files kept; 28 not: 3 too large, 25 too many"));
        files.whole = false;
        QVERIFY(summaryOf(files).ends_with("; not everything could be looked at"));
    }
};

QTEST_APPLESS_MAIN(TestRunFiles)
#include "tst_run_files.moc"
