// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policy/keeper.h"

#include "engine/base/deadline.h"
#include "engine/base/json.h"
#include "engine/base/log.h"
#include "engine/base/sha256.h"
#include "engine/base/text.h"

#include <boost/asio/redirect_error.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <set>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

namespace belljar::policy {

namespace {

using namespace std::chrono_literals;

constexpr auto kSettle = 100ms; // editors write a file in several steps
constexpr std::size_t kMostBytes = 1024 * 1024;
constexpr std::size_t kMostPolicies = 200;
constexpr unsigned kFileMode = 0600;
constexpr const char* kFirstDefault = "balanced";
constexpr std::array<std::string_view, 4> kSourceNames{"shipped", "window", "disk", "restored"};

std::string firstProblem(const std::vector<Problem>& problems)
{
    const auto error = std::find_if(problems.begin(), problems.end(), [](const Problem& problem) {
        return problem.isError;
    });
    if (error == problems.end())
        return "is no policy";
    std::string text =
        "line " + std::to_string(error->line) + ", column " + std::to_string(error->column) + ": ";
    if (!error->place.empty())
        text += error->place + ": ";
    return text + error->message;
}

/// Keeps only the latest events out of the descriptor; which file it was doesn't matter.
void drain(int fd)
{
    std::array<char, 4096> events{};
    while (::read(fd, events.data(), events.size()) > 0) {
    }
}

} // namespace

bool isPolicyName(std::string_view name)
{
    constexpr std::size_t kLongest = 64;
    return !name.empty() && name.size() <= kLongest && name.front() != '-' &&
           std::all_of(name.begin(), name.end(), [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '-';
           });
}

std::string
assignmentsText(const std::vector<Assignment>& assignments, const std::string& defaultPolicy)
{
    Json json;
    json["default"] = defaultPolicy;
    json["clients"] = Json::array();
    for (const Assignment& one : assignments) {
        Json row;
        if (!one.clientName.empty())
            row["name"] = one.clientName;
        if (!one.executable.empty())
            row["executable"] = one.executable;
        row["policy"] = one.policy;
        json["clients"].push_back(std::move(row));
    }
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<std::string> readTrusted(const std::filesystem::path& file)
{
    const UniqueFd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (!fd.valid() && errno == ENOENT)
        return fail(Errc::NotFound, file.string() + ": there is no such file");
    if (!fd.valid() && errno == ELOOP)
        return fail(Errc::Unsafe, file.string() + " is a symbolic link; put the file itself there");
    if (!fd.valid())
        return fail(Errc::IoFailed, file.string() + ": " + describeErrno(errno));
    struct stat info {};
    if (::fstat(fd.get(), &info) != 0)
        return fail(Errc::IoFailed, file.string() + ": " + describeErrno(errno));
    if (!S_ISREG(info.st_mode))
        return fail(Errc::Unsafe, file.string() + " is no regular file");
    if (info.st_uid != ::geteuid())
        return fail(Errc::Unsafe, file.string() + " belongs to another user");
    if ((info.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        return fail(
            Errc::Unsafe,
            file.string() + " can be changed by other users; run: chmod go-w " + file.string()
        );
    if (static_cast<std::size_t>(info.st_size) > kMostBytes)
        return fail(Errc::InvalidArgument, file.string() + " is larger than 1 MiB");
    std::string content(static_cast<std::size_t>(info.st_size), '\0');
    std::size_t have = 0;
    while (have < content.size()) {
        const ssize_t got = ::read(fd.get(), content.data() + have, content.size() - have);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail(Errc::IoFailed, file.string() + ": " + describeErrno(errno));
        if (got == 0)
            break;
        have += static_cast<std::size_t>(got);
    }
    content.resize(have);
    return content;
}

Keeper::Keeper(asio::any_io_executor executor, Options options, store::Store& store, Events events)
    : m_executor(executor)
    , m_options(std::move(options))
    , m_store(store)
    , m_events(std::move(events))
    , m_notifications(executor)
    , m_tasks(executor, "policies")
{}

Keeper::~Keeper() = default;

std::filesystem::path Keeper::fileOf(const std::string& name) const
{
    return m_options.folder / (name + ".json");
}

asio::awaitable<Result<>> Keeper::start(std::vector<store::PolicyVersion> last)
{
    if (auto made = makePrivateFolder(m_options.folder); !made)
        co_return std::move(made);
    // What stands there before Belljar has ever run is how somebody has set it up, and no change.
    m_firstLife = last.empty();
    for (const store::PolicyVersion& version : last) {
        if (version.name == kAssignmentsName) {
            if (auto assigned = parseAssignments(version.text))
                m_assigned = Assigned{std::move(*assigned), version.text, {}};
            continue;
        }
        Checked checked = check(version.text);
        if (!checked.policy) // written by a Belljar that knew more
            continue;
        Named named{version.name, version.version, version.sha256, std::move(*checked.policy)};
        Kept& kept = m_kept[version.name];
        kept.state.name = version.name;
        kept.state.title = named.policy.title;
        kept.state.version = version.version;
        kept.state.text = version.text;
        kept.state.since = version.savedAt;
        kept.state.author = version.author;
        kept.inForce = std::make_shared<const Named>(std::move(named));
    }
    if (auto made = makeShipped(); !made)
        co_return std::move(made);
    // Nobody has assigned anything yet: then the one below decides, and what a file says is a
    // change.
    if (m_assigned.assignments.otherwise.empty())
        m_assigned = Assigned{{{}, kFirstDefault}, assignmentsText({}, kFirstDefault), {}};
    co_await readAll();
    m_firstLife = false;
    if (m_kept.empty())
        co_return fail(
            Errc::NotFound,
            "there is no policy that can be read in " + m_options.folder.string() + " nor in " +
                m_options.shipped.string()
        );
    if (!m_kept.contains(m_assigned.assignments.otherwise)) {
        const bool first = m_kept.contains(kFirstDefault);
        m_assigned.assignments.otherwise = first ? kFirstDefault : m_kept.begin()->first;
        m_assigned.text = assignmentsText({}, m_assigned.assignments.otherwise);
    }

    const int fd = ::inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (fd < 0)
        co_return fail(Errc::IoFailed, "inotify: " + describeErrno(errno));
    m_notifications.assign(fd);
    constexpr std::uint32_t kMask =
        IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ATTRIB;
    for (const auto& folder : {m_options.folder, m_options.assignmentsFile.parent_path()}) {
        if (::inotify_add_watch(fd, folder.c_str(), kMask | IN_ONLYDIR) < 0)
            co_return fail(Errc::IoFailed, folder.string() + ": " + describeErrno(errno));
    }
    m_tasks.spawn("watch", watch());
    co_return Result<>();
}

/// The shipped ones are there from the first start on; what became of them since is the person's.
Result<> Keeper::makeShipped()
{
    std::error_code failed;
    for (const auto& entry : std::filesystem::directory_iterator(m_options.shipped, failed)) {
        const std::string name = entry.path().stem().string();
        if (entry.path().extension() != ".json" || !isPolicyName(name))
            continue;
        m_shippedNames.push_back(name);
        const auto kept = m_kept.find(name);
        if (std::filesystem::exists(fileOf(name), failed))
            continue;
        auto text = kept != m_kept.end() ? Result<std::string>(kept->second.state.text)
                                         : readFile(entry.path(), kMostBytes);
        if (!text)
            return fail(text.error());
        if (auto written = writeFile(fileOf(name), *text, kFileMode); !written)
            return written;
    }
    return {};
}

asio::awaitable<void> Keeper::readAll()
{
    std::set<std::string> present;
    std::error_code failed;
    for (const auto& entry : std::filesystem::directory_iterator(m_options.folder, failed)) {
        const std::string name = entry.path().stem().string();
        if (entry.path().extension() == ".json" && isPolicyName(name) &&
            present.size() < kMostPolicies)
            present.insert(name);
    }
    for (const std::string& name : present)
        co_await readPolicy(name);
    // One whose file has gone stays in force while anybody is assigned to it: a missing file
    // loosens nothing.
    const auto assigned = [this](const std::string& name) {
        return m_assigned.assignments.otherwise == name ||
               std::any_of(
                   m_assigned.assignments.list.begin(),
                   m_assigned.assignments.list.end(),
                   [&](const Assignment& one) { return one.policy == name; }
               );
    };
    for (auto at = m_kept.begin(); at != m_kept.end();) {
        const bool stays = present.contains(at->first) || assigned(at->first);
        const auto kept = at++;
        if (!stays)
            m_gone.insert(m_kept.extract(kept));
    }
    co_await readAssignments();
    m_events.changed();
}

asio::awaitable<void> Keeper::readPolicy(std::string name)
{
    auto text = readTrusted(fileOf(name));
    // Taken away and put there again is a change like any other.
    if (const auto gone = m_gone.find(name); text && gone != m_gone.end())
        m_kept.insert(m_gone.extract(gone));
    const auto known = m_kept.find(name);
    const bool inForce = known != m_kept.end();
    if (!text) {
        if (inForce && text.error().code() != Errc::NotFound) {
            const std::vector<Problem> problems{{true, "", text.error().message(), 1, 1}};
            if (known->second.state.problems != problems)
                auditRefusal(name, text.error().message());
            known->second.state.problems = problems;
        }
        co_return;
    }
    if (inForce && known->second.state.text == *text) {
        known->second.state.problems.clear();
        known->second.state.pendingText.clear();
        known->second.state.pendingLoosens.clear();
        co_return;
    }
    Checked checked = check(*text);
    if (!checked.policy) {
        // Without a good version of its own it isn't there: nothing broken takes effect.
        if (inForce && known->second.state.problems != checked.problems)
            auditRefusal(name, firstProblem(checked.problems));
        if (inForce)
            known->second.state.problems = std::move(checked.problems);
        co_return;
    }
    if (inForce && !m_options.acceptLoosening) {
        auto loosens = loosened(known->second.inForce->policy, *checked.policy);
        if (!loosens.empty()) {
            if (known->second.state.pendingText != *text)
                auditRefusal(
                    name,
                    "a change on disk allows more and waits for the person: " + loosens.front()
                );
            known->second.state.pendingText = *text;
            known->second.state.pendingLoosens = std::move(loosens);
            known->second.state.problems.clear();
            co_return;
        }
    }
    const bool shipped =
        std::find(m_shippedNames.begin(), m_shippedNames.end(), name) != m_shippedNames.end();
    const Source source = shipped && !inForce ? Source::Shipped : Source::Disk;
    auto taken = co_await takeEffect(name, std::move(*text), source, "");
    if (!taken)
        log::engine().error("policy={} not_taken=\"{}\"", name, log::safe(taken.error().message()));
}

asio::awaitable<Result<>>
Keeper::takeEffect(std::string name, std::string text, Source source, std::string note)
{
    Checked checked = check(text);
    if (!checked.policy)
        co_return fail(
            Errc::InvalidArgument, "policy " + name + ": " + firstProblem(checked.problems)
        );
    const auto before = m_kept.find(name);
    store::PolicyVersion version;
    version.name = name;
    version.sha256 = sha256Hex(text);
    version.text = text;
    version.author = m_options.author;
    version.note = std::move(note);
    version.source = kSourceNames.at(static_cast<std::size_t>(source));
    version.savedAt = execution::unixNow();
    audit::Entry entry;
    entry.type = audit::Type::PolicyChanged;
    entry.detail["policy"] = name;
    entry.detail["sha256"] = version.sha256;
    entry.detail["source"] = version.source;
    entry.detail["author"] = version.author;
    entry.detail["loosens"] = before == m_kept.end()
                                  ? std::vector<std::string>()
                                  : loosened(before->second.inForce->policy, *checked.policy);
    auto number = co_await m_store.addPolicyVersion(version, std::move(entry));
    if (!number)
        co_return fail(number.error());
    m_gone.erase(name);
    Kept& kept = m_kept[name];
    kept.state = PolicyState{};
    kept.state.name = name;
    kept.state.title = checked.policy->title;
    kept.state.version = *number;
    kept.state.text = std::move(text);
    kept.state.since = version.savedAt;
    kept.state.author = version.author;
    kept.state.problems = std::move(checked.problems); // warnings
    Named named{name, *number, version.sha256, std::move(*checked.policy)};
    kept.inForce = std::make_shared<const Named>(std::move(named));
    co_return Result<>();
}

std::vector<std::string> Keeper::loosenedBy(const Assignments& now) const
{
    return loosened(m_assigned.assignments, now, [this](const std::string& name) {
        const auto found = m_kept.find(name);
        return found == m_kept.end() ? nullptr : &found->second.inForce->policy;
    });
}

asio::awaitable<void> Keeper::readAssignments()
{
    auto text = readTrusted(m_options.assignmentsFile);
    if (!text) {
        m_assignmentsProblem = text.error().code() == Errc::NotFound ? "" : text.error().message();
        co_return;
    }
    m_assignmentsProblem.clear();
    if (*text == m_assigned.text) {
        m_assigned.pendingText.clear();
        m_assignmentsLoosen.clear();
        co_return;
    }
    auto parsed = parseAssignments(*text);
    Result<> good = parsed ? Result<>() : Result<>(fail(parsed.error()));
    for (std::size_t at = 0; good && at < parsed->list.size(); ++at) {
        if (!m_kept.contains(parsed->list[at].policy))
            good = fail(
                Errc::NotFound, "there is no policy " + escapeForLine(parsed->list[at].policy)
            );
    }
    if (good && !m_kept.contains(parsed->otherwise))
        good = fail(Errc::NotFound, "there is no policy " + escapeForLine(parsed->otherwise));
    if (!good) {
        m_assignmentsProblem = m_options.assignmentsFile.string() + ": " + good.error().message();
        log::engine().warn("assignments=\"{}\"", log::safe(m_assignmentsProblem));
        co_return;
    }
    auto loosens =
        m_firstLife || m_options.acceptLoosening ? std::vector<std::string>() : loosenedBy(*parsed);
    if (!loosens.empty()) {
        if (m_assigned.pendingText != *text)
            auditRefusal(
                kAssignmentsName,
                "a change on disk allows more and waits for the person: " + loosens.front()
            );
        m_assigned.pendingText = *text;
        m_assignmentsLoosen = std::move(loosens);
        co_return;
    }
    auto taken = co_await takeAssignments(std::move(*text), Source::Disk, "");
    if (!taken)
        log::engine().error("assignments not_taken=\"{}\"", log::safe(taken.error().message()));
}

asio::awaitable<Result<>> Keeper::takeAssignments(std::string text, Source source, std::string note)
{
    auto parsed = parseAssignments(text);
    if (!parsed)
        co_return fail(parsed.error());
    store::PolicyVersion version;
    version.name = kAssignmentsName;
    version.sha256 = sha256Hex(text);
    version.text = text;
    version.author = m_options.author;
    version.note = std::move(note);
    version.source = kSourceNames.at(static_cast<std::size_t>(source));
    version.savedAt = execution::unixNow();
    audit::Entry entry;
    entry.type = audit::Type::AssignmentChanged;
    entry.detail["sha256"] = version.sha256;
    entry.detail["source"] = version.source;
    entry.detail["default"] = parsed->otherwise;
    entry.detail["loosens"] = loosenedBy(*parsed);
    auto number = co_await m_store.addPolicyVersion(std::move(version), std::move(entry));
    if (!number)
        co_return fail(number.error());
    m_assigned = Assigned{std::move(*parsed), std::move(text), {}};
    m_assignmentsLoosen.clear();
    co_return Result<>();
}

void Keeper::auditRefusal(const std::string& name, const std::string& why)
{
    audit::Entry entry;
    entry.type = audit::Type::PolicyRefused;
    entry.detail["policy"] = name;
    entry.detail["why"] = why;
    m_events.audit(std::move(entry));
    log::engine().warn("policy={} refused=\"{}\"", log::safe(name), log::safe(why));
}

asio::awaitable<void> Keeper::watch()
{
    for (;;) {
        co_await m_notifications.async_wait(
            asio::posix::stream_descriptor::wait_read, asio::use_awaitable
        );
        co_await sleepUntil(deadlineIn(kSettle));
        drain(m_notifications.native_handle());
        co_await readAll();
    }
}

asio::awaitable<void> Keeper::close()
{
    m_tasks.close();
    m_tasks.cancel();
    co_await m_tasks.join();
    boost::system::error_code ignored;
    static_cast<void>(m_notifications.close(ignored));
}

std::shared_ptr<const Named> Keeper::find(const std::string& name) const
{
    const auto found = m_kept.find(name);
    return found == m_kept.end() ? nullptr : found->second.inForce;
}

std::shared_ptr<const Named> Keeper::forClient(const execution::Client& client) const
{
    auto named = find(policyNameFor(m_assigned.assignments, client));
    return named ? named : find(m_assigned.assignments.otherwise);
}

Policies Keeper::policies() const
{
    Policies all;
    for (const auto& [name, kept] : m_kept) {
        PolicyState state = kept.state;
        state.shipped =
            std::find(m_shippedNames.begin(), m_shippedNames.end(), name) != m_shippedNames.end();
        all.policies.push_back(std::move(state));
    }
    all.assignments = m_assigned.assignments.list;
    all.defaultPolicy = m_assigned.assignments.otherwise;
    all.assignmentsProblem = m_assignmentsProblem;
    all.pendingAssignmentsText = m_assigned.pendingText;
    all.pendingAssignments = m_assignmentsLoosen;
    return all;
}

asio::awaitable<Result<>> Keeper::save(std::string name, std::string text, std::string note)
{
    if (!isPolicyName(name))
        co_return fail(
            Errc::InvalidArgument, "name: expected letters, digits and '-', at most 64 of them"
        );
    const std::filesystem::path file = fileOf(name);
    // In force first: the file that follows is then no change from outside.
    auto taken = co_await takeEffect(std::move(name), text, Source::Window, std::move(note));
    if (!taken)
        co_return std::move(taken);
    auto written = writeFile(file, text, kFileMode);
    m_events.changed();
    co_return std::move(written);
}

asio::awaitable<Result<>> Keeper::restore(std::string name, std::int64_t version, std::string text)
{
    const std::filesystem::path file = fileOf(name);
    std::string note = "version " + std::to_string(version) + " restored";
    auto taken = co_await takeEffect(std::move(name), text, Source::Restored, std::move(note));
    if (!taken)
        co_return std::move(taken);
    auto written = writeFile(file, text, kFileMode);
    m_events.changed();
    co_return std::move(written);
}

asio::awaitable<Result<>> Keeper::remove(std::string name)
{
    if (!m_kept.contains(name))
        co_return fail(Errc::NotFound, "there is no policy " + escapeForLine(name));
    if (std::find(m_shippedNames.begin(), m_shippedNames.end(), name) != m_shippedNames.end())
        co_return fail(
            Errc::Conflict, "policy " + name + " comes with Belljar and can't be deleted"
        );
    const bool assigned = m_assigned.assignments.otherwise == name ||
                          std::any_of(
                              m_assigned.assignments.list.begin(),
                              m_assigned.assignments.list.end(),
                              [&](const Assignment& one) { return one.policy == name; }
                          );
    if (assigned)
        co_return fail(Errc::Conflict, "policy " + name + " is assigned; assign another one first");
    std::error_code failed;
    std::filesystem::remove(fileOf(name), failed);
    if (failed)
        co_return fail(Errc::IoFailed, fileOf(name).string() + ": " + failed.message());
    m_gone.insert(m_kept.extract(name));
    audit::Entry entry;
    entry.type = audit::Type::PolicyChanged;
    entry.detail["policy"] = name;
    entry.detail["deleted"] = true;
    m_events.audit(std::move(entry));
    m_events.changed();
    co_return Result<>();
}

asio::awaitable<Result<>>
Keeper::assign(std::vector<Assignment> assignments, std::string defaultPolicy)
{
    std::vector<std::string> names{defaultPolicy};
    for (const Assignment& one : assignments)
        names.push_back(one.policy);
    for (const std::string& name : names) {
        if (!m_kept.contains(name))
            co_return fail(Errc::NotFound, "there is no policy " + escapeForLine(name));
    }
    std::string text = assignmentsText(assignments, defaultPolicy);
    auto taken = co_await takeAssignments(text, Source::Window, "");
    if (!taken)
        co_return std::move(taken);
    auto written = writeFile(m_options.assignmentsFile, text, kFileMode);
    m_events.changed();
    co_return std::move(written);
}

asio::awaitable<Result<>> Keeper::confirm(std::string name, std::string sha256, bool accept)
{
    const bool ofAssignments = name == kAssignmentsName;
    const auto found = m_kept.find(name);
    if (!ofAssignments && found == m_kept.end())
        co_return fail(Errc::NotFound, "there is no policy " + escapeForLine(name));
    const std::string pending =
        ofAssignments ? m_assigned.pendingText : found->second.state.pendingText;
    if (pending.empty() || sha256Hex(pending) != sha256)
        co_return fail(Errc::Conflict, "the file has changed again since it was shown");
    Result<> outcome;
    if (!accept) {
        const std::filesystem::path file = ofAssignments ? m_options.assignmentsFile : fileOf(name);
        outcome =
            writeFile(file, ofAssignments ? m_assigned.text : found->second.state.text, kFileMode);
        if (ofAssignments) {
            m_assigned.pendingText.clear();
            m_assignmentsLoosen.clear();
        } else {
            found->second.state.pendingText.clear();
            found->second.state.pendingLoosens.clear();
        }
    } else if (ofAssignments) {
        outcome = co_await takeAssignments(pending, Source::Disk, "confirmed by the person");
    } else {
        outcome = co_await takeEffect(name, pending, Source::Disk, "confirmed by the person");
    }
    m_events.changed();
    co_return std::move(outcome);
}

} // namespace belljar::policy
