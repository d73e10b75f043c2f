// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/docker/codec.h"

#include "engine/base/text.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace belljar::docker {

namespace {

constexpr std::size_t kMaxMessageBytes = 2048;
constexpr std::int64_t kMaxInteger = std::numeric_limits<std::int64_t>::max() / 2;

/// A reply that has to be one JSON object.
Result<Json> decodeObject(std::string_view body, std::string_view what)
{
    auto json = parseJson(body);
    if (!json)
        return fail(
            Errc::ProtocolViolation,
            "Docker's reply about " + std::string(what) + ": " + json.error().message()
        );
    if (!json->is_object())
        return fail(
            Errc::ProtocolViolation, "Docker's reply about " + std::string(what) + " is no object"
        );
    return std::move(*json);
}

tl::unexpected<Error> malformed(const Error& error)
{
    return fail(Errc::ProtocolViolation, "Docker's reply: " + error.message());
}

/// The object member `key`, or an empty object.
const Json& objectIn(const Json& json, std::string_view key)
{
    static const Json empty = Json::object();
    const auto found = json.find(key);
    return found != json.end() && found->is_object() ? *found : empty;
}

std::map<std::string, std::string> textMap(const Json& json, std::string_view key)
{
    std::map<std::string, std::string> map;
    for (const auto& [name, value] : objectIn(json, key).items()) {
        if (value.is_string())
            map.emplace(name, value.get<std::string>());
    }
    return map;
}

std::vector<std::string> textList(const Json& json, std::string_view key)
{
    std::vector<std::string> list;
    const auto found = json.find(key);
    if (found == json.end() || !found->is_array())
        return list;
    for (const Json& item : *found) {
        if (item.is_string())
            list.push_back(item.get<std::string>());
    }
    return list;
}

bool matches(std::string_view text, std::string_view further, std::size_t maxBytes)
{
    const auto alphanumeric = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    };
    return !text.empty() && text.size() <= maxBytes && alphanumeric(text.front()) &&
           std::all_of(text.begin(), text.end(), [&](char c) {
               return alphanumeric(c) || further.find(c) != std::string_view::npos;
           });
}

Json encodeHostConfig(const ContainerSpec& spec)
{
    Json host;
    host["NetworkMode"] = "none";
    host["ReadonlyRootfs"] = true;
    host["CapDrop"] = Json::array({"ALL"});
    host["CapAdd"] = Json::array();
    host["SecurityOpt"] = Json::array({"no-new-privileges:true", "seccomp=" + spec.seccompProfile});
    host["Privileged"] = false;
    host["IpcMode"] = "private";
    host["CgroupnsMode"] = "private";
    host["AutoRemove"] = true;
    host["RestartPolicy"]["Name"] = "no";
    host["LogConfig"]["Type"] = "none";
    host["Init"] = false;
    host["Memory"] = spec.memoryBytes;
    host["MemorySwap"] = spec.memoryBytes;
    host["NanoCpus"] = static_cast<std::uint64_t>(spec.cpuMillis) * 1'000'000;
    host["PidsLimit"] = spec.pids;
    host["Ulimits"] = Json::array();
    for (const Ulimit& limit : spec.ulimits) {
        Json row;
        row["Name"] = limit.name;
        row["Soft"] = limit.soft;
        row["Hard"] = limit.hard;
        host["Ulimits"].push_back(std::move(row));
    }
    host["Tmpfs"] = Json::object();
    for (const auto& [point, options] : spec.tmpfs)
        host["Tmpfs"][point] = options;
    host["Mounts"] = Json::array();
    for (const BindMount& bind : spec.readOnlyBinds) {
        Json mount;
        mount["Type"] = "bind";
        mount["Source"] = bind.source;
        mount["Target"] = bind.target;
        mount["ReadOnly"] = true;
        mount["BindOptions"]["Propagation"] = "rprivate";
        host["Mounts"].push_back(std::move(mount));
    }
    if (!spec.runtime.empty())
        host["Runtime"] = spec.runtime;
    return host;
}

} // namespace

