// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/audit/filter_bar.h"

#include "ui/audit/audit_model.h"

#include <QComboBox>
#include <QDateTimeEdit>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QTimer>

#include <array>
#include <string>

namespace belljar::ui {

namespace {

constexpr int kTypingPauseMs = 250;

/// Times to pick from: how many seconds back, 0 any time, -1 between two moments.
struct Span {
    const char* text;
    qint64 seconds;
};
constexpr qint64 kBetween = -1;
constexpr std::array kSpans{
    Span{QT_TRANSLATE_NOOP("belljar::ui::FilterBar", "Any time"), 0},
    Span{QT_TRANSLATE_NOOP("belljar::ui::FilterBar", "Last hour"), 3600},
    Span{QT_TRANSLATE_NOOP("belljar::ui::FilterBar", "Last 24 hours"), 24 * 3600},
    Span{QT_TRANSLATE_NOOP("belljar::ui::FilterBar", "Last 7 days"), 7 * 24 * 3600},
    Span{QT_TRANSLATE_NOOP("belljar::ui::FilterBar", "Last 30 days"), 30 * 24 * 3600},
    Span{QT_TRANSLATE_NOOP("belljar::ui::FilterBar", "Between…"), kBetween},
};

QLabel* labelFor(const QString& text, QWidget* buddy)
{
    auto* label = new QLabel(text);
    label->setBuddy(buddy);
    return label;
}

QDateTimeEdit* makeMoment(const QString& name, const QString& accessibleName)
{
    auto* edit = new QDateTimeEdit;
    edit->setObjectName(name);
    edit->setAccessibleName(accessibleName);
    edit->setCalendarPopup(true);
    edit->setDisplayFormat(QStringLiteral("yyyy-MM-dd HH:mm"));
    return edit;
}

} // namespace

FilterBar::FilterBar(QWidget* parent)
    : QWidget(parent)
    , m_search(new QLineEdit)
    , m_type(new QComboBox)
    , m_time(new QComboBox)
    , m_execution(new QLineEdit)
    , m_from(makeMoment(QStringLiteral("auditFrom"), tr("From")))
    , m_to(makeMoment(QStringLiteral("auditTo"), tr("To")))
    , m_between(makeBetween())
    , m_pause(new QTimer(this))
{
    m_search->setObjectName(QStringLiteral("auditSearch"));
    m_search->setPlaceholderText(tr("Words in type, ids or detail"));
    m_search->setClearButtonEnabled(true);
    m_execution->setObjectName(QStringLiteral("auditExecution"));
    m_execution->setPlaceholderText(tr("ex_… (any)"));
    m_execution->setClearButtonEnabled(true);
    m_type->setObjectName(QStringLiteral("auditType"));
    m_type->addItem(tr("Everything"));
    for (int value = 0; value <= int(audit::Type::HistoryDeleted); ++value) {
        const std::string name(audit::nameOf(static_cast<audit::Type>(value)));
        m_type->addItem(auditTypeText(name), QString::fromStdString(name));
    }
    m_time->setObjectName(QStringLiteral("auditTime"));
    for (const Span& span : kSpans)
        m_time->addItem(tr(span.text), span.seconds);
    for (QComboBox* combo : {m_type, m_time})
        combo->setSizeAdjustPolicy(QComboBox::AdjustToContents);

    auto* layout = new QGridLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(labelFor(tr("&Search"), m_search), 0, 0);
    layout->addWidget(m_search, 0, 1);
    layout->addWidget(labelFor(tr("&What"), m_type), 0, 2);
    layout->addWidget(m_type, 0, 3);
    layout->addWidget(labelFor(tr("E&xecution"), m_execution), 1, 0);
    layout->addWidget(m_execution, 1, 1);
    layout->addWidget(labelFor(tr("&Time"), m_time), 1, 2);
    layout->addWidget(m_time, 1, 3);
    layout->addWidget(m_between, 2, 0, 1, 4);
    layout->setColumnStretch(1, 1);

    m_pause->setSingleShot(true);
    m_pause->setInterval(kTypingPauseMs);
    connect(m_pause, &QTimer::timeout, this, &FilterBar::changed);
    for (QLineEdit* edit : {m_search, m_execution}) {
        connect(edit, &QLineEdit::textChanged, m_pause, qOverload<>(&QTimer::start));
        connect(edit, &QLineEdit::returnPressed, this, [this] {
            m_pause->stop();
            emit changed();
        });
    }
    for (QDateTimeEdit* edit : {m_from, m_to})
        connect(edit, &QDateTimeEdit::dateTimeChanged, m_pause, qOverload<>(&QTimer::start));
    for (QComboBox* combo : {m_type, m_time})
        connect(combo, &QComboBox::currentIndexChanged, this, [this] {
            updateBetween();
            if (!m_clearing)
                emit changed();
        });
    updateBetween();
}

QWidget* FilterBar::makeBetween()
{
    const QDateTime now = QDateTime::currentDateTime();
    m_from->setDateTime(QDateTime(now.date().addDays(-1), QTime(0, 0)));
    m_to->setDateTime(QDateTime(now.date().addDays(1), QTime(0, 0)));
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(labelFor(tr("&From"), m_from));
    layout->addWidget(m_from);
    layout->addWidget(labelFor(tr("t&o"), m_to));
    layout->addWidget(m_to);
    layout->addStretch();
    return row;
}

void FilterBar::updateBetween()
{
    m_between->setVisible(m_time->currentData().toLongLong() == kBetween);
}

audit::LogFilter FilterBar::filter() const
{
    audit::LogFilter filter;
    filter.text = m_search->text().trimmed().toStdString();
    filter.execution = m_execution->text().trimmed().toStdString();
    const QString type = m_type->currentData().toString();
    if (!type.isEmpty())
        filter.types.push_back(type.toStdString());
    const qint64 span = m_time->currentData().toLongLong();
    if (span == kBetween) {
        filter.since = m_from->dateTime().toMSecsSinceEpoch();
        filter.until = m_to->dateTime().toMSecsSinceEpoch();
    } else if (span > 0) {
        filter.since = QDateTime::currentMSecsSinceEpoch() - span * 1000;
    }
    return filter;
}

void FilterBar::clear(const QString& execution)
{
    // Signals of the fields themselves have to come through: their clear buttons live on them.
    m_clearing = true;
    m_search->clear();
    m_execution->setText(execution);
    m_type->setCurrentIndex(0);
    m_time->setCurrentIndex(0);
    m_clearing = false;
    m_pause->stop();
    emit changed();
}

void FilterBar::focusSearch()
{
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();
}

} // namespace belljar::ui
