// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/command_palette.h"

#include "ui/shell/menu_text.h"

#include <QAction>
#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace belljar::ui {

namespace {

constexpr int kShownRows = 10;
constexpr int kLettersWide = 60;
constexpr int kEntryRole = Qt::UserRole; ///< place in the entries, or one of these:
constexpr int kRunById = -1;
constexpr int kFindRuns = -2;
constexpr int kKeysRole = Qt::UserRole + 1; ///< shortcut, as it is written on the keys

constexpr int kPerLetter = 1;
constexpr int kInARow = 3;
constexpr int kBeginsWord = 6;
constexpr int kBeginsText = 4;

/// "&Run a program…" as it is read.
QString plainTitle(QString text)
{
    text = withoutMnemonic(text);
    while (text.endsWith(QChar(0x2026)) || text.endsWith(QLatin1Char('.')))
        text.chop(1);
    return text;
}

/// The title at the left, the keys at the right.
class EntryDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index)
        const override
    {
        QStyledItemDelegate::paint(painter, option, index);
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        painter->save();
        painter->setPen(
            option.palette.color(selected ? QPalette::HighlightedText : QPalette::PlaceholderText)
        );
        const int space = option.fontMetrics.height() / 2;
        painter->drawText(
            option.rect.adjusted(0, 0, -space, 0),
            Qt::AlignVCenter | Qt::AlignRight,
            index.data(kKeysRole).toString()
        );
        painter->restore();
    }
    [[nodiscard]] QSize
    sizeHint(const QStyleOptionViewItem& option, const QModelIndex& /*index*/) const override
    {
        return {0, option.fontMetrics.lineSpacing() * 3 / 2};
    }
};

} // namespace

std::optional<int> matchScore(const QString& text, const QString& wanted)
{
    int score = 0;
    qsizetype at = 0;
    qsizetype before = -2;
    for (const QChar letter : wanted) {
        if (letter.isSpace())
            continue;
        // One that begins a word is what was meant, if there is one.
        qsizetype found = -1;
        for (qsizetype place = at; place < text.size(); ++place) {
            if (text.at(place).toCaseFolded() != letter.toCaseFolded())
                continue;
            const bool beginsWord = place == 0 || !text.at(place - 1).isLetterOrNumber();
            if (found < 0 || beginsWord)
                found = place;
            if (beginsWord || place == before + 1)
                break;
        }
        if (found < 0)
            return {};
        score += kPerLetter;
        if (found == before + 1)
            score += kInARow;
        if (found == 0)
            score += kBeginsText;
        if (found == 0 || !text.at(found - 1).isLetterOrNumber())
            score += kBeginsWord;
        before = found;
        at = found + 1;
    }
    return score;
}

CommandPalette::CommandPalette(QMenuBar* menus, QWidget* parent)
    : QFrame(parent)
    , m_menus(menus)
    , m_text(new QLineEdit)
    , m_list(new QListWidget)
{
    setObjectName(QStringLiteral("commandPalette"));
    setFrameStyle(QFrame::StyledPanel | QFrame::Plain);
    setAutoFillBackground(true);
    m_text->setObjectName(QStringLiteral("paletteText"));
    m_text->setPlaceholderText(tr("An action, a run's id, or a word of its code or output"));
    m_text->setAccessibleName(tr("Find an action or a run"));
    m_text->setClearButtonEnabled(true);
    m_text->installEventFilter(this);
    m_list->setObjectName(QStringLiteral("paletteList"));
    m_list->setAccessibleName(tr("What fits"));
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setItemDelegate(new EntryDelegate(m_list));
    m_list->setUniformItemSizes(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* layout = new QVBoxLayout(this);
    const int space = fontMetrics().height() / 2;
    layout->setContentsMargins(space, space, space, space);
    layout->addWidget(m_text);
    layout->addWidget(m_list);
    connect(m_text, &QLineEdit::textChanged, this, &CommandPalette::fill);
    connect(m_text, &QLineEdit::returnPressed, this, &CommandPalette::choose);
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::choose);
    parent->installEventFilter(this);
    hide();
}

