// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/compare_dialog.h"

#include "engine/base/text.h"
#include "ui/approvals/diff_view.h"
#include "ui/runs/masking.h"
#include "ui/runs/runs_model.h"

#include <QCheckBox>
#include <QDateTime>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLocale>
#include <QPushButton>
#include <QTabWidget>
#include <QTableWidget>
#include <QVBoxLayout>

#include <string>
#include <utility>
#include <vector>

namespace belljar::ui {

namespace {

/// Of the output of a side, its beginning: a diff of more helps nobody and takes long to lay out.
constexpr std::size_t kComparedBytes = 128U * 1024;

QString shown(const std::string& text)
{
    return QString::fromStdString(escapeForLine(text));
}

QString titleOf(const execution::Record& record)
{
    const QDateTime time = QDateTime::fromMSecsSinceEpoch(record.receivedAt);
    return QStringLiteral("%1  ·  %2")
        .arg(statusText(record.status), time.toString(QStringLiteral("yyyy-MM-dd HH:mm:ss")));
}

std::string outputOf(const ExecutionDetails& details)
{
    std::string text;
    for (const execution::OutputChunk& chunk : details.output) {
        if (text.size() >= kComparedBytes)
            break;
        text += chunk.bytes;
    }
    return toValidUtf8(prefixWithin(text, kComparedBytes));
}

struct Fact {
    QString name;
    QString (*value)(const execution::Record&);
};

QString numberOrDash(const std::optional<int>& number)
{
    return number ? QString::number(*number) : QStringLiteral("-");
}

std::vector<Fact> facts()
{
    using execution::Record;
    return {
        {CompareDialog::tr("Status"), [](const Record& r) { return statusText(r.status); }},
        {CompareDialog::tr("Client"), [](const Record& r) { return clientText(r.client); }},
        {CompareDialog::tr("Language"), [](const Record& r) { return shown(r.language); }},
        {CompareDialog::tr("Exit code"), [](const Record& r) { return numberOrDash(r.exitCode); }},
        {CompareDialog::tr("Duration"),
         [](const Record& r) { return durationText(r.executionTime); }},
        {CompareDialog::tr("CPU time"), [](const Record& r) { return durationText(r.cpuTime); }},
        {CompareDialog::tr("Queued"), [](const Record& r) { return durationText(r.queueTime); }},
        {CompareDialog::tr("Peak memory"),
         [](const Record& r) { return memoryText(r.memoryPeakBytes); }},
        {CompareDialog::tr("Findings"),
         [](const Record& r) {
             return QString::number(r.findings) + QLatin1Char(' ') + shown(r.worstFinding);
         }},
        {CompareDialog::tr("Policy"),
         [](const Record& r) {
             return QStringLiteral("%1 v%2").arg(shown(r.policy)).arg(r.policyVersion);
         }},
        {CompareDialog::tr("Time limit"),
         [](const Record& r) { return durationText(r.limits.timeout); }},
        {CompareDialog::tr("Memory limit"),
         [](const Record& r) { return memoryText(r.limits.memoryBytes); }},
        {CompareDialog::tr("CPU limit"),
         [](const Record& r) {
             return CompareDialog::tr("%1 cores").arg(r.limits.cpuMillis / 1000.0);
         }},
        {CompareDialog::tr("Process limit"),
         [](const Record& r) { return QString::number(r.limits.pids); }},
        {CompareDialog::tr("Output limit"),
         [](const Record& r) { return memoryText(r.limits.outputBytes); }},
        {CompareDialog::tr("Image"),
         [](const Record& r) { return shown(r.image) + QLatin1Char(' ') + shown(r.imageDigest); }},
        {CompareDialog::tr("Code"),
         [](const Record& r) { return shown(r.codeSha256.substr(0, 16)); }},
    };
}

QTableWidget* factsTable(const execution::Record& first, const execution::Record& second)
{
    const std::vector<Fact> all = facts();
    auto* table = new QTableWidget(static_cast<int>(all.size()), 4);
    table->setObjectName(QStringLiteral("comparedFacts"));
    table->setAccessibleName(CompareDialog::tr("Facts of both runs"));
    table->setHorizontalHeaderLabels(
        {CompareDialog::tr("Fact"),
         CompareDialog::tr("First"),
         CompareDialog::tr("Second"),
         CompareDialog::tr("Differs")}
    );
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setTabKeyNavigation(false);
    table->verticalHeader()->hide();
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    for (int row = 0; row < table->rowCount(); ++row) {
        const Fact& fact = all[static_cast<std::size_t>(row)];
        const QString before = fact.value(first);
        const QString after = fact.value(second);
        const bool differs = before != after;
        const QString texts[] = {
            fact.name, before, after, differs ? CompareDialog::tr("differs") : QString()};
        for (int column = 0; column < 4; ++column) {
            auto* item = new QTableWidgetItem(texts[column]);
            QFont font = item->font();
            font.setBold(differs);
            item->setFont(font);
            table->setItem(row, column, item);
        }
    }
    return table;
}

} // namespace

CompareDialog::CompareDialog(
    const ExecutionDetails& first, const ExecutionDetails& second, QWidget* parent
)
    : QDialog(parent)
    , m_tabs(new QTabWidget)
    , m_spaces(new QCheckBox(tr("Ignore &spaces")))
    , m_varying(new QCheckBox(tr("Ignore &times and addresses")))
{
    setObjectName(QStringLiteral("compareDialog"));
    setWindowTitle(tr("Compare two runs"));
    setAttribute(Qt::WA_DeleteOnClose);
    resize(1000, 640);
    m_spaces->setObjectName(QStringLiteral("ignoreSpaces"));
    m_varying->setObjectName(QStringLiteral("ignoreVarying"));
    m_varying->setToolTip(
        tr("Dates, times of day, durations, addresses in memory and UUIDs count as equal")
    );
    addDiff("codeDiff", tr("Code"), first.code, second.code);
    addDiff("outputDiff", tr("Output"), outputOf(first), outputOf(second));
    for (const Compared& compared : m_compared)
        compared.diff->setTitles(titleOf(first.record), titleOf(second.record));
    m_tabs->addTab(factsTable(first.record, second.record), tr("Limits and timing"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* below = new QHBoxLayout;
    for (QCheckBox* box : {m_spaces, m_varying}) {
        connect(box, &QCheckBox::toggled, this, &CompareDialog::compare);
        below->addWidget(box);
    }
    below->addWidget(buttons, 1);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_tabs, 1);
    layout->addLayout(below);
    compare();
}

void CompareDialog::addDiff(
    const char* objectName, const QString& name, std::string before, std::string after
)
{
    auto* diff = new DiffView;
    diff->setObjectName(QLatin1String(objectName));
    m_tabs->addTab(diff, name);
    m_compared.push_back({name, std::move(before), std::move(after), diff});
}

void CompareDialog::compare()
{
    DiffView::Key key;
    if (m_spaces->isChecked() || m_varying->isChecked()) {
        key = [spaces = m_spaces->isChecked(), varying = m_varying->isChecked()](QString text) {
            if (varying)
                text = maskVarying(std::move(text));
            return spaces ? squeezeSpaces(std::move(text)) : text;
        };
    }
    for (std::size_t at = 0; at < m_compared.size(); ++at) {
        const Compared& compared = m_compared[at];
        compared.diff->setTexts(compared.before, compared.after, key);
        const int differences = compared.diff->differences();
        m_tabs->setTabText(
            static_cast<int>(at),
            differences == 0 ? tr("%1 (the same)").arg(compared.name)
                             : tr("%1 (%n line(s) differ)", nullptr, differences).arg(compared.name)
        );
    }
}

} // namespace belljar::ui
