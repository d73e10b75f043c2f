// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/execution/files.h"

#include "engine/base/text.h"

#include <algorithm>
#include <set>

namespace belljar::execution {

namespace {

using namespace std::string_view_literals;

constexpr std::size_t kSniffedBytes = 4096;
constexpr std::size_t kMostSaveName = 120;
constexpr std::size_t kMostExtension = 24;
constexpr std::uint64_t kSmallPicture = 512ULL * 1024;
constexpr std::size_t kMostPictures = 4;

struct KindRow {
    FileKind kind;
    std::string_view name;
    std::string_view mediaType;
};

constexpr std::array kKinds{
    KindRow{FileKind::Other, "other", "application/octet-stream"},
    KindRow{FileKind::Text, "text", "text/plain"},
    KindRow{FileKind::Svg, "svg", "image/svg+xml"},
    KindRow{FileKind::Png, "png", "image/png"},
    KindRow{FileKind::Jpeg, "jpeg", "image/jpeg"},
    KindRow{FileKind::Gif, "gif", "image/gif"},
    KindRow{FileKind::Webp, "webp", "image/webp"},
};

struct MagicRow {
    std::string_view bytes;
    FileKind kind;
};

constexpr std::array kMagic{
    MagicRow{"\x89PNG\r\n\x1a\n"sv, FileKind::Png},
    MagicRow{"\xff\xd8\xff"sv, FileKind::Jpeg},
    MagicRow{"GIF87a"sv, FileKind::Gif},
    MagicRow{"GIF89a"sv, FileKind::Gif},
};

struct FateRow {
    std::string_view reason;
    std::string_view counted; ///< after a number
};

/// By FileFate.
constexpr std::array<FateRow, runner::kFileFates> kFates{{
    {"", "kept"},
    {"is too large", "too large"},
    {"comes after as many as are kept", "too many"},
    {"doesn't fit with those before it", "over the size of all together"},
    {"is a symbolic link", "symbolic links"},
    {"has several names (hard links)", "hard links"},
    {"is no plain file", "no plain files"},
    {"has too long a name", "with too long a name"},
    {"can't be read", "unreadable"},
}};

const KindRow& rowOf(FileKind kind)
{
    return kKinds[static_cast<std::size_t>(kind)];
}

bool looksLikeText(std::string_view bytes)
{
    // What is cut in the middle of a character is still text.
    const std::string_view start = prefixWithin(bytes, kSniffedBytes);
    return isValidUtf8(start) && start.find('\0') == std::string_view::npos;
}

bool isSafeInName(unsigned char byte)
{
    constexpr std::string_view kForbidden = "/\\:*?\"<>|%$`'&;~"sv;
    return byte > 0x20 && byte < 0x7f &&
           kForbidden.find(static_cast<char>(byte)) == kForbidden.npos;
}

/// A character that a person sees as itself stays; others become `_`.
std::string keepSafe(std::string_view name)
{
    std::string safe;
    const std::string text = escapeForLine(toValidUtf8(name));
    // What was escaped now holds a backslash, so a name with one has lost its disguise.
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        safe += byte >= 0x80 || isSafeInName(byte) ? c : '_';
    }
    return safe;
}

std::string lowerCase(std::string text)
{
    for (char& c : text)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return text;
}

/// Names that Windows gives to devices, with any extension.
bool isReserved(std::string_view name)
{
    static const std::set<std::string, std::less<>> kReserved = {"con", "prn", "aux", "nul"};
    const std::string stem = lowerCase(std::string(name.substr(0, name.find('.'))));
    const bool isPort = stem.size() == 4 && stem[3] >= '0' && stem[3] <= '9' &&
                        (stem.starts_with("com") || stem.starts_with("lpt"));
    return kReserved.contains(stem) || isPort;
}

std::string withNumber(const std::string& name, int number)
{
    const std::size_t dot = name.rfind('.');
    const std::size_t end = dot == std::string::npos || dot == 0 ? name.size() : dot;
    return name.substr(0, end) + "-" + std::to_string(number) + name.substr(end);
}

} // namespace

std::string_view nameOf(FileKind kind)
{
    return rowOf(kind).name;
}

