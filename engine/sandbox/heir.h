// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/file.h"
#include "engine/base/result.h"

#include <filesystem>
#include <string>

#include <sys/types.h>

namespace belljar::sandbox {

/// A small process that outlives the engine when that is killed, and removes the containers it
/// leaves.
///
/// A container that runs ends by itself with the connection to it. One whose creation was under way
/// doesn't: nobody is connected to it yet, and only the container engine knows that it exists. So
/// somebody who wasn't killed has to look for it.
///
/// It holds one end of a channel. The destructor dismisses it; a channel that ends without that
/// is the engine's death. It is in a session of its own, so that what is sent to the engine's
/// process group doesn't reach it, and ends by itself a few seconds later.
class Heir {
public:
    /// Starts `program inherit --owner OWNER --docker SOCKET`. Errors: IoFailed, NotFound.
    static Result<Heir> start(
        const std::filesystem::path& program,
        const std::string& owner,
        const std::string& dockerSocket
    );

    Heir() = default;
    Heir(Heir&& other) noexcept;
    Heir& operator=(Heir&& other) noexcept;
    ~Heir();

private:
    void dismiss();

    UniqueFd m_channel;
    pid_t m_pid = 0;
};

/// The heir's own side: waits on descriptor 0, then removes what carries `owner`'s label, again and
/// again while the container engine may still be finishing what it was asked. Errors:
/// EngineUnreachable, ...
Result<> inherit(const std::string& owner, const std::string& dockerSocket);

} // namespace belljar::sandbox
