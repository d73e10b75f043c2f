// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/clients/change_view.h"

#include "engine/base/text.h"
#include "engine/clients/diff.h"
#include "ui/clients/clients_model.h"
#include "ui/shell/theme.h"

#include <QCheckBox>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTextBlock>
#include <QVBoxLayout>

namespace belljar::ui {

namespace {

using clients::DiffLine;
using clients::Plan;

constexpr std::size_t kMostColumns = 500;
constexpr std::size_t kMostLines = 2000; ///< a text view of more of them takes its time
constexpr int kTint = 56;
constexpr int kLeastRows = 6;
constexpr int kMostRows = 16;

QString lineText(const DiffLine& line)
{
    const std::string text = escapeForLine(prefixWithin(line.text, kMostColumns));
    return QChar(QLatin1Char(line.mark)) + QLatin1Char(' ') + QString::fromStdString(text);
}

void tint(QPlainTextEdit& view, const std::vector<DiffLine>& lines)
{
    QList<QTextEdit::ExtraSelection> selections;
    for (std::size_t at = 0; at < lines.size(); ++at) {
        if (lines[at].mark == ' ')
            continue;
        QColor color = currentColors().status(
            lines[at].mark == '+' ? StatusGroup::Succeeded : StatusGroup::Failed
        );
        color.setAlpha(kTint);
        QTextEdit::ExtraSelection selection;
        selection.cursor = QTextCursor(view.document()->findBlockByNumber(static_cast<int>(at)));
        selection.format.setBackground(color);
        selection.format.setProperty(QTextFormat::FullWidthSelection, true);
        selections << selection;
    }
    view.setExtraSelections(selections);
}

QString titleOf(const Plan& plan)
{
    const QString file = foreignText(plan.before.file.string());
    if (!plan.before.text)
        return ChangeView::tr("This makes %1").arg(file);
    if (!plan.after)
        return ChangeView::tr("This removes %1, which Belljar has made").arg(file);
    return ChangeView::tr("This changes %1").arg(file);
}

QString backupText(const Plan& plan)
{
    if (!plan.before.text || plan.kind == Plan::Kind::Undo)
        return {};
    return ChangeView::tr("The file as it is now stays beside it as %1.")
        .arg(foreignText(clients::backupOf(plan.before.file).filename().string()));
}

QLabel* wrappedLabel(const QString& name)
{
    auto* label = new QLabel;
    label->setObjectName(name);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    return label;
}

} // namespace

ChangeView::ChangeView(QWidget* parent)
    : QFrame(parent)
    , m_title(wrappedLabel(QStringLiteral("changeTitle")))
    , m_backup(wrappedLabel(QStringLiteral("changeBackup")))
    , m_diff(new QPlainTextEdit)
    , m_consent(new QCheckBox)
    , m_write(new QPushButton(tr("&Write this change")))
    , m_cancel(new QPushButton(tr("&Leave it as it is")))
{
    setFrameShape(QFrame::StyledPanel);
    m_diff->setObjectName(QStringLiteral("changeDiff"));
    m_diff->setAccessibleName(tr("The change: lines with - go, lines with + come"));
    m_diff->setReadOnly(true);
    m_diff->setUndoRedoEnabled(false);
    m_diff->setTabChangesFocus(true);
    m_diff->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_diff->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_consent->setObjectName(QStringLiteral("changeConsent"));
    m_write->setObjectName(QStringLiteral("changeWrite"));
    m_cancel->setObjectName(QStringLiteral("changeCancel"));
    for (QPushButton* button : {m_write, m_cancel})
        button->setAutoDefault(false);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_write);
    buttons->addWidget(m_cancel);
    buttons->addStretch();
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_title);
    layout->addWidget(m_diff, 1);
    layout->addWidget(m_backup);
    layout->addWidget(m_consent);
    layout->addLayout(buttons);
    connect(m_consent, &QCheckBox::toggled, this, &ChangeView::updateButtons);
    connect(m_cancel, &QPushButton::clicked, this, [this] {
        clear();
        emit dismissed();
    });
    connect(m_write, &QPushButton::clicked, this, [this] {
        m_writing = true; // pressed twice is written once
        updateButtons();
        emit writeWanted(*m_plan);
    });
    clear();
}

void ChangeView::show(const Plan& plan, const QString& consent)
{
    m_plan = plan;
    m_writing = false;
    auto lines = clients::diffLines(plan.before.text.value_or(""), plan.after.value_or(""));
    const std::size_t all = lines.size();
    lines.resize(std::min(all, kMostLines));
    QStringList texts;
    for (const DiffLine& line : lines)
        texts << lineText(line);
    if (lines.size() < all)
        texts << tr("… (%n more line(s) change)", nullptr, static_cast<int>(all - lines.size()));
    m_diff->setPlainText(texts.join(QLatin1Char('\n')));
    tint(*m_diff, lines);
    const int rows = std::clamp(static_cast<int>(texts.size()) + 1, kLeastRows, kMostRows);
    m_diff->setMinimumHeight(QFontMetrics(m_diff->font()).lineSpacing() * rows);
    m_title->setText(titleOf(plan));
    m_backup->setText(backupText(plan));
    m_backup->setVisible(!m_backup->text().isEmpty());
    m_consent->setChecked(false);
    m_consent->setText(consent);
    m_consent->setVisible(!consent.isEmpty());
    updateButtons();
    setVisible(true);
    m_diff->setFocus(); // what is written is read first; its buttons follow
}

void ChangeView::clear()
{
    m_plan.reset();
    m_writing = false;
    setVisible(false);
}

void ChangeView::updateButtons()
{
    // Whether a box is asked for, not whether it is on the screen now.
    const bool consented = m_consent->text().isEmpty() || m_consent->isChecked();
    m_write->setEnabled(m_plan && !m_writing && consented);
    m_cancel->setEnabled(!m_writing);
}

} // namespace belljar::ui
