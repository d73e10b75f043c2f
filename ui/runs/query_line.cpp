// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/query_line.h"

#include "engine/base/text.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QStringListModel>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace belljar::ui {

namespace {

using Kind = QueryProblem::Kind;

constexpr int kLongestChip = 40; ///< characters
constexpr int kMostCompletions = 100;

QString shown(const std::string& text)
{
    return QString::fromStdString(escapeForLine(text));
}

QString problemText(const QueryProblem& problem)
{
    const QString token = shown(problem.token);
    switch (problem.kind) {
    case Kind::UnknownKey:
        return QueryLine::tr("%1: there is no such filter. To find it as text, put it in quotes.")
            .arg(token);
    case Kind::NoValue: return QueryLine::tr("%1: a value is missing.").arg(token);
    case Kind::Status:
        return QueryLine::tr("%1: no such status. Use succeeded, failed, timed_out, waiting, …")
            .arg(token);
    case Kind::Duration:
        return QueryLine::tr("%1: not a duration. Write >2s, <100ms or >1min.").arg(token);
    case Kind::Size:
        return QueryLine::tr("%1: not an amount of memory. Write >200MB or <1GB.").arg(token);
    case Kind::Time:
        return QueryLine::tr("%1: not a time. Write 2026-11-20, today or 2h (ago).").arg(token);
    case Kind::Has: return QueryLine::tr("%1: use has:finding or has:note.").arg(token);
    case Kind::Is: return QueryLine::tr("%1: use is:pinned or is:asked.").arg(token);
    case Kind::Severity:
        return QueryLine::tr("%1: use info, low, medium, high or critical.").arg(token);
    case Kind::NotSearchable:
        return QueryLine::tr("%1: only words and numbers can be searched for.").arg(token);
    case Kind::OpenQuote: return QueryLine::tr("%1: the quote isn't closed.").arg(token);
    }
    return {};
}

} // namespace

QueryLine::QueryLine(QWidget* parent)
    : QWidget(parent)
    , m_line(new QLineEdit)
    , m_chips(new QWidget)
    , m_chipsLayout(new QHBoxLayout(m_chips))
    , m_problem(new QLabel)
    , m_completer(new QCompleter(this))
    , m_completions(new QStringListModel(this))
    , m_debounce(new QTimer(this))
{
    m_line->setObjectName(QStringLiteral("queryLine"));
    m_line->setAccessibleName(tr("Filter the runs"));
    m_line->setAccessibleDescription(
        tr("Words to find in code and output, or filters such as status:failed")
    );
    m_line->setPlaceholderText(
        tr("Find in code and output, or filter: status:failed client:claude memory:>200MB")
    );
    m_line->setClearButtonEnabled(true);
    m_line->setMaxLength(2000);
    m_line->installEventFilter(this);
    m_problem->setObjectName(QStringLiteral("queryProblem"));
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->setWordWrap(true);
    m_problem->hide();
    m_chips->setObjectName(QStringLiteral("queryChips"));
    m_chips->hide();
    m_chipsLayout->setContentsMargins(0, 0, 0, 0);

    m_completer->setModel(m_completions);
    m_completer->setWidget(m_line);
    m_completer->setCaseSensitivity(Qt::CaseInsensitive);
    m_completer->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
    connect(
        m_completer,
        qOverload<const QString&>(&QCompleter::activated),
        this,
        &QueryLine::insertCompletion
    );

    m_debounce->setSingleShot(true);
    m_debounce->setInterval(kDebounceMs);
    connect(m_debounce, &QTimer::timeout, this, &QueryLine::take);
    connect(m_line, &QLineEdit::textChanged, m_debounce, qOverload<>(&QTimer::start));
    connect(m_line, &QLineEdit::textEdited, this, &QueryLine::complete);
    connect(m_line, &QLineEdit::returnPressed, this, &QueryLine::take);

    auto* layout = new QVBoxLayout(this);
    const int space = fontMetrics().height() / 3;
    layout->setContentsMargins(space, space, space, space);
    layout->setSpacing(space);
    layout->addWidget(m_line);
    layout->addWidget(m_chips);
    layout->addWidget(m_problem);
}

QString QueryLine::text() const
{
    return m_line->text();
}

void QueryLine::setText(const QString& text)
{
    m_line->setText(text);
    take();
}

void QueryLine::setCondition(const std::string& key, const std::string& value)
{
    setText(QString::fromStdString(withToken(text().toStdString(), key, value)));
}

void QueryLine::offer(const std::string& key, std::vector<std::string> values)
{
    m_offers[key] = std::move(values);
}

