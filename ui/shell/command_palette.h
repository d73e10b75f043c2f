// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/base/ids.h"
#endif

#include <QFrame>
#include <QList>
#include <QPointer>
#include <QString>

#include <optional>

class QAction;
class QLineEdit;
class QListWidget;
class QMenuBar;

namespace belljar::ui {

/// How well `wanted` fits `text`, higher is better; nothing: not at all. The letters of `wanted`
/// stand in `text` in this order, case doesn't matter; those that begin a word or stand together
/// count more.
[[nodiscard]] std::optional<int> matchScore(const QString& text, const QString& wanted);

/// Every action of the window by its name (Ctrl+K), and a run by its id.
class CommandPalette : public QFrame {
    Q_OBJECT

public:
    /// Offers what stands in the menus of `menus`, which outlives it. `parent` is what it covers.
    CommandPalette(QMenuBar* menus, QWidget* parent);

    void open();

signals:
    void runWanted(const belljar::ExecutionId& id);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Entry {
        QString title; ///< "Run: Stop"
        QString keys;
        QAction* action = nullptr;
    };

    void collect();
    void fill();
    void choose();
    void place();
    /// Gives the focus back to who had it.
    void leave();

    QMenuBar* m_menus;
    QLineEdit* m_text;
    QListWidget* m_list;
    QList<Entry> m_entries;
    QPointer<QWidget> m_before; ///< had the focus
};

} // namespace belljar::ui
