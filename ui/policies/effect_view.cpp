// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/policies/effect_view.h"

#include "engine/base/sha256.h"
#include "engine/base/text.h"
#include "ui/policies/form_fields.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDateTime>
#include <QFontDatabase>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTableWidget>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace belljar::ui {

namespace {

constexpr std::uint32_t kMostExecutions = 200;
constexpr int kAskAfterMs = 300;
constexpr int kColumns = 7;
constexpr int kChipsInRow = 3;

QString shown(const std::string& text)
{
    return QString::fromStdString(escapeForLine(text));
}

QString verdictText(execution::Verdict verdict)
{
    switch (verdict) {
    case execution::Verdict::Allow: return EffectView::tr("allowed");
    case execution::Verdict::Ask: return EffectView::tr("asks");
    case execution::Verdict::Deny: return EffectView::tr("denied");
    }
    return {};
}

/// "allowed (remembered)".
QString answerText(execution::Verdict verdict, bool remembered)
{
    return remembered ? EffectView::tr("%1 (remembered)").arg(verdictText(verdict))
                      : verdictText(verdict);
}

} // namespace

EffectView::EffectView(EffectLoader& loader, QWidget* parent)
    : QWidget(parent)
    , m_loader(loader)
    , m_later(new QTimer(this))
{
    m_later->setSingleShot(true);
    m_later->setInterval(kAskAfterMs);
    connect(m_later, &QTimer::timeout, this, &EffectView::ask);
    auto* splitter = new QSplitter(Qt::Vertical, this);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(makePast());
    splitter->addWidget(makeTryOut());
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(splitter);
    connect(
        &m_loader,
        &EffectLoader::effectLoaded,
        this,
        [this](std::uint64_t token, const Effect& effect) {
            if (token != m_effectToken)
                return;
            m_effect = effect;
            showEffect();
            emit loaded();
        }
    );
    connect(
        &m_loader,
        &EffectLoader::triedOut,
        this,
        [this](std::uint64_t token, const policy::Decision& decision) {
            if (token != m_tryToken)
                return;
            QStringList lines{tr("Decision: %1").arg(verdictText(decision.verdict))};
            for (const policy::Reason& reason : decision.reasons)
                lines << tr("Rule \"%1\": %2").arg(shown(reason.rule), shown(reason.words));
            for (const std::string& note : decision.notes)
                lines << shown(note);
            for (const analysis::Finding& finding : decision.report.findings)
                lines << tr("Line %1, %2 (%3): %4")
                             .arg(finding.range.beginLine)
                             .arg(
                                 QString::fromStdString(std::string(nameOf(finding.severity))),
                                 shown(finding.rule),
                                 shown(finding.message)
                             );
            m_answer->setText(lines.join(QLatin1Char('\n')));
            m_try->setEnabled(true);
        }
    );
    connect(
        &m_loader,
        &EffectLoader::failed,
        this,
        [this](std::uint64_t token, const QString& message) {
            if (token == m_effectToken)
                m_summary->setText(tr("The history can't be read: %1").arg(message));
            if (token == m_tryToken) {
                m_answer->setText(message);
                m_try->setEnabled(true);
            }
        }
    );
}