QStringList QueryLine::words() const
{
    QStringList words;
    for (const std::string& phrase : m_parsed.filter.phrases)
        words << QString::fromStdString(phrase);
    return words;
}

QString QueryLine::problem() const
{
    return m_problem->isHidden() ? QString() : m_problem->text();
}

void QueryLine::focusLine()
{
    m_line->setFocus(Qt::ShortcutFocusReason);
    m_line->selectAll();
}

void QueryLine::take()
{
    m_debounce->stop();
    ParsedQuery parsed = parseQuery(text().toStdString(), execution::unixNow());
    const bool changed = parsed.filter != m_parsed.filter;
    m_parsed = std::move(parsed);
    QStringList problems;
    for (const QueryProblem& problem : m_parsed.problems)
        problems << problemText(problem);
    m_problem->setText(problems.join(QLatin1Char('\n')));
    m_problem->setVisible(!problems.isEmpty());
    showChips();
    if (changed)
        emit filterChanged();
}

void QueryLine::showChips()
{
    while (QLayoutItem* item = m_chipsLayout->takeAt(0)) {
        if (QWidget* chip = item->widget()) {
            chip->hide();
            chip->deleteLater(); // it may be the one that was clicked
        }
        delete item;
    }
    for (const QueryToken& token : m_parsed.tokens) {
        if (token.key.empty())
            continue;
        const QString whole = shown(token.key) + QStringLiteral(": ") + shown(token.value);
        auto* chip = new QToolButton;
        chip->setObjectName(QStringLiteral("queryChip"));
        QString label =
            whole.size() > kLongestChip ? whole.left(kLongestChip) + QStringLiteral("…") : whole;
        chip->setText(
            label.replace(QLatin1Char('&'), QStringLiteral("&&")) + QStringLiteral("  ✕")
        );
        chip->setToolTip(tr("Remove this filter"));
        chip->setAccessibleName(tr("Remove the filter %1").arg(whole));
        connect(chip, &QToolButton::clicked, this, [this, token] {
            setText(QString::fromStdString(withoutToken(text().toStdString(), token)));
            m_line->setFocus();
        });
        m_chipsLayout->addWidget(chip);
    }
    const bool any = m_chipsLayout->count() > 0;
    m_chipsLayout->addStretch();
    m_chips->setVisible(any);
}

/// Offers what the word before the cursor may become: a key, or a value of its key.
void QueryLine::complete()
{
    const QString before = m_line->text().left(m_line->cursorPosition());
    const QString word = before.mid(before.lastIndexOf(QLatin1Char(' ')) + 1);
    const qsizetype colon = word.indexOf(QLatin1Char(':'));
    QStringList offered;
    const auto add = [&](const std::string& token, const QString& beginning) {
        const QString whole = QString::fromStdString(token);
        if (whole.startsWith(beginning, Qt::CaseInsensitive) && whole != word &&
            offered.size() < kMostCompletions)
            offered << whole;
    };
    if (colon < 0 && !word.isEmpty()) {
        for (const std::string& key : queryKeys())
            add(key + ":", word);
    } else if (colon > 0) {
        const std::string key = word.left(colon).toLower().toStdString();
        std::vector<std::string> values = queryValues(key);
        if (const auto known = m_offers.find(key); known != m_offers.end())
            values.insert(values.end(), known->second.begin(), known->second.end());
        for (const std::string& value : values) {
            // What can't be seen as itself is not offered: it would be typed as something else.
            if (escapeForLine(value) == value)
                add(writeToken(key, value), word);
        }
    }
    offered.removeDuplicates();
    m_completions->setStringList(offered);
    if (offered.isEmpty())
        m_completer->popup()->hide();
    else
        m_completer->complete();
}

void QueryLine::insertCompletion(const QString& completion)
{
    const int cursor = m_line->cursorPosition();
    const QString whole = m_line->text();
    const auto begin = whole.left(cursor).lastIndexOf(QLatin1Char(' ')) + 1;
    const bool isKey = completion.endsWith(QLatin1Char(':'));
    const QString inserted = isKey ? completion : completion + QLatin1Char(' ');
    m_line->setText(whole.left(begin) + inserted + whole.mid(cursor).trimmed());
    m_line->setCursorPosition(static_cast<int>(begin + inserted.size()));
    if (isKey)
        QTimer::singleShot(0, this, &QueryLine::complete); // its values
    else
        take();
}

bool QueryLine::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_line && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Escape && !text().isEmpty() && !m_completer->popup()->isVisible()) {
            setText({});
            return true;
        }
        if (key == Qt::Key_Down && !m_completer->popup()->isVisible()) {
            emit leaveWanted();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace belljar::ui
