// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/settings_desk.h"

#include "engine/base/file.h"
#include "engine/base/log.h"
#include "engine/http/token.h"

#include <chrono>
#include <system_error>
#include <utility>

namespace belljar {

namespace {

using namespace std::chrono_literals;

constexpr unsigned kPrivate = 0600;
constexpr auto kExpireEvery = 1h;
constexpr auto kFirstExpiry = 30s; // after the start, when clients want to get going
constexpr auto kBetweenDeletions = 5ms;
constexpr auto kHttpCloseDeadline = 2s; // for answers that are on their way

} // namespace

SettingsDesk::SettingsDesk(asio::any_io_executor executor, Parts parts)
    : m_executor(executor)
    , m_parts(std::move(parts))
    , m_tasks(std::move(executor), "settings")
{
    load();
}

void SettingsDesk::load()
{
    const auto text = readFile(m_parts.paths.settingsFile());
    if (!text) {
        if (text.error().code() != Errc::NotFound)
            m_problem = text.error().message();
        return;
    }
    auto parsed = parseEngineSettings(*text);
    if (parsed)
        m_settings = std::move(*parsed);
    else
        m_problem = m_parts.paths.settingsFile().string() + ": " + parsed.error().message();
    if (!m_problem.empty())
        log::engine().error("settings=defaults reason=\"{}\"", log::safe(m_problem));
}

void SettingsDesk::start()
{
    serveHttp();
    tell();
    m_tasks.spawn("retention", expireHourly());
}

void SettingsDesk::tell()
{
    m_parts.emit(SettingsChanged{m_settings, m_problem, m_httpState});
}

HttpOptions SettingsDesk::httpOptions() const
{
    if (m_parts.commandLine.on)
        return m_parts.commandLine;
    HttpOptions options = m_parts.commandLine;
    options.on = m_settings.httpOn;
    options.address = m_settings.httpAddress;
    options.port = m_settings.httpPort;
    options.certificateFile = m_settings.httpCertificateFile;
    options.keyFile = m_settings.httpKeyFile;
    return options;
}

store::Expiry SettingsDesk::expiry() const
{
    constexpr std::uint64_t kMegabyte = 1'000'000;
    constexpr execution::UnixMs kDay = 24LL * 60 * 60 * 1000;
    store::Expiry expiry;
    if (m_settings.keepDays > 0)
        expiry.before = execution::unixNow() - m_settings.keepDays * kDay;
    expiry.mostBytes = m_settings.keepMegabytes * kMegabyte;
    return expiry;
}

void SettingsDesk::serveHttp()
{
    HttpOptions options = httpOptions();
    m_httpState = {};
    m_httpState.on = options.on;
    if (!options.on)
        return;
    options.told = [this, told = options.told](const Result<std::string>& url) {
        if (url)
            m_httpState.url = *url;
        else
            m_httpState.problem = url.error().message();
        if (told)
            told(url);
    };
    m_http = m_parts.makeHttp(std::move(options));
    m_http->start();
}

asio::awaitable<void> SettingsDesk::serveHttpAnew()
{
    // Taken away first: who comes meanwhile finds none.
    if (const std::shared_ptr<HttpService> before = std::move(m_http))
        co_await before->close(deadlineIn(kHttpCloseDeadline));
    serveHttp();
}

Result<> SettingsDesk::keep(const EngineSettings& settings)
{
    if (auto checked = checkEngineSettings(settings); !checked)
        return checked;
    const std::filesystem::path file = m_parts.paths.settingsFile();
    if (!m_problem.empty()) {
        // What somebody wrote there by hand is not lost.
        std::filesystem::path aside = file;
        aside += ".broken";
        std::error_code ignored; // then it is overwritten, as the person asks
        std::filesystem::rename(file, aside, ignored);
    }
    if (auto made = makePrivateFolder(file.parent_path()); !made)
        return made;
    if (auto written = writeFile(file, engineSettingsText(settings), kPrivate); !written)
        return written;
    m_settings = settings;
    m_problem.clear();
    return {};
}

asio::awaitable<void> SettingsDesk::perform(ChangeSettings command)
{
    const HttpOptions before = httpOptions();
    const auto kept = keep(command.settings);
    if (kept) {
        audit::Entry entry;
        entry.type = audit::Type::SettingsChanged;
        entry.detail["by"] = userName();
        entry.detail["settings"] = engineSettingsText(m_settings);
        m_parts.audit(std::move(entry));
        m_parts.setMaxRunning(m_settings.maxRunning);
        const HttpOptions after = httpOptions();
        const bool otherHttp =
            before.on != after.on || before.address != after.address || before.port != after.port ||
            before.certificateFile != after.certificateFile || before.keyFile != after.keyFile;
        if (otherHttp)
            co_await serveHttpAnew();
    }
    answer(command.token, kept);
    tell();
}

asio::awaitable<void> SettingsDesk::perform(RotateToken command)
{
    // The service watches the file, so that `belljar token rotate` counts as well.
    const auto rotated = http::rotateToken(m_parts.paths.tokenFile());
    if (rotated) {
        audit::Entry entry;
        entry.type = audit::Type::TokenRotated;
        entry.detail["by"] = userName();
        m_parts.audit(std::move(entry));
        answer(command.token, {});
    } else {
        answer(command.token, fail(rotated.error()));
    }
    co_return;
}

asio::awaitable<void> SettingsDesk::perform(RevealToken command)
{
    m_parts.emit(TokenRevealed{command.token, http::readOrMakeToken(m_parts.paths.tokenFile())});
    co_return;
}

asio::awaitable<void> SettingsDesk::perform(MeasureData /*command*/)
{
    co_await tellData();
}

asio::awaitable<void> SettingsDesk::perform(CleanUp command)
{
    const auto expired = co_await expire();
    answer(command.token, expired);
    co_await tellData();
}

asio::awaitable<void> SettingsDesk::tellData()
{
    auto measured = co_await m_parts.measure(expiry());
    if (!measured) {
        log::engine().warn("not_measured=\"{}\"", log::safe(measured.error().message()));
        co_return;
    }
    measured->folder = m_parts.paths.data.string();
    std::error_code absent; // then it is as long as nothing
    const auto size = std::filesystem::file_size(m_parts.paths.logFile(), absent);
    measured->logBytes = absent ? 0 : size;
    m_parts.emit(std::move(*measured));
}

asio::awaitable<void> SettingsDesk::expireHourly()
{
    co_await sleepUntil(deadlineIn(kFirstExpiry));
    for (;;) {
        const auto expired = co_await expire();
        if (!expired)
            log::engine().error("not_expired=\"{}\"", log::safe(expired.error().message()));
        co_await sleepUntil(deadlineIn(kExpireEvery));
    }
}

/// Deletes what has expired, the oldest first. In between others write: a deletion is a transaction
/// of its own.
asio::awaitable<Result<>> SettingsDesk::expire()
{
    if (std::exchange(m_expiring, true))
        co_return Result<>(); // it is being done
    const std::shared_ptr<void> done(nullptr, [this](void*) { m_expiring = false; });
    for (;;) {
        const auto ids = co_await m_parts.expired(expiry());
        if (!ids)
            co_return fail(ids.error());
        ExecutionsDeleted deleted;
        for (const ExecutionId& id : *ids) {
            audit::Entry entry;
            entry.type = audit::Type::HistoryDeleted;
            entry.execution = id;
            entry.detail["by"] = "retention";
            const auto erased = co_await m_parts.store.erase(id, std::move(entry));
            if (!erased)
                co_return fail(erased.error());
            deleted.ids.push_back(id);
            co_await sleepUntil(deadlineIn(kBetweenDeletions));
        }
        if (deleted.ids.empty())
            co_return Result<>();
        log::engine().info("expired={}", deleted.ids.size());
        m_parts.emit(std::move(deleted));
    }
}

void SettingsDesk::answer(std::uint64_t token, const Result<>& outcome)
{
    SettingsCommandDone done;
    done.token = token;
    if (!outcome)
        done.error = outcome.error();
    m_parts.emit(std::move(done));
}

asio::awaitable<void> SettingsDesk::close()
{
    m_tasks.close();
    m_tasks.cancel();
    co_await m_tasks.join();
    if (const std::shared_ptr<HttpService> http = std::move(m_http))
        co_await http->close(deadlineIn(kHttpCloseDeadline));
}

} // namespace belljar
