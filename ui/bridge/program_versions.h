// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/store/history_reader.h"
#include "engine/store/run_search.h"
#include "ui/bridge/history_loader.h"

#include <string_view>
#include <vector>

/// The history of one program. Blocking; no Qt.
namespace belljar::ui {

/// How alike two programs are, 0 to 1: of their lines that aren't blank, the share that both have.
[[nodiscard]] double likeness(std::string_view first, std::string_view second);

/// The versions of the program that `id` ran, oldest first: runs of the same language whose code is
/// the same or nearly (by likeness(), to the version next to it; of 128 KB at most), among the last
/// 300 of its session and the last 300 of its client. Errors as the readers'.
Result<std::vector<ProgramVersion>>
readVersions(store::HistoryReader& history, store::RunSearch& search, const ExecutionId& id);

} // namespace belljar::ui
