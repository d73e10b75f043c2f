// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/audit/chain.h"

#include "engine/audit/masking.h"
#include "engine/base/sha256.h"

#include <array>

namespace belljar::audit {

namespace {

constexpr std::string_view kFormat = "belljar-audit-1";

void appendField(std::string& preimage, std::string_view field)
{
    preimage += std::to_string(field.size());
    preimage += ':';
    preimage += field;
    preimage += ',';
}

} // namespace

const std::string& zeroHash()
{
    static const std::string zeros(64, '0');
    return zeros;
}

std::string canonicalJson(const Json& value)
{
    // nlohmann_json keeps members in a std::map, so they are sorted by bytes already.
    return dumpJson(value);
}

std::string hashOf(const Row& row)
{
    std::string preimage;
    preimage.reserve(256 + row.detail.size());
    const std::string sequence = std::to_string(row.sequence);
    const std::string at = std::to_string(row.at);
    const std::array<std::string_view, 8> fields{
        kFormat, row.previous, sequence, at, row.type, row.execution, row.client, row.detail};
    for (const std::string_view field : fields)
        appendField(preimage, field);
    return sha256Hex(preimage);
}

Row seal(const Entry& entry, std::int64_t sequence, std::string_view previous)
{
    Row row;
    row.sequence = sequence;
    row.at = entry.at;
    row.type = nameOf(entry.type);
    row.execution = entry.execution.text();
    row.client = entry.client.text();
    row.detail = canonicalJson(masked(entry.detail));
    row.previous = previous;
    row.hash = hashOf(row);
    return row;
}

std::string exportLine(const Row& row)
{
    const Json line{
        {"sequence", row.sequence},
        {"at", row.at},
        {"type", row.type},
        {"execution", row.execution},
        {"client", row.client},
        {"detail", row.detail},
        {"previous", row.previous},
        {"hash", row.hash},
    };
    const std::string text = line.dump(-1, ' ', true, Json::error_handler_t::replace);
    std::string escaped;
    escaped.reserve(text.size());
    for (const char character : text) {
        switch (character) { // these stand inside strings only
        case '<': escaped += "\\u003c"; break;
        case '>': escaped += "\\u003e"; break;
        case '&': escaped += "\\u0026"; break;
        case '\x7f': escaped += "\\u007f"; break;
        default: escaped += character;
        }
    }
    return escaped;
}

} // namespace belljar::audit
