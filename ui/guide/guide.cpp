// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/guide/guide.h"

#include "engine/base/text.h"
#include "ui/shell/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QFontDatabase>
#include <QGridLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <variant>

namespace belljar::ui {

namespace {

constexpr int kLogLines = 500;
constexpr int kShownLogLines = 6;
constexpr int kWidestLetters = 90; ///< longer lines are hard to read

/// The shape beside each state; the word beside it says the same.
execution::Status shapeOf(StepState state)
{
    using execution::Status;
    switch (state) {
    case StepState::Blocked: return Status::Queued;
    case StepState::ToDo: return Status::AwaitingApproval;
    case StepState::Working: return Status::Running;
    case StepState::Done: return Status::Succeeded;
    case StepState::Problem: return Status::Failed;
    }
    return Status::Queued;
}

QLabel* plainLabel(const QString& text)
{
    auto* label = new QLabel(text);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    return label;
}

/// What connects a client, with this program's own path.
QString snippet()
{
    return QStringLiteral("{ \"mcpServers\": { \"belljar\": { \"command\": \"%1/belljar\", "
                          "\"args\": [\"stdio\"] } } }")
        .arg(QCoreApplication::applicationDirPath());
}

} // namespace

Guide::Guide(const Situation& situation, QWidget* parent)
    : QWidget(parent)
    , m_build(nullptr)
    , m_progress(new QProgressBar)
    , m_log(new QPlainTextEdit)
{
    setObjectName(QStringLiteral("guide"));
    m_facts.situation = situation;
    auto* heading = plainLabel(tr("First steps"));
    QFont big = heading->font();
    big.setPointSizeF(big.pointSizeF() * 1.5);
    big.setWeight(QFont::DemiBold);
    heading->setFont(big);
    auto* content = new QWidget;
    const int space = fontMetrics().height();
    content->setMaximumWidth(fontMetrics().averageCharWidth() * kWidestLetters);
    auto* grid = new QGridLayout(content);
    grid->setContentsMargins(space, space, space, space);
    grid->setHorizontalSpacing(space);
    grid->setColumnStretch(1, 1);
    int line = 0;
    grid->addWidget(heading, line++, 0, 1, 3);
    grid->addWidget(
        plainLabel(tr("Four steps to a program in a sandbox. Each can be left for later.")),
        line++,
        0,
        1,
        3
    );
    for (std::size_t at = 0; at < kSteps; ++at) {
        const auto step = static_cast<StepName>(at);
        const Row row = makeRow(step);
        m_rows.at(at) = row;
        grid->setRowMinimumHeight(line++, space / 2);
        grid->addWidget(row.icon, line, 0, Qt::AlignTop);
        grid->addWidget(row.title, line, 1);
        grid->addWidget(row.button, line, 2, 2, 1, Qt::AlignTop);
        grid->addWidget(row.text, ++line, 1);
        ++line;
        if (step == StepName::Image)
            grid->addWidget(m_build = makeBuild(), line++, 1, 1, 2);
        if (step == StepName::Client)
            grid->addWidget(makeByHand(), line++, 1, 1, 2);
    }
    grid->setRowStretch(line, 1);
    // In a small window every step can still be reached.
    auto* scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    auto* middle = new QWidget;
    auto* columns = new QHBoxLayout(middle);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->addStretch(1);
    columns->addWidget(content, 100);
    columns->addStretch(1);
    scroll->setWidget(middle);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(scroll);
    refresh();
}

Guide::Row Guide::makeRow(StepName step)
{
    constexpr std::array<const char*, kSteps> kNames{
        "guideDocker", "guideImage", "guideClient", "exampleButton"};
    Row row{new QLabel, plainLabel({}), plainLabel({}), new QPushButton};
    QFont strong = row.title->font();
    strong.setWeight(QFont::DemiBold);
    row.title->setFont(strong);
    row.text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    row.button->setObjectName(QLatin1String(kNames.at(static_cast<std::size_t>(step))));
    row.button->setAutoDefault(false);
    connect(row.button, &QPushButton::clicked, this, [this, step] { press(step); });
    return row;
}

QWidget* Guide::makeBuild()
{
    m_progress->setAccessibleName(tr("The image is being built"));
    m_progress->setRange(0, 0); // nobody knows how long it takes
    m_log->setObjectName(QStringLiteral("guideLog"));
    m_log->setAccessibleName(tr("Log of the image build"));
    m_log->setReadOnly(true);
    m_log->setTabChangesFocus(true);
    m_log->setMaximumBlockCount(kLogLines);
    m_log->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_log->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_log->setFixedHeight(fontMetrics().lineSpacing() * kShownLogLines);
    auto* build = new QWidget;
    auto* layout = new QVBoxLayout(build);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_progress);
    layout->addWidget(m_log);
    return build;
}

