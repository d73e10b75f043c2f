// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/analysis/finding.h"
#include "engine/policy/policy.h"
#include "engine/store/history_reader.h"
#include "ui/policies/effect.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>
#endif

#include <QObject>
#include <QString>
#include <QThread>

namespace belljar::ui {

/// Analyses a program: language, code. Called on a worker thread.
using Analyse = std::function<analysis::Report(const std::string&, const std::string&)>;

/// Decides past executions and pasted programs under a draft, and reads the versions of policies,
/// on a thread of its own. Answers carry the token of their request; of effects only the newest
/// request is answered.
class EffectLoader : public QObject {
    Q_OBJECT

public:
    explicit EffectLoader(std::filesystem::path historyFile, QObject* parent = nullptr);
    ~EffectLoader() override;

    /// Without it, reports are those that were recorded, and nothing can be tried out.
    void setAnalyse(Analyse analyse);
    [[nodiscard]] bool canAnalyse() const { return m_hasAnalyse; }

    /// Of the newest `most` executions.
    std::uint64_t loadEffect(
        const policy::Named& before,
        const policy::Named& draft,
        const Circumstances& circumstances,
        std::uint32_t most
    );
    std::uint64_t
    tryOut(const policy::Named& draft, const policy::Question& question, const std::string& code);
    std::uint64_t loadVersions(const std::string& name);
    /// What analysis found in an execution, as it was decided on; empty when nothing is on record.
    std::uint64_t loadFindings(const ExecutionId& id);

signals:
    void effectLoaded(std::uint64_t token, const belljar::ui::Effect& effect);
    void triedOut(std::uint64_t token, const belljar::policy::Decision& decision);
    void
    versionsLoaded(std::uint64_t token, const std::vector<belljar::store::PolicyVersion>& versions);
    void
    findingsLoaded(std::uint64_t token, const std::vector<belljar::analysis::Finding>& findings);
    void failed(std::uint64_t token, const QString& message);

private:
    class Worker;

    const std::filesystem::path m_file;
    std::atomic<std::uint64_t> m_lastToken = 0;
    std::atomic<std::uint64_t> m_effectToken = 0;
    bool m_hasAnalyse = false;
    QThread m_thread;
    Worker* m_worker; ///< lives on m_thread, which deletes it
};

} // namespace belljar::ui