std::optional<FileKind> fileKindFromName(std::string_view name)
{
    for (const KindRow& row : kKinds) {
        if (row.name == name)
            return row.kind;
    }
    return std::nullopt;
}

std::string_view mediaTypeOf(FileKind kind)
{
    return rowOf(kind).mediaType;
}

FileKind sniffKind(std::string_view bytes)
{
    for (const MagicRow& row : kMagic) {
        if (bytes.starts_with(row.bytes))
            return row.kind;
    }
    if (bytes.size() >= 12 && bytes.starts_with("RIFF") && bytes.substr(8, 4) == "WEBP")
        return FileKind::Webp;
    if (!looksLikeText(bytes))
        return FileKind::Other;
    const std::string_view start = bytes.substr(0, kSniffedBytes);
    const std::size_t first = start.find_first_not_of(" \t\r\n\xef\xbb\xbf");
    const bool isMarkup = first != std::string_view::npos && start[first] == '<';
    return isMarkup && start.find("<svg") != std::string_view::npos ? FileKind::Svg
                                                                    : FileKind::Text;
}

bool isPicture(FileKind kind)
{
    return kind >= FileKind::Png;
}

std::string_view reasonOf(FileFate fate)
{
    return kFates.at(static_cast<std::size_t>(fate)).reason;
}

std::uint64_t RunFiles::leftOut() const
{
    std::uint64_t sum = 0;
    for (std::size_t fate = 1; fate < counts.size(); ++fate)
        sum += counts[fate];
    return sum;
}

std::string shownName(std::string_view name)
{
    return escapeForLine(name);
}

std::string saveName(std::string_view name)
{
    const std::size_t slash = name.rfind('/');
    std::string safe = keepSafe(name.substr(slash == std::string_view::npos ? 0 : slash + 1));
    safe.erase(0, safe.find_first_not_of(".-_ "));
    while (!safe.empty() && safe.back() == '.')
        safe.pop_back();
    if (safe.empty())
        safe = "file";
    if (isReserved(safe))
        safe.insert(0, "file-");
    if (safe.size() <= kMostSaveName)
        return safe;
    const std::size_t dot = safe.rfind('.');
    const bool short_ = dot != std::string::npos && safe.size() - dot <= kMostExtension;
    const std::string extension = short_ ? safe.substr(dot) : std::string();
    return std::string(prefixWithin(safe, kMostSaveName - extension.size())) + extension;
}

std::vector<std::string> saveNames(const std::vector<RunFile>& files)
{
    std::set<std::string> taken;
    std::vector<std::string> names;
    for (const RunFile& file : files) {
        const std::string wanted = saveName(file.name);
        std::string name = wanted;
        for (int number = 2; !taken.insert(lowerCase(name)).second; ++number)
            name = withNumber(wanted, number);
        names.push_back(name);
    }
    return names;
}

std::string summaryOf(const RunFiles& files)
{
    if (files.kept() == 0 && files.leftOut() == 0)
        return files.whole ? "" : "the workspace could not be looked at in full";
    std::string text =
        std::to_string(files.kept()) + (files.kept() == 1 ? " file" : " files") + " kept";
    std::string_view separator = ": ";
    if (files.leftOut() > 0)
        text += "; " + std::to_string(files.leftOut()) + " not";
    for (std::size_t fate = 1; fate < files.counts.size(); ++fate) {
        if (files.counts[fate] == 0)
            continue;
        text += std::string(separator) + std::to_string(files.counts[fate]) + " " +
                std::string(kFates[fate].counted);
        separator = ", ";
    }
    return files.whole ? text : text + "; not everything could be looked at";
}

RunFiles withSmallPictures(const RunFiles& files)
{
    RunFiles light = files;
    std::size_t pictures = 0;
    for (RunFile& file : light.files) {
        const bool carries =
            isPicture(file.kind) && file.size <= kSmallPicture && pictures < kMostPictures;
        if (carries)
            ++pictures;
        else
            file.bytes.reset();
    }
    return light;
}

RunFiles withoutBytes(RunFiles files)
{
    for (RunFile& file : files.files)
        file.bytes.reset();
    return files;
}

} // namespace belljar::execution
