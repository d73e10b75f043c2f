// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace belljar::runner {

/// CLOCK_MONOTONIC in microseconds: the only clock here, so that a changed wall clock moves no
/// deadline.
std::uint64_t nowMicros();

/// Reads a small file of /proc or /sys from its beginning. Empty when it can't be read; cut at the
/// size of `buffer`. The view points into `buffer`.
std::string_view readSmallFile(const char* path, std::span<char> buffer);
std::string_view readSmallFile(int descriptor, std::span<char> buffer);

/// The number at the beginning of `text`, after blanks. 0 when there is none.
std::uint64_t numberIn(std::string_view text);

/// What follows `name` on the first line that starts with it; empty when there is none.
std::string_view lineAfter(std::string_view text, std::string_view name);

void closeDescriptor(int& descriptor);
void makeNonBlocking(int descriptor);

/// The kernel's short text for an error number, e.g. "No such file or directory".
std::string_view errorText(int error);

/// Writes `belljar_runner: <message>` to stderr. For what can't be said in a frame any more.
void lastWord(std::string_view message);

} // namespace belljar::runner
