// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/store/packing.h"

#include <cstdint>
#include <string>
#include <string_view>

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Statement.h>

/// How values of more than one column, or of a type that SQLite doesn't have, are read.
namespace belljar::store {

/// Views the row, so it lives no longer than the statement stays on it.
[[nodiscard]] inline std::string_view bytesOf(const SQLite::Column& column)
{
    // An empty blob is a null pointer.
    const int size = column.getBytes();
    if (size <= 0)
        return {};
    return {static_cast<const char*>(column.getBlob()), static_cast<std::size_t>(size)};
}

/// An unsigned value, which is stored by its bits.
[[nodiscard]] inline std::uint64_t fromBits(const SQLite::Column& column)
{
    return static_cast<std::uint64_t>(column.getInt64());
}

/// Columns packing, content, bytes from `at` on. Errors: StoreFailed.
[[nodiscard]] inline Result<std::string> unpackAt(SQLite::Statement& row, int at)
{
    return unpack(
        row.getColumn(at).getInt64(),
        bytesOf(row.getColumn(at + 1)),
        row.getColumn(at + 2).getInt64()
    );
}

} // namespace belljar::store
