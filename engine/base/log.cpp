// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/log.h"

#include "engine/base/text.h"

#include <spdlog/sinks/dist_sink.h>
#include <spdlog/sinks/rotating_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include <sys/stat.h>

namespace belljar::log {

namespace {

constexpr std::size_t kMaxSafeBytes = 1024;
constexpr std::size_t kMaxFileBytes = 5U * 1024 * 1024;
constexpr std::size_t kKeptFiles = 3;

// The sinks are shared by all loggers and exchanged as a whole by start().
const std::shared_ptr<spdlog::sinks::dist_sink_mt>& sharedSink()
{
    static const auto sink = [] {
        auto made = std::make_shared<spdlog::sinks::dist_sink_mt>();
        auto fallback = std::make_shared<spdlog::sinks::stderr_sink_mt>();
        fallback->set_level(spdlog::level::warn);
        made->add_sink(std::move(fallback));
        return made;
    }();
    return sink;
}

spdlog::level::level_enum levelFromEnvironment()
{
    const char* wanted = std::getenv("BELLJAR_LOG");
    if (!wanted)
        return spdlog::level::info;
    // spdlog takes a word that it doesn't know for "off".
    const auto level = spdlog::level::from_str(wanted);
    return level == spdlog::level::off && std::string_view(wanted) != "off" ? spdlog::level::info
                                                                            : level;
}

std::shared_ptr<spdlog::logger> makeLogger(const char* name)
{
    auto logger = std::make_shared<spdlog::logger>(name, sharedSink());
    logger->set_level(levelFromEnvironment());
    logger->flush_on(spdlog::level::info);
    return logger;
}

} // namespace

#define BELLJAR_LOGGER(area)                                                                       \
    spdlog::logger& area()                                                                         \
    {                                                                                              \
        static const auto logger = makeLogger(#area);                                              \
        return *logger;                                                                            \
    }

BELLJAR_LOGGER(engine)
BELLJAR_LOGGER(docker)
BELLJAR_LOGGER(sandbox)
BELLJAR_LOGGER(store)
BELLJAR_LOGGER(mcp)
BELLJAR_LOGGER(ui)

#undef BELLJAR_LOGGER

void start(const std::filesystem::path& file, spdlog::level::level_enum stderrLevel)
{
    std::vector<spdlog::sink_ptr> sinks;
    auto console = std::make_shared<spdlog::sinks::stderr_sink_mt>();
    console->set_level(stderrLevel);
    sinks.push_back(std::move(console));
    try {
        // Private before its first byte, also after a rotation. The folder is private, so
        // nobody opens it in between.
        spdlog::file_event_handlers events;
        events.after_open = [](const spdlog::filename_t& /*name*/, std::FILE* opened) {
            static_cast<void>(::fchmod(::fileno(opened), 0600));
        };
        auto rotating = std::make_shared<spdlog::sinks::rotating_file_sink_mt>(
            file.string(), kMaxFileBytes, kKeptFiles, false, events
        );
        sinks.push_back(std::move(rotating));
        sharedSink()->set_sinks(std::move(sinks));
    } catch (const spdlog::spdlog_ex& error) {
        sharedSink()->set_sinks(std::move(sinks));
        engine().warn("log_file={} unusable=\"{}\"", safe(file.string()), safe(error.what()));
    }
}

std::string safe(std::string_view text)
{
    // Escaping can only lengthen, so cut before (the work stays bounded) and after (the line does).
    std::string line = escapeForLine(prefixWithin(text, kMaxSafeBytes));
    // The fields of a log line are in double quotes, so what is in them has none.
    for (std::size_t at = 0; (at = line.find('"', at)) != std::string::npos;)
        line.replace(at, 1, "\\u{22}");
    if (text.size() <= kMaxSafeBytes && line.size() <= kMaxSafeBytes)
        return line;
    constexpr std::string_view kCut = "...";
    return std::string(prefixWithin(line, kMaxSafeBytes - kCut.size())).append(kCut);
}

} // namespace belljar::log
