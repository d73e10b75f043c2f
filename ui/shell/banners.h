// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/events.h"
#include "ui/shell/situation.h"

#include <string>
#include <vector>
#endif

#include <QWidget>

class QPlainTextEdit;

namespace belljar::ui {

class Banner;

/// What needs action, above every screen: questions that wait, no engine, no Docker, an image to be
/// built, a policy file that is broken or was loosened, a damaged audit log.
class Banners : public QWidget {
    Q_OBJECT

public:
    explicit Banners(const Situation& situation, QWidget* parent = nullptr);

    /// After the situation has taken the same events.
    void apply(const std::vector<Event>& events);
    /// Empty takes it away.
    void showWaiting(const QString& summary);
    /// A screen shows the images and their building already.
    void setImagesShown(bool shown);
    void showNotSubmitted(const QString& reason);
    void hideNotSubmitted();

signals:
    void commandWanted(belljar::Command command);
    void restartWanted();
    void approvalsWanted();
    void policiesWanted();
    void auditWanted();

private:
    void take(const PauseChanged& changed);
    void take(const DockerChanged& changed);
    void take(const ImagesChanged& changed);
    void take(const ImageBuildProgress& progress);
    void take(const ImageBuildEnded& ended);
    void take(const EngineFailed& failed);
    void take(const AuditVerified& verified);
    void take(const PoliciesChanged& changed);
    void take(const auto& /*event*/) {}
    void updateImage();
    void buildMissing();

    const Situation& m_situation;
    Banner* m_approvals;
    Banner* m_pause;
    Banner* m_engine;
    Banner* m_docker;
    Banner* m_image;
    Banner* m_policy;
    Banner* m_audit;
    Banner* m_submit;
    QPlainTextEdit* m_buildLog;
    std::string m_building; ///< language whose image is being built
    std::string m_buildProblem;
    bool m_imagesShown = false; ///< elsewhere
};

} // namespace belljar::ui
