// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/asio.h"
#include "engine/base/file.h"
#include "engine/base/task_group.h"
#include "engine/policy/policies.h"
#include "engine/store/store.h"

#include <boost/asio/posix/stream_descriptor.hpp>

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace belljar::policy {

/// The policies in force. Their files are the person's: `<folder>/<name>.json`, read whenever they
/// change, also by hand. Every text that comes into force is a version in the history and a row in
/// the audit log.
///
/// Nothing broken, and nothing of another user's, ever takes effect; what is changed
/// on disk so that it allows more waits for the person. Lives on the engine thread.
class Keeper {
public:
    struct Options {
        std::filesystem::path folder; ///< of the policies
        std::filesystem::path assignmentsFile;
        std::filesystem::path shipped; ///< folder of ours (resources/policies)
        std::string author;            ///< who saves: the user's name
        bool acceptLoosening = false;  ///< changes on disk need no confirmation
    };
    struct Events {
        std::function<void()> changed;
        std::function<void(audit::Entry)> audit;
    };

    Keeper(asio::any_io_executor executor, Options options, store::Store& store, Events events);
    ~Keeper();

    /// Takes up what was in force (`last`: the newest version of every name), then what the files
    /// say now; makes the shipped ones at the first start; from then on watches. Errors: Unsafe,
    /// IoFailed, StoreFailed; without any policy nothing can be decided.
    asio::awaitable<Result<>> start(std::vector<store::PolicyVersion> last);
    asio::awaitable<void> close();

    /// What decides for `client`. There is always one.
    [[nodiscard]] std::shared_ptr<const Named> forClient(const execution::Client& client) const;
    [[nodiscard]] std::shared_ptr<const Named> find(const std::string& name) const;
    [[nodiscard]] Policies policies() const;

    /// A person's change: it takes effect at once. Errors: InvalidArgument (the name; the first
    /// problem with line and column), IoFailed, StoreFailed.
    asio::awaitable<Result<>> save(std::string name, std::string text, std::string note);
    /// Makes an earlier text the newest version. Errors: NotFound.
    asio::awaitable<Result<>> restore(std::string name, std::int64_t version, std::string text);
    /// Errors: Conflict for a shipped one or one that is assigned.
    asio::awaitable<Result<>> remove(std::string name);
    /// Errors: NotFound for a policy that isn't there.
    asio::awaitable<Result<>>
    assign(std::vector<Assignment> assignments, std::string defaultPolicy);
    /// Settles what waits since a change on disk: takes it into force, or puts the file back.
    /// Errors: Conflict when it isn't what was shown.
    asio::awaitable<Result<>> confirm(std::string name, std::string sha256, bool accept);

private:
    struct Kept {
        std::shared_ptr<const Named> inForce;
        PolicyState state;
    };
    struct Assigned {
        Assignments assignments;
        std::string text; ///< in force
        std::string pendingText;
    };
    enum class Source : std::uint8_t { Shipped, Window, Disk, Restored };

    [[nodiscard]] std::filesystem::path fileOf(const std::string& name) const;
    Result<> makeShipped();
    asio::awaitable<void> readAll();
    asio::awaitable<void> readPolicy(std::string name);
    asio::awaitable<void> readAssignments();
    asio::awaitable<Result<>>
    takeEffect(std::string name, std::string text, Source source, std::string note);
    asio::awaitable<Result<>> takeAssignments(std::string text, Source source, std::string note);
    [[nodiscard]] std::vector<std::string> loosenedBy(const Assignments& now) const;
    void auditRefusal(const std::string& name, const std::string& why);
    asio::awaitable<void> watch();

    asio::any_io_executor m_executor;
    Options m_options;
    store::Store& m_store;
    Events m_events;
    std::map<std::string, Kept> m_kept;
    std::map<std::string, Kept> m_gone; ///< whose files went: what comes in their place is a change
    Assigned m_assigned;
    bool m_firstLife = false; ///< while it starts over an empty history
    std::string m_assignmentsProblem;
    std::vector<std::string> m_assignmentsLoosen;
    std::vector<std::string> m_shippedNames;
    asio::posix::stream_descriptor m_notifications; ///< inotify(7)
    TaskGroup m_tasks;
};

/// May it be the name of a policy? Letters, digits and '-', at most 64.
[[nodiscard]] bool isPolicyName(std::string_view name);

/// Text of assignments as the file has it.
[[nodiscard]] std::string
assignmentsText(const std::vector<Assignment>& assignments, const std::string& defaultPolicy);

/// The content of a file that only its owner, who is us, can change. Errors: NotFound,
/// Unsafe with what is wrong with it, IoFailed.
Result<std::string> readTrusted(const std::filesystem::path& file);

} // namespace belljar::policy
