// SPDX-License-Identifier: GPL-3.0-or-later
// How long a request takes from the engine's door to the end of its decision, and how long a
// program is analysed: the real engine with its analysis process, its store and the policy in
// force, and no container (what is decided is cancelled before it would get one).
//   belljar_bench_decision decide LANGUAGE FILE ROUNDS
//   belljar_bench_decision analyse LANGUAGE FILE ROUNDS
// One line of JSON; in whose home: bench.mjs sets the XDG_* variables.
#include "engine/analysis/process.h"
#include "engine/base/file.h"
#include "engine/base/json.h"
#include "engine/engine.h"

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace belljar;
using namespace std::chrono_literals;
using execution::Status;
using Clock = std::chrono::steady_clock;

constexpr auto kLongest = 30s;
constexpr auto kPause = 20ms; // a request comes to an engine that rests

double millisecondsSince(Clock::time_point began)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - began).count();
}

/// What the engine has told of the one execution that there is.
class Watcher {
public:
    void take(const Event& event)
    {
        const std::lock_guard lock(m_mutex);
        if (const auto* changed = std::get_if<ExecutionChanged>(&event)) {
            m_record = changed->record;
            m_at = Clock::now();
            const bool isDecided = changed->record.status == Status::Queued;
            if (isDecided && !m_decidedAt)
                m_decidedAt = m_at;
        }
        if (const auto* failed = std::get_if<EngineFailed>(&event))
            m_failure = failed->error.message();
        m_changed.notify_all();
    }
    void becomeReady()
    {
        const std::lock_guard lock(m_mutex);
        m_ready = true;
        m_changed.notify_all();
    }
    void waitUntilReady()
    {
        wait([this] { return m_ready; });
    }
    /// The record once it is decided, and when that was.
    std::pair<execution::Record, Clock::time_point> decided()
    {
        wait([this] { return m_decidedAt.has_value() || (m_record && isFinal(m_record->status)); });
        const std::lock_guard lock(m_mutex);
        return {*m_record, m_decidedAt.value_or(m_at)};
    }
    void waitForItsEnd()
    {
        wait([this] { return m_record && isFinal(m_record->status); });
        const std::lock_guard lock(m_mutex);
        m_record.reset();
        m_decidedAt.reset();
    }

private:
    template <class Condition>
    void wait(Condition condition)
    {
        std::unique_lock lock(m_mutex);
        const bool came =
            m_changed.wait_for(lock, kLongest, [&] { return condition() || !m_failure.empty(); });
        if (!came || !m_failure.empty())
            throw std::runtime_error(m_failure.empty() ? "the engine said nothing" : m_failure);
    }

    std::mutex m_mutex; ///< guards what follows
    std::condition_variable m_changed;
    bool m_ready = false;
    std::optional<execution::Record> m_record;
    Clock::time_point m_at;
    std::optional<Clock::time_point> m_decidedAt;
    std::string m_failure;
};

/// Rounds of: a new program comes, is made durable, looked at, decided on, and that is made
/// durable.
Json decide(const std::string& language, const std::string& code, int rounds)
{
    Watcher watcher;
    EngineOptions options;
    options.paths = findPaths();
    options.dockerHost = "unix:///nonexistent/docker.sock";
    Engine engine(options, [&watcher](Event event) { watcher.take(event); });
    std::thread serving([&] {
        static_cast<void>(engine.run([&watcher] { watcher.becomeReady(); }));
    });
    const std::shared_ptr<void> leaving(nullptr, [&](void*) {
        engine.stop();
        serving.join();
    });
    watcher.waitUntilReady();
    Json json;
    json["milliseconds"] = Json::array();
    for (int round = 0; round < rounds; ++round) {
        std::this_thread::sleep_for(kPause);
        SubmitProgram command;
        command.language = language;
        command.code = code + "# " + std::to_string(round) + "\n"; // each one is a new text
        const auto began = Clock::now();
        engine.submit(std::move(command));
        const auto [record, at] = watcher.decided();
        json["milliseconds"].push_back(std::chrono::duration<double, std::milli>(at - began).count()
        );
        json["verdict"] = record.verdict ? Json(execution::nameOf(*record.verdict)) : Json();
        json["policy"] = record.policy;
        json["error"] = record.error;
        engine.submit(CancelExecution{record.id, "decided"});
        watcher.waitForItsEnd();
    }
    return json;
}

/// Rounds of: the text goes to the analysis process, its report comes back.
Json analyse(const std::string& language, const std::string& code, int rounds)
{
    asio::io_context context;
    analysis::AnalysisProcess process(context.get_executor(), executableFolder() / "belljar");
    const auto text = std::make_shared<const std::string>(code);
    Json json;
    json["milliseconds"] = Json::array();
    for (int round = 0; round < rounds; ++round) {
        const auto began = Clock::now();
        analysis::Report report;
        auto looking = process.analyse(language, text);
        asio::co_spawn(
            context,
            std::move(looking),
            [&report](const std::exception_ptr& thrown, analysis::Report said) {
                if (thrown)
                    std::rethrow_exception(thrown);
                report = std::move(said);
            }
        );
        context.restart();
        context.run();
        json["milliseconds"].push_back(millisecondsSince(began));
        json["complete"] = report.complete;
        json["findings"] = report.findings.size();
    }
    return json;
}

int run(const std::vector<std::string>& words)
{
    if (words.size() != 4 || (words[0] != "decide" && words[0] != "analyse"))
        throw std::runtime_error("usage: belljar_bench_decision decide|analyse LANGUAGE FILE "
                                 "ROUNDS");
    const auto code = readFile(words[2]);
    if (!code)
        throw std::runtime_error(code.error().message());
    const int rounds = std::stoi(words[3]);
    const Json json =
        words[0] == "decide" ? decide(words[1], *code, rounds) : analyse(words[1], *code, rounds);
    std::cout << json.dump() << std::endl;
    return EXIT_SUCCESS;
}

} // namespace

int main(int argc, char** argv)
{
    try {
        return run({argv + 1, argv + argc});
    } catch (const std::exception& failed) {
        std::cerr << failed.what() << std::endl;
        return EXIT_FAILURE;
    }
}
