// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/store.h"

#include "engine/analysis/report_json.h"
#include "engine/store/awaited_write.h"
#include "engine/store/database.h"
#include "engine/store/write_thread.h"
#include "engine/store/writer.h"

#include <cstddef>
#include <utility>

namespace belljar::store {

using execution::OutputChunk;
using execution::Record;
using execution::Sample;

namespace {

std::string auditRowName(const audit::Entry& entry)
{
    return "audit row " + std::string(audit::nameOf(entry.type));
}

} // namespace

class Store::Impl {
public:
    Impl(std::filesystem::path path, std::unique_ptr<Writer> writer)
        : file(std::move(path))
        , auditDamage(writer->takeAuditDamage())
        , thread(std::move(writer))
    {}

    const std::filesystem::path file;
    const std::optional<std::string> auditDamage;
    WriteThread thread;
};

Store::Store(std::unique_ptr<Impl> impl)
    : m_impl(std::move(impl))
{}

Store::~Store() = default;

Result<std::unique_ptr<Store>> Store::open(const std::filesystem::path& file)
{
    auto database = openForWriting(file);
    if (!database)
        return fail(database.error());
    try {
        auto writer = std::make_unique<Writer>(file, std::move(*database));
        if (auto opened = writer->openAudit(); !opened)
            return fail(opened.error().within("the audit log can't be written"));
        return std::unique_ptr<Store>(new Store(std::make_unique<Impl>(file, std::move(writer))));
    } catch (const SQLite::Exception& exception) {
        return fail(storeError(file, exception));
    }
}

asio::awaitable<Result<Record>>
Store::received(Record record, std::shared_ptr<const std::string> code)
{
    const std::string what = "execution " + record.id.text();
    const std::size_t bytes = code->size();
    AwaitedWork<Record> work = [record = std::move(record), code = std::move(code)](Writer& writer
                               ) { return writer.insert(record, *code); };
    return awaitWrite<Record>(m_impl->thread, what, bytes, std::move(work));
}

asio::awaitable<Result<Record>>
Store::received(Record record, std::shared_ptr<const std::string> code, audit::Entry entry)
{
    const std::string what = "execution " + record.id.text();
    const std::size_t bytes = code->size();
    AwaitedWork<Record> work = [record = std::move(record),
                                code = std::move(code),
                                entry = std::move(entry)](Writer& writer) -> Result<Record> {
        auto inserted = writer.insert(record, *code);
        if (!inserted)
            return inserted;
        if (auto written = writer.append(entry); !written)
            return fail(written.error());
        return inserted;
    };
    return awaitWrite<Record>(m_impl->thread, what, bytes, std::move(work));
}

void Store::update(Record record)
{
    Write write;
    write.what = "state of " + record.id.text();
    write.apply = [record = std::move(record)](Writer& writer) { return writer.replace(record); };
    m_impl->thread.push(std::move(write));
}

asio::awaitable<Result<>> Store::commit(Record record)
{
    const std::string what = "state of " + record.id.text();
    AwaitedWork<void> work = [record = std::move(record)](Writer& writer) {
        return writer.replace(record);
    };
    return awaitWrite<void>(m_impl->thread, what, 0, std::move(work));
}

void Store::keepReport(ExecutionId id, const analysis::Report& report)
{
    Write write;
    write.what = "report of " + id.text();
    std::string json = dumpJson(analysis::toJson(report));
    write.bytes = json.size();
    write.apply = [id = std::move(id), json = std::move(json)](Writer& writer) {
        return writer.keepReport(id, json);
    };
    m_impl->thread.push(std::move(write));
}

asio::awaitable<Result<>>
Store::keepEdited(std::string sha256, std::shared_ptr<const std::string> code)
{
    const std::string what = "edited code " + sha256;
    const std::size_t bytes = code->size();
    AwaitedWork<void> work = [sha256 = std::move(sha256), code = std::move(code)](Writer& writer) {
        return writer.keepText(sha256, *code);
    };
    return awaitWrite<void>(m_impl->thread, what, bytes, std::move(work));
}

asio::awaitable<Result<>> Store::keepFiles(ExecutionId id, execution::RunFiles files)
{
    const std::string what = "files of " + id.text();
    std::size_t bytes = 0;
    for (const execution::RunFile& file : files.files)
        bytes += file.bytes ? file.bytes->size() : 0;
    AwaitedWork<void> work = [id = std::move(id), files = std::move(files)](Writer& writer) {
        return writer.keep(id, files);
    };
    return awaitWrite<void>(m_impl->thread, what, bytes, std::move(work));
}

void Store::keepSettings(std::string sha256, std::shared_ptr<const std::string> json)
{
    Write write;
    write.what = "settings of a container";
    write.bytes = json->size();
    write.apply = [sha256 = std::move(sha256), json = std::move(json)](Writer& writer) {
        return writer.keepText(sha256, *json);
    };
    m_impl->thread.push(std::move(write));
}

asio::awaitable<Result<>> Store::commit(Record record, audit::Entry entry)
{
    const std::string what = "state of " + record.id.text();
    AwaitedWork<void> work = [record = std::move(record),
                              entry = std::move(entry)](Writer& writer) -> Result<> {
        if (auto replaced = writer.replace(record); !replaced)
            return replaced;
        return writer.append(entry);
    };
    return awaitWrite<void>(m_impl->thread, what, 0, std::move(work));
}

void Store::audit(audit::Entry entry)
{
    Write write;
    write.what = auditRowName(entry);
    write.apply = [entry = std::move(entry)](Writer& writer) { return writer.append(entry); };
    m_impl->thread.push(std::move(write));
}

asio::awaitable<Result<>> Store::auditDurable(audit::Entry entry)
{
    const std::string what = auditRowName(entry);
    AwaitedWork<void> work = [entry = std::move(entry)](Writer& writer) {
        return writer.append(entry);
    };
    return awaitWrite<void>(m_impl->thread, what, 0, std::move(work));
}

const std::optional<std::string>& Store::auditDamage() const
{
    return m_impl->auditDamage;
}

asio::awaitable<Result<std::int64_t>>
Store::addPolicyVersion(PolicyVersion version, audit::Entry entry)
{
    const std::string what = "policy " + version.name;
    const std::size_t bytes = version.text.size();
    AwaitedWork<std::int64_t> work = [version = std::move(version),
                                      entry = std::move(entry)](Writer& writer
                                     ) mutable -> Result<std::int64_t> {
        auto number = writer.addPolicyVersion(version);
        if (!number)
            return number;
        entry.detail["version"] = *number;
        if (auto appended = writer.append(entry); !appended)
            return fail(appended.error());
        return number;
    };
    return awaitWrite<std::int64_t>(m_impl->thread, what, bytes, std::move(work));
}

asio::awaitable<Result<>> Store::remember(RememberedRow row)
{
    const std::string what = "remembered decision " + row.id;
    AwaitedWork<void> work = [row = std::move(row)](Writer& writer) {
        return writer.remember(row);
    };
    return awaitWrite<void>(m_impl->thread, what, 0, std::move(work));
}

void Store::countUse(std::string id, execution::UnixMs at)
{
    Write write;
    write.what = "use of " + id;
    write.apply = [id = std::move(id), at](Writer& writer) { return writer.countUse(id, at); };
    m_impl->thread.push(std::move(write));
}

asio::awaitable<Result<>> Store::revoke(std::string id, execution::UnixMs at, audit::Entry entry)
{
    const std::string what = "remembered decision " + id;
    AwaitedWork<void> work = [id = std::move(id), at, entry = std::move(entry)](Writer& writer
                             ) -> Result<> {
        if (auto revoked = writer.revoke(id, at); !revoked)
            return revoked;
        return writer.append(entry);
    };
    return awaitWrite<void>(m_impl->thread, what, 0, std::move(work));
}

void Store::append(ExecutionId id, std::vector<OutputChunk> chunks)
{
    if (chunks.empty())
        return;
    Write write;
    write.kind = Write::Kind::Output;
    write.what = "output of " + id.text();
    for (const OutputChunk& chunk : chunks)
        write.bytes += sizeof(OutputChunk) + chunk.bytes.size();
    write.apply = [id = std::move(id), chunks = std::move(chunks)](Writer& writer) {
        return writer.keep(id, chunks);
    };
    m_impl->thread.push(std::move(write));
}

void Store::append(ExecutionId id, std::vector<Sample> samples)
{
    if (samples.empty())
        return;
    Write write;
    write.kind = Write::Kind::Samples;
    write.what = "samples of " + id.text();
    write.bytes = samples.size() * sizeof(Sample);
    write.apply = [id = std::move(id), samples = std::move(samples)](Writer& writer) {
        return writer.keep(id, samples);
    };
    m_impl->thread.push(std::move(write));
}

asio::awaitable<Result<>> Store::mark(ExecutionId id, execution::Marks marks)
{
    const std::string what = "marks of " + id.text();
    AwaitedWork<void> work = [id = std::move(id), marks = std::move(marks)](Writer& writer) {
        return writer.mark(id, marks);
    };
    return awaitWrite<void>(m_impl->thread, what, 0, std::move(work));
}

asio::awaitable<Result<>> Store::erase(ExecutionId id, audit::Entry entry)
{
    const std::string what = "deletion of " + id.text();
    AwaitedWork<void> work = [id = std::move(id), entry = std::move(entry)](Writer& writer) {
        return writer.erase(id, entry);
    };
    return awaitWrite<void>(m_impl->thread, what, 0, std::move(work));
}

asio::awaitable<Result<std::vector<Record>>> Store::interruptUnfinished(std::string reason)
{
    AwaitedWork<std::vector<Record>> work = [reason = std::move(reason)](Writer& writer) {
        return writer.interruptUnfinished(reason);
    };
    return awaitWrite<std::vector<Record>>(
        m_impl->thread, "unfinished executions", 0, std::move(work)
    );
}

void Store::onFailure(std::function<void(Error)> report)
{
    m_impl->thread.onFailure(std::move(report));
}

const std::filesystem::path& Store::file() const
{
    return m_impl->file;
}

} // namespace belljar::store
