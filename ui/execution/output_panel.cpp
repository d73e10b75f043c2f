// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/execution/output_panel.h"

#include <QComboBox>
#include <QElapsedTimer>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QSettings>
#include <QShortcut>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace belljar::ui {

namespace {

constexpr int kFrameMs = 8; // of the 16 that a frame has; the rest is for painting
constexpr std::size_t kPieceBytes = 16U * 1024;
/// Of output that waits to be shown: a program that writes faster than it can be shown doesn't fill
/// the memory. More than what is kept of any run.
constexpr std::size_t kMostWaitingBytes = 4U * 1024 * 1024;

const QString kArrangementSetting = QStringLiteral("output/arrangement");
const QString kWrapSetting = QStringLiteral("output/wrap");
const QString kFollowSetting = QStringLiteral("output/follow");

} // namespace

OutputPanel::OutputPanel(QWidget* parent)
    : QWidget(parent)
    , m_both(new OutputView)
    , m_stdout(new OutputView)
    , m_stderr(new OutputView)
    , m_apart(new QSplitter)
    , m_stack(new QStackedWidget)
    , m_arrangements(new QComboBox)
    , m_search(new QLineEdit)
    , m_said(new QLabel)
{
    setObjectName(QStringLiteral("outputPanel"));
    m_stdout->setObjectName(QStringLiteral("stdoutView"));
    m_stdout->setAccessibleName(tr("Standard output"));
    m_stderr->setObjectName(QStringLiteral("stderrView"));
    m_stderr->setAccessibleName(tr("Standard error"));
    m_apart->setChildrenCollapsible(false);
    for (const auto& [title, view] :
         {std::pair{tr("stdout"), m_stdout}, {tr("stderr"), m_stderr}}) {
        auto* part = new QWidget;
        auto* heading = new QLabel(title);
        heading->setTextFormat(Qt::PlainText);
        heading->setMargin(2);
        auto* layout = new QVBoxLayout(part);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->setSpacing(0);
        layout->addWidget(heading);
        layout->addWidget(view, 1);
        m_apart->addWidget(part);
    }
    m_stack->addWidget(m_both);
    m_stack->addWidget(m_apart);
    m_search->setObjectName(QStringLiteral("outputSearch"));
    m_search->setAccessibleName(tr("Find in the output"));
    m_search->setPlaceholderText(tr("Find in the output"));
    m_search->setClearButtonEnabled(true);
    m_said->setObjectName(QStringLiteral("outputSaid"));
    m_said->setTextFormat(Qt::PlainText);
    connect(m_search, &QLineEdit::textChanged, m_said, &QLabel::clear);
    connect(m_search, &QLineEdit::returnPressed, this, [this] {
        take(Portion::All);
        const bool found = m_search->text().isEmpty() || used()->findNext(m_search->text());
        m_said->setText(found ? QString() : tr("not found"));
    });
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeBar());
    layout->addWidget(m_stack, 1);
    auto* below = new QHBoxLayout;
    below->addWidget(m_search, 1);
    below->addWidget(m_said);
    layout->addLayout(below);
    for (OutputView* view : views())
        connect(view, &OutputView::followingChanged, this, &OutputPanel::showFollowing);
    m_more.setSingleShot(true);
    m_more.setInterval(0);
    connect(&m_more, &QTimer::timeout, this, [this] { take(Portion::Frame); });

    const auto shortcut = [this](const QKeySequence& keys, QWidget* where, auto action) {
        auto* made = new QShortcut(keys, where);
        made->setContext(Qt::WidgetWithChildrenShortcut);
        connect(made, &QShortcut::activated, this, action);
    };
    shortcut(Qt::Key_F, m_stack, [this] { m_follow->click(); });

    const QSettings settings;
    const int kept = settings.value(kArrangementSetting).toInt();
    m_arrangements->setCurrentIndex(std::clamp(kept, 0, m_arrangements->count() - 1));
    m_wrap->setChecked(settings.value(kWrapSetting).toBool());
    m_follow->setChecked(settings.value(kFollowSetting, true).toBool());
    setFollowing(m_follow->isChecked());
}

