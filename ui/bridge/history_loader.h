// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/execution/execution.h"
#include "engine/store/history_reader.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>
#endif

#include <QObject>
#include <QString>
#include <QThread>

namespace belljar::ui {

/// What one execution left behind.
struct ExecutionDetails {
    execution::Record record;
    std::string code;
    std::vector<execution::OutputChunk> output;
    std::vector<execution::Sample> samples;
};

/// Reads the history on a thread of its own. Every request has a token, which comes back with the
/// answer; a caller drops answers whose token is not the last one it was given.
class HistoryLoader : public QObject {
    Q_OBJECT

public:
    explicit HistoryLoader(std::filesystem::path file, QObject* parent = nullptr);
    ~HistoryLoader() override;

    /// The rows below `before` (nothing: from the newest), newest first.
    std::uint64_t loadPage(std::optional<std::int64_t> before, std::uint32_t limit);
    std::uint64_t loadDetails(const ExecutionId& id);
    /// What a person was asked about since then, newest first, at most kMostAsked.
    void loadAsked(execution::UnixMs since);

    static constexpr std::uint32_t kMostAsked = 500;

signals:
    void
    pageLoaded(std::uint64_t token, const std::vector<belljar::execution::Record>& rows, bool last);
    void detailsLoaded(
        std::uint64_t token, std::shared_ptr<const belljar::ui::ExecutionDetails> details
    );
    void askedLoaded(const std::vector<belljar::execution::Record>& rows);
    void failed(std::uint64_t token, const QString& message);

private:
    class Worker;

    std::uint64_t m_lastToken = 0;
    QThread m_thread;
    Worker* m_worker; ///< lives on m_thread, which deletes it
};

} // namespace belljar::ui