Json encodeContainer(const ContainerSpec& spec)
{
    Json body;
    body["Image"] = spec.image;
    body["Entrypoint"] = spec.entrypoint;
    body["Cmd"] = Json::array();
    body["User"] = std::to_string(spec.uid) + ":" + std::to_string(spec.gid);
    body["WorkingDir"] = spec.workingDirectory;
    body["Env"] = spec.environment;
    // A name without "=" removes the image's variable of that name.
    for (const std::string& name : spec.clearEnvironment) {
        const bool replaced =
            std::any_of(spec.environment.begin(), spec.environment.end(), [&](const auto& set) {
                return set.starts_with(name + "=");
            });
        if (!replaced)
            body["Env"].push_back(name);
    }
    body["Labels"] = Json::object();
    for (const auto& [name, value] : spec.labels)
        body["Labels"][name] = value;
    body["Healthcheck"]["Test"] = Json::array({"NONE"});
    body["StopSignal"] = "SIGKILL";
    body["Tty"] = false;
    body["OpenStdin"] = true;
    body["StdinOnce"] = true;
    for (const char* stream : {"AttachStdin", "AttachStdout", "AttachStderr"})
        body[stream] = true;
    body["NetworkDisabled"] = true;
    body["HostConfig"] = encodeHostConfig(spec);
    return body;
}

Result<Version> decodeVersion(std::string_view body)
{
    const auto json = decodeObject(body, "its version");
    if (!json)
        return fail(json.error());
    JsonReader reader(*json, "version");
    reader.require("ApiVersion");
    Version version;
    version.engine = reader.string("Version").value_or("");
    version.apiVersion = reader.string("ApiVersion").value_or("");
    version.kernel = reader.string("KernelVersion").value_or("");
    version.architecture = reader.string("Arch").value_or("");
    if (reader.error())
        return malformed(*reader.error());
    return version;
}

Result<Info> decodeInfo(std::string_view body)
{
    const auto json = decodeObject(body, "its settings");
    if (!json)
        return fail(json.error());
    JsonReader reader(*json, "info");
    Info info;
    info.cgroupVersion = reader.string("CgroupVersion").value_or("");
    info.memoryLimit = reader.boolean("MemoryLimit").value_or(false);
    info.pidsLimit = reader.boolean("PidsLimit").value_or(false);
    for (const std::string& option : textList(*json, "SecurityOptions")) {
        info.seccomp |= option.starts_with("name=seccomp");
        info.rootless |= option.starts_with("name=rootless") || option.starts_with("name=userns");
    }
    for (const auto& [name, runtime] : objectIn(*json, "Runtimes").items())
        info.runtimes.push_back(name);
    info.warnings = textList(*json, "Warnings");
    if (reader.error())
        return malformed(*reader.error());
    return info;
}

Result<std::string> decodeCreated(std::string_view body)
{
    const auto json = decodeObject(body, "the new container");
    if (!json)
        return fail(json.error());
    JsonReader reader(*json, "");
    const std::string id = reader.string("Id").value_or("");
    if (!isContainerName(id))
        return fail(Errc::ProtocolViolation, "Docker's reply about the new container has no id");
    return id;
}

Result<int> decodeWait(std::string_view body)
{
    const auto json = decodeObject(body, "the end of the container");
    if (!json)
        return fail(json.error());
    JsonReader reader(*json, "");
    const auto code = reader.integer("StatusCode", -1, 255);
    if (!code)
        return malformed(
            reader.error().value_or(Error(Errc::ProtocolViolation, "StatusCode: is required"))
        );
    return static_cast<int>(*code);
}

Result<ContainerDetails> decodeContainer(std::string_view body)
{
    const auto json = decodeObject(body, "the container");
    if (!json)
        return fail(json.error());
    JsonReader reader(*json, "container");
    JsonReader state(objectIn(*json, "State"), "container.State");
    ContainerDetails details;
    details.id = reader.string("Id").value_or("");
    details.name = reader.string("Name").value_or("");
    details.imageDigest = reader.string("Image").value_or("");
    details.status = state.string("Status").value_or("");
    details.running = state.boolean("Running").value_or(false);
    details.oomKilled = state.boolean("OOMKilled").value_or(false);
    details.exitCode = static_cast<int>(state.integer("ExitCode", -1, 255).value_or(0));
    details.labels = textMap(objectIn(*json, "Config"), "Labels");
    details.json = std::string(body);
    if (reader.error() || state.error())
        return malformed(reader.error() ? *reader.error() : *state.error());
    return details;
}

