// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clients/configurations.h"

#include "engine/base/file.h"
#include "engine/base/sha256.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include <unistd.h>

namespace belljar::clients {

namespace {

constexpr unsigned kOwnerOnly = 0700;

namespace fs = std::filesystem;

/// Where programs are beside the search path: a program that a desktop starts may have a short one.
constexpr const char* kMoreFolders[] = {
    "~/.local/bin", "~/bin", "/usr/local/bin", "/usr/bin", "/snap/bin"};

std::string hashOf(const std::optional<std::string>& text)
{
    return text ? sha256Hex(*text) : std::string();
}

std::string hashOf(const std::optional<Entry>& entry)
{
    return entry ? sha256Hex(dumpJson(entry->whole)) : std::string();
}

bool isProgram(const fs::path& file)
{
    std::error_code ignored;
    return fs::is_regular_file(file, ignored) && ::access(file.c_str(), X_OK) == 0;
}

std::vector<fs::path> programFolders(const fs::path& home, const Environment& environment)
{
    std::vector<fs::path> folders;
    std::string path = environment("PATH").value_or("");
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find(':', begin), path.size());
        if (path[begin] == '/')
            folders.emplace_back(path.substr(begin, end - begin));
        begin = end + 1;
    }
    for (const char* folder : kMoreFolders)
        folders.push_back(expandPath(folder, home, environment).value_or(fs::path()));
    return folders;
}

Found described(const KnownClient& client)
{
    Found found;
    found.client = client.id;
    found.title = client.title;
    found.takesHttp = client.http.has_value();
    found.after = client.after;
    found.names = client.names;
    return found;
}

} // namespace

Configurations::Configurations(std::vector<KnownClient> known, Place place)
    : m_known(std::move(known))
    , m_place(std::move(place))
{}

Result<Configurations> Configurations::open(const Paths& paths)
{
    auto folder = findResource("clients");
    if (!folder)
        return fail(folder.error());
    auto known = loadKnownClients(*folder);
    if (!known)
        return fail(known.error());
    Place place;
    place.home = paths.home;
    place.environment = [](const std::string& name) -> std::optional<std::string> {
        const char* value = std::getenv(name.c_str());
        return value ? std::optional<std::string>(value) : std::nullopt;
    };
    place.program = commandProgram();
    place.ledger = paths.clientEditsFile();
    return Configurations(std::move(*known), std::move(place));
}

Result<const KnownClient*> Configurations::clientOf(const std::string& id) const
{
    if (const KnownClient* client = findById(m_known, id))
        return client;
    std::string all;
    for (const KnownClient& client : m_known)
        all += (all.empty() ? "" : ", ") + client.id;
    return fail(Errc::NotFound, "no client \"" + id + "\"; there are " + all);
}

Result<fs::path> Configurations::fileOf(const KnownClient& client, const fs::path& project) const
{
    if (!project.empty() && client.projectFile.empty())
        return fail(Errc::NotFound, client.title + " has no configuration in projects");
    if (!project.empty())
        return fs::absolute(project).lexically_normal() / client.projectFile;
    for (const std::string& text : client.userFiles) {
        if (auto file = expandPath(text, m_place.home, m_place.environment))
            return std::move(*file);
    }
    return fail(Errc::NotFound, client.title + " has no configuration for this user");
}

bool Configurations::isInstalled(const KnownClient& client) const
{
    std::error_code ignored;
    for (const std::string& text : client.paths) {
        const auto path = expandPath(text, m_place.home, m_place.environment);
        if (path && fs::exists(*path, ignored))
            return true;
    }
    const auto folders = programFolders(m_place.home, m_place.environment);
    return std::any_of(client.programs.begin(), client.programs.end(), [&](const auto& program) {
        return std::any_of(folders.begin(), folders.end(), [&](const fs::path& folder) {
            return !folder.empty() && isProgram(folder / program);
        });
    });
}

Found Configurations::look(const KnownClient& client, const fs::path& file) const
{
    Found found = described(client);
    found.installed = isInstalled(client);
    found.file = file;
    std::error_code ignored;
    found.folderExists = fs::is_directory(file.parent_path(), ignored);
    const auto config = readConfigFile(file);
    if (!config) {
        found.state = State::Unreadable;
        found.fileExists = true;
        found.error = config.error().message();
        return found;
    }
    found.file = config->file;
    found.folderExists = fs::is_directory(config->file.parent_path(), ignored);
    found.fileExists = config->text.has_value();
    Reading reading = readEntry(client, config->text.value_or(""));
    if (reading.problem) {
        found.state = State::Unreadable;
        found.problem = std::move(reading.problem);
        return found;
    }
    found.entry = std::move(reading.entry);
    found.canUndo = textBefore(*config).has_value();
    if (!found.entry)
        return found;
    const auto ledger = Ledger::load(m_place.ledger);
    const Written* written = ledger ? ledger->find(config->file) : nullptr;
    found.isOurs = written && written->entry == hashOf(found.entry);
    EntryValues values;
    values.program = m_place.program.string();
    const auto wanted = makeEntry(client, values);
    // An address is somebody's choice: whether it still leads here, only the endpoint can tell.
    const bool fits = found.entry->transport == Transport::Http ||
                      (wanted && leadsTo(client, *found.entry, *wanted));
    if (fits)
        found.state = State::Connected;
    else if (found.entry->command.starts_with('/') && !isProgram(found.entry->command))
        found.state = State::ProgramGone;
    else
        found.state = State::LeadsAway;
    return found;
}

