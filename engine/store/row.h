// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/execution/execution.h"

#include <string>
#include <string_view>
#include <vector>

#include <SQLiteCpp/Statement.h>

/// How an execution::Record becomes a row and back. Throws SQLite::Exception.
namespace belljar::store {

/// "id, status, ...": every column of a Record but `sequence`, in one fixed order.
[[nodiscard]] std::string recordColumns();
/// "?, ?, ...": as many placeholders.
[[nodiscard]] std::string recordPlaceholders();
/// "id = ?, status = ?, ...".
[[nodiscard]] std::string recordAssignments();
/// Binds the columns to the parameters from 1 on; returns the number of the next parameter.
int bindRecord(SQLite::Statement& statement, const execution::Record& record);
/// Reads a row of `SELECT sequence, <recordColumns()>`.
[[nodiscard]] execution::Record readRecord(SQLite::Statement& row);

/// Several texts as one, with nothing escaped: each is its length, a colon, its bytes and a comma
/// (djb's netstrings), since an argument may hold any byte.
[[nodiscard]] std::string joinTexts(const std::vector<std::string>& texts);
/// What joinTexts() joined; damaged text ends at the damage.
[[nodiscard]] std::vector<std::string> splitTexts(std::string_view joined);

} // namespace belljar::store
