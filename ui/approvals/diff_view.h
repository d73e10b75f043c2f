// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include <string_view>
#endif

#include <QWidget>

class QLabel;
class QPlainTextEdit;

namespace belljar::ui {

/// Two texts side by side, their lines level with each other. Both are foreign text and shown as
/// such.
class DiffView : public QWidget {
    Q_OBJECT

public:
    explicit DiffView(QWidget* parent = nullptr);

    void setTexts(std::string_view before, std::string_view after);
    void setTitles(const QString& before, const QString& after);
    /// How many rows differ.
    [[nodiscard]] int differences() const { return m_differences; }

private:
    QLabel* m_beforeTitle;
    QLabel* m_afterTitle;
    QPlainTextEdit* m_before;
    QPlainTextEdit* m_after;
    int m_differences = 0;
};

} // namespace belljar::ui
