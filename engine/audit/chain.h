// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/audit/entry.h"

#include <cstdint>
#include <string>
#include <string_view>

/// How a row is bound to the one before it.
///
/// The hash of a row is the SHA-256, as 64 lower-case hex digits, of these eight fields in this
/// order, each written as a netstring (its length in bytes in decimal, ":", its bytes, ","):
///
///   1. "belljar-audit-1", so that no other use of SHA-256 in Belljar has the same preimage
///   2. previous: the hash of the row before, 64 hex digits; of the very first row 64 zeros
///   3. sequence, in decimal
///   4. at: milliseconds since 1970 UTC, in decimal
///   5. type
///   6. execution id, or nothing
///   7. client id, or nothing
///   8. detail: the canonical JSON, byte for byte as it stands in the log
///
/// The lengths make splicing fields in another way impossible. An export has all of them as
/// they stand in the log (`detail` as a string), so anybody can check it:
/// tests/unit/verify_audit_export.py is that in 20 lines.
namespace belljar::audit {

/// `previous` of the very first row.
[[nodiscard]] const std::string& zeroHash();

/// The JSON text that a row holds: keys sorted by their bytes, no spaces, UTF-8 (what is none is
/// repaired), whole numbers in decimal, others in the shortest form that reads back as the same
/// double, no NaN or infinity (null).
[[nodiscard]] std::string canonicalJson(const Json& value);

/// What `row.hash` has to be, given the rest of `row`.
[[nodiscard]] std::string hashOf(const Row& row);

/// Makes the row for `entry` that follows `previous`. Secrets in the detail are masked (masking.h).
[[nodiscard]] Row seal(const Entry& entry, std::int64_t sequence, std::string_view previous);

/// One line of an export, without the newline: a JSON object of ASCII characters with every field
/// of the row. Markup characters are escaped.
[[nodiscard]] std::string exportLine(const Row& row);

} // namespace belljar::audit
