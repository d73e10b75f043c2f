// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/versions_dialog.h"

#include "ui/approvals/diff_view.h"
#include "ui/runs/runs_model.h"

#include <QDateTime>
#include <QDialogButtonBox>
#include <QListWidget>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>

#include <string_view>
#include <utility>

namespace belljar::ui {

namespace {

QString timeOf(const execution::Record& record)
{
    return QDateTime::fromMSecsSinceEpoch(record.receivedAt)
        .toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"));
}

} // namespace

VersionsDialog::VersionsDialog(std::vector<ProgramVersion> versions, QWidget* parent)
    : QDialog(parent)
    , m_versions(std::move(versions))
    , m_list(new QListWidget)
    , m_diff(new DiffView)
{
    setObjectName(QStringLiteral("versionsDialog"));
    setWindowTitle(tr("Versions of this program"));
    setAttribute(Qt::WA_DeleteOnClose);
    resize(1000, 600);
    m_list->setObjectName(QStringLiteral("versionsList"));
    m_list->setAccessibleName(tr("Versions, oldest first"));
    for (std::size_t at = 0; at < m_versions.size(); ++at) {
        const ProgramVersion& version = m_versions[at];
        QStringList parts{tr("Version %1").arg(at + 1), timeOf(version.record)};
        if (at > 0)
            parts << QStringLiteral("+%1 −%2").arg(version.added).arg(version.removed);
        QStringList second{
            statusText(version.record.status),
            clientText(version.record.client),
            tr("%n run(s)", nullptr, static_cast<int>(version.runs))};
        m_list->addItem(
            parts.join(QStringLiteral("  ")) + QLatin1Char('\n') +
            second.join(QStringLiteral("  ·  "))
        );
    }
    auto* splitter = new QSplitter;
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(m_list);
    splitter->addWidget(m_diff);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({300, 700});
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    auto* open = buttons->addButton(tr("&Show this run"), QDialogButtonBox::ActionRole);
    connect(open, &QPushButton::clicked, this, [this] {
        const int row = m_list->currentRow();
        if (row < 0)
            return;
        emit executionWanted(m_versions[static_cast<std::size_t>(row)].record.id);
        accept();
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_list, &QListWidget::currentRowChanged, this, &VersionsDialog::showVersion);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(splitter, 1);
    layout->addWidget(buttons);
    m_list->setCurrentRow(m_list->count() - 1);
}

void VersionsDialog::showVersion(int row)
{
    if (row < 0)
        return;
    const auto at = static_cast<std::size_t>(row);
    const ProgramVersion& version = m_versions[at];
    const bool first = at == 0;
    m_diff->setTitles(
        first ? tr("There is no version before") : tr("Version %1").arg(at),
        tr("Version %1").arg(at + 1)
    );
    m_diff->setTexts(first ? std::string_view() : m_versions[at - 1].code, version.code);
}

} // namespace belljar::ui
