// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/audit/chain_bar.h"

#include "engine/base/text.h"
#include "ui/shell/theme.h"

#include <QDateTime>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include <array>

namespace belljar::ui {

namespace {

using audit::BreakKind;
using audit::Verification;

QString number(std::uint64_t value)
{
    return QLocale().toString(static_cast<qulonglong>(value));
}

QString oneLine(const QString& text)
{
    return QString::fromStdString(escapeForLine(text.toStdString()));
}

QPushButton* makeButton(const QString& name, const QString& text)
{
    auto* button = new QPushButton(text);
    button->setObjectName(name);
    button->setAutoDefault(false);
    return button;
}

QLabel* makeLabel(const QString& name)
{
    auto* label = new QLabel;
    label->setObjectName(name);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

/// What a break means, in the user's language.
QString meaningOf(BreakKind kind, const QString& row)
{
    switch (kind) {
    case BreakKind::Edited:
        return ChainBar::tr(
                   "Damaged at row %1: it isn't what was written. It was changed, moved or "
                   "put there afterwards."
        )
            .arg(row);
    case BreakKind::Unlinked:
        return ChainBar::tr(
                   "Damaged at row %1: it doesn't follow the row before it. One of the two "
                   "was changed or replaced."
        )
            .arg(row);
    case BreakKind::Missing:
        return ChainBar::tr("Damaged at row %1: rows before it were deleted.").arg(row);
    case BreakKind::Misplaced:
        return ChainBar::tr("Damaged: a row numbered %1 was put before the first.").arg(row);
    case BreakKind::Truncated:
        return ChainBar::tr("Damaged: the rows from %1 on were removed from the end.").arg(row);
    case BreakKind::HeadDiffers:
        return ChainBar::tr("Damaged: row %1 isn't the one that the head file names. The row, the "
                            "database or the head file was replaced.")
            .arg(row);
    case BreakKind::HeadMissing:
        return ChainBar::tr("Damaged: the head file is gone, so rows behind row %1 may be, too.")
            .arg(row);
    case BreakKind::HeadUnreadable:
        return ChainBar::tr("Damaged: the head file can't be read, so rows behind row %1 may be "
                            "gone.")
            .arg(row);
    case BreakKind::Recorded:
        return ChainBar::tr("Damaged earlier: Belljar found rows before row %1 changed or removed, "
                            "and went on behind them.")
            .arg(row);
    }
    return {};
}

} // namespace

ChainBar::ChainBar(QWidget* parent)
    : QFrame(parent)
    , m_icon(new QLabel)
    , m_text(makeLabel(QStringLiteral("chainText")))
    , m_more(makeLabel(QStringLiteral("chainMore")))
    , m_progress(new QProgressBar)
    , m_row(makeButton(QStringLiteral("chainShowRow"), tr("Show &row")))
    , m_evidence(makeButton(QStringLiteral("chainEvidence"), tr("Export e&vidence…")))
    , m_stop(makeButton(QStringLiteral("chainStop"), tr("Sto&p")))
    , m_verify(makeButton(QStringLiteral("chainVerify"), tr("Verify &now")))
    , m_export(makeButton(QStringLiteral("chainExport"), tr("&Export…")))
{
    setFrameShape(QFrame::NoFrame);
    m_progress->setObjectName(QStringLiteral("chainProgress"));
    m_progress->setAccessibleName(tr("Progress"));
    m_export->setToolTip(tr("Write the rows that match the filter as lines of JSON, with their "
                            "hashes"));
    m_verify->setToolTip(tr("Check every row of the log and its head file"));
    auto* remedies = new QHBoxLayout;
    remedies->addWidget(m_row);
    remedies->addWidget(m_evidence);
    remedies->addStretch();
    auto* words = new QVBoxLayout;
    words->setSpacing(fontMetrics().height() / 4);
    words->addWidget(m_text);
    words->addWidget(m_more);
    words->addWidget(m_progress);
    words->addLayout(remedies);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_icon, 0, Qt::AlignTop);
    layout->addLayout(words, 1);
    for (QPushButton* button : {m_stop, m_verify, m_export})
        layout->addWidget(button, 0, Qt::AlignTop);

