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

/// One line in the making, with what was written out in it.
struct Line {
    std::string text;
    std::vector<ShownCode::Mark> marks;
};

/// Of each character whether its word mixes Latin letters with such that look Latin.
std::vector<bool> inMixedWord(const QList<uint>& characters)
{
    std::vector<bool> mixed(static_cast<std::size_t>(characters.size()));
    const auto isPart = [](uint one) {
        return isLatin(one) || looksLatin(one) || (one >= U'0' && one <= U'9');
    };
    for (auto at = characters.begin(); at != characters.end();) {
        const auto end = std::find_if_not(at, characters.end(), isPart);
        if (std::any_of(at, end, isLatin) && std::any_of(at, end, looksLatin))
            std::fill_n(mixed.begin() + (at - characters.begin()), end - at, true);
        at = end == characters.end() ? end : end + 1;
    }
    return mixed;
}

/// `text` with everything that can't be seen as itself written out.
Line writtenOut(const std::string& text, ShownCode& shown)
{
    const QList<uint> characters = QString::fromStdString(text).toUcs4();
    const std::vector<bool> mixed = inMixedWord(characters);
    Line line;
    for (qsizetype at = 0; at < characters.size(); ++at) {
        const char32_t one = characters[at];
        const bool unusual = isUnusual(one);
        const bool lookalike =
            !unusual && (isOddBlank(one) || looksLikeQuote(one) ||
                         (looksLatin(one) && mixed[static_cast<std::size_t>(at)]));
        if (!unusual && !lookalike) {
            line.text += QString::fromUcs4(&one, 1).toStdString();
            continue;
        }
        ++(unusual ? shown.unusual : shown.lookalikes);
        const std::size_t begin = line.text.size();
        line.text += "\\u{" + QString::number(one, 16).toStdString() + "}";
        line.marks.push_back({begin, line.text.size()});
    }
    return line;
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

/// A long line in pieces, each but the last with a mark at its end.
void breakUp(Line& line, std::uint32_t& longLines)
{
    if (line.text.size() <= kLongestLine)
        return;
    ++longLines;
    constexpr std::string_view kBreak = " ↩\n";
    std::string shown;
    std::string_view rest = line.text;
    while (rest.size() > kLongestLine) {
        const std::string_view piece = prefixWithin(rest, kLongestLine);
        shown.append(piece);
        for (ShownCode::Mark& mark : line.marks) {
            if (mark.begin >= shown.size())
                mark.begin += kBreak.size();
            if (mark.end > shown.size())
                mark.end += kBreak.size();
        }
        shown.append(kBreak);
        rest.remove_prefix(piece.size());
    }
    line.text = shown.append(rest);
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
        Line line;
        std::size_t taken = 1;
        if (end - at > kMostBlankLines) {
            ++shown.blankRuns;
            taken = end - at;
            line.text = "[… " + std::to_string(taken) + " blank lines …]";
        } else {
            line = writtenOut(countGaps(lines[at], shown.gaps), shown);
            breakUp(line, shown.longLines);
        }
        shown.firstShownLine.insert(shown.firstShownLine.end(), taken, shownLine);
        shownLine += linesIn(line.text) + 1;
        at += taken;
        for (const ShownCode::Mark& mark : line.marks)
            shown.marks.push_back({shown.text.size() + mark.begin, shown.text.size() + mark.end});
        shown.text += line.text;
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
