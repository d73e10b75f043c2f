// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QWidget>

#include <functional>

class QLabel;
class QToolButton;
class QVBoxLayout;

namespace belljar::ui {

/// Settings in groups, one below the other: name and explanation, control, a way back to the
/// default. Found by their words.
class SettingRows : public QWidget {
    Q_OBJECT

public:
    explicit SettingRows(QWidget* parent = nullptr);

    void addGroup(const QString& title);
    /// A row of the last group. `control` gets `title` as its name. `isDefault` empty: the row has
    /// no default to go back to.
    void addRow(
        const QString& title,
        const QString& help,
        QWidget* control,
        std::function<bool()> isDefault = {},
        std::function<void()> reset = {}
    );
    /// Shows the rows that have every word of `words`, and their groups.
    void find(const QString& words);
    /// Shows which rows differ from their default.
    void updateResets();
    [[nodiscard]] bool isEmpty() const; ///< nothing was found

private:
    struct Row {
        QWidget* widget = nullptr;
        QString text;
        int group = 0;
        QToolButton* reset = nullptr;
        std::function<bool()> isDefault;
    };

    QVBoxLayout* m_layout;
    QList<QLabel*> m_groups;
    QList<Row> m_rows;
};

} // namespace belljar::ui
