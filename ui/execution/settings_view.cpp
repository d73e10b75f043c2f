// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/execution/settings_view.h"

#include "ui/execution/settings_rows.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

namespace belljar::ui {

namespace {

QString whyUnknown(const execution::Record& record)
{
    if (record.id.text().empty())
        return {};
    if (record.containerId.empty())
        return execution::isFinal(record.status)
                   ? SettingsView::tr("This run never got a container.")
                   : SettingsView::tr("No container yet.");
    return record.settingsSha256.empty()
               ? SettingsView::tr("The settings of this run's container were not recorded.")
               : SettingsView::tr("The settings can't be read from the history yet.");
}

} // namespace

SettingsView::SettingsView(QWidget* parent)
    : QWidget(parent)
    , m_words(new QLabel)
    , m_table(new QTableWidget)
    , m_copy(new QPushButton(tr("Copy as &JSON")))
{
    setObjectName(QStringLiteral("settingsView"));
    m_words->setTextFormat(Qt::PlainText);
    m_words->setWordWrap(true);
    m_words->setMargin(fontMetrics().height() / 3);
    m_table->setObjectName(QStringLiteral("settingsTable"));
    m_table->setAccessibleName(tr("Settings of the container"));
    m_table->setColumnCount(2);
    m_table->setHorizontalHeaderLabels({tr("Setting"), tr("As sent to Docker")});
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setTabKeyNavigation(false);
    m_table->setWordWrap(true);
    m_table->setFrameShape(QFrame::NoFrame);
    m_copy->setObjectName(QStringLiteral("copySettings"));
    m_copy->setToolTip(tr("The request as Docker got it, byte for byte"));
    connect(m_copy, &QPushButton::clicked, this, [this] {
        QApplication::clipboard()->setText(QString::fromStdString(m_json));
    });
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_words);
    layout->addWidget(m_table, 1);
    layout->addWidget(m_copy, 0, Qt::AlignLeft);
}

void SettingsView::setSettings(const std::string& json, const execution::Record& record)
{
    const auto rows =
        json.empty() ? std::vector<std::pair<QString, QString>>() : settingsRows(json, record);
    m_json = json;
    m_table->setRowCount(static_cast<int>(rows.size()));
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const auto& [name, value] = rows[static_cast<std::size_t>(row)];
        m_table->setItem(row, 0, new QTableWidgetItem(name));
        auto* cell = new QTableWidgetItem(value);
        // A digest is longer than the column.
        cell->setToolTip(QStringLiteral("<span>%1</span>").arg(value.toHtmlEscaped()));
        cell->setData(Qt::AccessibleTextRole, name + QStringLiteral(": ") + value);
        m_table->setItem(row, 1, cell);
    }
    const bool known = !rows.empty();
    QString words = known ? QString() : whyUnknown(record);
    if (!known && !json.empty())
        words = tr("What was recorded is not a request that Belljar understands.");
    m_words->setText(words);
    m_words->setVisible(!words.isEmpty());
    m_table->setVisible(known);
    m_copy->setVisible(!json.empty());
}

} // namespace belljar::ui