QWidget* Guide::makeByHand()
{
    auto* text = plainLabel(tr("By hand: put this into its configuration and start it again."));
    auto* code = plainLabel(snippet());
    code->setObjectName(QStringLiteral("connectSnippet"));
    code->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    code->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* copy = new QPushButton(tr("C&opy"));
    copy->setObjectName(QStringLiteral("copySnippetButton"));
    copy->setAccessibleName(tr("Copy the configuration"));
    copy->setAutoDefault(false);
    connect(copy, &QPushButton::clicked, this, [] {
        QApplication::clipboard()->setText(snippet());
    });
    auto* byHand = new QWidget;
    auto* layout = new QGridLayout(byHand);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setColumnStretch(0, 1);
    layout->addWidget(text, 0, 0);
    layout->addWidget(code, 1, 0);
    layout->addWidget(copy, 0, 1, 2, 1, Qt::AlignTop);
    return byHand;
}

void Guide::apply(const std::vector<Event>& events)
{
    m_facts.situation.apply(events);
    for (const Event& event : events)
        std::visit([this](const auto& one) { take(one); }, event);
    refresh();
}

void Guide::take(const ImageBuildProgress& progress)
{
    if (progress.language != kGuideLanguage)
        return;
    m_facts.building = true;
    m_facts.buildEnded.reset();
    m_log->appendPlainText(QString::fromStdString(escapeUnusual(progress.line)));
}

void Guide::take(const ImageBuildEnded& ended)
{
    if (ended.language != kGuideLanguage)
        return;
    m_facts.building = false;
    m_facts.buildEnded.reset();
    if (ended.error)
        m_facts.buildEnded = ended.error->message();
}

void Guide::press(StepName step)
{
    switch (step) {
    case StepName::Docker: emit commandWanted(RetryDocker{}); break;
    case StepName::Image:
        m_log->clear();
        m_facts.building = true;
        m_facts.buildEnded.reset();
        refresh();
        emit commandWanted(BuildImage{kGuideLanguage});
        break;
    case StepName::Client: emit clientsWanted(); break;
    case StepName::Example: emit exampleWanted(); break;
    }
}

void Guide::refresh()
{
    const auto steps = stepsOf(m_facts);
    for (std::size_t at = 0; at < kSteps; ++at) {
        if (m_steps.at(at) == steps.at(at) && !m_rows.at(at).title->text().isEmpty())
            continue;
        m_steps.at(at) = steps.at(at);
        showStep(static_cast<StepName>(at));
    }
    const StepState image = m_steps.at(static_cast<std::size_t>(StepName::Image)).state;
    m_progress->setVisible(image == StepState::Working);
    m_build->setVisible(image == StepState::Working || image == StepState::Problem);
}

void Guide::showStep(StepName step)
{
    const auto at = static_cast<std::size_t>(step);
    const Step& now = m_steps.at(at);
    const Row& row = m_rows.at(at);
    row.title->setText(tr("%1. %2: %3").arg(at + 1).arg(titleOf(step), wordOf(now.state)));
    row.text->setText(now.text);
    row.button->setText(now.action);
    row.button->setVisible(!now.action.isEmpty());
    const execution::Status shape = shapeOf(now.state);
    row.icon->setPixmap(statusPixmap(
        shape, fontMetrics().height(), devicePixelRatioF(), currentColors().status(shape)
    ));
}

void Guide::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_build) {
        for (std::size_t at = 0; at < kSteps; ++at)
            showStep(static_cast<StepName>(at));
    }
}

} // namespace belljar::ui
