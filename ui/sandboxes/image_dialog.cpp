// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sandboxes/image_dialog.h"

#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

namespace belljar::ui {

namespace {

QLabel* plainLabel(const QString& text)
{
    auto* label = new QLabel(text);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    return label;
}

} // namespace

ImageDialog::ImageDialog(const QString& language, const QString& reference, QWidget* parent)
    : QDialog(parent)
    , m_reference(new QLineEdit)
    , m_outcome(plainLabel({}))
    , m_progress(new QProgressBar)
    , m_use(new QPushButton(tr("&Try it and use it")))
    , m_cancel(new QPushButton(tr("Cancel")))
{
    setObjectName(QStringLiteral("imageDialog"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Use another image"));
    m_reference->setObjectName(QStringLiteral("imageReference"));
    m_reference->setPlaceholderText(tr("name:tag"));
    m_outcome->setObjectName(QStringLiteral("imageTrial"));
    m_outcome->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_outcome->hide();
    m_progress->setObjectName(QStringLiteral("imageTrialProgress"));
    m_progress->setAccessibleName(tr("The image is being tried"));
    m_progress->setRange(0, 0);
    m_progress->hide();
    m_use->setObjectName(QStringLiteral("imageUse"));
    m_cancel->setAutoDefault(false);
    m_use->setDefault(true);

    auto* form = new QFormLayout;
    form->addRow(tr("Now:"), plainLabel(reference));
    form->addRow(tr("&Image of Docker:"), m_reference);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch(1);
    buttons->addWidget(m_use);
    buttons->addWidget(m_cancel);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(plainLabel(
        tr("Programs in %1 run in this image instead of Belljar's own, as locked down as ever. It "
           "has to be in Docker already. Before it is used, a sandbox is started in it and a small "
           "program has to run. A policy that names an image of its own goes first.")
            .arg(language)
    ));
    layout->addLayout(form);
    layout->addWidget(m_progress);
    layout->addWidget(m_outcome);
    layout->addStretch(1);
    layout->addLayout(buttons);
    setMinimumWidth(fontMetrics().averageCharWidth() * 70);

    connect(m_reference, &QLineEdit::textChanged, this, &ImageDialog::update);
    connect(m_use, &QPushButton::clicked, this, &ImageDialog::tryIt);
    connect(m_cancel, &QPushButton::clicked, this, &ImageDialog::reject);
    update();
}

void ImageDialog::update()
{
    m_use->setEnabled(!m_trying && !m_reference->text().trimmed().isEmpty());
    m_reference->setReadOnly(m_trying);
    m_progress->setVisible(m_trying);
    m_cancel->setEnabled(!m_trying);
    // A dialog doesn't grow by itself with what its wrapped texts say.
    layout()->activate();
    const int needed = layout()->totalHeightForWidth(width());
    if (height() < needed)
        resize(width(), needed);
}

void ImageDialog::reject()
{
    if (!m_trying)
        QDialog::reject();
}

void ImageDialog::tryIt()
{
    m_trying = true;
    m_outcome->setText(tr("Starting a sandbox in it and running a program…"));
    m_outcome->show();
    update();
    emit tryWanted(m_reference->text().trimmed());
}

void ImageDialog::showFailure(const QString& reason)
{
    m_trying = false;
    m_outcome->setText(tr("It is not used: %1").arg(reason));
    m_outcome->show();
    update();
    m_reference->setFocus();
    m_reference->selectAll();
}

} // namespace belljar::ui
