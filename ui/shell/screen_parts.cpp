// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/screen_parts.h"

#include "engine/base/text.h"

#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

namespace belljar::ui {

QString safe(const std::string& text)
{
    return QString::fromStdString(escapeForLine(text));
}

QString inShortLines(const QString& text)
{
    constexpr qsizetype kLongest = 1000;
    QStringList lines;
    for (const QString& line : text.split(QLatin1Char('\n'))) {
        qsizetype at = 0;
        for (; line.size() - at > kLongest; at += kLongest)
            lines << line.mid(at, kLongest) + QStringLiteral("↩");
        lines << line.mid(at);
    }
    return lines.join(QLatin1Char('\n'));
}

void setUpRows(QTableView& table, double linesInARow)
{
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setSelectionMode(QAbstractItemView::SingleSelection);
    table.setShowGrid(false);
    table.setWordWrap(false);
    table.setTabKeyNavigation(false);
    table.setFrameShape(QFrame::NoFrame);
    table.verticalHeader()->hide();
    table.verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table.verticalHeader()->setDefaultSectionSize(
        qRound(table.fontMetrics().lineSpacing() * linesInARow)
    );
    table.horizontalHeader()->setHighlightSections(false);
}

void setColumnWidths(QTableView& table, std::span<const char* const> widestTexts, int stretched)
{
    QHeaderView* header = table.horizontalHeader();
    const QFontMetrics metrics = table.fontMetrics();
    int column = 0;
    for (const char* text : widestTexts)
        header->resizeSection(
            column++,
            metrics.horizontalAdvance(QString::fromLatin1(text)) + metrics.averageCharWidth() * 2
        );
    header->setMinimumSectionSize(metrics.averageCharWidth() * 8);
    header->setSectionResizeMode(stretched, QHeaderView::Stretch);
}

QWidget* makeMessagePage(QLabel* text, QPushButton* button)
{
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->addStretch();
    layout->addWidget(text);
    if (button)
        layout->addWidget(button, 0, Qt::AlignHCenter);
    layout->addStretch();
    return page;
}

} // namespace belljar::ui
