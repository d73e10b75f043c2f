// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/approvals/shown_code.h"

#include "engine/base/text.h"

#include <QList>
#include <QString>

#include <algorithm>

namespace belljar::ui {

namespace {

bool isBlank(std::string_view line)
{
    return line.find_first_not_of(" \t") == std::string_view::npos;
}

std::uint32_t countUnusual(std::string_view text)
{
    const auto characters =
        QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())).toUcs4();
    return static_cast<std::uint32_t>(
        std::count_if(characters.begin(), characters.end(), [](uint one) { return isUnusual(one); })
    );
}

/// Long runs of blanks as "[... 300 blanks ...]".
std::string countGaps(std::string_view line, std::uint32_t& gaps)
{
    std::string shown;
    std::size_t at = 0;
    while (at < line.size()) {
        const std::size_t end = std::min(line.find_first_not_of(" \t", at), line.size());
        if (end - at > kMostBlanks) {
            shown += "[… " + std::to_string(end - at) + " blanks …]";
            ++gaps;
        } else {
            shown.append(line.substr(at, end - at));
        }
        const std::size_t next = std::min(line.find_first_of(" \t", end), line.size());
        shown.append(line.substr(end, next - end));
        at = next;
    }
    return shown;
}

/// A long line in pieces, each but the last with a mark.
std::string broken(std::string line, std::uint32_t& longLines)
{
    if (line.size() <= kLongestLine)
        return line;
    ++longLines;
    std::string shown;
    std::string_view rest = line;
    while (rest.size() > kLongestLine) {
        const std::string_view piece = prefixWithin(rest, kLongestLine);
        shown.append(piece).append(" ↩\n");
        rest.remove_prefix(piece.size());
    }
    return shown.append(rest);
}

std::uint32_t linesIn(std::string_view text)
{
    return static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '\n'));
}

} // namespace

ShownCode showCode(std::string_view code)
{
    ShownCode shown;
    const std::string plain = toValidUtf8(code);
    std::vector<std::string_view> lines;
    std::string_view rest = plain;
    for (;;) {
        const std::size_t end = rest.find('\n');
        std::string_view line = rest.substr(0, end);
        if (line.ends_with('\r')) // CR LF is one line end
            line.remove_suffix(1);
        lines.push_back(line);
        if (end == std::string_view::npos)
            break;
        rest.remove_prefix(end + 1);
    }
    std::uint32_t shownLine = 0;
    for (std::size_t at = 0; at < lines.size();) {
        std::size_t end = at;
        while (end < lines.size() && isBlank(lines[end]))
            ++end;
        std::string piece;
        std::size_t taken = 1;
        if (end - at > kMostBlankLines) {
            ++shown.blankRuns;
            taken = end - at;
            piece = "[… " + std::to_string(taken) + " blank lines …]";
        } else {
            shown.unusual += countUnusual(lines[at]);
            piece = broken(escapeUnusual(countGaps(lines[at], shown.gaps)), shown.longLines);
        }
        shown.firstShownLine.insert(shown.firstShownLine.end(), taken, shownLine);
        shownLine += linesIn(piece) + 1;
        at += taken;
        shown.text += piece;
        if (at < lines.size())
            shown.text += '\n';
    }
    return shown;
}

std::string withoutUnusual(std::string_view code)
{
    std::string plain = toValidUtf8(code);
    for (std::size_t at = 0; (at = plain.find("\r\n", at)) != std::string::npos;)
        plain.erase(at, 1);
    const auto characters = QString::fromStdString(plain).toUcs4();
    QString kept;
    for (const uint one : characters) {
        if (isUnusual(one))
            continue;
        const char32_t character = one;
        kept += QString::fromUcs4(&character, 1);
    }
    return kept.toStdString();
}

} // namespace belljar::ui
