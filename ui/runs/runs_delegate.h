// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace belljar::ui {

/// Paints the cells of the runs table: the status as shape and word, code in the fixed font, memory
/// with a bar against its limit. Everything is drawn as plain text.
class RunsDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index)
        const override;
};

} // namespace belljar::ui
