// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/audit/log_reader.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>
#endif

#include <QObject>
#include <QString>
#include <QThread>

namespace belljar::ui {

/// Reads the audit log on two threads of its own: one for pages and rows, one for what takes long
/// (verification, export), so that the table stays quick meanwhile.
///
/// Every page has a token, which comes back with the answer; a page that was asked for later makes
/// the earlier ones void, and they may not be answered at all.
class AuditLoader : public QObject {
    Q_OBJECT

public:
    explicit AuditLoader(std::filesystem::path historyFile, QObject* parent = nullptr);
    /// Stops what is under way.
    ~AuditLoader() override;

    std::uint64_t loadPage(const audit::LogQuery& query);
    void loadRow(std::int64_t sequence);

    /// Checks the end of the log: endChecked(). Where nothing was ever recorded nothing is said.
    void checkEnd();
    /// Checks all of it: progressed() and verified(), or jobFailed().
    void verify();
    /// Writes what matches: progressed() and exported(), or jobFailed().
    void exportTo(const QString& file, const audit::LogFilter& filter);
    /// Ends verification or export early.
    void stopJob();

signals:
    void pageLoaded(std::uint64_t token, const std::vector<belljar::audit::Row>& rows, bool last);
    void pageFailed(std::uint64_t token, const QString& message);
    void rowLoaded(const belljar::audit::Row& row);
    void rowMissing(std::int64_t sequence, const QString& message);
    void endChecked(const belljar::audit::Verification& found);
    void progressed(std::uint64_t done, std::uint64_t total);
    void verified(const belljar::audit::Verification& found);
    void exported(const QString& file, std::uint64_t rows);
    void jobFailed(const QString& message);

private:
    class Pages;
    class Jobs;

    const std::filesystem::path m_file;
    std::atomic<std::uint64_t> m_lastToken = 0;
    std::atomic<bool> m_stop = false;
    QThread m_pageThread;
    QThread m_jobThread;
    Pages* m_pages; ///< lives on m_pageThread, which deletes it
    Jobs* m_jobs;   ///< likewise on m_jobThread
};

} // namespace belljar::ui
