// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include <algorithm>

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/base/line_diff.h"

using namespace belljar;

namespace {

using Kind = DiffRow::Kind;
using Rows = std::vector<DiffRow>;
using Lines = std::vector<DiffLine>;

/// One side of a diff, put together again.
std::string sideOf(const Lines& lines, char without)
{
    std::string text;
    for (const DiffLine& line : lines) {
        if (line.mark != without)
            text += line.text + '\n';
    }
    return text;
}

std::string manyLines(const std::string& prefix, int count)
{
    std::string text;
    for (int number = 0; number < count; ++number)
        text += prefix + std::to_string(number) + '\n';
    return text;
}

} // namespace
#endif

class TestLineDiff : public QObject {
    Q_OBJECT

private slots:
    void standsSideBySide()
    {
        const Rows wanted{
            {Kind::Same, "a", "a"},
            {Kind::Removed, "b", ""},
            {Kind::Same, "c", "c"},
            {Kind::Added, "", "x"},
            {Kind::Same, "d", "d"}};
        QVERIFY(diffLines("a\nb\nc\nd\n", "a\nc\nx\nd\n") == wanted);
        QVERIFY((diffLines("a", "b") == Rows{{Kind::Changed, "a", "b"}}));
        QVERIFY(diffLines("", "").empty());
        QVERIFY((diffLines("", "a\n") == Rows{{Kind::Added, "", "a"}}));
    }

    void standsOneBelowTheOther()
    {
        const Lines wanted{
            {' ', "a"}, {'-', "b"}, {'-', "c"}, {'+', "x"}, {'+', "y"}, {'+', "z"}, {' ', "d"}};
        QVERIFY(compareLines("a\nb\nc\nd\n", "a\nx\ny\nz\nd\n") == wanted);
        QVERIFY((compareLines("a\n", "") == Lines{{'-', "a"}}));
    }

    // A line that ends otherwise is another line: nothing that runs is hidden.
    void tellsLineEndsApart()
    {
        QVERIFY((compareLines("a\r\n", "a\n") == Lines{{'-', "a\r"}, {'+', "a"}}));
    }

    void bothSidesAreWhole_data()
    {
        QTest::addColumn<QByteArray>("before");
        QTest::addColumn<QByteArray>("after");
        QTest::addColumn<int>("same");
        const auto row =
            [](const char* name, const std::string& before, const std::string& after, int same) {
                QTest::newRow(name) << QByteArray::fromStdString(before)
                                    << QByteArray::fromStdString(after) << same;
            };
        row("moved", "a\nb\nc\nd\ne\n", "e\na\nb\nc\nd\n", 4);
        row("repeated", "a\na\nb\na\n", "a\nb\na\na\n", 3);
        // Too much to look for the best: one block replaced by the other between what is common.
        const std::string begin = manyLines("begin", 10);
        row("large",
            begin + manyLines("x", 1500) + "end\n",
            begin + manyLines("y", 1500) + "end\n",
            11);
    }
    void bothSidesAreWhole()
    {
        QFETCH(QByteArray, before);
        QFETCH(QByteArray, after);
        QFETCH(int, same);
        const Lines lines = compareLines(before.toStdString(), after.toStdString());
        QCOMPARE(QByteArray::fromStdString(sideOf(lines, '+')), before);
        QCOMPARE(QByteArray::fromStdString(sideOf(lines, '-')), after);
        const auto kept = std::count_if(lines.begin(), lines.end(), [](const DiffLine& line) {
            return line.mark == ' ';
        });
        QCOMPARE(static_cast<int>(kept), same);
    }
};

QTEST_GUILESS_MAIN(TestLineDiff)
#include "tst_line_diff.moc"
