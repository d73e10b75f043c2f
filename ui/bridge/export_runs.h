// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/store/history_reader.h"
#include "ui/bridge/history_loader.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// Runs as files for somebody else. Blocking; no Qt.
namespace belljar::ui {

/// Writes `ids` in their order to `place`: a new file of 0600 that replaces an older one whole
/// (Json, Markdown), or a folder that gets one new folder for each run (Folder). Errors: what
/// reading and writing say; what was written before stays.
Result<> writeRuns(
    store::HistoryReader& history,
    const std::vector<ExecutionId>& ids,
    ExportFormat format,
    const std::filesystem::path& place
);

/// Writes the files that `id` left into `folder`, which is made and must not be there, under names
/// that are safe (execution::saveNames). Errors: what reading and writing say.
Result<> writeRunFiles(
    store::HistoryReader& history, const ExecutionId& id, const std::filesystem::path& folder
);

/// `text` as a file's name: letters, digits, '-' and '_' stay, all else becomes '-'; never empty,
/// hidden or longer than 60 bytes.
[[nodiscard]] std::string safeFileName(std::string_view text);

/// `text` as a word of a POSIX shell.
[[nodiscard]] std::string shellWord(std::string_view text);

/// A fence of Markdown that `text` can't close: longer than its longest run of backticks.
[[nodiscard]] std::string fenceFor(std::string_view text);

} // namespace belljar::ui
