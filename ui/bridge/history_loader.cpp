// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/history_loader.h"

#include "engine/base/file.h"
#include "engine/base/text.h"
#include "ui/bridge/export_runs.h"
#include "ui/bridge/program_versions.h"

#include <utility>

namespace belljar::ui {

/// Answers through the loader's signals, which Qt queues across the threads.
class HistoryLoader::Worker : public QObject {
public:
    Worker(std::filesystem::path file, HistoryLoader& loader)
        : m_file(std::move(file))
        , m_loader(loader)
    {}

    void loadPage(std::uint64_t token, const store::RunQuery& query)
    {
        if (!query.before && token < m_loader.m_firstPage)
            return; // the person has typed on
        // Before the engine has ever run there is no file: that is an empty history, not an error.
        if (auto opened = open(); !opened) {
            if (opened.error().code() == Errc::NotFound)
                emit m_loader.pageLoaded(token, {}, true);
            else
                report(token, opened.error());
            return;
        }
        auto rows = m_search->rows(query);
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

    void loadPair(std::uint64_t token, const ExecutionId& one, const ExecutionId& two)
    {
        auto first = read(one);
        auto second = first ? read(two) : fail(first.error());
        if (second)
            emit m_loader.pairLoaded(token, *first, *second);
        else
            report(token, second.error());
    }

    void loadSettings(const ExecutionId& id)
    {
        if (!open())
            return;
        const auto settings = m_reader->containerSettings(id);
        if (settings && !settings->empty())
            emit m_loader.settingsLoaded(id, QByteArray::fromStdString(*settings));
    }

    void loadFile(const ExecutionId& id, std::size_t place)
    {
        FilePreview preview;
        auto opened = open();
        const auto files = opened ? m_reader->files(id) : fail(opened.error());
        if (!files || place >= files->files.size())
            return; // it has been deleted meanwhile
        const auto bytes = m_reader->fileBytes(id, place);
        if (bytes)
            preview = previewOf(files->files[place].kind, *bytes);
        else
            preview.problem = QString::fromStdString(escapeForLine(bytes.error().message()));
        emit m_loader.fileLoaded(id, place, preview);
    }

    void saveFile(const ExecutionId& id, std::size_t place, const std::filesystem::path& to)
    {
        constexpr unsigned kPrivate = 0600;
        auto done = open();
        if (done) {
            const auto bytes = m_reader->fileBytes(id, place);
            done = bytes ? writeFile(to, *bytes, kPrivate) : fail(bytes.error());
        }
        saved(to, done);
    }

    void saveFiles(const ExecutionId& id, const std::filesystem::path& to)
    {
        auto done = open();
        if (done)
            done = writeRunFiles(*m_reader, id, to);
        saved(to, done);
    }

    void loadNumbers(std::uint64_t token)
    {
        if (auto numbers = readNumbers())
            emit m_loader.numbersLoaded(*numbers);
        else if (numbers.error().code() != Errc::NotFound)
            report(token, numbers.error());
    }

    void loadVersions(std::uint64_t token, const ExecutionId& id)
    {
        auto opened = open();
        auto versions = opened ? readVersions(*m_reader, *m_search, id) : fail(opened.error());
        if (versions)
            emit m_loader.versionsLoaded(
                token, std::make_shared<const std::vector<ProgramVersion>>(std::move(*versions))
            );
        else
            report(token, versions.error());
    }

    void exportRuns(
        std::uint64_t token,
        const std::vector<ExecutionId>& ids,
        ExportFormat format,
        const std::filesystem::path& place
    )
    {
        auto done = open();
        if (done)
            done = writeRuns(*m_reader, ids, format, place);
        emit m_loader.exported(
            token,
            QString::fromStdString(place.string()),
            done ? QString() : QString::fromStdString(done.error().message())
        );
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
    void saved(const std::filesystem::path& to, const Result<>& done)
    {
        emit m_loader.fileSaved(
            QString::fromStdString(to.string()),
            done ? QString() : QString::fromStdString(escapeForLine(done.error().message()))
        );
    }

    Result<> open()
    {
        if (m_reader)
            return {};
        auto reader = store::HistoryReader::open(m_file);
        if (!reader)
            return fail(reader.error());
        auto search = store::RunSearch::open(m_file);
        if (!search)
            return fail(search.error());
        m_search.emplace(std::move(*search));
        m_reader.emplace(std::move(*reader));
        return {};
    }

    Result<std::shared_ptr<const RunNumbers>> readNumbers()
    {
        if (auto opened = open(); !opened)
            return fail(opened.error());
        const execution::UnixMs now = execution::unixNow();
        auto day = m_search->statistics(now - RunNumbers::kDayMs);
        if (!day)
            return fail(day.error());
        store::RunFilter hour;
        hour.since = now - RunNumbers::kHourMs;
        auto lastHour = m_search->count(hour);
        if (!lastHour)
            return fail(lastHour.error());
        auto tags = m_search->tags();
        if (!tags)
            return fail(tags.error());
        return std::make_shared<const RunNumbers>(RunNumbers{
            std::move(*day), *lastHour, std::move(*tags)});
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
        // A run whose settings can't be read is still to be seen.
        auto settings = m_reader->containerSettings(id);
        auto files = m_reader->files(id);
        return std::make_shared<const ExecutionDetails>(ExecutionDetails{
            std::move(*record),
            std::move(*code),
            std::move(*output),
            std::move(*samples),
            settings ? std::move(*settings) : std::string(),
            files ? std::move(*files) : execution::RunFiles()});
    }

    void report(std::uint64_t token, const Error& error)
    {
        m_reader.reset(); // the next request tries anew
        m_search.reset();
        emit m_loader.failed(token, QString::fromStdString(error.message()));
    }

    std::filesystem::path m_file;
    HistoryLoader& m_loader;
    std::optional<store::HistoryReader> m_reader; ///< there together with m_search
    std::optional<store::RunSearch> m_search;
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

std::uint64_t HistoryLoader::loadPage(const store::RunQuery& query)
{
    const std::uint64_t token = ++m_lastToken;
    if (!query.before)
        m_firstPage = token;
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

std::uint64_t HistoryLoader::loadPair(const ExecutionId& first, const ExecutionId& second)
{
    const std::uint64_t token = ++m_lastToken;
    QMetaObject::invokeMethod(m_worker, [worker = m_worker, token, first, second] {
        worker->loadPair(token, first, second);
    });
    return token;
}

void HistoryLoader::loadSettings(const ExecutionId& id)
{
    QMetaObject::invokeMethod(m_worker, [worker = m_worker, id] { worker->loadSettings(id); });
}

void HistoryLoader::loadFile(const ExecutionId& id, std::size_t place)
{
    QMetaObject::invokeMethod(m_worker, [worker = m_worker, id, place] {
        worker->loadFile(id, place);
    });
}

void HistoryLoader::saveFile(const ExecutionId& id, std::size_t place, std::filesystem::path to)
{
    QMetaObject::invokeMethod(m_worker, [worker = m_worker, id, place, to = std::move(to)] {
        worker->saveFile(id, place, to);
    });
}

void HistoryLoader::saveFiles(const ExecutionId& id, std::filesystem::path to)
{
    QMetaObject::invokeMethod(m_worker, [worker = m_worker, id, to = std::move(to)] {
        worker->saveFiles(id, to);
    });
}

std::uint64_t HistoryLoader::loadNumbers()
{
    const std::uint64_t token = ++m_lastToken;
    QMetaObject::invokeMethod(m_worker, [worker = m_worker, token] { worker->loadNumbers(token); });
    return token;
}

std::uint64_t HistoryLoader::loadVersions(const ExecutionId& id)
{
    const std::uint64_t token = ++m_lastToken;
    QMetaObject::invokeMethod(m_worker, [worker = m_worker, token, id] {
        worker->loadVersions(token, id);
    });
    return token;
}

std::uint64_t HistoryLoader::exportRuns(
    std::vector<ExecutionId> ids, ExportFormat format, std::filesystem::path place
)
{
    const std::uint64_t token = ++m_lastToken;
    QMetaObject::invokeMethod(
        m_worker,
        [worker = m_worker, token, ids = std::move(ids), format, place = std::move(place)] {
            worker->exportRuns(token, ids, format, place);
        }
    );
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