QToolButton* OutputPanel::makeSwitch(const QString& name, const QString& text, const QString& help)
{
    auto* button = new QToolButton;
    button->setObjectName(name);
    button->setText(text);
    button->setToolTip(help);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

QWidget* OutputPanel::makeBar()
{
    m_arrangements->setObjectName(QStringLiteral("outputArrangement"));
    m_arrangements->setAccessibleName(tr("How the two streams are arranged"));
    m_arrangements->addItems({tr("In order"), tr("Side by side"), tr("Stacked")});
    connect(m_arrangements, &QComboBox::currentIndexChanged, this, [this](int index) {
        arrange(static_cast<Arrangement>(index));
        QSettings().setValue(kArrangementSetting, index);
    });
    m_wrap = makeSwitch(
        QStringLiteral("outputWrap"), tr("Wrap"), tr("Break long lines at the edge of the view")
    );
    m_wrap->setCheckable(true);
    connect(m_wrap, &QToolButton::toggled, this, [this](bool on) {
        setWrap(on);
        QSettings().setValue(kWrapSetting, on);
    });
    m_follow = makeSwitch(
        QStringLiteral("outputFollow"), tr("Follow"), tr("Stay at the end while output comes (F)")
    );
    m_follow->setCheckable(true);
    connect(m_follow, &QToolButton::clicked, this, [this](bool on) {
        setFollowing(on);
        QSettings().setValue(kFollowSetting, on);
    });
    m_previous =
        makeSwitch(QStringLiteral("previousError"), tr("▲ Error"), tr("Previous error (Shift+F8)"));
    m_previous->setAccessibleName(tr("Previous error"));
    m_next = makeSwitch(QStringLiteral("nextError"), tr("▼ Error"), tr("Next error (F8)"));
    m_next->setAccessibleName(tr("Next error"));
    connect(m_next, &QToolButton::clicked, this, [this] { jumpToError(Direction::Next); });
    connect(m_previous, &QToolButton::clicked, this, [this] { jumpToError(Direction::Previous); });

    auto* bar = new QWidget;
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(0, 0, 0, 2);
    layout->addWidget(m_arrangements);
    layout->addWidget(m_wrap);
    layout->addWidget(m_follow);
    layout->addStretch(1);
    layout->addWidget(m_previous);
    layout->addWidget(m_next);
    return bar;
}

std::vector<OutputView*> OutputPanel::shown() const
{
    if (m_arrangement == Arrangement::Together)
        return {m_both};
    return {m_stdout, m_stderr};
}

OutputView* OutputPanel::used() const
{
    const std::vector<OutputView*> candidates = shown();
    const auto focused =
        std::find_if(candidates.begin(), candidates.end(), [](const OutputView* view) {
            return view->hasFocus();
        });
    return focused == candidates.end() ? candidates.front() : *focused;
}

void OutputPanel::arrange(Arrangement arrangement)
{
    m_arrangement = arrangement;
    const bool together = arrangement == Arrangement::Together;
    if (!together) {
        m_apart->setOrientation(
            arrangement == Arrangement::SideBySide ? Qt::Horizontal : Qt::Vertical
        );
        m_stdout->showPartOf(*m_both, LineStore::Part::Stdout);
        m_stderr->showPartOf(*m_both, LineStore::Part::Stderr);
    }
    m_stack->setCurrentIndex(together ? 0 : 1);
    setFollowing(m_follow->isChecked());
}

void OutputPanel::setWrap(bool on)
{
    for (OutputView* view : views())
        view->setWrap(on ? Wrap::On : Wrap::Off);
}

void OutputPanel::setFollowing(bool on)
{
    for (OutputView* view : views())
        view->setFollowing(on);
    showFollowing();
}

void OutputPanel::showFollowing()
{
    const auto all = shown();
    m_follow->setChecked(std::all_of(all.begin(), all.end(), [](const OutputView* view) {
        return view->isFollowing();
    }));
}

void OutputPanel::clear(const QString& placeholder)
{
    m_waiting.clear();
    m_waitingBytes = 0;
    m_taken = 0;
    m_finishing = false;
    m_more.stop();
    m_said->clear();
    m_both->clear(placeholder);
    m_stdout->showPartOf(*m_both, LineStore::Part::Stdout);
    m_stderr->showPartOf(*m_both, LineStore::Part::Stderr);
    setFollowing(QSettings().value(kFollowSetting, true).toBool());
}

void OutputPanel::setPlaceholder(const QString& placeholder)
{
    for (OutputView* view : views())
        view->setPlaceholder(placeholder);
}

void OutputPanel::append(std::vector<execution::OutputChunk> chunks)
{
    for (execution::OutputChunk& chunk : chunks) {
        m_waitingBytes += chunk.bytes.size();
        m_waiting.push_back(std::move(chunk));
    }
    // The oldest is skipped; the lines tell how much by its offset.
    while (m_waitingBytes > kMostWaitingBytes && m_waiting.size() > 1) {
        m_waitingBytes -= m_waiting.front().bytes.size() - std::exchange(m_taken, 0);
        m_waiting.pop_front();
    }
    // What comes behind waits its turn, also to keep the order.
    if (!m_more.isActive())
        take(Portion::Frame);
}

void OutputPanel::finish()
{
    m_finishing = true;
    if (!m_more.isActive())
        take(Portion::Frame);
}

void OutputPanel::take(Portion portion)
{
    QElapsedTimer timer;
    timer.start();
    std::vector<execution::OutputChunk> piece(1);
    while (!m_waiting.empty() && (portion == Portion::All || timer.elapsed() < kFrameMs)) {
        const execution::OutputChunk& chunk = m_waiting.front();
        piece[0].stream = chunk.stream;
        piece[0].offset = chunk.offset + m_taken;
        piece[0].bytes = chunk.bytes.substr(m_taken, kPieceBytes);
        m_taken += piece[0].bytes.size();
        m_waitingBytes -= piece[0].bytes.size();
        if (m_taken == chunk.bytes.size()) {
            m_waiting.pop_front();
            m_taken = 0;
        }
        m_both->append(piece);
    }
    if (!m_waiting.empty()) {
        m_more.start();
    } else if (std::exchange(m_finishing, false)) {
        m_both->finish();
    }
    for (OutputView* view : {m_stdout, m_stderr})
        view->linesChanged();
}

void OutputPanel::setWords(const QStringList& words)
{
    for (OutputView* view : views())
        view->setWords(words);
}

QString OutputPanel::text()
{
    take(Portion::All);
    return used()->selectedText();
}

void OutputPanel::focusSearch()
{
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();
}

bool OutputPanel::jumpToError(Direction direction)
{
    take(Portion::All);
    // stderr is where errors are, should it have a view of its own.
    OutputView* view = m_arrangement == Arrangement::Together || m_stderr->lineCount() == 0
                           ? shown().front()
                           : m_stderr;
    const bool found = view->jumpToError(direction);
    m_said->setText(found ? QString() : tr("no errors"));
    return found;
}

} // namespace belljar::ui
