// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/execution/execution.h"
#include "engine/store/history_reader.h"
#include "engine/store/run_search.h"
#include "ui/bridge/run_file.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>
#endif

#include <QByteArray>
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
    std::string settings = {}; ///< HistoryReader::containerSettings()
    execution::RunFiles files = {};
};

/// What the numbers above the runs say.
struct RunNumbers {
    store::RunStatistics lastDay;
    std::uint64_t lastHour = 0; ///< received
    std::vector<std::string> tags;

    static constexpr execution::UnixMs kHourMs = 3'600'000;
    static constexpr execution::UnixMs kDayMs = 24 * kHourMs;
};

/// One of the versions of a program.
struct ProgramVersion {
    execution::Record record; ///< the newest that ran this code
    std::string code;
    std::uint64_t runs = 1;  ///< of the line that have this code
    std::size_t added = 0;   ///< lines that the version before doesn't have
    std::size_t removed = 0; ///< lines of the version before that this one doesn't have
};

/// How runs are written for somebody else.
enum class ExportFormat : std::uint8_t { Json, Markdown, Folder };

/// Reads the history on a thread of its own. Every request has a token, which comes back with the
/// answer; a caller drops answers whose token is not the last one it was given.
class HistoryLoader : public QObject {
    Q_OBJECT

public:
    explicit HistoryLoader(std::filesystem::path file, QObject* parent = nullptr);
    ~HistoryLoader() override;

    /// A first page that has been asked for anew meanwhile is not answered.
    std::uint64_t loadPage(const store::RunQuery& query);
    std::uint64_t loadDetails(const ExecutionId& id);
    /// Of two executions, for a comparison.
    std::uint64_t loadPair(const ExecutionId& first, const ExecutionId& second);
    /// What Docker was asked for; answered once it is known.
    void loadSettings(const ExecutionId& id);
    /// One of the files of a run, made ready for looking at it.
    void loadFile(const ExecutionId& id, std::size_t place);
    /// Writes one of them to the file `to`, which is replaced, or all into the new folder `to`.
    void saveFile(const ExecutionId& id, std::size_t place, std::filesystem::path to);
    void saveFiles(const ExecutionId& id, std::filesystem::path to);
    std::uint64_t loadNumbers();
    /// The line of versions that an execution belongs to: see program_versions.h.
    std::uint64_t loadVersions(const ExecutionId& id);
    /// Writes executions into `place`: a new file, or a folder in which new ones are made.
    std::uint64_t
    exportRuns(std::vector<ExecutionId> ids, ExportFormat format, std::filesystem::path place);
    /// What a person was asked about since then, newest first, at most kMostAsked.
    void loadAsked(execution::UnixMs since);

    static constexpr std::uint32_t kMostAsked = 500;

signals:
    void
    pageLoaded(std::uint64_t token, const std::vector<belljar::store::RunRow>& rows, bool last);
    void pairLoaded(
        std::uint64_t token,
        std::shared_ptr<const belljar::ui::ExecutionDetails> first,
        std::shared_ptr<const belljar::ui::ExecutionDetails> second
    );
    void numbersLoaded(std::shared_ptr<const belljar::ui::RunNumbers> numbers);
    /// Oldest first.
    void versionsLoaded(
        std::uint64_t token,
        std::shared_ptr<const std::vector<belljar::ui::ProgramVersion>> versions
    );
    /// `message` is empty where all was written to `place`.
    void exported(std::uint64_t token, const QString& place, const QString& message);
    void detailsLoaded(
        std::uint64_t token, std::shared_ptr<const belljar::ui::ExecutionDetails> details
    );
    void settingsLoaded(const belljar::ExecutionId& id, const QByteArray& settings);
    void fileLoaded(
        const belljar::ExecutionId& id, std::size_t place, const belljar::ui::FilePreview& preview
    );
    /// `message` is empty where all was written.
    void fileSaved(const QString& place, const QString& message);
    void askedLoaded(const std::vector<belljar::execution::Record>& rows);
    void failed(std::uint64_t token, const QString& message);

private:
    class Worker;

    std::uint64_t m_lastToken = 0;
    std::atomic<std::uint64_t> m_firstPage = 0; ///< token of the last first page
    QThread m_thread;
    Worker* m_worker; ///< lives on m_thread, which deletes it
};

} // namespace belljar::ui
