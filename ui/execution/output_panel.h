// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "ui/execution/output_view.h"

#include <deque>
#endif

#include <QTimer>
#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QSplitter;
class QStackedWidget;
class QToolButton;

namespace belljar::ui {

/// The output of one execution with what a person does with it: both streams as they came or apart,
/// wrapped or not, following, search, errors. What was chosen is remembered.
///
/// Much output at once is taken in pieces, so that the window stays alive meanwhile.
class OutputPanel : public QWidget {
    Q_OBJECT

public:
    enum class Arrangement : std::uint8_t {
        Together,   ///< in the order in which it came
        SideBySide, ///< stdout, stderr
        Stacked,    ///< stdout above stderr
    };

    explicit OutputPanel(QWidget* parent = nullptr);

    void clear(const QString& placeholder);
    void setPlaceholder(const QString& placeholder);
    void append(std::vector<execution::OutputChunk> chunks);
    /// The program has ended: no more output comes.
    void finish();
    void setWords(const QStringList& words);
    /// What is selected in the view that is used, or everything.
    [[nodiscard]] QString text();
    void focusSearch();

    [[nodiscard]] Arrangement arrangement() const { return m_arrangement; }
    /// Output that was given and isn't shown yet.
    [[nodiscard]] bool isBusy() const { return !m_waiting.empty(); }

public slots:
    bool jumpToError(belljar::ui::Direction direction);

private:
    QWidget* makeBar();
    QToolButton* makeSwitch(const QString& name, const QString& text, const QString& help);
    void arrange(Arrangement arrangement);
    void setWrap(bool on);
    void setFollowing(bool on);
    void showFollowing();
    /// Takes what waits, for about as long as a frame takes, or all of it.
    enum class Portion : std::uint8_t { Frame, All };
    void take(Portion portion);
    /// The view that keys and searches are for.
    [[nodiscard]] OutputView* used() const;
    [[nodiscard]] std::array<OutputView*, 3> views() const { return {m_both, m_stdout, m_stderr}; }
    [[nodiscard]] std::vector<OutputView*> shown() const;

    OutputView* m_both;
    OutputView* m_stdout;
    OutputView* m_stderr;
    QSplitter* m_apart;
    QStackedWidget* m_stack;
    QComboBox* m_arrangements;
    QToolButton* m_wrap;
    QToolButton* m_follow;
    QToolButton* m_previous;
    QToolButton* m_next;
    QLineEdit* m_search;
    QLabel* m_said; ///< of the last search
    Arrangement m_arrangement = Arrangement::Together;
    std::deque<execution::OutputChunk> m_waiting;
    std::size_t m_waitingBytes = 0; ///< of what isn't shown yet
    std::size_t m_taken = 0;        ///< bytes of the first one that are shown already
    bool m_finishing = false;       ///< once nothing waits
    QTimer m_more;
};

} // namespace belljar::ui