QWidget* EffectView::makePast()
{
    auto* past = new QWidget(this);
    m_summary = makeNote({}, false, past);
    m_summary->setObjectName(QStringLiteral("effectSummary"));
    auto* chips = new QGridLayout; // in two rows: five in one make the window wide
    for (std::size_t at = 0; at < kChanges; ++at) {
        auto* chip = new QCheckBox(countText(static_cast<Change>(at), 0), past);
        chip->setObjectName(QStringLiteral("effectChip%1").arg(at));
        chip->setChecked(static_cast<Change>(at) != Change::Same);
        connect(chip, &QCheckBox::toggled, this, &EffectView::fillRows);
        chips->addWidget(
            chip, static_cast<int>(at) / kChipsInRow, static_cast<int>(at) % kChipsInRow
        );
        m_chips.at(at) = chip;
    }
    chips->setColumnStretch(kChipsInRow, 1);
    m_rows = new QTableWidget(0, kColumns, past);
    m_rows->setObjectName(QStringLiteral("effectRows"));
    m_rows->setAccessibleName(tr("Executions and how they would be decided"));
    m_rows->setHorizontalHeaderLabels(
        {tr("In force"),
         tr("Draft"),
         tr("Received"),
         tr("Client"),
         tr("Rule"),
         tr("Limits"),
         tr("Code")}
    );
    m_rows->verticalHeader()->hide();
    m_rows->verticalHeader()->setDefaultSectionSize(fontMetrics().lineSpacing() + 8);
    m_rows->horizontalHeader()->setStretchLastSection(true);
    m_rows->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_rows->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_rows->setSelectionMode(QAbstractItemView::SingleSelection);
    m_rows->setWordWrap(false);
    m_rows->setColumnWidth(2, fontMetrics().averageCharWidth() * 24);
    m_rows->setTabKeyNavigation(false);
    connect(m_rows, &QTableWidget::cellActivated, this, [this](int row, int) {
        emit executionActivated(m_shown[static_cast<std::size_t>(row)]);
    });
    auto* layout = new QVBoxLayout(past);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_summary);
    layout->addLayout(chips);
    layout->addWidget(m_rows, 1);
    return past;
}

QWidget* EffectView::makeTryOut()
{
    auto* box = new QWidget(this);
    auto* title =
        makeNote(tr("Try a program out (it is analysed and decided on, not run)"), false, box);
    m_code = new QPlainTextEdit(box);
    m_code->setObjectName(QStringLiteral("tryCode"));
    m_code->setAccessibleName(tr("Program to try out"));
    m_code->setPlaceholderText(tr("Paste code here"));
    m_code->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_code->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_code->setTabChangesFocus(true);
    title->setBuddy(m_code);
    m_client = new QComboBox(box);
    m_client->setObjectName(QStringLiteral("tryClient"));
    m_client->setAccessibleName(tr("Client"));
    m_client->setEditable(true);
    m_client->lineEdit()->setPlaceholderText(tr("name of the client"));
    m_language = new QComboBox(box);
    m_language->setObjectName(QStringLiteral("tryLanguage"));
    m_language->setAccessibleName(tr("Language"));
    m_language->setEditable(true);
    m_language->addItems(
        {QStringLiteral("python"), QStringLiteral("javascript"), QStringLiteral("bash")}
    );
    m_try = new QPushButton(tr("Decide"), box);
    m_try->setObjectName(QStringLiteral("tryButton"));
    m_try->setAutoDefault(false);
    connect(m_try, &QPushButton::clicked, this, &EffectView::tryOut);
    m_answer = makeNote(tr("No decision yet"), false, box);
    m_answer->setObjectName(QStringLiteral("tryAnswer"));
    m_answer->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_answer->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    auto* choices = new QHBoxLayout;
    choices->addWidget(m_client, 1);
    choices->addWidget(m_language, 1);
    choices->addWidget(m_try);
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(title);
    layout->addWidget(m_code, 1);
    layout->addLayout(choices);
    layout->addWidget(m_answer);
    return box;
}

void EffectView::setDocument(PolicyDocument* document, const std::string& name)
{
    if (m_document)
        disconnect(m_document, nullptr, this, nullptr);
    m_document = document;
    m_name = name;
    m_effect = {};
    m_answer->setText(tr("No decision yet"));
    if (document) {
        connect(document, &PolicyDocument::problemsChanged, this, &EffectView::askLater);
        connect(document, &PolicyDocument::inForceChanged, this, &EffectView::askLater);
    }
    m_stale = true;
    ask();
}

void EffectView::setRemembered(const std::vector<policy::Remembered>& remembered)
{
    // That one was used again changes nothing here.
    const auto sameId = [](const policy::Remembered& one, const policy::Remembered& other) {
        return one.id == other.id;
    };
    const auto& known = m_circumstances.remembered;
    if (std::equal(known.begin(), known.end(), remembered.begin(), remembered.end(), sameId))
        return;
    m_circumstances.remembered = remembered;
    askLater();
}