void CommandPalette::open()
{
    m_before = QApplication::focusWidget();
    collect();
    m_text->clear();
    fill();
    place();
    show();
    raise();
    m_text->setFocus(Qt::ShortcutFocusReason);
}

void CommandPalette::collect()
{
    m_entries.clear();
    for (const QAction* menu : m_menus->actions()) {
        if (!menu->menu())
            continue;
        for (QAction* action : menu->menu()->actions()) {
            if (action->isSeparator() || action->menu() || !action->isEnabled())
                continue;
            m_entries.append(
                {tr("%1: %2").arg(plainTitle(menu->text()), plainTitle(action->text())),
                 action->shortcut().toString(QKeySequence::NativeText),
                 action}
            );
        }
    }
}

void CommandPalette::fill()
{
    const QString wanted = m_text->text().trimmed();
    QList<std::pair<int, int>> fitting; // score, place
    for (int place = 0; place < m_entries.size(); ++place) {
        if (const auto score = matchScore(m_entries.at(place).title, wanted))
            fitting.append({*score, place});
    }
    std::stable_sort(fitting.begin(), fitting.end(), [](const auto& one, const auto& other) {
        return one.first > other.first;
    });
    m_list->clear();
    for (const auto& [score, place] : fitting) {
        auto* item = new QListWidgetItem(m_entries.at(place).title, m_list);
        item->setData(kEntryRole, place);
        item->setData(kKeysRole, m_entries.at(place).keys);
    }
    if (ExecutionId::parse(wanted.toStdString())) {
        auto* item = new QListWidgetItem(tr("Show run %1").arg(wanted), m_list);
        item->setData(kEntryRole, kRunById);
    } else if (!wanted.isEmpty()) {
        auto* item = new QListWidgetItem(tr("Find runs: %1").arg(wanted), m_list);
        item->setData(kEntryRole, kFindRuns);
    }
    m_list->setCurrentRow(0);
}

void CommandPalette::choose()
{
    const QListWidgetItem* item = m_list->currentItem();
    if (!item)
        return;
    const int entry = item->data(kEntryRole).toInt();
    const QString text = m_text->text().trimmed();
    leave();
    if (entry == kFindRuns)
        emit findWanted(text);
    else if (entry == kRunById)
        emit runWanted(*ExecutionId::parse(text.toStdString()));
    else
        m_entries.at(entry).action->trigger();
}

void CommandPalette::place()
{
    const QWidget* over = parentWidget();
    const int row = m_list->sizeHintForRow(0);
    m_list->setFixedHeight(row * kShownRows + 2 * m_list->frameWidth());
    const int margin = fontMetrics().height() * 2;
    const int width =
        std::min(fontMetrics().averageCharWidth() * kLettersWide, over->width() - 2 * margin);
    const int height = std::min(sizeHint().height(), over->height() - 2 * margin);
    setGeometry((over->width() - width) / 2, margin, width, height);
}

void CommandPalette::leave()
{
    if (isHidden())
        return;
    hide();
    if (m_before)
        m_before->setFocus(Qt::OtherFocusReason);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == parentWidget() && event->type() == QEvent::Resize && isVisible())
        place();
    if (watched != m_text)
        return false;
    if (event->type() == QEvent::FocusOut) {
        // A click into the list keeps it; anything else ends it without giving the focus back.
        if (!m_list->underMouse())
            hide();
        return false;
    }
    if (event->type() != QEvent::KeyPress)
        return false;
    auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() == Qt::Key_Escape) {
        leave();
        return true;
    }
    const QList<int> moves{Qt::Key_Up, Qt::Key_Down, Qt::Key_PageUp, Qt::Key_PageDown};
    if (!moves.contains(key->key()))
        return false;
    QApplication::sendEvent(m_list, event);
    return true;
}

} // namespace belljar::ui
