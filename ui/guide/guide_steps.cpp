// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/guide/guide_steps.h"

#include "ui/shell/screen_parts.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

namespace belljar::ui {

namespace {

class Words {
    Q_DECLARE_TR_FUNCTIONS(belljar::ui::Guide)
};

const ImageStatus* imageOf(const GuideFacts& facts)
{
    const auto& images = facts.situation.images;
    const auto found = std::find_if(images.begin(), images.end(), [](const ImageStatus& image) {
        return image.language == kGuideLanguage;
    });
    return found == images.end() ? nullptr : &*found;
}

bool isReady(const ImageStatus* image)
{
    return image && (image->present || image->chosen);
}

Step dockerStep(const GuideFacts& facts)
{
    const DockerStatus& docker = facts.situation.docker;
    if (facts.situation.engineFailed)
        return {StepState::Problem, Words::tr("Belljar's engine does not run."), {}};
    switch (docker.state) {
    case DockerState::Connecting: return {StepState::Working, Words::tr("Looking for Docker…"), {}};
    case DockerState::Ready:
        return {
            StepState::Done,
            Words::tr("Docker %1 answers at %2.").arg(safe(docker.version), safe(docker.endpoint)),
            {}};
    case DockerState::Unreachable: break;
    }
    QString text = safe(docker.message);
    if (!docker.advice.empty())
        text += QLatin1Char('\n') + safe(docker.advice);
    return {StepState::Problem, text, Words::tr("&Look again")};
}

Step imageStep(const GuideFacts& facts)
{
    if (facts.situation.docker.state != DockerState::Ready)
        return {StepState::Blocked, Words::tr("It is looked for once Docker answers."), {}};
    const ImageStatus* image = imageOf(facts);
    if (facts.building || (image && image->building))
        return {
            StepState::Working,
            Words::tr("It is being built. This takes a minute or two; the window can be used "
                      "meanwhile."),
            {}};
    if (isReady(image)) {
        const QString size = QLocale().formattedDataSize(static_cast<qint64>(image->bytes));
        return {
            StepState::Done,
            image->description.empty()
                ? Words::tr("It is there.")
                : Words::tr("It is there: %1, %2.").arg(safe(image->description), size),
            {}};
    }
    if (facts.buildEnded)
        return {
            StepState::Problem,
            Words::tr("It could not be built: %1").arg(safe(*facts.buildEnded)),
            Words::tr("&Build it again")};
    return {
        StepState::ToDo,
        Words::tr("Programs run in containers that are made of it. It is built on this machine, "
                  "which takes a minute or two."),
        Words::tr("&Build it")};
}

Step clientStep(const GuideFacts& facts)
{
    const auto& clients = facts.situation.clients;
    if (clients.empty())
        return {
            StepState::ToDo,
            Words::tr("Belljar can write the entry into the configuration of Claude Desktop, "
                      "Claude Code, Kiro, Cursor, VS Code and others, and shows what changes "
                      "before it does."),
            Words::tr("&Choose a client…")};
    return {
        StepState::Done,
        Words::tr("Connected: %1 (as it calls itself).").arg(safe(clients.begin()->second.name)),
        Words::tr("&Choose another…")};
}

Step exampleStep(const GuideFacts& facts)
{
    if (!isReady(imageOf(facts)) || facts.situation.docker.state != DockerState::Ready)
        return {StepState::Blocked, Words::tr("This needs Docker and the image."), {}};
    return {
        StepState::ToDo,
        Words::tr("The first ten Fibonacci numbers, computed by a real program in a real sandbox. "
                  "You see it run."),
        Words::tr("&Run the example")};
}

} // namespace

std::array<Step, kSteps> stepsOf(const GuideFacts& facts)
{
    return {dockerStep(facts), imageStep(facts), clientStep(facts), exampleStep(facts)};
}

QString titleOf(StepName step)
{
    switch (step) {
    case StepName::Docker: return Words::tr("Docker");
    case StepName::Image: return Words::tr("A sandbox image for Python");
    case StepName::Client: return Words::tr("An AI client");
    case StepName::Example: return Words::tr("A program");
    }
    return {};
}

QString wordOf(StepState state)
{
    switch (state) {
    case StepState::Blocked: return Words::tr("later");
    case StepState::ToDo: return Words::tr("to do");
    case StepState::Working: return Words::tr("in progress");
    case StepState::Done: return Words::tr("done");
    case StepState::Problem: return Words::tr("problem");
    }
    return {};
}

} // namespace belljar::ui
