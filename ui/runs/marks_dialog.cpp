// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/marks_dialog.h"

#include "engine/base/text.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>

#include <algorithm>

namespace belljar::ui {

using execution::Marks;

MarksDialog::MarksDialog(const Marks& marks, QWidget* parent)
    : QDialog(parent)
    , m_pinned(new QCheckBox(tr("&Pinned")))
    , m_tags(new QLineEdit)
    , m_note(new QPlainTextEdit)
{
    setObjectName(QStringLiteral("marksDialog"));
    setWindowTitle(tr("Marks of this run"));
    setAttribute(Qt::WA_DeleteOnClose);
    m_pinned->setChecked(marks.pinned);
    m_tags->setObjectName(QStringLiteral("tagsEdit"));
    m_tags->setPlaceholderText(tr("Words, by commas"));
    QStringList tags;
    for (const std::string& tag : marks.tags)
        tags << QString::fromStdString(escapeForLine(tag));
    m_tags->setText(tags.join(QStringLiteral(", ")));
    m_note->setObjectName(QStringLiteral("noteEdit"));
    m_note->setTabChangesFocus(true);
    m_note->setPlainText(QString::fromStdString(toValidUtf8(marks.note)));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QFormLayout(this);
    layout->addRow(m_pinned);
    layout->addRow(tr("&Tags"), m_tags);
    layout->addRow(tr("&Note"), m_note);
    layout->addRow(buttons);
}

Marks MarksDialog::marks() const
{
    Marks marks;
    marks.pinned = m_pinned->isChecked();
    const std::string note = m_note->toPlainText().toStdString();
    marks.note = prefixWithin(note, Marks::kMaxNoteBytes);
    for (const QString& part : m_tags->text().split(QLatin1Char(','))) {
        const std::string tag = part.simplified().toStdString();
        const auto within = prefixWithin(tag, Marks::kMaxTagBytes);
        if (!within.empty())
            marks.tags.emplace_back(within);
    }
    std::sort(marks.tags.begin(), marks.tags.end());
    marks.tags.erase(std::unique(marks.tags.begin(), marks.tags.end()), marks.tags.end());
    if (marks.tags.size() > Marks::kMaxTags)
        marks.tags.resize(Marks::kMaxTags);
    return marks;
}

} // namespace belljar::ui