Result<std::vector<ContainerSummary>> decodeContainers(std::string_view body)
{
    const auto json = parseJson(body);
    if (!json || !json->is_array())
        return fail(Errc::ProtocolViolation, "Docker's reply about the containers is no list");
    std::vector<ContainerSummary> list;
    for (const Json& row : *json) {
        JsonReader reader(row, "containers");
        ContainerSummary summary;
        summary.id = reader.string("Id").value_or("");
        summary.image = reader.string("Image").value_or("");
        summary.state = reader.string("State").value_or("");
        summary.createdUnix = reader.integer("Created", 0, kMaxInteger).value_or(0);
        if (reader.error())
            return malformed(*reader.error());
        summary.labels = textMap(row, "Labels");
        if (isContainerName(summary.id))
            list.push_back(std::move(summary));
    }
    return list;
}

Result<ImageDetails> decodeImage(std::string_view body)
{
    const auto json = decodeObject(body, "the image");
    if (!json)
        return fail(json.error());
    JsonReader reader(*json, "image");
    ImageDetails image;
    image.digest = reader.string("Id").value_or("");
    image.bytes = static_cast<std::uint64_t>(reader.integer("Size", 0, kMaxInteger).value_or(0));
    image.created = reader.string("Created").value_or("");
    const Json& config = objectIn(*json, "Config");
    image.labels = textMap(config, "Labels");
    for (const std::string& variable : textList(config, "Env"))
        image.environmentNames.push_back(variable.substr(0, variable.find('=')));
    if (reader.error())
        return malformed(*reader.error());
    if (!isImageReference(image.digest))
        return fail(Errc::ProtocolViolation, "Docker's reply about the image has no id");
    return image;
}

Result<EngineEvent> decodeEvent(std::string_view line)
{
    const auto json = decodeObject(line, "an event");
    if (!json)
        return fail(json.error());
    JsonReader reader(*json, "event");
    EngineEvent event;
    event.type = reader.string("Type").value_or("");
    event.action = reader.string("Action").value_or("");
    const Json& actor = objectIn(*json, "Actor");
    JsonReader actorReader(actor, "event.Actor");
    event.actorId = actorReader.string("ID").value_or("");
    event.attributes = textMap(actor, "Attributes");
    if (reader.error())
        return malformed(*reader.error());
    return event;
}

Result<Progress> decodeProgress(std::string_view line)
{
    const auto json = decodeObject(line, "its progress");
    if (!json)
        return fail(json.error());
    JsonReader reader(*json, "");
    Progress progress;
    progress.error = reader.string("error");
    progress.text = reader.string("stream").value_or(reader.string("status").value_or(""));
    return progress;
}

std::string decodeMessage(std::string_view body)
{
    const auto json = parseJson(body);
    if (json && json->is_object()) {
        const auto message = json->find("message");
        if (message != json->end() && message->is_string())
            return std::string(
                prefixWithin(message->get_ref<const std::string&>(), kMaxMessageBytes)
            );
    }
    return toValidUtf8(body.substr(0, kMaxMessageBytes));
}

bool isContainerName(std::string_view name)
{
    return matches(name, "_.-", 128);
}

bool isImageReference(std::string_view reference)
{
    return matches(reference, "_.-/:@", 256);
}

std::string queryEncoded(std::string_view text)
{
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    std::string out;
    for (const char c : text) {
        if (matches(std::string_view(&c, 1), "", 1) || c == '-' || c == '_' || c == '.' ||
            c == '~') {
            out.push_back(c);
        } else {
            const auto byte = static_cast<unsigned char>(c);
            out.push_back('%');
            out.push_back(kDigits[byte >> 4U]);
            out.push_back(kDigits[byte & 0xFU]);
        }
    }
    return out;
}

std::optional<std::pair<int, int>> parseApiVersion(std::string_view text)
{
    const std::size_t dot = text.find('.');
    if (dot == std::string_view::npos)
        return {};
    const auto number = [](std::string_view digits) -> std::optional<int> {
        int value = 0;
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (error != std::errc() || end != digits.data() + digits.size())
            return {};
        return value;
    };
    const auto major = number(text.substr(0, dot));
    const auto minor = number(text.substr(dot + 1));
    if (!major || !minor)
        return {};
    return std::pair(*major, *minor);
}

} // namespace belljar::docker
