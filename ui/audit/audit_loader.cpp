// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/audit/audit_loader.h"

#include <chrono>
#include <optional>
#include <utility>

namespace belljar::ui {

namespace {

QString messageOf(const Error& error)
{
    return QString::fromStdString(error.message());
}

} // namespace

/// Answers through the loader's signals, which Qt queues across the threads.
class AuditLoader::Pages : public QObject {
public:
    explicit Pages(AuditLoader& loader)
        : m_loader(loader)
    {}

    void load(std::uint64_t token, const audit::LogQuery& query)
    {
        // Whoever types fast asks for more than anybody wants to see.
        if (token != m_loader.m_lastToken)
            return;
        if (auto opened = open(); !opened) {
            // Before the engine has ever run there is no file: an empty log, not an error.
            if (opened.error().code() == Errc::NotFound)
                emit m_loader.pageLoaded(token, {}, true);
            else
                emit m_loader.pageFailed(token, messageOf(opened.error()));
            return;
        }
        const auto rows = m_reader->page(query);
        if (rows) {
            emit m_loader.pageLoaded(token, *rows, rows->size() < query.limit);
            return;
        }
        m_reader.reset(); // the next request tries anew
        emit m_loader.pageFailed(token, messageOf(rows.error()));
    }

    void loadRow(std::int64_t sequence)
    {
        const auto row = read(sequence);
        if (row)
            emit m_loader.rowLoaded(*row);
        else
            emit m_loader.rowMissing(sequence, messageOf(row.error()));
    }

private:
    Result<> open()
    {
        if (m_reader)
            return {};
        auto reader = audit::LogReader::open(m_loader.m_file);
        if (!reader)
            return fail(reader.error());
        m_reader.emplace(std::move(*reader));
        return {};
    }

    Result<audit::Row> read(std::int64_t sequence)
    {
        if (auto opened = open(); !opened)
            return fail(opened.error());
        return m_reader->row(sequence);
    }

    AuditLoader& m_loader;
    std::optional<audit::LogReader> m_reader;
};

class AuditLoader::Jobs : public QObject {
public:
    explicit Jobs(AuditLoader& loader)
        : m_loader(loader)
    {}

    void checkEnd()
    {
        auto reader = audit::LogReader::open(m_loader.m_file);
        if (!reader)
            return;
        if (const auto found = reader->verifyEnd())
            emit m_loader.endChecked(*found);
    }

    void verify()
    {
        const auto found = audit::verifyLog(m_loader.m_file, progress(), stop());
        if (found)
            emit m_loader.verified(*found);
        else
            emit m_loader.jobFailed(messageOf(found.error()));
    }

    void exportTo(const QString& file, const audit::LogFilter& filter)
    {
        const auto done = write(file, filter);
        if (done)
            emit m_loader.exported(file, *done);
        else
            emit m_loader.jobFailed(messageOf(done.error()));
    }

private:
    Result<std::uint64_t> write(const QString& file, const audit::LogFilter& filter)
    {
        auto reader = audit::LogReader::open(m_loader.m_file);
        if (!reader)
            return fail(reader.error());
        return reader->exportTo(file.toStdString(), filter, progress(), stop());
    }

    /// Ten times a second: more than that nobody sees, and the window would only draw.
    [[nodiscard]] audit::LogReader::Progress progress()
    {
        return [this](std::uint64_t done, std::uint64_t total) {
            using namespace std::chrono_literals;
            const auto now = std::chrono::steady_clock::now();
            if (done < total && now < m_toldAt + 100ms)
                return;
            m_toldAt = now;
            emit m_loader.progressed(done, total);
        };
    }
    [[nodiscard]] audit::LogReader::Stop stop() const
    {
        return [this] { return m_loader.m_stop.load(); };
    }

    AuditLoader& m_loader;
    std::chrono::steady_clock::time_point m_toldAt;
};

AuditLoader::AuditLoader(std::filesystem::path historyFile, QObject* parent)
    : QObject(parent)
    , m_file(std::move(historyFile))
    , m_pages(new Pages(*this))
    , m_jobs(new Jobs(*this))
{
    m_pageThread.setObjectName(QStringLiteral("audit"));
    m_jobThread.setObjectName(QStringLiteral("audit-jobs"));
    m_pages->moveToThread(&m_pageThread);
    m_jobs->moveToThread(&m_jobThread);
    connect(&m_pageThread, &QThread::finished, m_pages, &QObject::deleteLater);
    connect(&m_jobThread, &QThread::finished, m_jobs, &QObject::deleteLater);
    m_pageThread.start();
    m_jobThread.start(QThread::LowPriority);
}

AuditLoader::~AuditLoader()
{
    stopJob();
    ++m_lastToken;
    for (QThread* thread : {&m_pageThread, &m_jobThread})
        thread->quit();
    for (QThread* thread : {&m_pageThread, &m_jobThread})
        thread->wait();
}

std::uint64_t AuditLoader::loadPage(const audit::LogQuery& query)
{
    const std::uint64_t token = ++m_lastToken;
    QMetaObject::invokeMethod(m_pages, [pages = m_pages, token, query] {
        pages->load(token, query);
    });
    return token;
}

void AuditLoader::loadRow(std::int64_t sequence)
{
    QMetaObject::invokeMethod(m_pages, [pages = m_pages, sequence] { pages->loadRow(sequence); });
}

void AuditLoader::checkEnd()
{
    QMetaObject::invokeMethod(m_jobs, [jobs = m_jobs] { jobs->checkEnd(); });
}

void AuditLoader::verify()
{
    m_stop = false;
    QMetaObject::invokeMethod(m_jobs, [jobs = m_jobs] { jobs->verify(); });
}

void AuditLoader::exportTo(const QString& file, const audit::LogFilter& filter)
{
    m_stop = false;
    QMetaObject::invokeMethod(m_jobs, [jobs = m_jobs, file, filter] {
        jobs->exportTo(file, filter);
    });
}

void AuditLoader::stopJob()
{
    m_stop = true;
}

} // namespace belljar::ui
