// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/policies/versions_view.h"

#include "engine/base/line_diff.h"
#include "engine/base/text.h"
#include "ui/policies/form_fields.h"
#include "ui/shell/theme.h"

#include <QComboBox>
#include <QDateTime>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTableWidget>
#include <QTextCursor>
#include <QVBoxLayout>

namespace belljar::ui {

namespace {

QString shown(const std::string& text)
{
    return QString::fromStdString(escapeForLine(text));
}

} // namespace

VersionsView::VersionsView(EffectLoader& loader, QWidget* parent)
    : QWidget(parent)
    , m_loader(loader)
    , m_state(makeNote({}, true, this))
    , m_list(new QTableWidget(0, 5, this))
    , m_against(new QComboBox(this))
    , m_restore(new QPushButton(tr("Restore this version"), this))
    , m_diff(new QPlainTextEdit(this))
{
    m_state->setObjectName(QStringLiteral("versionsState"));
    m_list->setObjectName(QStringLiteral("versionsList"));
    m_list->setAccessibleName(tr("Versions, newest first"));
    m_list->setHorizontalHeaderLabels({tr("Version"), tr("Saved"), tr("By"), tr("From"), tr("Note")}
    );
    m_list->verticalHeader()->hide();
    m_list->verticalHeader()->setDefaultSectionSize(fontMetrics().lineSpacing() + 8);
    m_list->horizontalHeader()->setStretchLastSection(true);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_list->setSelectionMode(QAbstractItemView::SingleSelection);
    m_list->setTabKeyNavigation(false);
    m_list->setWordWrap(false);
    m_list->setColumnWidth(1, fontMetrics().averageCharWidth() * 28);
    m_against->setObjectName(QStringLiteral("versionsAgainst"));
    m_against->setAccessibleName(tr("Compare with"));
    m_against->addItems({tr("Against the one before"), tr("Against what is in force")});
    m_restore->setObjectName(QStringLiteral("versionsRestore"));
    m_restore->setAutoDefault(false);
    m_diff->setObjectName(QStringLiteral("versionsDiff"));
    m_diff->setAccessibleName(tr("What changed"));
    m_diff->setReadOnly(true);
    m_diff->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_diff->setLineWrapMode(QPlainTextEdit::NoWrap);

    auto* below = new QWidget(this);
    auto* bar = new QHBoxLayout;
    bar->addWidget(m_against);
    bar->addStretch(1);
    bar->addWidget(m_restore);
    auto* belowLayout = new QVBoxLayout(below);
    belowLayout->setContentsMargins(0, 0, 0, 0);
    belowLayout->addLayout(bar);
    belowLayout->addWidget(m_diff, 1);
    auto* splitter = new QSplitter(Qt::Vertical, this);
    splitter->addWidget(m_list);
    splitter->addWidget(below);
    splitter->setChildrenCollapsible(false);
    splitter->setStretchFactor(1, 2);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_state);
    layout->addWidget(splitter, 1);
    connect(m_list, &QTableWidget::currentCellChanged, this, &VersionsView::showDiff);
    connect(m_against, &QComboBox::currentIndexChanged, this, &VersionsView::showDiff);
    connect(m_restore, &QPushButton::clicked, this, [this] {
        if (const int row = m_list->currentRow(); row >= 0) {
            const auto& version = m_versions[static_cast<std::size_t>(row)];
            emit restoreWanted(version.version, version.text);
        }
    });
    connect(
        &m_loader,
        &EffectLoader::versionsLoaded,
        this,
        [this](std::uint64_t token, const std::vector<store::PolicyVersion>& versions) {
            if (token != m_token)
                return;
            m_versions = versions;
            showList();
        }
    );
    connect(
        &m_loader,
        &EffectLoader::failed,
        this,
        [this](std::uint64_t token, const QString& message) {
            if (token == m_token)
                m_state->setText(tr("The versions can't be read: %1").arg(message));
        }
    );
    showList();
}

void VersionsView::setPolicy(
    const std::string& name, const std::string& inForce, std::int64_t version
)
{
    if (name == m_name && inForce == m_inForce && version == m_version)
        return;
    m_name = name;
    m_inForce = inForce;
    m_version = version;
    m_stale = true;
    load();
}

void VersionsView::load()
{
    if (!isVisible() || !m_stale || m_name.empty())
        return;
    m_stale = false;
    m_state->setText(tr("Reading the versions…"));
    m_token = m_loader.loadVersions(m_name);
}

void VersionsView::showList()
{
    const int selected = std::max(m_list->currentRow(), 0);
    m_list->setRowCount(static_cast<int>(m_versions.size()));
    for (int row = 0; row < m_list->rowCount(); ++row) {
        const store::PolicyVersion& version = m_versions[static_cast<std::size_t>(row)];
        const QString number = QString::number(version.version);
        const QString cells[] = {
            version.version == m_version ? tr("%1 (in force)").arg(number) : number,
            QDateTime::fromMSecsSinceEpoch(version.savedAt).toString("yyyy-MM-dd HH:mm:ss"),
            shown(version.author),
            shown(version.source),
            shown(version.note)};
        for (int column = 0; column < 5; ++column)
            m_list->setItem(row, column, new QTableWidgetItem(cells[column]));
    }
    m_state->setText(
        m_versions.empty() ? tr("No versions yet: the first save makes one.")
                           : tr("%n version(s)", nullptr, static_cast<int>(m_versions.size()))
    );
    if (!m_versions.empty())
        m_list->setCurrentCell(std::min(selected, m_list->rowCount() - 1), 0);
    showDiff();
}

void VersionsView::showDiff()
{
    const int row = m_list->currentRow();
    m_diff->clear();
    m_restore->setEnabled(false);
    if (row < 0 || static_cast<std::size_t>(row) >= m_versions.size())
        return;
    const auto at = static_cast<std::size_t>(row);
    const store::PolicyVersion& version = m_versions[at];
    m_restore->setEnabled(version.text != m_inForce);
    const bool withBefore = m_against->currentIndex() == 0;
    const std::string before = !withBefore                  ? m_inForce
                               : at + 1 < m_versions.size() ? m_versions[at + 1].text
                                                            : std::string();
    const Colors& colors = currentColors();
    QTextCursor cursor(m_diff->document());
    bool first = true;
    for (const DiffLine& line : compareLines(before, version.text)) {
        QTextCharFormat format;
        format.setForeground(
            line.mark == '+'   ? readableOn(colors.status(StatusGroup::Succeeded), colors.base)
            : line.mark == '-' ? readableOn(colors.status(StatusGroup::Failed), colors.base)
                               : colors.text
        );
        if (!first)
            cursor.insertText(QStringLiteral("\n"), format);
        cursor.insertText(
            QLatin1Char(line.mark) + QStringLiteral(" ") +
                QString::fromStdString(escapeUnusual(line.text)),
            format
        );
        first = false;
    }
    m_diff->moveCursor(QTextCursor::Start);
}

void VersionsView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    load();
}

} // namespace belljar::ui
