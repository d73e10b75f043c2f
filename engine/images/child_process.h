// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/deadline.h"
#include "engine/base/result.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace belljar::images {

/// The full path of `program` in PATH and the folders of system programs. Errors: NotFound.
Result<std::string> findProgram(std::string_view program);

/// A program that runs beside the engine, in its own process group, with its output read here.
///
/// No shell is involved. Standard input is empty. The destructor kills the whole group at once;
/// end() lets the program tidy up first.
class ChildProcess {
public:
    using OnLine = std::function<void(std::string)>;

    struct Command {
        std::vector<std::string> argv;                  ///< argv[0] is the program's full path
        std::map<std::string, std::string> environment; ///< all of it
    };

    /// Starts `command`. Each line of its standard error goes to `onLine`. Errors: IoFailed.
    static Result<ChildProcess>
    start(asio::any_io_executor executor, const Command& command, OnLine onLine);

    ChildProcess();
    ChildProcess(ChildProcess&&) noexcept;
    ChildProcess& operator=(ChildProcess&&) noexcept;
    ~ChildProcess();

    /// The next piece of standard output, at most 64 KiB; empty at its end. Standard error is read
    /// meanwhile. Errors: TimedOut, IoFailed.
    asio::awaitable<Result<std::string>> readOutput(Deadline deadline);

    /// Reads standard error to its end and waits for the program. The exit status, 128 + signal
    /// when a signal ended it. Errors: TimedOut.
    asio::awaitable<Result<int>> wait(Deadline deadline);

    /// Asks the group to end (SIGTERM), waits until `deadline`, then kills what is left. A program
    /// that has ended already is left alone. After cancellation the caller resets its cancellation
    /// state first.
    asio::awaitable<void> end(Deadline deadline);

private:
    class Impl;
    explicit ChildProcess(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace belljar::images
