// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/approvals/diff_view.h"

#include "engine/base/line_diff.h"
#include "engine/base/text.h"
#include "ui/shell/theme.h"

#include <QFontDatabase>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QShortcut>
#include <QTextBlock>
#include <QToolButton>

#include <algorithm>

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

/// The rows of a diff by `key`, with the lines as they are.
std::vector<DiffRow>
diffBy(const DiffView::Key& key, std::string_view before, std::string_view after)
{
    if (!key)
        return diffLines(before, after);
    const auto keyOf = [&key](std::string_view text) {
        return key(QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())))
            .toStdString();
    };
    std::vector<DiffRow> rows = diffLines(keyOf(before), keyOf(after));
    const auto takeLine = [](std::string_view& rest) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        std::string line(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
        return line;
    };
    for (DiffRow& row : rows) {
        if (row.kind != DiffRow::Kind::Added)
            row.before = takeLine(before);
        if (row.kind != DiffRow::Kind::Removed)
            row.after = takeLine(after);
    }
    return rows;
}

} // namespace

DiffView::DiffView(QWidget* parent)
    : QWidget(parent)
    , m_beforeTitle(new QLabel)
    , m_afterTitle(new QLabel)
    , m_before(makePane(tr("Before")))
    , m_after(makePane(tr("After")))
    , m_bar(nullptr)
    , m_place(new QLabel)
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
    m_bar = makeBar();
    layout->addWidget(m_bar, 2, 0, 1, 2);
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

QWidget* DiffView::makeBar()
{
    m_place->setObjectName(QStringLiteral("diffPlace"));
    m_place->setTextFormat(Qt::PlainText);
    auto* bar = new QWidget;
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addStretch(1);
    layout->addWidget(m_place);
    struct Step {
        const char* name;
        QString text;
        QString help;
        QKeySequence keys;
        void (DiffView::*go)();
    };
    for (const Step& step :
         {Step{
              "previousDifference",
              QStringLiteral("▲"),
              tr("Previous difference (Shift+F8)"),
              QKeySequence(Qt::SHIFT | Qt::Key_F8),
              &DiffView::goToPrevious},
          Step{
              "nextDifference",
              QStringLiteral("▼"),
              tr("Next difference (F8)"),
              QKeySequence(Qt::Key_F8),
              &DiffView::goToNext}}) {
        auto* button = new QToolButton;
        button->setObjectName(QLatin1String(step.name));
        button->setText(step.text);
        button->setToolTip(step.help);
        button->setAccessibleName(step.help);
        button->setFocusPolicy(Qt::StrongFocus);
        connect(button, &QToolButton::clicked, this, step.go);
        layout->addWidget(button);
        auto* shortcut = new QShortcut(step.keys, this);
        shortcut->setContext(Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, this, step.go);
    }
    bar->hide();
    return bar;
}

int DiffView::currentRow() const
{
    return m_before->textCursor().blockNumber();
}

void DiffView::goToNext()
{
    goTo(m_current + 1 < m_places.size() ? m_current + 1 : 0); // also from kNowhere
}

void DiffView::goToPrevious()
{
    const bool first = m_current == kNowhere || m_current == 0;
    goTo((first ? m_places.size() : m_current) - 1);
}

void DiffView::goTo(std::size_t place)
{
    if (place >= m_places.size())
        return;
    m_current = place;
    for (QPlainTextEdit* pane : {m_before, m_after}) {
        pane->setTextCursor(QTextCursor(pane->document()->findBlockByNumber(m_places[place])));
        pane->centerCursor();
    }
    m_place->setText(tr("%1 of %2").arg(place + 1).arg(m_places.size()));
}

void DiffView::setTitles(const QString& before, const QString& after)
{
    m_beforeTitle->setText(before);
    m_afterTitle->setText(after);
}

void DiffView::setTexts(std::string_view before, std::string_view after, const Key& key)
{
    const auto rows = diffBy(key, before, after);
    QStringList left;
    QStringList right;
    m_differences = 0;
    m_places.clear();
    m_current = kNowhere;
    bool differed = false;
    for (const DiffRow& row : rows) {
        const bool differs = row.kind != DiffRow::Kind::Same;
        if (differs && !differed)
            m_places.push_back(static_cast<int>(left.size()));
        differed = differs;
        const Look look = lookOf(row.kind);
        left << QLatin1String(look.before) + shown(row.before);
        right << QLatin1String(look.after) + shown(row.after);
        m_differences += differs ? 1 : 0;
    }
    m_place->setText(tr("%n place(s) differ", nullptr, static_cast<int>(m_places.size())));
    m_bar->setVisible(!m_places.empty());
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
