// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

/// Other programs' configuration files: read with suspicion, replaced with care.
namespace belljar::clients {

/// A file as it was at one moment.
struct ConfigFile {
    std::filesystem::path file;      ///< where it really is, links followed
    std::optional<std::string> text; ///< nothing: there is none
    unsigned mode = 0600;
    unsigned group = 0;
};

/// Reads `file`; that there is none is no error. Errors: Unsafe when it isn't an ordinary file of
/// this user that only they (or their own group) can write to; InvalidArgument when it has more
/// than 16 MiB; IoFailed.
Result<ConfigFile> readConfigFile(const std::filesystem::path& file);

/// Errors: Conflict when it isn't what it was any more; as readConfigFile().
Result<> demandUnchanged(const ConfigFile& before);

/// Replaces what `before` was read from; nothing as `text` removes it. Mode and group stay; missing
/// folders are made, private. Errors: Conflict when it isn't what it was any more, then nothing was
/// written; Unsafe, IoFailed.
Result<> replaceConfigFile(const ConfigFile& before, const std::optional<std::string>& text);

/// Beside the file: `<file>.belljar-backup`.
[[nodiscard]] std::filesystem::path backupOf(const std::filesystem::path& file);

} // namespace belljar::clients
