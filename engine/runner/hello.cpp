// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runner/hello.h"

#include "engine/runner/frame.h"
#include "engine/runner/system.h"

#include <array>
#include <string_view>

#include <fcntl.h>
#include <unistd.h>

namespace belljar::runner {

namespace {

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
        text.remove_prefix(1);
    return text;
}

/// Whether a file can really be made there: a mount option or a mode can say otherwise.
bool isWritable(const char* path)
{
    int file = ::open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0)
        return false;
    closeDescriptor(file);
    return ::unlink(path) == 0;
}

} // namespace

Text<4096> makeHello(int cgroupVersion)
{
    std::array<char, 4096> buffer;
    const std::string_view status = readSmallFile("/proc/self/status", buffer);
    Text<4096> hello;
    hello.add(R"({"op":"hello","protocol":)").add(std::uint64_t{kProtocolVersion});
    hello.add(R"(,"uid":)").add(std::uint64_t{::geteuid()});
    hello.add(R"(,"gid":)").add(std::uint64_t{::getegid()});

    hello.add(R"(,"groups":[)");
    std::array<gid_t, 64> groups{};
    const int count = ::getgroups(static_cast<int>(groups.size()), groups.data());
    for (int index = 0; index < count; ++index)
        hello.add(index > 0 ? "," : "").add(std::uint64_t{groups[static_cast<std::size_t>(index)]});

    hello.add(R"(],"caps":[)");
    std::string_view separator;
    for (const std::string_view set : {"CapInh:", "CapPrm:", "CapEff:", "CapBnd:", "CapAmb:"}) {
        hello.add(separator).addQuoted(trimmed(lineAfter(status, set)));
        separator = ",";
    }
    hello.add(R"(],"no_new_privs":)").add(numberIn(lineAfter(status, "NoNewPrivs:")));
    hello.add(R"(,"seccomp":)").add(numberIn(lineAfter(status, "Seccomp:")));
    hello.add(R"(,"pid":)").add(static_cast<std::uint64_t>(::getpid()));
    hello.add(R"(,"workspace_writable":)").addFlag(isWritable(".belljar-check"));
    hello.add(R"(,"tmp_writable":)").addFlag(isWritable("/tmp/.belljar-check"));
    hello.add(R"(,"cgroup":)").add(static_cast<std::uint64_t>(cgroupVersion));
    hello.add("}");
    return hello;
}

} // namespace belljar::runner
