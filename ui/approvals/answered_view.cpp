// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/approvals/answered_view.h"

#include "ui/runs/runs_model.h"
#include "ui/shell/screen_parts.h"

#include <QDateTime>
#include <QHeaderView>
#include <QLabel>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace belljar::ui {

namespace {

using execution::DecidedBy;
using execution::Record;
using execution::Status;

enum Column { TimeColumn, ClientColumn, CodeColumn, AnswerColumn, CommentColumn, WaitedColumn };

QString answerText(const Record& record)
{
    const bool allowed = record.status != Status::Rejected;
    switch (record.decidedBy) {
    case DecidedBy::Person:
        if (!allowed)
            return AnsweredView::tr("You denied it");
        return record.ranSha256.empty() ? AnsweredView::tr("You allowed it")
                                        : AnsweredView::tr("You edited and allowed it");
    case DecidedBy::Remembered:
        return allowed ? AnsweredView::tr("Allowed by a remembered decision")
                       : AnsweredView::tr("Denied by a remembered decision");
    case DecidedBy::Client:
        return allowed ? AnsweredView::tr("Allowed at the client")
                       : AnsweredView::tr("Denied at the client");
    case DecidedBy::Timeout: return AnsweredView::tr("Nobody answered");
    case DecidedBy::Nobody: return AnsweredView::tr("The client took it back");
    case DecidedBy::Policy:
    case DecidedBy::Engine: break;
    }
    return AnsweredView::tr("Belljar ended");
}

/// Answered, or will never be.
bool isSettled(const Record& record)
{
    return record.verdict == execution::Verdict::Ask &&
           (record.decidedBy != DecidedBy::Nobody || execution::isFinal(record.status));
}

} // namespace

AnsweredView::AnsweredView(QWidget* parent)
    : QWidget(parent)
    , m_nothing(new QLabel(tr("No question was answered today.")))
    , m_table(new QTableWidget)
{
    m_nothing->setObjectName(QStringLiteral("nothingAnswered"));
    m_nothing->setTextFormat(Qt::PlainText);
    m_nothing->setAlignment(Qt::AlignCenter);
    m_table->setObjectName(QStringLiteral("answeredTable"));
    m_table->setAccessibleName(tr("Questions that were answered today"));
    m_table->setColumnCount(6);
    m_table->setHorizontalHeaderLabels(
        {tr("Time"), tr("Client"), tr("Program"), tr("Answer"), tr("Comment"), tr("Waited, s")}
    );
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->setShowGrid(false);
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(CodeColumn, QHeaderView::Stretch);
    connect(m_table, &QTableWidget::itemActivated, this, [this](const QTableWidgetItem* item) {
        emit executionActivated(m_records.at(static_cast<std::size_t>(item->row())).id);
    });
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_nothing, 1);
    layout->addWidget(m_table, 1);
    fill();
}

execution::UnixMs AnsweredView::midnight()
{
    return QDate::currentDate().startOfDay().toMSecsSinceEpoch();
}

void AnsweredView::add(const std::vector<Record>& records)
{
    bool changed = false;
    for (const Record& record : records) {
        if (!isSettled(record))
            continue;
        const auto known = std::find_if(m_records.begin(), m_records.end(), [&](const Record& one) {
            return one.id == record.id;
        });
        if (known != m_records.end())
            *known = record;
        else
            m_records.push_back(record);
        changed = true;
    }
    if (!changed)
        return;
    std::erase_if(m_records, [since = midnight()](const Record& one) {
        return one.receivedAt < since;
    });
    std::sort(m_records.begin(), m_records.end(), [](const Record& one, const Record& other) {
        return one.sequence > other.sequence;
    });
    fill();
}

void AnsweredView::fill()
{
    m_nothing->setVisible(m_records.empty());
    m_table->setVisible(!m_records.empty());
    m_table->setRowCount(count());
    for (int row = 0; row < count(); ++row) {
        const Record& record = m_records[static_cast<std::size_t>(row)];
        const std::array texts{
            QDateTime::fromMSecsSinceEpoch(record.receivedAt).toString(QStringLiteral("HH:mm:ss")),
            clientText(record.client),
            safe(record.firstLine),
            answerText(record),
            safe(record.comment),
            QString::number(static_cast<double>(record.approvalTime.count()) / 1000, 'f', 1)};
        for (int column = 0; column < m_table->columnCount(); ++column) {
            auto* item = new QTableWidgetItem(texts.at(static_cast<std::size_t>(column)));
            if (column == WaitedColumn)
                item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
            m_table->setItem(row, column, item);
        }
    }
}

} // namespace belljar::ui