std::vector<Found> Configurations::findAll(const fs::path& project) const
{
    std::vector<Found> all;
    for (const KnownClient& client : m_known) {
        if (const auto file = fileOf(client, project))
            all.push_back(look(client, *file));
    }
    std::stable_partition(all.begin(), all.end(), [](const Found& one) { return one.installed; });
    return all;
}

Result<Configurations::Target>
Configurations::targetOf(const std::string& id, const fs::path& project) const
{
    const auto client = clientOf(id);
    if (!client)
        return fail(client.error());
    auto file = fileOf(**client, project);
    if (!file)
        return fail(file.error());
    return Target{*client, std::move(*file)};
}

Result<Found> Configurations::find(const std::string& id, const fs::path& project) const
{
    const auto target = targetOf(id, project);
    if (!target)
        return fail(target.error());
    const auto& [client, file] = *target;
    return look(*client, file);
}

Result<Plan> Configurations::planConnect(const std::string& id, const Connect& how) const
{
    const auto target = targetOf(id, how.project);
    if (!target)
        return fail(target.error());
    const auto& [client, file] = *target;
    EntryValues values;
    values.transport = how.transport;
    values.program = m_place.program.string();
    values.url = how.url;
    values.token = how.token;
    const auto entry = makeEntry(*client, values);
    if (!entry)
        return fail(entry.error());
    auto before = readConfigFile(file);
    if (!before)
        return fail(before.error());
    auto after = withEntry(*client, before->text.value_or(""), *entry);
    if (!after)
        return fail(after.error().within(before->file.string()));
    Plan plan;
    plan.kind = Plan::Kind::Connect;
    plan.client = id;
    const Found found = look(*client, file);
    plan.replacesOther = found.entry && !found.isOurs && before->text != *after;
    plan.before = std::move(*before);
    if (how.transport == Transport::Http)
        plan.before.mode &= kOwnerOnly; // it holds the token from now on
    plan.after = std::move(*after);
    return plan;
}

Result<std::optional<std::string>> Configurations::textBefore(const ConfigFile& now) const
{
    const auto ledger = Ledger::load(m_place.ledger);
    if (!ledger)
        return fail(ledger.error());
    const Written* written = ledger->find(now.file);
    if (!written)
        return fail(Errc::NotFound, "Belljar has changed nothing in " + now.file.string());
    if (written->file != hashOf(now.text))
        return fail(
            Errc::Conflict,
            now.file.string() + " has changed since Belljar wrote it; its backup is " +
                backupOf(now.file).string()
        );
    if (written->backup.empty())
        return std::optional<std::string>();
    const auto backup = readConfigFile(backupOf(now.file));
    if (!backup)
        return fail(backup.error());
    if (hashOf(backup->text) != written->backup)
        return fail(
            Errc::Conflict, backup->file.string() + " is not the backup that Belljar has made"
        );
    return backup->text;
}

Result<Plan> Configurations::planDisconnect(const std::string& id, const fs::path& project) const
{
    const auto target = targetOf(id, project);
    if (!target)
        return fail(target.error());
    const auto& [client, file] = *target;
    auto before = readConfigFile(file);
    if (!before)
        return fail(before.error());
    auto without = withoutEntry(*client, before->text.value_or(""));
    if (!without)
        return fail(without.error().within(before->file.string()));
    Plan plan;
    plan.kind = Plan::Kind::Disconnect;
    plan.client = id;
    plan.after = std::move(*without);
    const Found found = look(*client, file);
    plan.replacesOther = !found.isOurs;
    // As it was to the byte, where that had no entry.
    const auto earlier = textBefore(*before);
    if (earlier && (!*earlier || !readEntry(*client, **earlier).entry))
        plan.after = *earlier;
    plan.before = std::move(*before);
    return plan;
}

Result<Plan> Configurations::planUndo(const std::string& id, const fs::path& project) const
{
    const auto target = targetOf(id, project);
    if (!target)
        return fail(target.error());
    const auto& [client, file] = *target;
    auto before = readConfigFile(file);
    if (!before)
        return fail(before.error());
    auto earlier = textBefore(*before);
    if (!earlier)
        return fail(earlier.error());
    Plan plan;
    plan.kind = Plan::Kind::Undo;
    plan.client = id;
    plan.before = std::move(*before);
    plan.after = std::move(*earlier);
    return plan;
}

Result<> Configurations::apply(const Plan& plan) const
{
    if (plan.changesNothing())
        return {};
    const auto client = clientOf(plan.client);
    if (!client)
        return fail(client.error());
    auto ledger = Ledger::load(m_place.ledger);
    if (!ledger)
        return fail(ledger.error());
    const fs::path backup = backupOf(plan.before.file);
    // Before the backup, too: a good one must not give way to a text that is out of date.
    if (auto same = demandUnchanged(plan.before); !same)
        return same;
    if (plan.kind == Plan::Kind::Undo) {
        if (auto replaced = replaceConfigFile(plan.before, plan.after); !replaced)
            return replaced;
        std::error_code ignored; // what it held stands in the file again
        fs::remove(backup, ignored);
        return ledger->forget(plan.before.file);
    }
    Written record;
    record.client = plan.client;
    record.file = hashOf(plan.after);
    record.backup = hashOf(plan.before.text);
    record.entry = hashOf(readEntry(**client, plan.after.value_or("")).entry);
    // In this order a crash in between leaves at worst a backup and a record of what isn't there,
    // which undo then refuses.
    if (plan.before.text) {
        auto written = writeFile(backup, *plan.before.text, plan.before.mode);
        if (!written)
            return written;
    }
    if (auto noted = ledger->put(plan.before.file, std::move(record)); !noted)
        return noted;
    return replaceConfigFile(plan.before, plan.after);
}

} // namespace belljar::clients
