// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/banners.h"

#include "engine/base/text.h"
#include "ui/shell/banner.h"
#include "ui/shell/screen_parts.h"

#include <QDateTime>
#include <QFontDatabase>
#include <QLocale>
#include <QPlainTextEdit>
#include <QVBoxLayout>

#include <algorithm>

namespace belljar::ui {

namespace {

constexpr int kBuildLogLines = 500;

} // namespace

Banners::Banners(const Situation& situation, QWidget* parent)
    : QWidget(parent)
    , m_situation(situation)
    , m_approvals(new Banner(QStringLiteral("approvalsBanner")))
    , m_pause(new Banner(QStringLiteral("pauseBanner")))
    , m_engine(new Banner(QStringLiteral("engineBanner")))
    , m_docker(new Banner(QStringLiteral("dockerBanner")))
    , m_image(new Banner(QStringLiteral("imageBanner")))
    , m_policy(new Banner(QStringLiteral("policyBanner")))
    , m_audit(new Banner(QStringLiteral("auditBanner")))
    , m_submit(new Banner(QStringLiteral("submitBanner")))
    , m_buildLog(new QPlainTextEdit)
{
    m_buildLog->setObjectName(QStringLiteral("buildLog"));
    m_buildLog->setAccessibleName(tr("Image build log"));
    m_buildLog->setReadOnly(true);
    m_buildLog->setMaximumBlockCount(kBuildLogLines);
    m_buildLog->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_buildLog->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_buildLog->setFixedHeight(fontMetrics().lineSpacing() * 7);
    m_buildLog->hide();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_pause->setStriped(true);
    for (QWidget* widget : std::initializer_list<QWidget*>{
             m_pause,
             m_approvals,
             m_engine,
             m_docker,
             m_image,
             m_policy,
             m_audit,
             m_submit,
             m_buildLog})
        layout->addWidget(widget);

    connect(m_approvals, &Banner::activated, this, &Banners::approvalsWanted);
    connect(m_engine, &Banner::activated, this, [this] {
        m_engine->hide();
        emit restartWanted();
    });
    connect(m_pause, &Banner::activated, this, [this] { emit commandWanted(PauseRuns{false}); });
    connect(m_docker, &Banner::activated, this, [this] { emit commandWanted(RetryDocker{}); });
    connect(m_image, &Banner::activated, this, &Banners::buildMissing);
    connect(m_policy, &Banner::activated, this, &Banners::policiesWanted);
    connect(m_audit, &Banner::activated, this, &Banners::auditWanted);
    connect(m_submit, &Banner::activated, m_submit, &QWidget::hide);
}

void Banners::apply(const std::vector<Event>& events)
{
    for (const Event& event : events)
        std::visit([this](const auto& one) { take(one); }, event);
}

void Banners::showWaiting(const QString& summary)
{
    if (summary.isEmpty())
        m_approvals->hide();
    else
        m_approvals->showMessage(summary, {}, tr("&Show"));
}

void Banners::setImagesShown(bool shown)
{
    m_imagesShown = shown;
    updateImage();
}

void Banners::showNotSubmitted(const QString& reason)
{
    m_submit->showMessage(tr("The program was not run: %1").arg(reason), {}, tr("&Close"));
}

void Banners::hideNotSubmitted()
{
    m_submit->hide();
}

void Banners::take(const PauseChanged& changed)
{
    if (!changed.paused)
        return m_pause->hide();
    m_pause->showMessage(
        tr("Paused since %1: no program starts until you resume")
            .arg(QLocale().toString(
                QDateTime::fromMSecsSinceEpoch(changed.since).time(), QLocale::ShortFormat
            )),
        tr("Clients can send programs; they wait. What ran already goes on: Ctrl+Shift+. stops "
           "it."),
        tr("&Resume")
    );
}

void Banners::take(const DockerChanged& changed)
{
    const DockerStatus& docker = changed.status;
    if (docker.state == DockerState::Unreachable)
        m_docker->showMessage(
            QString::fromStdString(escapeUnusual(docker.message)),
            QString::fromStdString(escapeUnusual(docker.advice)),
            tr("&Look again")
        );
    else
        m_docker->hide();
    updateImage();
}

void Banners::take(const ImagesChanged& /*changed*/)
{
    updateImage();
}

void Banners::take(const ImageBuildProgress& progress)
{
    if (m_building.empty())
        m_building = progress.language;
    m_buildLog->setVisible(!m_imagesShown);
    m_buildLog->appendPlainText(QString::fromStdString(escapeUnusual(progress.line)));
}

void Banners::take(const ImageBuildEnded& ended)
{
    m_building.clear();
    m_buildProblem = ended.error ? ended.error->message() : std::string();
    updateImage();
}

void Banners::take(const EngineFailed& failed)
{
    m_engine->showMessage(
        tr("Belljar's engine does not run: %1").arg(safe(failed.error.message())),
        failed.error.code() == Errc::Busy
            ? tr("Another Belljar of yours serves the clients. The history below is up to date "
                 "with it only up to now. "
                 "End the other one, then try again.")
            : QString(),
        tr("&Try again")
    );
}

void Banners::take(const AuditVerified& verified)
{
    if (verified.intact)
        m_audit->hide();
    else
        m_audit->showMessage(
            tr("The audit log is damaged: %1").arg(safe(verified.message)), {}, tr("&Show")
        );
}

void Banners::take(const PoliciesChanged& changed)
{
    QStringList problems;
    for (const PolicyState& policy : changed.policies) {
        const auto error =
            std::find_if(policy.problems.begin(), policy.problems.end(), [](const auto& problem) {
                return problem.isError;
            });
        if (error != policy.problems.end())
            problems << tr("The file of policy %1 is broken in line %2 (%3); its last good version "
                           "stays in force.")
                            .arg(safe(policy.name))
                            .arg(error->line)
                            .arg(safe(error->message));
        if (!policy.pendingText.empty())
            problems << tr("The file of policy %1 was changed so that it allows more (%2); that is "
                           "not in force.")
                            .arg(safe(policy.name), safe(policy.pendingLoosens.front()));
    }
    if (!changed.assignmentsProblem.empty())
        problems << safe(changed.assignmentsProblem);
    if (!changed.pendingAssignments.empty())
        problems << tr("The assignment of policies was changed on disk so that it allows more "
                       "(%1); that is not in force.")
                        .arg(safe(changed.pendingAssignments.front()));
    if (problems.isEmpty())
        m_policy->hide();
    else
        m_policy->showMessage(problems.join('\n'), {}, tr("&Show"));
}

void Banners::updateImage()
{
    QStringList missing;
    for (const ImageStatus& image : m_situation.images) {
        if (!image.present && !image.chosen)
            missing << safe(image.title);
    }
    const bool failed = !m_buildProblem.empty() && !missing.isEmpty();
    m_buildLog->setVisible(!m_imagesShown && (!m_building.empty() || failed));
    if (m_imagesShown || m_situation.docker.state != DockerState::Ready ||
        (missing.isEmpty() && m_building.empty())) {
        m_image->hide();
    } else if (!m_building.empty()) {
        m_image->showMessage(
            tr("Building the sandbox image for %1. This takes a minute or two.")
                .arg(safe(m_building)),
            {},
            {}
        );
    } else {
        m_image->showMessage(
            tr("The sandbox image for %1 is not there yet, so such programs can't run.")
                .arg(missing.join(QStringLiteral(", "))),
            m_buildProblem.empty() ? QString()
                                   : tr("The last build failed: %1").arg(safe(m_buildProblem)),
            tr("&Build %1").arg(missing.front())
        );
    }
}

void Banners::buildMissing()
{
    const auto& images = m_situation.images;
    const auto missing = std::find_if(images.begin(), images.end(), [](const ImageStatus& image) {
        return !image.present && !image.chosen;
    });
    if (missing == images.end())
        return;
    m_building = missing->language;
    m_buildProblem.clear();
    m_buildLog->clear();
    m_buildLog->show();
    emit commandWanted(BuildImage{m_building});
    updateImage();
}

} // namespace belljar::ui
