// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/search_index.h"

#include "engine/base/deadline.h"
#include "engine/base/log.h"
#include "engine/base/text.h"
#include "engine/store/columns.h"
#include "engine/store/run_filter.h"

#include <limits>

namespace belljar::store {

namespace {

using namespace std::chrono_literals;

constexpr auto kStepTime = 10ms;

struct Block {
    char32_t first;
    char32_t last;
};

/// Scripts that are written without blanks between words.
constexpr Block kUnspaced[] = {
    {0x2E80, 0x30FF}, // radicals, punctuation, Hiragana, Katakana
    {0x3400, 0x4DBF}, // ideographs
    {0x4E00, 0x9FFF},
    {0xF900, 0xFAFF},
    {0x20000, 0x3FFFF},
};

bool isUnspaced(char32_t codePoint)
{
    for (const Block& block : kUnspaced) {
        if (codePoint >= block.first && codePoint <= block.last)
            return true;
    }
    return false;
}

/// Of the character that begins with `lead`, in valid UTF-8.
std::size_t lengthOf(unsigned char lead)
{
    if (lead < 0x80)
        return 1;
    if (lead < 0xE0)
        return 2;
    return lead < 0xF0 ? 3 : 4;
}

char32_t codePointOf(std::string_view character)
{
    if (character.size() == 1)
        return static_cast<unsigned char>(character[0]);
    char32_t value = static_cast<unsigned char>(character[0]) & (0x7FU >> character.size());
    for (const char next : character.substr(1))
        value = (value << 6U) | (static_cast<unsigned char>(next) & 0x3FU);
    return value;
}

} // namespace

std::string searchableText(std::string_view bytes)
{
    const std::string valid = toValidUtf8(bytes);
    std::string text;
    text.reserve(valid.size());
    for (std::size_t at = 0; at < valid.size();) {
        const auto lead = static_cast<unsigned char>(valid[at]);
        const std::string_view character = std::string_view(valid).substr(at, lengthOf(lead));
        at += character.size();
        if (lead == 0)
            text += ' ';
        else if (lead >= 0xE0 && isUnspaced(codePointOf(character)))
            text.append(" ").append(character).append(" ");
        else
            text += character;
    }
    return text;
}

std::string matchExpression(const std::vector<std::string>& phrases)
{
    std::string expression;
    for (const std::string& phrase : phrases) {
        if (!isSearchable(phrase))
            continue;
        if (!expression.empty())
            expression += " AND ";
        expression += '"';
        for (const char byte : searchableText(phrase)) {
            expression += byte;
            if (byte == '"')
                expression += '"';
        }
        expression += "\"*";
    }
    return expression;
}

SearchIndex::SearchIndex(Statements& statements)
    : m_statements(statements)
{}

void SearchIndex::add(std::int64_t sequence)
{
    auto insertion =
        m_statements.prepared("INSERT OR IGNORE INTO search_rows (execution) VALUES (?)");
    insertion->bind(1, sequence);
    insertion->exec();
}

SearchIndex::Texts SearchIndex::textsOf(std::int64_t sequence, std::optional<std::int64_t> chunks)
{
    Texts texts;
    const auto damaged = [sequence](const Error& error) {
        log::store().warn("not_indexed={} cause=\"{}\"", sequence, log::safe(error.message()));
    };
    auto codes = m_statements.prepared(
        "SELECT packing, content, blobs.bytes FROM executions "
        "JOIN blobs ON sha256 IN (code_sha256, ran_sha256) WHERE sequence = ? ORDER BY blobs.id"
    );
    codes->bind(1, sequence);
    while (codes->executeStep()) {
        const auto code = unpackAt(*codes, 0);
        if (!code) {
            damaged(code.error());
            continue;
        }
        texts.code.append(searchableText(*code)).append("\n");
    }
    auto output = m_statements.prepared(
        "SELECT packing, content, bytes FROM output WHERE execution = ? ORDER BY ordinal LIMIT ?"
    );
    output->bind(1, sequence);
    output->bind(2, chunks.value_or(std::numeric_limits<std::int64_t>::max()));
    std::string bytes;
    while (bytes.size() < kSearchedOutputBytes && output->executeStep()) {
        ++texts.chunks;
        const auto chunk = unpackAt(*output, 0);
        if (!chunk)
            damaged(chunk.error());
        else
            bytes += *chunk;
    }
    texts.output = searchableText(std::string_view(bytes).substr(0, kSearchedOutputBytes));
    return texts;
}

void SearchIndex::index(std::int64_t sequence)
{
    const Texts texts = textsOf(sequence, {});
    auto insertion =
        m_statements.prepared("INSERT INTO search (rowid, code, output) VALUES (?, ?, ?)");
    insertion->bind(1, sequence);
    insertion->bind(2, texts.code);
    insertion->bind(3, texts.output);
    insertion->exec();
    auto done = m_statements.prepared("UPDATE search_rows SET chunks = ? WHERE execution = ?");
    done->bind(1, texts.chunks);
    done->bind(2, sequence);
    done->exec();
}

void SearchIndex::remove(std::int64_t sequence)
{
    auto row = m_statements.prepared("SELECT chunks FROM search_rows WHERE execution = ?");
    row->bind(1, sequence);
    if (!row->executeStep() || row->getColumn(0).isNull())
        return; // not indexed yet
    const Texts texts = textsOf(sequence, row->getColumn(0).getInt64());
    auto removal = m_statements.prepared(
        "INSERT INTO search (search, rowid, code, output) VALUES ('delete', ?, ?, ?)"
    );
    removal->bind(1, sequence);
    removal->bind(2, texts.code);
    removal->bind(3, texts.output);
    removal->exec();
}

bool SearchIndex::step()
{
    const Deadline enough = deadlineIn(kStepTime);
    do {
        auto next = m_statements.prepared(
            "SELECT execution FROM search_rows WHERE chunks IS NULL ORDER BY execution DESC LIMIT 1"
        );
        if (!next->executeStep())
            return false;
        const std::int64_t sequence = next->getColumn(0).getInt64();
        index(sequence);
    } while (SteadyClock::now() < enough);
    return true;
}

} // namespace belljar::store
