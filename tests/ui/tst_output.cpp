// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QSettings>
#include <QStandardPaths>
#include <QTest>
#include <QTimer>
#include <QToolButton>

#include <ctime>

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "tests/support/gui_test.h"
#include "tests/ui/sample_runs.h"
#include "ui/execution/ansi_decoder.h"
#include "ui/execution/execution_page.h"
#include "ui/execution/line_store.h"
#include "ui/execution/output_panel.h"
#include "ui/shell/theme.h"

using namespace belljar;
using namespace belljar::ui;
using execution::OutputChunk;
using execution::Stream;

namespace {

std::vector<OutputLine> decoded(const std::string& bytes)
{
    AnsiDecoder decoder;
    std::vector<OutputLine> lines;
    decoder.feed(bytes, lines);
    decoder.finish(lines);
    return lines;
}

QString shown(const std::string& bytes)
{
    QStringList texts;
    for (const OutputLine& line : decoded(bytes))
        texts << line.text;
    return texts.join(QLatin1Char('\n'));
}

} // namespace
#endif

class TestOutput : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("belljar-test-output"));
        QSettings().clear();
    }
    void showsWhatItDoesNotInterpret_data();
    void showsWhatItDoesNotInterpret();
    void interpretsColours();
    void nothingIsHiddenByColour();
    void decodesTheSameWhereverTheBytesAreCut();
    void breaksVeryLongLines();
    void interleavesStreamsAndMarksGaps();
    void piecesDoNotMatter();
    void isBounded();
    void liveOutputIsShownWhenTheHistoryCannotBeRead();
    void aHundredThousandLinesCostNoMoreThanTheirBytes();
    void followsTheEndUntilScrolledUp();
    void findsAndCopiesPlainText();
    void everyColourCanBeRead();
    void partsOfAStoreKeepTheirOrderWhenOldLinesGiveWay();
    void wrappingShowsEveryCharacterOnce_data();
    void wrappingShowsEveryCharacterOnce();
    void wrappingFindsItsWayBackFromEveryRow();
    void jumpsFromErrorToError();
    void streamsApartShowTheirOwnLines();
    void whatWasChosenIsRemembered();
    void muchOutputAtOnceLeavesTheWindowAlive_data();
    void muchOutputAtOnceLeavesTheWindowAlive();
};

void TestOutput::showsWhatItDoesNotInterpret_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("text");
    const auto row = [](const char* name, const char* bytes, const char* text) {
        QTest::newRow(name) << QByteArray(bytes) << QString::fromUtf8(text);
    };
    row("plain", "one\ntwo", "one\ntwo");
    row("window title", "\x1b]0;owned\x07", "\\u{1b}]0;owned\\u{7}");
    row("clipboard", "\x1b]52;c;eA==\x07", "\\u{1b}]52;c;eA==\\u{7}");
    row("hyperlink", "\x1b]8;;https://x/\x1b\\link", "\\u{1b}]8;;https://x/\\u{1b}\\link");
    row("clear screen", "\x1b[2J\x1b[H", "\\u{1b}[2J\\u{1b}[H");
    row("cursor up and erase", "\x1b[1A\x1b[2K", "\\u{1b}[1A\\u{1b}[2K");
    row("device status", "\x1b[6n", "\\u{1b}[6n");
    row("alternate screen", "\x1b[?1049h", "\\u{1b}[?1049h");
    row("conceal is not obeyed", "\x1b[8m hidden \x1b[0m", " hidden ");
    row("C1 controls",
        "\xc2\x9b"
        "31m",
        "\\u{9b}31m");
    row("bell, shift",
        "a\x07"
        "b\x0e",
        "a\\u{7}b\\u{e}");
    row("bidirectional", "x\xe2\x80\xaey", "x\\u{202e}y");
    row("zero width",
        "a\xe2\x80\x8b"
        "b",
        "a\\u{200b}b");
    row("carriage return overwrites", "safe\rOVER", "OVER");
    row("carriage return keeps the rest", "12345\rab", "ab345");
    row("CR LF is a line end", "a\r\nb", "a\nb");
    row("backspace", "abc\b\b\bXYZ", "XYZ");
    row("backspace at the start", "\b\ba", "a");
    row("tab", "a\tb", "a       b");
    row("invalid UTF-8", "ok\xff\xfe!", "ok\xEF\xBF\xBD\xEF\xBF\xBD!");
    row("unfinished escape", "a\x1b[31", "a\\u{1b}[31");
    row("absurd parameters", "\x1b[99999999999999999999mx", "x");
    row("markup", "<b>&lt;</b>", "<b>&lt;</b>");
}
void TestOutput::showsWhatItDoesNotInterpret()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, text);
    QCOMPARE(shown(bytes.toStdString()), text);
}

