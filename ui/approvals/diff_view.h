// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include <functional>
#include <string_view>
#include <vector>
#endif

#include <QWidget>

class QLabel;
class QPlainTextEdit;

namespace belljar::ui {

/// Two texts side by side, their lines level with each other. Both are foreign text and shown as
/// such. F8 and Shift+F8 go from one place that differs to another.
class DiffView : public QWidget {
    Q_OBJECT

public:
    explicit DiffView(QWidget* parent = nullptr);

    /// What the lines of a text are compared by, line for line.
    using Key = std::function<QString(const QString& text)>;

    /// The lines are shown as they are and compared by `key`, where there is one.
    void setTexts(std::string_view before, std::string_view after, const Key& key = {});
    void setTitles(const QString& before, const QString& after);
    /// How many rows differ.
    [[nodiscard]] int differences() const { return m_differences; }

    /// The row at which the cursor is, from 0.
    [[nodiscard]] int currentRow() const;

public slots:
    /// To the beginning of the next or previous place that differs, and around.
    void goToNext();
    void goToPrevious();

private:
    QWidget* makeBar();
    void goTo(std::size_t place);

    QLabel* m_beforeTitle;
    QLabel* m_afterTitle;
    QPlainTextEdit* m_before;
    QPlainTextEdit* m_after;
    QWidget* m_bar;
    QLabel* m_place;
    static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);
    std::vector<int> m_places;        ///< first rows of what differs
    std::size_t m_current = kNowhere; ///< of m_places, where the person has gone
    int m_differences = 0;
};

} // namespace belljar::ui
