// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runner/system.h"

#include "engine/runner/text.h"

#include <cstring>
#include <ctime>

#include <fcntl.h>
#include <unistd.h>

namespace belljar::runner {

std::uint64_t nowMicros()
{
    timespec time{};
    ::clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000 +
           static_cast<std::uint64_t>(time.tv_nsec) / 1'000;
}

std::string_view readSmallFile(int descriptor, std::span<char> buffer)
{
    std::size_t size = 0;
    while (size < buffer.size()) {
        const ssize_t count = ::pread(
            descriptor, buffer.data() + size, buffer.size() - size, static_cast<off_t>(size)
        );
        if (count <= 0)
            break;
        size += static_cast<std::size_t>(count);
    }
    return {buffer.data(), size};
}

std::string_view readSmallFile(const char* path, std::span<char> buffer)
{
    int descriptor = ::open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return {};
    const std::string_view content = readSmallFile(descriptor, buffer);
    closeDescriptor(descriptor);
    return content;
}

std::uint64_t numberIn(std::string_view text)
{
    std::size_t index = 0;
    while (index < text.size() && (text[index] == ' ' || text[index] == '\t'))
        ++index;
    std::uint64_t value = 0;
    for (; index < text.size() && text[index] >= '0' && text[index] <= '9'; ++index)
        value = value * 10 + static_cast<std::uint64_t>(text[index] - '0');
    return value;
}

std::string_view lineAfter(std::string_view text, std::string_view name)
{
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        if (line.starts_with(name))
            return line.substr(name.size());
        if (end == std::string_view::npos)
            break;
        text.remove_prefix(end + 1);
    }
    return {};
}

void closeDescriptor(int& descriptor)
{
    if (descriptor >= 0)
        ::close(descriptor);
    descriptor = -1;
}

void makeNonBlocking(int descriptor)
{
    const int flags = ::fcntl(descriptor, F_GETFL);
    if (flags >= 0)
        ::fcntl(descriptor, F_SETFL, flags | O_NONBLOCK);
}

std::string_view errorText(int error)
{
    const char* text = ::strerrordesc_np(error);
    return text != nullptr ? text : "unknown error";
}

void lastWord(std::string_view message)
{
    Text<512> line;
    line.add("belljar_runner: ").add(message).add("\n");
    // Nobody is left to tell when this fails.
    [[maybe_unused]] const ssize_t count =
        ::write(STDERR_FILENO, line.view().data(), line.view().size());
}

} // namespace belljar::runner