void EffectView::setImages(std::map<std::string, std::string> digests)
{
    if (m_circumstances.imageDigests == digests)
        return;
    m_circumstances.imageDigests = std::move(digests);
    askLater();
}

void EffectView::askLater()
{
    m_stale = true;
    m_later->start();
}

void EffectView::setClients(const QStringList& names)
{
    const QString current = m_client->currentText();
    m_client->clear();
    m_client->addItems(names);
    m_client->setCurrentText(current.isEmpty() && !names.isEmpty() ? names.front() : current);
}

std::optional<policy::Named> EffectView::draft() const
{
    if (!m_document || !m_document->checked().policy)
        return {};
    policy::Named named;
    named.name = m_name;
    named.sha256 = sha256Hex(m_document->text());
    named.policy = *m_document->checked().policy;
    return named;
}

void EffectView::ask()
{
    if (isVisible() && m_stale)
        evaluate();
}

void EffectView::evaluate()
{
    m_stale = false;
    const auto named = draft();
    if (!named) {
        m_effectToken = 0;
        m_effect = {};
        showEffect();
        m_summary->setText(
            m_document ? tr("The draft has errors: what it would do can't be said.") : QString()
        );
        return;
    }
    // A policy that isn't in force yet is compared with itself as it was opened.
    policy::Named before = *named;
    if (const auto inForce = policy::check(m_document->inForce()); inForce.policy) {
        before.policy = *inForce.policy;
        before.sha256 = sha256Hex(m_document->inForce());
    }
    m_summary->setText(tr("Deciding past executions anew…"));
    m_effectToken = m_loader.loadEffect(before, *named, m_circumstances, kMostExecutions);
}

void EffectView::showEffect()
{
    for (std::size_t at = 0; at < kChanges; ++at)
        m_chips.at(at)->setText(countText(static_cast<Change>(at), m_effect.counts.at(at)));
    const std::size_t count = m_effect.rows.size();
    QString text = count == 0
                       ? tr("No past executions to compare with.")
                       : tr("The last %n execution(s), as if this policy decided them all, now.",
                            nullptr,
                            static_cast<int>(count));
    if (count > 0)
        text += QLatin1Char(' ') + summary();
    if (m_effect.skipped > 0)
        text +=
            QLatin1Char(' ') +
            tr("%n more had no analysis on record.", nullptr, static_cast<int>(m_effect.skipped));
    m_summary->setText(text);
    fillRows();
}

QString EffectView::summary() const
{
    return summaryOf(m_effect);
}

void EffectView::fillRows()
{
    m_rows->setRowCount(0);
    m_shown.clear();
    for (const EffectRow& row : m_effect.rows) {
        const auto change = static_cast<std::size_t>(row.change);
        if (!m_chips.at(change)->isChecked())
            continue;
        const int at = m_rows->rowCount();
        m_rows->insertRow(at);
        m_shown.push_back(row.record.id);
        const QString cells[] = {
            answerText(row.before, row.wasRemembered),
            answerText(row.now, row.isRemembered),
            QDateTime::fromMSecsSinceEpoch(row.record.receivedAt).toString("yyyy-MM-dd HH:mm"),
            shown(row.record.client.name),
            shown(row.rule),
            row.limits.join(QStringLiteral(", ")),
            shown(row.record.firstLine)};
        for (int column = 0; column < kColumns; ++column) {
            auto* item = new QTableWidgetItem(cells[column]);
            item->setToolTip((column == 4 ? shown(row.words) : cells[column]).toHtmlEscaped());
            m_rows->setItem(at, column, item);
        }
    }
}

void EffectView::tryOut()
{
    const auto named = draft();
    if (!named) {
        m_answer->setText(tr("The draft has errors; mend them first."));
        return;
    }
    if (!m_loader.canAnalyse()) {
        m_answer->setText(tr("Analysis isn't available in this window."));
        return;
    }
    policy::Question question;
    question.client.name = m_client->currentText().toStdString();
    question.language = m_language->currentText().toStdString();
    m_try->setEnabled(false);
    m_tryToken = m_loader.tryOut(*named, question, m_code->toPlainText().toStdString());
}

void EffectView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    ask();
}

} // namespace belljar::ui
