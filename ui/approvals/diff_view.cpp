// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/approvals/diff_view.h"

#include "engine/base/line_diff.h"
#include "engine/base/text.h"
#include "ui/shell/theme.h"

#include <QFontDatabase>
#include <QGridLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTextBlock>

namespace belljar::ui {

namespace {

constexpr std::size_t kMostColumns =
    500; // of a line shown here; the code itself is shown whole beside it
constexpr int kTint = 56;

QPlainTextEdit* makePane(const QString& name)
{
    auto* pane = new QPlainTextEdit;
    pane->setAccessibleName(name);
    pane->setReadOnly(true);
    pane->setLineWrapMode(QPlainTextEdit::NoWrap);
    pane->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    pane->setTabChangesFocus(true);
    return pane;
}

QString shown(const std::string& line)
{
    return QString::fromStdString(escapeForLine(prefixWithin(line, kMostColumns)));
}

/// Marks in front of the lines, so that colour is never alone.
struct Look {
    const char* before;
    const char* after;
};

Look lookOf(DiffRow::Kind kind)
{
    switch (kind) {
    case DiffRow::Kind::Same: return {"  ", "  "};
    case DiffRow::Kind::Changed: return {"- ", "+ "};
    case DiffRow::Kind::Removed: return {"- ", "  "};
    case DiffRow::Kind::Added: return {"  ", "+ "};
    }
    return {"  ", "  "};
}

} // namespace

DiffView::DiffView(QWidget* parent)
    : QWidget(parent)
    , m_beforeTitle(new QLabel)
    , m_afterTitle(new QLabel)
    , m_before(makePane(tr("Before")))
    , m_after(makePane(tr("After")))
{
    m_beforeTitle->setTextFormat(Qt::PlainText);
    m_afterTitle->setTextFormat(Qt::PlainText);
    auto* layout = new QGridLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_beforeTitle, 0, 0);
    layout->addWidget(m_afterTitle, 0, 1);
    layout->addWidget(m_before, 1, 0);
    layout->addWidget(m_after, 1, 1);
    layout->setRowStretch(1, 1);
    // One scrolls with the other.
    for (auto [from, to] : {std::pair(m_before, m_after), std::pair(m_after, m_before)}) {
        connect(
            from->verticalScrollBar(),
            &QScrollBar::valueChanged,
            to->verticalScrollBar(),
            &QScrollBar::setValue
        );
        connect(
            from->horizontalScrollBar(),
            &QScrollBar::valueChanged,
            to->horizontalScrollBar(),
            &QScrollBar::setValue
        );
    }
}

void DiffView::setTitles(const QString& before, const QString& after)
{
    m_beforeTitle->setText(before);
    m_afterTitle->setText(after);
}

void DiffView::setTexts(std::string_view before, std::string_view after)
{
    const auto rows = diffLines(before, after);
    QStringList left;
    QStringList right;
    m_differences = 0;
    for (const DiffRow& row : rows) {
        const Look look = lookOf(row.kind);
        left << QLatin1String(look.before) + shown(row.before);
        right << QLatin1String(look.after) + shown(row.after);
        m_differences += row.kind == DiffRow::Kind::Same ? 0 : 1;
    }
    m_before->setPlainText(left.join('\n'));
    m_after->setPlainText(right.join('\n'));
    const auto tint = [&rows](QPlainTextEdit* pane, DiffRow::Kind own, StatusGroup group) {
        QList<QTextEdit::ExtraSelection> selections;
        QColor color = currentColors().status(group);
        color.setAlpha(kTint);
        for (std::size_t at = 0; at < rows.size(); ++at) {
            if (rows[at].kind != DiffRow::Kind::Changed && rows[at].kind != own)
                continue;
            QTextEdit::ExtraSelection selection;
            selection.cursor =
                QTextCursor(pane->document()->findBlockByNumber(static_cast<int>(at)));
            selection.format.setBackground(color);
            selection.format.setProperty(QTextFormat::FullWidthSelection, true);
            selections << selection;
        }
        pane->setExtraSelections(selections);
    };
    tint(m_before, DiffRow::Kind::Removed, StatusGroup::Failed);
    tint(m_after, DiffRow::Kind::Added, StatusGroup::Succeeded);
}

} // namespace belljar::ui
