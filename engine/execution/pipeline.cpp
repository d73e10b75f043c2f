// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/execution/pipeline.h"

#include "engine/base/log.h"
#include "engine/execution/outcome.h"

#include <boost/asio/experimental/parallel_group.hpp>

#include <algorithm>
#include <exception>
#include <utility>

namespace belljar::execution {

namespace {

using namespace std::chrono_literals;

constexpr auto kSandboxDeadline = 90s; // more than the pool allows for making one
constexpr int kMostRounds = 3; // that one request is decided in, should its image keep moving

/// Runs `operation` until `stop` fires; then it is cancelled and the result is Errc::Conflict.
template <class T>
asio::awaitable<Result<T>>
unlessStopped(asio::steady_timer& stop, asio::awaitable<Result<T>> operation)
{
    const auto executor = co_await asio::this_coro::executor;
    auto race = asio::experimental::make_parallel_group(
        asio::co_spawn(executor, std::move(operation), asio::deferred),
        stop.async_wait(asio::deferred)
    );
    auto [order, thrown, value, stopError] =
        co_await race.async_wait(asio::experimental::wait_for_one(), asio::use_awaitable);
    if (order[0] == 1)
        co_return fail(Errc::Conflict, "cancelled");
    if (thrown)
        std::rethrow_exception(thrown);
    co_return std::move(value);
}

sandbox::Program programFor(const Entry& entry, const sandbox::Language& language)
{
    const Request& request = entry.request;
    const Limits& limits = entry.record.limits;
    sandbox::Program program;
    program.argv = language.run;
    program.environment = language.environment;
    program.file = language.file;
    program.code = entry.code;
    program.args = request.args;
    program.standardInput = request.standardInput;
    program.timeout = limits.timeout;
    program.outputBytes = limits.outputBytes;
    return program;
}

/// Wakes who waits for the entry and tells who watches it.
void notify(Entry& entry)
{
    entry.changed.cancel();
    std::erase_if(entry.listeners, [](const auto& weak) { return weak.expired(); });
    // A listener may stop watching while it is told.
    const auto listeners = entry.listeners;
    for (const auto& weak : listeners) {
        if (const auto listener = weak.lock())
            (*listener)(entry.snapshot);
    }
}

audit::Entry receivedEntry(const Request& request)
{
    audit::Entry entry;
    entry.type = audit::Type::RequestReceived;
    entry.execution = request.id;
    entry.client = request.client.id;
    entry.detail["language"] = request.language;
    entry.detail["code_sha256"] = request.codeSha256;
    entry.detail["code_bytes"] = request.code->size();
    entry.detail["args"] = request.args.size();
    entry.detail["stdin_bytes"] = request.standardInput.size();
    entry.detail["client"] = request.client.name;
    entry.detail["executable"] = request.client.executable;
    entry.detail["pid"] = request.client.pid;
    return entry;
}

audit::Entry endedEntry(const Record& record)
{
    audit::Entry entry;
    entry.type = audit::Type::ExecutionEnded;
    entry.execution = record.id;
    entry.client = record.client.id;
    entry.detail["status"] = statusTraits(record.status).name;
    entry.detail["exit_code"] = record.exitCode ? Json(*record.exitCode) : Json();
    entry.detail["execution_ms"] = record.executionTime.count();
    entry.detail["memory_peak_bytes"] = record.memoryPeakBytes;
    entry.detail["stdout_bytes"] = record.standardOutput.totalBytes;
    entry.detail["stderr_bytes"] = record.standardError.totalBytes;
    entry.detail["error"] = record.error;
    return entry;
}

milliseconds since(UnixMs start)
{
    return milliseconds(std::max<UnixMs>(0, unixNow() - start));
}

} // namespace

Entry::Entry(const asio::any_io_executor& executor, Request asked, Elicit throughClient)
    : request(std::move(asked))
    , elicit(std::move(throughClient))
    , cancelled(executor, asio::steady_timer::time_point::max())
    , changed(executor, asio::steady_timer::time_point::max())
{
    record = receivedRecord(request);
}

Pipeline::Pipeline(
    asio::any_io_executor executor,
    std::uint32_t maxRunning,
    store::Store& store,
    sandbox::Pool& pool,
    const sandbox::Languages& languages,
    approval::Gate& gate,
    Observer observer
)
    : m_store(store)
    , m_pool(pool)
    , m_languages(languages)
    , m_gate(gate)
    , m_observer(std::move(observer))
    , m_slots(std::move(executor), maxRunning)
{}

asio::awaitable<void> Pipeline::drive(std::shared_ptr<Entry> entry)
{
    if (!co_await record(*entry))
        co_return;

    const sandbox::Language* known = m_languages.find(entry->record.language);
    if (!known) {
        conclude(
            *entry, fail(Errc::InvalidArgument, "language: use one of " + m_languages.idList())
        );
        co_return co_await finish(*entry);
    }
    sandbox::Language language = *known;

    Result<sandbox::Exit> exit = fail(Errc::Conflict, "cancelled");
    for (int round = 1;; ++round) {
        if (!co_await mayRun(entry, language))
            co_return co_await finish(*entry);

        entry->snapshot.paused = m_slots.isPaused();
        entry->record.queuedAt = unixNow();
        setStatus(*entry, Status::Queued);
        auto slot = co_await unlessStopped(
            entry->cancelled, m_slots.take(entry->record.client.id, entry->maxConcurrent)
        );
        if (!slot) {
            exit = fail(slot.error());
            break;
        }
        exit = co_await runInSandbox(*entry, language);
        // What was approved was approved for one image: another one is another question.
        if (!entry->imageMoved || round == kMostRounds)
            break;
    }
    conclude(*entry, exit);
    if (exit)
        co_await keepFiles(*entry, std::move(exit->files));
    co_await finish(*entry);
}

/// Analysis, policy, and the person where the policy says so. False when it has been concluded
/// instead.
asio::awaitable<bool> Pipeline::mayRun(std::shared_ptr<Entry> entry, sandbox::Language& language)
{
    entry->imageMoved = false;
    setStatus(*entry, Status::Analysing);
    auto asked = std::make_shared<approval::Case>();
    asked->request = entry->request;
    asked->elicit = entry->elicit;
    asked->languageTitle = language.title;
    asked->image = language.image;
    auto ruling = co_await unlessStopped(entry->cancelled, m_gate.rule(asked, progressFor(*entry)));
    if (!ruling) {
        conclude(*entry, fail(ruling.error()));
        co_return false;
    }
    const bool allowed = ruling->verdict == Verdict::Allow;
    if (!ruling->decision.image.empty())
        language.image = ruling->decision.image;
    auto adopted = co_await adopt(*entry, std::move(*ruling));
    if (!adopted) {
        conclude(*entry, fail(adopted.error()));
        co_return false;
    }
    if (!allowed)
        entry->record.endedAt = unixNow();
    co_return allowed;
}

approval::Gate::Progress Pipeline::progressFor(Entry& entry)
{
    approval::Gate::Progress progress;
    progress.decided = [this,
                        &entry](const policy::Decision& decision, const policy::Named& policy) {
        Record& record = entry.record;
        record.analysedAt = unixNow();
        record.policy = policy.name;
        record.policyVersion = policy.version;
        record.verdict = decision.verdict;
        record.limits = decision.limits;
        record.container = decision.container;
        applyReport(record, decision.report);
        entry.snapshot.report = decision.report;
        m_store.keepReport(record.id, decision.report);
        applyReasons(record, decision.reasons);
    };
    progress.asking = [this, &entry](const policy::Named& policy) {
        entry.snapshot.answerBy = deadlineIn(policy.policy.approvalWait);
        setStatus(entry, Status::AwaitingApproval);
    };
    return progress;
}

/// Takes what was settled into the record; edited code is kept before it may run.
asio::awaitable<Result<>> Pipeline::adopt(Entry& entry, approval::Ruling ruling)
{
    Record& record = entry.record;
    entry.snapshot.answerBy = Deadline::max();
    record.decidedAt = unixNow();
    record.decidedBy = ruling.by;
    record.remembered = ruling.decision.remembered;
    record.comment = ruling.comment;
    record.approvalTime += ruling.waited;
    entry.approvedDigest = ruling.imageDigest;
    entry.maxConcurrent = ruling.policy->policy.maxConcurrent;
    entry.endsWithClient = ruling.policy->policy.cancelOnDisconnect;
    if (ruling.verdict != Verdict::Allow) {
        record.status = Status::Rejected;
        record.error = rejectionText(ruling.by, ruling.reason, ruling.comment);
        entry.snapshot.allowedInstead = ruling.decision.allowedInstead;
        co_return Result<>();
    }
    record.notes.insert(
        record.notes.end(), ruling.decision.notes.begin(), ruling.decision.notes.end()
    );
    for (const std::string& weaker : ruling.decision.weakened)
        record.notes.push_back("weakened: " + weaker);
    if (!ruling.comment.empty())
        record.notes.push_back("The person says: " + ruling.comment);
    if (ruling.edited) {
        auto kept = co_await m_store.keepEdited(ruling.codeSha256, ruling.code);
        if (!kept)
            co_return std::move(kept);
        record.ranSha256 = ruling.codeSha256;
        record.notes.emplace_back(
            "The person edited the program before it ran; this is the result of the "
            "edited one."
        );
        entry.snapshot.report = ruling.decision.report;
        applyReport(record, ruling.decision.report);
        m_store.keepReport(record.id, ruling.decision.report);
    }
    entry.code = std::move(ruling.code);
    co_return Result<>();
}

/// The row is durable before anything else happens (DESIGN.md section 5, step 2).
asio::awaitable<bool> Pipeline::record(Entry& entry)
{
    auto recorded =
        co_await m_store.received(entry.record, entry.request.code, receivedEntry(entry.request));
    if (!recorded) {
        entry.record.status = Status::Error;
        entry.recordError = recorded.error();
        entry.ended = true;
        entry.changed.cancel();
        log::engine().error(
            "execution={} not_recorded=\"{}\"",
            entry.record.id.text(),
            log::safe(recorded.error().message())
        );
        co_return false;
    }
    entry.record.sequence = recorded->sequence;
    entry.recorded = true;
    publish(entry);
    co_return true;
}

asio::awaitable<Result<sandbox::Exit>>
Pipeline::runInSandbox(Entry& entry, const sandbox::Language& language)
{
    constexpr int kAttempts = 3;
    for (int attempt = 1;; ++attempt) {
        auto sandbox = co_await unlessStopped(entry.cancelled, takeSandbox(entry, language));
        if (!sandbox)
            co_return fail(sandbox.error());
        entry.sandbox = sandbox->get();
        auto program = programFor(entry, language);
        auto exit = co_await (*sandbox)->run(std::move(program), sinkFor(entry));
        entry.sandbox = nullptr;
        // A container that died in the pool never saw the code; then, and only then, another one
        // may.
        const bool diedUnused =
            !exit && !(*sandbox)->started() && exit.error().code() == Errc::Closed;
        if (!diedUnused || entry.cancelRequested || attempt == kAttempts)
            co_return std::move(exit);
        m_pool.dropWarm(language.id);
    }
}

asio::awaitable<Result<std::unique_ptr<sandbox::Sandbox>>>
Pipeline::takeSandbox(Entry& entry, const sandbox::Language& language)
{
    auto sandbox = co_await m_pool.take(
        language, entry.record.limits, entry.record.container, deadlineIn(kSandboxDeadline)
    );
    if (!sandbox)
        co_return fail(sandbox.error());
    const std::string& digest = (*sandbox)->spec().image.digest;
    if (!entry.approvedDigest.empty() && digest != entry.approvedDigest) {
        entry.imageMoved = true;
        m_pool.dropWarm(language.id);
        co_return fail(
            Errc::Conflict, language.image + " is not the image that was approved any more"
        );
    }
    entry.record.image = language.image;
    entry.record.imageDigest = digest;
    entry.record.containerId = (*sandbox)->containerId();
    const sandbox::SentSettings& sent = (*sandbox)->sentSettings();
    entry.record.settingsSha256 = sent.sha256;
    m_store.keepSettings(sent.sha256, sent.json);
    co_return std::move(sandbox);
}

sandbox::RunSink Pipeline::sinkFor(Entry& entry)
{
    sandbox::RunSink sink;
    sink.started = [this, &entry](const std::string& codeSha256) {
        // What the sandbox holds is what was decided on, or it doesn't go on.
        const Record& record = entry.record;
        if (codeSha256 != (record.ranSha256.empty() ? record.codeSha256 : record.ranSha256)) {
            entry.record.error = "the sandbox received other code than was sent";
            entry.sandbox->cancel();
        }
        audit::Entry started;
        started.type = audit::Type::ExecutionStarted;
        started.execution = record.id;
        started.client = record.client.id;
        started.detail["code_sha256"] = codeSha256;
        started.detail["image_digest"] = record.imageDigest;
        started.detail["container"] = record.containerId;
        audit(std::move(started));
        entry.record.startedAt = unixNow();
        entry.record.queueTime = since(entry.record.receivedAt) - entry.record.approvalTime;
        setStatus(entry, Status::Running);
    };
    sink.output = [this, &entry](OutputChunk chunk) {
        const bool isStdout = chunk.stream == Stream::Stdout;
        if (!entry.record.firstOutputAt) {
            // Durable with the end: a row more for every run isn't worth it.
            entry.record.firstOutputAt = unixNow();
            if (m_observer.changed)
                m_observer.changed(entry.record);
        }
        // The text itself isn't needed here, only what the decoder says of the bytes.
        static_cast<void>((isStdout ? entry.stdoutText : entry.stderrText).feed(chunk.bytes));
        entry.snapshot.output.push_back(chunk);
        std::vector<OutputChunk> chunks;
        chunks.push_back(std::move(chunk));
        if (m_observer.output)
            m_observer.output(entry.record.id, chunks);
        m_store.append(entry.record.id, std::move(chunks));
        notify(entry);
    };
    sink.sample = [this, &entry](const Sample& sample) {
        const std::vector<Sample> samples{sample};
        entry.record.memoryPeakBytes = std::max(entry.record.memoryPeakBytes, sample.memoryBytes);
        if (m_observer.samples)
            m_observer.samples(entry.record.id, samples);
        m_store.append(entry.record.id, samples);
    };
    return sink;
}

/// Durable before the run is final, so that who is told of its end finds them.
asio::awaitable<void> Pipeline::keepFiles(Entry& entry, RunFiles files)
{
    if (files.isEmpty())
        co_return;
    Record& record = entry.record;
    entry.snapshot.files = withSmallPictures(files);
    RunFiles facts = withoutBytes(files);
    auto kept = co_await m_store.keepFiles(record.id, std::move(files));
    if (!kept) {
        entry.snapshot.files = {};
        record.notes.push_back(
            "The files of this run could not be kept: " + kept.error().message()
        );
        co_return;
    }
    if (m_observer.files)
        m_observer.files(record.id, facts);
}

/// Turns how it ended into the record's last state, without making it durable.
void Pipeline::conclude(Entry& entry, const Result<sandbox::Exit>& exit)
{
    Record& record = entry.record;
    static_cast<void>(entry.stdoutText.finish());
    static_cast<void>(entry.stderrText.finish());
    record.standardOutput.invalidBytes = entry.stdoutText.invalidBytes();
    record.standardError.invalidBytes = entry.stderrText.invalidBytes();
    record.endedAt = unixNow();
    if (record.startedAt)
        record.executionTime = since(*record.startedAt);
    if (!record.error.empty()) {
        record.status = Status::Error;
    } else if (exit) {
        applyExit(record, *exit, entry.cancelRequested);
    } else if (entry.engineEnds && record.status == Status::AwaitingApproval) {
        record.status = Status::Rejected;
        record.decidedBy = DecidedBy::Engine;
        record.decidedAt = record.endedAt;
        record.error = rejectionText(
            DecidedBy::Engine, "the question was interrupted by Belljar's end; send it again", ""
        );
    } else if (entry.cancelRequested) {
        record.status = Status::Cancelled;
    } else if (exit.error().code() == Errc::TimedOut && record.startedAt) {
        record.status = Status::TimedOut;
        record.timedOut = true;
        record.notes.emplace_back("The sandbox did not answer at its time limit and was removed.");
    } else {
        record.status = Status::Error;
        record.error = exit.error().message();
    }
    if (record.status == Status::Cancelled)
        record.error = entry.cancelReason;
}

/// Committed, then answered (DESIGN.md section 5, step 7).
asio::awaitable<void> Pipeline::finish(Entry& entry)
{
    auto committed = co_await m_store.commit(entry.record, endedEntry(entry.record));
    if (!committed) {
        entry.record.notes.push_back(
            "This result could not be written to the history: " + committed.error().message()
        );
        log::engine().error(
            "execution={} not_committed=\"{}\"",
            entry.record.id.text(),
            log::safe(committed.error().message())
        );
    }
    log::engine().info(
        "execution={} language={} status={} exit={} wall_ms={} queue_ms={}",
        entry.record.id.text(),
        log::safe(entry.record.language),
        statusTraits(entry.record.status).name,
        entry.record.exitCode ? std::to_string(*entry.record.exitCode) : "-",
        entry.record.executionTime.count(),
        entry.record.queueTime.count()
    );
    entry.ended = true;
    publish(entry);
}

void Pipeline::audit(audit::Entry entry)
{
    if (m_observer.audit)
        m_observer.audit(std::move(entry));
}

void Pipeline::setStatus(Entry& entry, Status status)
{
    entry.record.status = status;
    m_store.update(entry.record);
    publish(entry);
}

void Pipeline::publish(Entry& entry)
{
    if (m_observer.changed)
        m_observer.changed(entry.record);
    notify(entry);
}

void Pipeline::setPaused(bool paused)
{
    m_slots.setPaused(paused);
}

void Pipeline::tellPause(Entry& entry)
{
    if (entry.record.status != Status::Queued)
        return;
    entry.snapshot.paused = m_slots.isPaused();
    notify(entry);
}

void Pipeline::interrupt(Entry& entry)
{
    entry.engineEnds = true;
    cancel(entry, "Belljar is ending");
}

void Pipeline::cancel(Entry& entry, const std::string& reason)
{
    if (entry.cancelRequested || isFinal(entry.record.status))
        return;
    entry.cancelRequested = true;
    entry.cancelReason = reason;
    entry.cancelled.expires_at(asio::steady_timer::time_point::min());
    if (entry.sandbox)
        entry.sandbox->cancel();
}

} // namespace belljar::execution
