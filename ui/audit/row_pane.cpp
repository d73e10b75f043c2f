// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/audit/row_pane.h"

#include "engine/base/json.h"
#include "engine/base/text.h"
#include "ui/audit/audit_model.h"
#include "ui/shell/screen_parts.h"

#include <QDateTime>
#include <QFontDatabase>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace belljar::ui {

namespace {

constexpr std::size_t kShownBytes = 64U * 1024; // the whole is in the export
QLabel* valueLabel(const QString& name)
{
    auto* label = new QLabel;
    label->setObjectName(name);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label->setWordWrap(true);
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    return label;
}

/// A hash is one word of 64 letters: a line that scrolls keeps it whole for copying.
QLineEdit* hashLine(const QString& name, const QString& accessibleName)
{
    auto* line = new QLineEdit;
    line->setObjectName(name);
    line->setAccessibleName(accessibleName);
    line->setReadOnly(true);
    line->setFrame(false);
    line->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    return line;
}

void showHash(QLineEdit& line, const std::string& hash)
{
    constexpr std::size_t kMostBytes = 200; // it may be anything in a damaged log
    line.setText(QString::fromStdString(escapeForLine(prefixWithin(hash, kMostBytes))));
    line.setCursorPosition(0);
}

QString lineOf(const std::string& text)
{
    return text.empty() ? QStringLiteral("–") : QString::fromStdString(escapeForLine(text));
}

} // namespace

RowPane::RowPane(QWidget* parent)
    : QWidget(parent)
    , m_stack(new QStackedWidget)
    , m_nothing(valueLabel(QStringLiteral("auditNoRow")))
    , m_title(valueLabel(QStringLiteral("auditRowTitle")))
    , m_time(valueLabel(QStringLiteral("auditRowTime")))
    , m_execution(valueLabel(QStringLiteral("auditRowExecution")))
    , m_open(new QPushButton(tr("&Open execution")))
    , m_client(valueLabel(QStringLiteral("auditRowClient")))
    , m_detail(new QPlainTextEdit)
    , m_previous(hashLine(QStringLiteral("auditRowPrevious"), tr("Hash of the row before")))
    , m_hash(hashLine(QStringLiteral("auditRowHash"), tr("Hash")))
{
    QFont strong = m_title->font();
    strong.setWeight(QFont::DemiBold);
    m_title->setFont(strong);
    m_detail->setObjectName(QStringLiteral("auditRowDetail"));
    m_detail->setAccessibleName(tr("Detail"));
    m_detail->setReadOnly(true);
    m_detail->setUndoRedoEnabled(false);
    m_detail->setTabChangesFocus(true);
    m_detail->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    m_detail->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_open->setObjectName(QStringLiteral("auditOpenExecution"));
    m_open->setAutoDefault(false);
    connect(m_open, &QPushButton::clicked, this, [this] { emit executionActivated(m_id); });

    auto* form = new QFormLayout;
    form->setContentsMargins(0, 0, 0, 0);
    form->setRowWrapPolicy(QFormLayout::DontWrapRows);
    form->addRow(tr("Time"), m_time);
    form->addRow(tr("Execution"), m_execution);
    form->addRow(tr("Client"), m_client);
    form->addRow(tr("Hash"), m_hash);
    form->addRow(tr("Row before"), m_previous);
    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->addWidget(m_title);
    layout->addLayout(form);
    layout->addWidget(m_open, 0, Qt::AlignLeft);
    layout->addWidget(m_detail, 1);

    m_nothing->setAlignment(Qt::AlignCenter);
    m_nothing->setContentsMargins(20, 20, 20, 20);
    m_stack->addWidget(m_nothing);
    m_stack->addWidget(content);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_stack);
    showNothing(tr("Pick a row to see all of it."));
}

void RowPane::showNothing(const QString& why)
{
    m_nothing->setText(why);
    m_stack->setCurrentIndex(0);
}

void RowPane::showRow(const audit::Row& row)
{
    m_id = ExecutionId(row.execution);
    m_title->setText(
        tr("Row %1: %2")
            .arg(QLocale().toString(static_cast<qlonglong>(row.sequence)), auditTypeText(row.type))
    );
    m_time->setText(
        QDateTime::fromMSecsSinceEpoch(row.at).toString(QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz t"))
    );
    m_execution->setText(lineOf(row.execution));
    m_open->setVisible(!row.execution.empty());
    m_client->setText(lineOf(row.client));
    showHash(*m_hash, row.hash);
    showHash(*m_previous, row.previous);

    const auto json = parseJson(row.detail);
    const std::string pretty =
        json ? json->dump(2, ' ', false, Json::error_handler_t::replace) : row.detail;
    const std::string_view shown = prefixWithin(pretty, kShownBytes);
    QString text = inShortLines(QString::fromStdString(escapeUnusual(shown)));
    if (shown.size() < pretty.size())
        text += QLatin1Char('\n') + tr("… (%1 bytes are not shown; an export has all of them)")
                                        .arg(pretty.size() - shown.size());
    m_detail->setPlainText(text);
    m_stack->setCurrentIndex(1);
}

} // namespace belljar::ui