void TestOutput::interpretsColours()
{
    const auto lines =
        decoded("\x1b[1;31mred\x1b[0m \x1b[4;38;5;46mgreen\x1b[39;24m\x1b[48;2;0;0;255mblue");
    QCOMPARE(lines.size(), std::size_t(1));
    QCOMPARE(lines[0].text, QStringLiteral("red greenblue"));
    const auto& runs = lines[0].runs;
    QCOMPARE(runs.size(), std::size_t(4));
    QVERIFY((runs[0] == StyledRun{3, TextStyle{1, -1, true, false}}));
    QVERIFY((runs[1] == StyledRun{1, TextStyle{}}));
    QVERIFY((runs[2] == StyledRun{5, TextStyle{10, -1, false, true}}));
    QCOMPARE(int(runs[3].style.background), 12);
}

void TestOutput::nothingIsHiddenByColour()
{
    const auto lines = decoded("\x1b[31;41mhidden");
    QVERIFY(lines[0].runs[0].style.foreground != lines[0].runs[0].style.background);
}

void TestOutput::decodesTheSameWhereverTheBytesAreCut()
{
    const std::string bytes = "é🙂\x1b[1;32mok\x1b[0m\rE\n\x1b]0;t\x07z";
    const QString whole = shown(bytes);
    for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
        AnsiDecoder decoder;
        std::vector<OutputLine> lines;
        decoder.feed(bytes.substr(0, cut), lines);
        decoder.feed(bytes.substr(cut), lines);
        decoder.finish(lines);
        QStringList texts;
        for (const OutputLine& line : lines)
            texts << line.text;
        QCOMPARE(texts.join(QLatin1Char('\n')), whole);
    }
}

void TestOutput::breaksVeryLongLines()
{
    const auto lines = decoded(std::string(1 << 20, 'x'));
    QVERIFY(lines.size() > 100);
    for (const OutputLine& line : lines)
        QVERIFY(line.text.size() <= 8192);
}

void TestOutput::interleavesStreamsAndMarksGaps()
{
    LineStore store;
    store.append(
        {{Stream::Stdout, 0, "out 1\nou"},
         {Stream::Stderr, 0, "err\n"},
         {Stream::Stdout, 8, "t 2\n"}}
    );
    store.append({{Stream::Stdout, 1000, "tail"}});
    QCOMPARE(store.size(), std::size_t(5));
    QCOMPARE(store.at(0).line.text, QStringLiteral("out 1"));
    QVERIFY(store.at(1).stream == Stream::Stderr);
    QCOMPARE(store.at(2).line.text, QStringLiteral("out 2"));
    QVERIFY(store.at(3).note && store.at(3).line.text.contains(QStringLiteral("988")));
    QCOMPARE(store.at(4).line.text, QStringLiteral("tail")); // still open
    store.finish();
    QCOMPARE(store.size(), std::size_t(5));
}

// Runs of plain characters are taken at once; byte by byte there are none.
void TestOutput::piecesDoNotMatter()
{
    const std::string texts[] = {
        "plain\rover\btext\tand\x1b[31mred\x1b[0m more\n",
        std::string(20'000, 'x') + "\r" + std::string(9'000, 'y') + "\nend",
        std::string(8191, 'a') + "\t\x01" + std::string(8200, 'b') + "\b\b" + std::string(50, 'c'),
        "caf\xc3\xa9 \xe4\xb8\xad\xe6\x96\x87 \x1b[1mbold\x1b]odd\x7f\n\n",
    };
    for (const std::string& text : texts) {
        const auto whole = decoded(text);
        AnsiDecoder decoder;
        std::vector<OutputLine> lines;
        for (const char byte : text)
            decoder.feed(std::string(1, byte), lines);
        decoder.finish(lines);
        QCOMPARE(lines.size(), whole.size());
        for (std::size_t at = 0; at < lines.size(); ++at) {
            QCOMPARE(lines[at].text, whole[at].text);
            QVERIFY(lines[at].runs == whole[at].runs);
        }
    }
}

