// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/docker/codec.h"

#include "engine/base/text.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace belljar::docker {

namespace {

constexpr std::size_t kMaxMessageBytes = 2048;
constexpr std::size_t kMaxNameBytes = 128;
constexpr std::int64_t kBlankVolumeBytes = 4096; // a page, the least there is
constexpr std::int64_t kMinExitCode = -1;        // "not known" with some engines
constexpr std::int64_t kMaxExitCode = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kMaxInteger = std::numeric_limits<std::int64_t>::max() / 2;

std::string boundedMessage(std::string_view text)
{
    return std::string(prefixWithin(text, kMaxMessageBytes));
}

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

/// The object member `key`, or an empty object where it is absent or null.
const Json& objectIn(JsonReader& reader, std::string_view key)
{
    static const Json empty = Json::object();
    const Json* member = reader.member(key);
    if (!member || member->is_null())
        return empty;
    if (member->is_object())
        return *member;
    reader.refuse(key, "expected an object");
    return empty;
}

std::map<std::string, std::string> textMap(JsonReader& reader, std::string_view key)
{
    std::map<std::string, std::string> map;
    for (const auto& [name, value] : objectIn(reader, key).items()) {
        if (value.is_string())
            map.emplace(name, value.get<std::string>());
        else
            reader.refuse(key, "expected texts only");
    }
    return map;
}

std::vector<std::string> textList(JsonReader& reader, std::string_view key)
{
    std::vector<std::string> list;
    const Json* member = reader.member(key);
    if (!member || member->is_null())
        return list;
    if (!member->is_array()) {
        reader.refuse(key, "expected a list");
        return list;
    }
    for (const Json& item : *member) {
        if (item.is_string())
            list.push_back(item.get<std::string>());
        else
            reader.refuse(key, "expected texts only");
    }
    return list;
}

std::vector<std::string> namesIn(JsonReader& reader, std::string_view key)
{
    std::vector<std::string> names;
    for (const auto& [name, value] : objectIn(reader, key).items())
        names.push_back(name);
    return names;
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
    host["ReadonlyRootfs"] = spec.readOnlyRoot;
    host["CapDrop"] = Json::array({"ALL"});
    host["CapAdd"] = Json::array();
    host["SecurityOpt"] = Json::array({"no-new-privileges:true"});
    if (spec.seccompProfile)
        host["SecurityOpt"].push_back("seccomp=" + *spec.seccompProfile);
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
    // As a mount, not under Tmpfs: only then the engine makes no volume.
    for (const std::string& volume : spec.blankVolumes) {
        if (spec.tmpfs.contains(volume))
            continue;
        Json mount;
        mount["Type"] = "tmpfs";
        mount["Target"] = volume;
        mount["ReadOnly"] = true;
        mount["TmpfsOptions"]["SizeBytes"] = kBlankVolumeBytes;
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
    for (const std::string& option : textList(reader, "SecurityOptions")) {
        info.seccomp |= option.starts_with("name=seccomp");
        info.rootless |= option.starts_with("name=rootless") || option.starts_with("name=userns");
    }
    info.runtimes = namesIn(reader, "Runtimes");
    info.warnings = textList(reader, "Warnings");
    if (reader.error())
        return malformed(*reader.error());
    return info;
}

Result<Created> decodeCreated(std::string_view body)
{
    const auto json = decodeObject(body, "the new container");
    if (!json)
        return fail(json.error());
    JsonReader reader(*json, "container");
    Created created;
    created.id = reader.string("Id").value_or("");
    created.warnings = textList(reader, "Warnings");
    if (reader.error())
        return malformed(*reader.error());
    if (!isContainerName(created.id))
        return fail(Errc::ProtocolViolation, "Docker's reply about the new container has no id");
    return created;
}

Result<int> decodeWait(std::string_view body)
{
    const auto json = decodeObject(body, "the end of the container");
    if (!json)
        return fail(json.error());
    JsonReader reader(*json, "wait");
    JsonReader problem(objectIn(reader, "Error"), "wait.Error");
    const auto message = problem.string("Message");
    if (message && !message->empty())
        return fail(Errc::EngineRefused, "Docker: " + boundedMessage(*message));
    reader.require("StatusCode");
    const auto code = reader.integer("StatusCode", kMinExitCode, kMaxExitCode);
    if (reader.error() || problem.error())
        return malformed(reader.error() ? *reader.error() : *problem.error());
    return static_cast<int>(code.value_or(0));
}

Result<ContainerDetails> decodeContainer(std::string_view body)
{
    const auto json = decodeObject(body, "the container");
    if (!json)
        return fail(json.error());
    JsonReader reader(*json, "container");
    JsonReader state(objectIn(reader, "State"), "container.State");
    JsonReader config(objectIn(reader, "Config"), "container.Config");
    ContainerDetails details;
    details.id = reader.string("Id").value_or("");
    details.name = reader.string("Name").value_or("");
    details.imageDigest = reader.string("Image").value_or("");
    details.status = state.string("Status").value_or("");
    details.running = state.boolean("Running").value_or(false);
    details.oomKilled = state.boolean("OOMKilled").value_or(false);
    details.exitCode =
        static_cast<int>(state.integer("ExitCode", kMinExitCode, kMaxExitCode).value_or(0));
    details.labels = textMap(config, "Labels");
    details.json = std::string(body);
    for (const JsonReader* part : {&reader, &state, &config}) {
        if (part->error())
            return malformed(*part->error());
    }
    if (!isContainerName(details.id))
        return fail(Errc::ProtocolViolation, "Docker's reply about the container has no id");
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
        summary.labels = textMap(reader, "Labels");
        if (!isContainerName(summary.id))
            reader.refuse("Id", "expected a container id");
        if (reader.error())
            return malformed(*reader.error());
        list.push_back(std::move(summary));
    }
    return list;
}

Result<ContainerStats> decodeStats(std::string_view body)
{
    const auto json = decodeObject(body, "what the container takes");
    if (!json)
        return fail(json.error());
    JsonReader reader(*json, "stats");
    JsonReader cpu(objectIn(reader, "cpu_stats"), "stats.cpu_stats");
    JsonReader usage(objectIn(cpu, "cpu_usage"), "stats.cpu_stats.cpu_usage");
    JsonReader memory(objectIn(reader, "memory_stats"), "stats.memory_stats");
    JsonReader parts(objectIn(memory, "stats"), "stats.memory_stats.stats");
    ContainerStats stats;
    stats.name = std::string(prefixWithin(reader.string("name").value_or(""), kMaxNameBytes));
    if (stats.name.starts_with('/'))
        stats.name.erase(0, 1);
    stats.cpuNanos = usage.integer("total_usage", 0, kMaxInteger);
    const auto used = memory.integer("usage", 0, kMaxInteger);
    // The first name is that of cgroup v1, the other that of v2.
    auto idle = parts.integer("total_inactive_file", 0, kMaxInteger);
    if (!idle)
        idle = parts.integer("inactive_file", 0, kMaxInteger);
    if (used)
        stats.memoryBytes = static_cast<std::uint64_t>(*used - std::min(*used, idle.value_or(0)));
    for (const JsonReader* part : {&reader, &cpu, &usage, &memory, &parts}) {
        if (part->error())
            return malformed(*part->error());
    }
    return stats;
}

Result<ImageDetails> decodeImage(std::string_view body)
{
    const auto json = decodeObject(body, "the image");
    if (!json)
        return fail(json.error());
    JsonReader reader(*json, "image");
    JsonReader config(objectIn(reader, "Config"), "image.Config");
    ImageDetails image;
    image.digest = reader.string("Id").value_or("");
    image.bytes = static_cast<std::uint64_t>(reader.integer("Size", 0, kMaxInteger).value_or(0));
    image.created = reader.string("Created").value_or("");
    image.labels = textMap(config, "Labels");
    for (const std::string& variable : textList(config, "Env"))
        image.environmentNames.push_back(variable.substr(0, variable.find('=')));
    image.volumes = namesIn(config, "Volumes");
    if (reader.error() || config.error())
        return malformed(reader.error() ? *reader.error() : *config.error());
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
    JsonReader actor(objectIn(reader, "Actor"), "event.Actor");
    EngineEvent event;
    event.type = reader.string("Type").value_or("");
    event.action = reader.string("Action").value_or("");
    event.actorId = actor.string("ID").value_or("");
    event.attributes = textMap(actor, "Attributes");
    if (reader.error() || actor.error())
        return malformed(reader.error() ? *reader.error() : *actor.error());
    return event;
}

Result<Progress> decodeProgress(std::string_view line)
{
    const auto json = decodeObject(line, "its progress");
    if (!json)
        return fail(json.error());
    JsonReader reader(*json, "progress");
    Progress progress;
    progress.error = reader.string("error");
    progress.output = reader.string("stream").value_or("");
    progress.status = reader.string("status").value_or("");
    const std::string id = reader.string("id").value_or("");
    if (!id.empty() && !progress.status.empty())
        progress.status = id + ": " + progress.status;
    if (reader.error())
        return malformed(*reader.error());
    if (progress.error)
        progress.error = boundedMessage(*progress.error);
    return progress;
}

std::string decodeMessage(std::string_view body)
{
    const auto json = parseJson(body);
    if (json && json->is_object()) {
        const auto message = json->find("message");
        if (message != json->end() && message->is_string())
            return boundedMessage(message->get_ref<const std::string&>());
    }
    return toValidUtf8(body.substr(0, kMaxMessageBytes));
}

bool isContainerName(std::string_view name)
{
    return matches(name, "_.-", 128);
}

bool isImageReference(std::string_view reference)
{
    if (reference.size() > 512)
        return false;
    // Every part begins with a letter or digit, so there is no "..", which would lead elsewhere in
    // the engine's API.
    for (std::size_t start = 0; start <= reference.size();) {
        const std::size_t end = std::min(reference.find('/', start), reference.size());
        if (!matches(reference.substr(start, end - start), "_.-:@", 256))
            return false;
        start = end + 1;
    }
    return true;
}

bool isSignal(std::string_view signal)
{
    return matches(signal, "+-", 16);
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
