// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace belljar {

/// Turns bytes into valid UTF-8 as they come: characters split over calls stay whole, every
/// ill-formed sequence becomes one U+FFFD per maximal subpart (Unicode 15, section 3.9, table 3-8),
/// NUL is kept.
class Utf8Decoder {
public:
    /// Decodes `bytes`, keeping back an incomplete character at the end for the next call.
    [[nodiscard]] std::string feed(std::string_view bytes);

    /// The end of the stream: a character that was begun and not finished becomes U+FFFD.
    [[nodiscard]] std::string finish();

    /// How many input bytes were not text so far.
    [[nodiscard]] std::uint64_t invalidBytes() const { return m_invalidBytes; }

private:
    std::string m_pending;
    std::uint64_t m_invalidBytes = 0;
};

/// The whole of `bytes` as valid UTF-8.
[[nodiscard]] std::string toValidUtf8(std::string_view bytes);

/// Is `text` well-formed UTF-8?
[[nodiscard]] bool isValidUtf8(std::string_view text);

/// A copy of `text` in which every character that a person can't see as itself is written as
/// `\u{202e}`: C0 and C1 controls except newline and tab, bidirectional controls, zero-width, tag
/// and other default-ignorable characters, line and paragraph separators (requirement R-43).
/// Ill-formed bytes become U+FFFD.
[[nodiscard]] std::string escapeUnusual(std::string_view text);

/// escapeUnusual() for one line: newline, tab and carriage return are escaped too
///
[[nodiscard]] std::string escapeForLine(std::string_view text);

/// Is `codePoint` one that escapeUnusual() writes out?
[[nodiscard]] bool isUnusual(char32_t codePoint);

/// A blank that is neither a space nor a tab: no-break, ideographic, thin ones.
[[nodiscard]] bool isOddBlank(char32_t codePoint);

/// A letter of another script that can't be told from a Latin one (the common ones of Unicode
/// Technical Report 39).
[[nodiscard]] bool looksLatin(char32_t codePoint);

/// A letter or the underscore of ASCII.
[[nodiscard]] bool isLatin(char32_t codePoint);

/// A mark that may be taken for the ASCII quotes ' " ` and isn't one.
[[nodiscard]] bool looksLikeQuote(char32_t codePoint);

/// The longest prefix of `text` that has at most `maxBytes` and does not split a character; bytes
/// that are no text may be cut anywhere.
[[nodiscard]] std::string_view prefixWithin(std::string_view text, std::size_t maxBytes);

/// The longest suffix of `text` that has at most `maxBytes` and does not split a character.
[[nodiscard]] std::string_view suffixWithin(std::string_view text, std::size_t maxBytes);

/// `count` with its thousands set apart: 104,857,600.
[[nodiscard]] std::string groupedDigits(std::uint64_t count);

/// `bytes` for people: "512 MB" for whole multiples of MiB, "1.5 GB", "980 bytes".
[[nodiscard]] std::string humanBytes(std::uint64_t bytes);

} // namespace belljar
