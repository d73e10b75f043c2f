// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "ui/runs/query_text.h"

#include <map>
#include <string>
#include <vector>
#endif

#include <QStringList>
#include <QWidget>

class QCompleter;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QStringListModel;
class QTimer;

namespace belljar::ui {

/// The line that filters the runs, with a chip for each condition, completion, and words for what
/// it doesn't understand.
class QueryLine : public QWidget {
    Q_OBJECT

public:
    explicit QueryLine(QWidget* parent = nullptr);

    [[nodiscard]] QString text() const;
    /// Takes effect at once.
    void setText(const QString& text);
    /// Puts `key:value` in place of what the line has of that key; takes effect at once.
    void setCondition(const std::string& key, const std::string& value);
    /// What is in the history: offered as values of `key`. Foreign text.
    void offer(const std::string& key, std::vector<std::string> values);
    [[nodiscard]] const store::RunFilter& filter() const { return m_parsed.filter; }
    /// The texts that are searched for.
    [[nodiscard]] QStringList words() const;
    [[nodiscard]] QString problem() const;
    void focusLine();

    static constexpr int kDebounceMs = 200;

signals:
    /// Another filter holds; after typing has paused.
    void filterChanged();
    /// Down: to the table.
    void leaveWanted();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void take();
    void showChips();
    void complete();
    void insertCompletion(const QString& completion);

    ParsedQuery m_parsed;
    std::map<std::string, std::vector<std::string>> m_offers;
    QLineEdit* m_line;
    QWidget* m_chips;
    QHBoxLayout* m_chipsLayout;
    QLabel* m_problem;
    QCompleter* m_completer;
    QStringListModel* m_completions;
    QTimer* m_debounce;
};

} // namespace belljar::ui