void TestOutput::isBounded()
{
    LineStore store;
    store.append({{Stream::Stdout, 0, std::string(300'000, '\n')}});
    QCOMPARE(store.size(), LineStore::kMaxLines);
    QCOMPARE(store.droppedLines(), std::uint64_t(300'000 - LineStore::kMaxLines));

    // Long lines are bounded by their characters, long before there are so many of them.
    LineStore wide;
    const std::string megabyte(1U << 20U, 'x');
    for (std::size_t at = 0; at < 18; ++at)
        wide.append({{Stream::Stdout, at << 20U, megabyte}});
    std::size_t characters = 0;
    for (std::size_t row = 0; row < wide.size(); ++row)
        characters += static_cast<std::size_t>(wide.at(row).line.text.size());
    QVERIFY(characters > LineStore::kMaxCharacters * 9 / 10);
    QVERIFY(characters <= LineStore::kMaxCharacters + megabyte.size());
    QVERIFY(wide.droppedLines() > 0);
}

void TestOutput::liveOutputIsShownWhenTheHistoryCannotBeRead()
{
    ExecutionPage page;
    const execution::Record record = test::sampleRun(1, execution::Status::Running);
    page.show(record);
    page.apply({OutputAppended{record.id, {{Stream::Stdout, 0, "before\n"}}}});
    page.showFailure(QStringLiteral("the disk is gone"));
    page.apply({OutputAppended{record.id, {{Stream::Stdout, 7, "after\n"}}}});
    const auto* view = page.findChild<OutputView*>();
    QVERIFY(view);
    QCOMPARE(view->lines().size(), std::size_t(2));
    QCOMPARE(view->lines().at(0).line.text, QStringLiteral("before"));
    QCOMPARE(view->lines().at(1).line.text, QStringLiteral("after"));
}

void TestOutput::aHundredThousandLinesCostNoMoreThanTheirBytes()
{
    std::string lines;
    for (int line = 0; line < 100'000; ++line)
        lines += "line " + std::to_string(line) + "\n";
    const std::string oneLine(lines.size(), 'x');
    const auto paint = [](const std::string& bytes) {
        OutputView view;
        view.resize(600, 400);
        view.show();
        QElapsedTimer timer;
        timer.start();
        for (std::size_t at = 0; at < bytes.size(); at += 32'768)
            view.append({{Stream::Stdout, at, bytes.substr(at, 32'768)}});
        view.grab();
        return timer.nsecsElapsed();
    };
    paint(oneLine); // fonts are loaded now
    const auto many = paint(lines);
    const auto one = paint(oneLine);
    qInfo("100,000 lines against one line of as many bytes: %.2f", double(many) / double(one));
    QVERIFY(many < one * 20);
}

void TestOutput::followsTheEndUntilScrolledUp()
{
    OutputView view;
    view.resize(400, 200);
    view.show();
    view.append({{Stream::Stdout, 0, std::string(500, '\n')}});
    QVERIFY(view.isFollowing());
    QTest::keyClick(&view, Qt::Key_Home);
    QVERIFY(!view.isFollowing());
    view.append({{Stream::Stdout, 500, std::string(500, '\n')}});
    QVERIFY(!view.isFollowing());
    QTest::keyClick(&view, Qt::Key_End);
    QVERIFY(view.isFollowing());
}

void TestOutput::findsAndCopiesPlainText()
{
    OutputView view;
    view.append({{Stream::Stdout, 0, "one\n\x1b[31mtwo <b>bold</b>\x1b[0m\nthree\n"}});
    QVERIFY(view.findNext(QStringLiteral("BOLD")));
    QCOMPARE(view.selectedText(), QStringLiteral("bold"));
    QVERIFY(!view.findNext(QStringLiteral("absent")));
    view.selectAll();
    QCOMPARE(view.selectedText(), QStringLiteral("one\ntwo <b>bold</b>\nthree"));
}

// WCAG 1.4.3 for everything that is drawn as text, in both schemes.
void TestOutput::everyColourCanBeRead()
{
    for (const Scheme scheme : {Scheme::Light, Scheme::Dark}) {
        const Colors& colors = colorsOf(scheme);
        for (const QColor& background : {colors.window, colors.base}) {
            QVERIFY(contrast(colors.text, background) >= 4.5);
            QVERIFY(contrast(colors.muted, background) >= 4.5);
            for (const QColor& status : colors.statuses)
                QVERIFY2(contrast(status, background) >= 4.5, qPrintable(status.name()));
            for (int hue = 0; hue < 360; hue += 15)
                QVERIFY(
                    contrast(readableOn(QColor::fromHsv(hue, 255, 200), background), background) >=
                    4.4
                );
        }
        const QPalette palette = paletteOf(scheme);
        QVERIFY(
            contrast(
                palette.color(QPalette::HighlightedText), palette.color(QPalette::Highlight)
            ) >= 4.5
        );
        QVERIFY(contrast(colors.text, colors.banner) >= 4.5);
        QVERIFY(
            contrast(palette.color(QPalette::ButtonText), palette.color(QPalette::Button)) >= 4.5
        );
    }
}

void TestOutput::partsOfAStoreKeepTheirOrderWhenOldLinesGiveWay()
{
    using Part = LineStore::Part;
    LineStore store;
    store.append({{Stream::Stdout, 0, "o1\n"}, {Stream::Stderr, 0, "e1\ne2\n"}});
    store.append({{Stream::Stdout, 3, "o2\nop"}});
    QCOMPARE(store.size(Part::Stdout), std::size_t(3));
    QCOMPARE(store.at(2, Part::Stdout).line.text, QStringLiteral("op"));
    QCOMPARE(store.at(1, Part::Stderr).line.text, QStringLiteral("e2"));
    QCOMPARE(store.ordinalOf(1, Part::Stdout), std::uint64_t(3));
    store.append({{Stream::Stderr, 6, std::string(LineStore::kMaxLines - 1, '\n')}});
    QCOMPARE(store.dropped(Part::Stdout), std::uint64_t(1));
    QCOMPARE(store.dropped(Part::Stderr), std::uint64_t(2));
    QCOMPARE(store.at(0, Part::Stdout).line.text, QStringLiteral("o2"));
    QCOMPARE(store.size(Part::Stderr), LineStore::kMaxLines - 1);
}

void TestOutput::wrappingShowsEveryCharacterOnce_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("empty") << QString();
    QTest::newRow("plain") << QString(1000, QLatin1Char('x'));
    QTest::newRow("chinese") << QString::fromUtf8("中文").repeated(300);
    QTest::newRow("pairs") << QString::fromUtf8("🙂a").repeated(300);
    QTest::newRow("combining") << QString::fromUtf8("e\xcc\x81").repeated(300);
    QTest::newRow("broken pair") << QString(300, QChar(0xd800));
}

void TestOutput::wrappingShowsEveryCharacterOnce()
{
    QFETCH(QString, text);
    for (const int width : {1, 37, 200, 5000}) {
        Wrapping wrapping;
        wrapping.begin(LineStore(), LineStore::Part::Both, QFont(), width);
        QString joined;
        for (const Wrapping::Piece& piece : wrapping.piecesOf(text)) {
            QVERIFY(piece.length > 0 || text.isEmpty());
            QVERIFY(!(piece.start > 0 && text[piece.start].isLowSurrogate()));
            joined += text.mid(piece.start, piece.length);
        }
        QCOMPARE(joined, text);
    }
}

void TestOutput::wrappingFindsItsWayBackFromEveryRow()
{
    LineStore store;
    std::string bytes;
    for (int line = 0; line < 50; ++line)
        bytes += std::string(static_cast<std::size_t>(line * 7), 'x') + "\n";
    store.append({{Stream::Stdout, 0, bytes + std::string(500, 'y')}});
    store.append({{Stream::Stderr, 0, std::string(300, 'z')}});
    for (const int width : {0, 150}) {
        Wrapping wrapping;
        wrapping.begin(store, LineStore::Part::Both, QFont(), width);
        std::size_t row = 0;
        for (std::size_t line = 0; line < store.size(); ++line) {
            QCOMPARE(wrapping.rowOf(store, line), row);
            const auto pieces = wrapping.piecesOf(store.at(line).line.text);
            for (std::size_t piece = 0; piece < pieces.size(); ++piece, ++row) {
                QCOMPARE(wrapping.placeOf(store, row).line, line);
                QCOMPARE(wrapping.placeOf(store, row).piece, piece);
            }
        }
        QCOMPARE(wrapping.rows(store), row);
    }
}

void TestOutput::jumpsFromErrorToError()
{
    OutputPanel panel;
    panel.resize(500, 300);
    panel.show();
    panel.clear({});
    QVERIFY(!panel.jumpToError(Direction::Next));
    QCOMPARE(panel.findChild<QLabel*>("outputSaid")->text(), QStringLiteral("no errors"));
    panel.append(
        {{Stream::Stdout, 0, "fine\n"},
         {Stream::Stderr, 0, "warning one\nits second line\n"},
         {Stream::Stdout, 5, "fine\nTraceback (most recent call last):\n  File\n"},
         {Stream::Stderr, 28, "warning two\n"}}
    );
    auto* view = panel.findChild<OutputView*>("outputView");
    const auto next = [&](Direction direction) {
        return panel.jumpToError(direction) ? view->selectedText() : QStringLiteral("none");
    };
    QCOMPARE(next(Direction::Next), QStringLiteral("warning one"));
    QCOMPARE(next(Direction::Next), QStringLiteral("Traceback (most recent call last):"));
    QCOMPARE(next(Direction::Next), QStringLiteral("warning two"));
    QCOMPARE(next(Direction::Next), QStringLiteral("warning one"));
    QCOMPARE(next(Direction::Previous), QStringLiteral("warning two"));
    panel.findChild<QComboBox*>("outputArrangement")->setCurrentIndex(1);
    view = panel.findChild<OutputView*>("stderrView");
    QCOMPARE(next(Direction::Next), QStringLiteral("warning one"));
    QCOMPARE(next(Direction::Next), QStringLiteral("warning two"));
    panel.findChild<QComboBox*>("outputArrangement")->setCurrentIndex(0);
}

void TestOutput::streamsApartShowTheirOwnLines()
{
    OutputPanel panel;
    panel.resize(500, 300);
    panel.show();
    panel.clear({});
    panel.append({{Stream::Stdout, 0, "out\n"}, {Stream::Stderr, 0, "err\n"}});
    panel.findChild<QComboBox*>("outputArrangement")->setCurrentIndex(2);
    auto* out = panel.findChild<OutputView*>("stdoutView");
    auto* err = panel.findChild<OutputView*>("stderrView");
    QCOMPARE(out->selectedText(), QStringLiteral("out"));
    QCOMPARE(err->selectedText(), QStringLiteral("err"));
    QVERIFY(out->mapTo(&panel, QPoint()).y() < err->mapTo(&panel, QPoint()).y());
    panel.append({{Stream::Stderr, 4, "more <b>\x1b[8mhidden\n"}});
    QCOMPARE(err->selectedText(), QStringLiteral("err\nmore <b>hidden"));
    panel.clear({});
    QCOMPARE(err->lineCount(), std::size_t(0));
    panel.findChild<QComboBox*>("outputArrangement")->setCurrentIndex(0);
}

void TestOutput::whatWasChosenIsRemembered()
{
    {
        OutputPanel panel;
        panel.findChild<QComboBox*>("outputArrangement")->setCurrentIndex(1);
        panel.findChild<QToolButton*>("outputWrap")->setChecked(true);
        panel.findChild<QToolButton*>("outputFollow")->click();
    }
    OutputPanel panel;
    QVERIFY(panel.arrangement() == OutputPanel::Arrangement::SideBySide);
    QVERIFY(panel.findChild<OutputView*>("outputView")->wrap() == Wrap::On);
    panel.clear({});
    QVERIFY(!panel.findChild<OutputView*>("outputView")->isFollowing());
    QSettings().clear();
}

void TestOutput::muchOutputAtOnceLeavesTheWindowAlive_data()
{
    QTest::addColumn<bool>("manyLines");
    QTest::addColumn<bool>("wrap");
    QTest::newRow("1 MB of long lines") << false << false;
    QTest::newRow("1 MB of long lines, wrapped") << false << true;
    QTest::newRow("100,000 lines") << true << false;
    QTest::newRow("100,000 lines, wrapped") << true << true;
}

// Time of this thread alone: a machine that is busy with something else proves nothing.
void TestOutput::muchOutputAtOnceLeavesTheWindowAlive()
{
    QFETCH(bool, manyLines);
    QFETCH(bool, wrap);
    const auto threadMs = [] {
        timespec now{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
    };
    std::string bytes;
    for (int line = 0; line < 100'000; ++line)
        bytes += manyLines ? "line " + std::to_string(line) + "\n" : "0123456789";
    OutputPanel panel;
    panel.resize(600, 400);
    panel.show();
    panel.clear({});
    panel.findChild<QToolButton*>("outputWrap")->setChecked(wrap);
    panel.append({{Stream::Stdout, 0, "fonts are loaded now\n"}});
    panel.grab();
    double longest = 0;
    double before = threadMs();
    QTimer beat;
    QObject::connect(&beat, &QTimer::timeout, [&] {
        const double now = threadMs();
        longest = std::max(longest, now - before);
        before = now;
    });
    beat.start(0);
    QTimer::singleShot(0, &panel, [&] {
        panel.append({{Stream::Stdout, 21, bytes}});
        panel.finish();
    });
    QTRY_VERIFY_WITH_TIMEOUT(
        panel.findChild<OutputView*>("outputView")->lineCount() > 100 && !panel.isBusy(), 60'000
    );
    qInfo("longest stretch: %.1f ms", longest);
    QVERIFY2(longest < 50, qPrintable(QString::number(longest)));
    QSettings().clear();
}

BELLJAR_GUI_TEST_MAIN(TestOutput)
#include "tst_output.moc"
