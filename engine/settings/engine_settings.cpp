// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/settings/engine_settings.h"

#include "engine/base/json.h"
#include "engine/base/text.h"

#include <array>
#include <utility>
#include <variant>

#include <arpa/inet.h>

namespace belljar {

namespace {

constexpr std::size_t kMostBytes = 64U * 1024;
constexpr std::size_t kLongestText = 4096;
constexpr std::size_t kShownBytes = 80;

struct Text {
    std::string EngineSettings::*member;
};
struct Switch {
    bool EngineSettings::*member;
};
template <class T>
struct Number {
    T EngineSettings::*member;
    std::int64_t low;
    std::int64_t high;
};
using Kind = std::variant<Text, Switch, Number<std::uint32_t>, Number<std::uint16_t>>;

struct Field {
    const char* name;
    Kind kind;
};

const std::array kFields{
    Field{"docker_host", Text{&EngineSettings::dockerHost}},
    Field{"max_running", Number<std::uint32_t>{&EngineSettings::maxRunning, 1, kMostRunning}},
    Field{"http_on", Switch{&EngineSettings::httpOn}},
    Field{"http_address", Text{&EngineSettings::httpAddress}},
    Field{"http_port", Number<std::uint16_t>{&EngineSettings::httpPort, 1, 65'535}},
    Field{"http_certificate_file", Text{&EngineSettings::httpCertificateFile}},
    Field{"http_key_file", Text{&EngineSettings::httpKeyFile}},
    Field{"keep_days", Number<std::uint32_t>{&EngineSettings::keepDays, 0, kMostKeptDays}},
    Field{
        "keep_megabytes",
        Number<std::uint32_t>{&EngineSettings::keepMegabytes, 0, kMostKeptMegabytes}},
};

void read(JsonReader& from, const Field& field, EngineSettings& to)
{
    std::visit(
        [&](const auto& kind) {
            using T = std::decay_t<decltype(kind)>;
            if constexpr (std::is_same_v<T, Text>) {
                if (auto text = from.string(field.name))
                    to.*kind.member = std::move(*text);
            } else if constexpr (std::is_same_v<T, Switch>) {
                to.*kind.member = from.boolean(field.name).value_or(to.*kind.member);
            } else {
                using Value = std::decay_t<decltype(to.*kind.member)>;
                if (const auto number = from.integer(field.name, kind.low, kind.high))
                    to.*kind.member = static_cast<Value>(*number);
            }
        },
        field.kind
    );
}

bool isKnown(std::string_view name)
{
    for (const Field& field : kFields) {
        if (field.name == name)
            return true;
    }
    return false;
}

std::string names()
{
    std::string all;
    for (const Field& field : kFields)
        all += (all.empty() ? "" : ", ") + std::string(field.name);
    return all;
}

/// A path in a file that others may have written: whole, and without what can't be seen.
bool isPath(const std::string& text)
{
    return text.starts_with('/') && text.size() <= kLongestText && escapeForLine(text) == text;
}

/// An IPv4 or IPv6 address (inet_pton(3)).
bool isAddress(const std::string& text)
{
    std::array<unsigned char, sizeof(in6_addr)> parsed{};
    return ::inet_pton(AF_INET, text.c_str(), parsed.data()) == 1 ||
           ::inet_pton(AF_INET6, text.c_str(), parsed.data()) == 1;
}

} // namespace

Result<EngineSettings> parseEngineSettings(std::string_view text)
{
    const auto json = parseJson(text, {kMostBytes, 8});
    if (!json)
        return fail(json.error());
    if (!json->is_object())
        return fail(Errc::InvalidArgument, "expected an object");
    for (const auto& [name, value] : json->items()) {
        if (!isKnown(name))
            return fail(
                Errc::InvalidArgument,
                escapeForLine(prefixWithin(name, kShownBytes)) +
                    ": there is no such setting; use " + names()
            );
    }
    EngineSettings settings;
    JsonReader reader(*json, "");
    for (const Field& field : kFields)
        read(reader, field, settings);
    if (reader.error())
        return fail(*reader.error());
    if (auto checked = checkEngineSettings(settings); !checked)
        return fail(checked.error());
    return settings;
}

std::string engineSettingsText(const EngineSettings& settings)
{
    std::string text = "{\n";
    for (const Field& field : kFields) {
        const Json value =
            std::visit([&](const auto& kind) { return Json(settings.*kind.member); }, field.kind);
        text += text.size() > 2 ? ",\n" : "";
        text += "  " + dumpJson(Json(field.name)) + ": " + dumpJson(value);
    }
    return text + "\n}\n";
}

Result<> checkEngineSettings(const EngineSettings& settings)
{
    const auto refuse = [](const char* field, const char* allowed) {
        return fail(Errc::InvalidArgument, std::string(field) + ": " + allowed);
    };
    constexpr std::string_view kUnix = "unix://";
    const std::string& docker = settings.dockerHost;
    if (!docker.empty() && !(docker.starts_with(kUnix) && isPath(docker.substr(kUnix.size()))))
        return refuse("docker_host", "expected unix:///path/of/the/socket, or nothing");
    if (settings.maxRunning < 1 || settings.maxRunning > kMostRunning)
        return refuse("max_running", "expected 1 to 64");
    if (!isAddress(settings.httpAddress))
        return refuse("http_address", "expected an IP address such as 127.0.0.1");
    if (settings.httpPort == 0)
        return refuse("http_port", "expected 1 to 65535");
    for (const auto& [name, file] :
         {std::pair("http_certificate_file", &settings.httpCertificateFile),
          std::pair("http_key_file", &settings.httpKeyFile)}) {
        if (!file->empty() && !isPath(*file))
            return refuse(name, "expected the whole path of a file, or nothing");
    }
    if (settings.httpCertificateFile.empty() != settings.httpKeyFile.empty())
        return refuse("http_key_file", "a certificate and its key belong together");
    if (settings.keepDays > kMostKeptDays)
        return refuse("keep_days", "expected 0 to 36500");
    if (settings.keepMegabytes > kMostKeptMegabytes)
        return refuse("keep_megabytes", "expected 0 to 1000000");
    return {};
}

} // namespace belljar