    connect(m_verify, &QPushButton::clicked, this, &ChainBar::verifyWanted);
    connect(m_export, &QPushButton::clicked, this, &ChainBar::exportWanted);
    connect(m_evidence, &QPushButton::clicked, this, &ChainBar::evidenceWanted);
    connect(m_stop, &QPushButton::clicked, this, &ChainBar::stopWanted);
    connect(m_row, &QPushButton::clicked, this, [this] { emit rowWanted(m_broken); });
    m_row->hide();
    m_evidence->hide();
    say(Look::Unknown, tr("Not verified yet"));
    showJob(Job::None);
}

void ChainBar::showJob(Job job)
{
    // A button that goes while it has the focus would send it anywhere.
    const bool hadFocus = m_stop->hasFocus() || m_verify->hasFocus();
    m_job = job;
    const bool busy = job != Job::None;
    m_progress->setRange(0, 0);
    m_progress->setVisible(busy);
    m_stop->setVisible(busy);
    m_verify->setVisible(!busy);
    m_export->setEnabled(!busy);
    m_evidence->setEnabled(!busy);
    if (hadFocus)
        (busy ? m_stop : m_verify)->setFocus();
    if (job == Job::Verifying)
        m_progress->setFormat(tr("Verifying"));
    else if (job == Job::Exporting)
        m_progress->setFormat(tr("Exporting"));
}

void ChainBar::showProgress(std::uint64_t done, std::uint64_t total)
{
    if (m_job == Job::None || total == 0)
        return;
    constexpr int kSteps = 1000;
    m_progress->setRange(0, kSteps);
    m_progress->setValue(
        static_cast<int>(static_cast<double>(done) / static_cast<double>(total) * kSteps)
    );
    const QString text =
        m_job == Job::Verifying ? tr("Verified %1 of %2 rows") : tr("Exported %1 of %2 rows");
    m_progress->setFormat(text.arg(number(done), number(total)));
}

void ChainBar::say(Look look, const QString& text, const QString& more)
{
    m_look = look;
    m_text->setText(text);
    m_more->setText(more);
    m_more->setVisible(!more.isEmpty());
    updateLook();
}

void ChainBar::updateLook()
{
    using execution::Status;
    constexpr std::array kStatuses{Status::Queued, Status::Succeeded, Status::Failed};
    const Status status = kStatuses.at(static_cast<std::size_t>(m_look));
    const int size = fontMetrics().height();
    m_icon->setPixmap(
        statusPixmap(status, size, devicePixelRatioF(), currentColors().status(status))
    );
    QFont font = this->font();
    font.setWeight(m_look == Look::Bad ? QFont::DemiBold : QFont::Normal);
    m_text->setFont(font);
    QPalette muted = palette();
    muted.setColor(QPalette::WindowText, currentColors().muted);
    m_more->setPalette(muted);
}

void ChainBar::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange)
        updateLook();
}

void ChainBar::showBreak(const Verification& found)
{
    const audit::Break& first = found.breaks.front();
    m_broken = first.sequence;
    const QString row = QLocale().toString(static_cast<qlonglong>(first.sequence));
    QString more = tr("Export the evidence and keep copies of history.db and audit.head before you "
                      "do anything else.");
    if (first.kind == BreakKind::Recorded)
        more = QString::fromStdString(first.meaning) + QLatin1Char('\n') + more;
    if (found.breakCount > 1)
        more = tr("%1 places are damaged; this is the first.").arg(number(found.breakCount)) +
               QLatin1Char('\n') + more;
    say(Look::Bad, meaningOf(first.kind, row), more);
    // Where rows were cut off there is none to show.
    m_row->setVisible(first.kind != BreakKind::Truncated && first.sequence > 0);
    m_evidence->show();
}

void ChainBar::showEnd(const Verification& found)
{
    if (!found.breaks.empty())
        return showBreak(found);
    if (!m_verified && m_look != Look::Bad)
        say(Look::Unknown, tr("The end of the log is intact; all of it is checked by Verify now"));
}

void ChainBar::showVerification(const Verification& found)
{
    showJob(Job::None);
    m_verified = !found.stopped;
    if (!found.breaks.empty())
        return showBreak(found);
    m_row->hide();
    m_evidence->hide();
    if (found.stopped)
        return say(
            Look::Unknown, tr("Stopped after %1 rows, no damage so far").arg(number(found.rows))
        );
    if (found.rows == 0)
        return say(Look::Good, tr("Verified: nothing was recorded yet"));
    const QDateTime last = QDateTime::fromMSecsSinceEpoch(found.lastAt);
    const bool today = last.date() == QDate::currentDate();
    const QString to =
        last.toString(today ? QStringLiteral("HH:mm") : QStringLiteral("yyyy-MM-dd HH:mm"));
    const QString text =
        found.rows == 1 ? tr("Verified to %1, %2 row") : tr("Verified to %1, %2 rows");
    say(Look::Good, text.arg(to, number(found.rows)));
}

void ChainBar::showExported(const QString& file, std::uint64_t rows)
{
    showJob(Job::None);
    m_more->setText(tr("%1 rows written to %2").arg(number(rows), oneLine(file)));
    m_more->show();
}

void ChainBar::showFailure(const QString& message)
{
    showJob(Job::None);
    m_more->setText(oneLine(message));
    m_more->show();
}

QString ChainBar::text() const
{
    return m_more->text().isEmpty() ? m_text->text()
                                    : m_text->text() + QLatin1Char('\n') + m_more->text();
}

} // namespace belljar::ui
