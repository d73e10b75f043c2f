// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/history_loader.h"

#include <utility>

namespace belljar::ui {

/// Answers through the loader's signals, which Qt queues across the threads.
class HistoryLoader::Worker : public QObject {
public:
    Worker(std::filesystem::path file, HistoryLoader& loader)
        : m_file(std::move(file))
        , m_loader(loader)
    {}

    void loadPage(std::uint64_t token, store::PageQuery query)
    {
        // Before the engine has ever run there is no file: that is an empty history, not an error.
        if (auto opened = open(); !opened) {
            if (opened.error().code() == Errc::NotFound)
                emit m_loader.pageLoaded(token, {}, true);
            else
                report(token, opened.error());
            return;
        }
        auto rows = m_reader->page(query);
        if (rows)
            emit m_loader.pageLoaded(token, *rows, rows->size() < query.limit);
        else
            report(token, rows.error());
    }

    void loadDetails(std::uint64_t token, const ExecutionId& id)
    {
        auto details = read(id);
        if (details)
            emit m_loader.detailsLoaded(token, *details);
        else
            report(token, details.error());
    }

    void loadAsked(std::uint64_t token, const store::PageQuery& query)
    {
        if (auto opened = open(); !opened) {
            if (opened.error().code() != Errc::NotFound)
                report(token, opened.error());
            return;
        }
        auto rows = m_reader->page(query);
        if (rows)
            emit m_loader.askedLoaded(*rows);
        else
            report(token, rows.error());
    }

private:
    Result<> open()
    {
        if (m_reader)
            return {};
        auto reader = store::HistoryReader::open(m_file);
        if (!reader)
            return fail(reader.error());
        m_reader.emplace(std::move(*reader));
        return {};
    }

    Result<std::shared_ptr<const ExecutionDetails>> read(const ExecutionId& id)
    {
        if (auto opened = open(); !opened)
            return fail(opened.error());
        auto record = m_reader->record(id);
        if (!record)
            return fail(record.error());
        auto code = m_reader->code(id);
        if (!code)
            return fail(code.error());
        auto output = m_reader->output(id);
        if (!output)
            return fail(output.error());
        auto samples = m_reader->samples(id);
        if (!samples)
            return fail(samples.error());
        return std::make_shared<const ExecutionDetails>(ExecutionDetails{
            std::move(*record), std::move(*code), std::move(*output), std::move(*samples)});
    }

    void report(std::uint64_t token, const Error& error)
    {
        m_reader.reset(); // the next request tries anew
        emit m_loader.failed(token, QString::fromStdString(error.message()));
    }

    std::filesystem::path m_file;
    HistoryLoader& m_loader;
    std::optional<store::HistoryReader> m_reader;
};

HistoryLoader::HistoryLoader(std::filesystem::path file, QObject* parent)
    : QObject(parent)
    , m_worker(new Worker(std::move(file), *this))
{
    m_thread.setObjectName(QStringLiteral("history"));
    m_worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    m_thread.start();
}

HistoryLoader::~HistoryLoader()
{
    m_thread.quit();
    m_thread.wait();
}

std::uint64_t HistoryLoader::loadPage(std::optional<std::int64_t> before, std::uint32_t limit)
{
    const std::uint64_t token = ++m_lastToken;
    store::PageQuery query;
    query.before = before;
    query.limit = limit;
    QMetaObject::invokeMethod(m_worker, [worker = m_worker, token, query] {
        worker->loadPage(token, query);
    });
    return token;
}

std::uint64_t HistoryLoader::loadDetails(const ExecutionId& id)
{
    const std::uint64_t token = ++m_lastToken;
    QMetaObject::invokeMethod(m_worker, [worker = m_worker, token, id] {
        worker->loadDetails(token, id);
    });
    return token;
}

void HistoryLoader::loadAsked(execution::UnixMs since)
{
    store::PageQuery query;
    query.limit = kMostAsked;
    query.asked = true;
    query.since = since;
    QMetaObject::invokeMethod(m_worker, [worker = m_worker, token = ++m_lastToken, query] {
        worker->loadAsked(token, query);
    });
}

} // namespace belljar::ui
