// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runner/session.h"
#include "engine/runner/system.h"

#include <csignal>

#include <fcntl.h>
#include <sys/prctl.h>

namespace {

// Static, not on the stack: large, and its pages are only touched when they are used.
belljar::runner::Session session;

} // namespace

int main()
{
    // Before a single byte is read: closes /proc/1/mem, fd, environ, ... to code that runs
    // as the same user, and ptrace as well.
    ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    // On a host orphans come to us as they come to PID 1 in a sandbox.
    ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    ::signal(SIGPIPE, SIG_IGN);
    ::signal(SIGXFSZ, SIG_IGN);
    return session.run();
}
