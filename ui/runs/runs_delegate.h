// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QStyledItemDelegate>

namespace belljar::ui {

/// Paints the cells of the runs table: the status as shape and word, code in the fixed font, memory
/// with a bar against its limit. Everything is drawn as plain text.
class RunsDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    /// What was searched for: marked wherever it stands in a cell.
    void setWords(const QStringList& words) { m_words = words; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index)
        const override;

private:
    QStringList m_words;
};

} // namespace belljar::ui
