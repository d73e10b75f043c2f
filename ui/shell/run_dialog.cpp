// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/run_dialog.h"

#include <QComboBox>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace belljar::ui {

RunDialog::RunDialog(const QStringList& languages, QWidget* parent)
    : QDialog(parent)
    , m_language(new QComboBox)
    , m_code(new QPlainTextEdit)
    , m_run(new QPushButton(tr("&Run in a sandbox")))
{
    setWindowTitle(tr("Run a program"));
    setAttribute(Qt::WA_DeleteOnClose);
    m_language->setObjectName(QStringLiteral("languageBox"));
    m_language->addItems(languages);
    m_code->setObjectName(QStringLiteral("codeEdit"));
    m_code->setAccessibleName(tr("Code"));
    m_code->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_code->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_code->setTabChangesFocus(true);
    m_run->setObjectName(QStringLiteral("runButton"));
    m_run->setAutoDefault(false);
    m_run->setEnabled(false);
    auto* cancel = new QPushButton(tr("Cancel"));
    cancel->setAutoDefault(false);
    auto* label = new QLabel(tr("&Language"));
    label->setBuddy(m_language);
    auto* top = new QHBoxLayout;
    top->addWidget(label);
    top->addWidget(m_language);
    top->addStretch();
    auto* bottom = new QHBoxLayout;
    bottom->addStretch();
    bottom->addWidget(cancel);
    bottom->addWidget(m_run);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(top);
    layout->addWidget(m_code, 1);
    layout->addLayout(bottom);
    resize(fontMetrics().averageCharWidth() * 90, fontMetrics().height() * 26);
    connect(m_code, &QPlainTextEdit::textChanged, this, [this] {
        m_run->setEnabled(!m_code->document()->isEmpty());
    });
    connect(cancel, &QPushButton::clicked, this, &QDialog::close);
    connect(m_run, &QPushButton::clicked, this, [this] {
        emit runWanted(m_language->currentText(), m_code->toPlainText());
        close();
    });
    m_code->setFocus();
}

void RunDialog::setProgram(const QString& language, const QString& code)
{
    m_language->setCurrentText(language);
    m_code->setPlainText(code);
}

} // namespace belljar::ui
