// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace belljar::runner {

/// Text of at most N bytes, built in place. What doesn't fit is left out and isWhole() says so.
template <std::size_t N>
class Text {
public:
    Text& add(std::string_view part)
    {
        if (part.size() > N - m_size) {
            m_whole = false;
            return *this;
        }
        if (!part.empty())
            std::memcpy(m_bytes.data() + m_size, part.data(), part.size());
        m_size += part.size();
        return *this;
    }

    Text& add(std::uint64_t number)
    {
        std::array<char, 20> digits{};
        std::size_t first = digits.size();
        do {
            digits[--first] = static_cast<char>('0' + number % 10);
            number /= 10;
        } while (number != 0);
        return add(std::string_view(digits.data() + first, digits.size() - first));
    }

    Text& addFlag(bool value) { return add(value ? std::string_view("true") : "false"); }

    /// As a JSON string. Bytes above 0x7f go as they are: the receiver checks UTF-8.
    Text& addQuoted(std::string_view part)
    {
        constexpr std::string_view kHex = "0123456789abcdef";
        add("\"");
        for (const char c : part) {
            const auto byte = static_cast<unsigned char>(c);
            if (c == '"' || c == '\\')
                add("\\").add(std::string_view(&c, 1));
            else if (byte < 0x20)
                add("\\u00").add(kHex.substr(byte >> 4U, 1)).add(kHex.substr(byte & 0xFU, 1));
            else
                add(std::string_view(&c, 1));
        }
        return add("\"");
    }

    void clear()
    {
        m_size = 0;
        m_whole = true;
    }

    [[nodiscard]] std::string_view view() const { return {m_bytes.data(), m_size}; }
    [[nodiscard]] bool isWhole() const { return m_whole; }

private:
    std::array<char, N> m_bytes; // not cleared: what isn't used is never touched
    std::size_t m_size = 0;
    bool m_whole = true;
};

} // namespace belljar::runner
