// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clients/ledger.h"

#include "engine/base/file.h"
#include "engine/base/json.h"

#include <array>
#include <utility>

namespace belljar::clients {

namespace {

constexpr unsigned kMode = 0600;

struct Member {
    const char* name;
    std::string Written::*value;
};
constexpr std::array kMembers{
    Member{"client", &Written::client},
    Member{"file_sha256", &Written::file},
    Member{"backup_sha256", &Written::backup},
    Member{"entry_sha256", &Written::entry}};

} // namespace

Result<Ledger> Ledger::load(const std::filesystem::path& file)
{
    Ledger ledger;
    ledger.m_file = file;
    auto text = readFile(file);
    if (!text && text.error().code() == Errc::NotFound)
        return ledger;
    if (!text)
        return fail(text.error());
    auto json = parseJson(*text);
    if (!json)
        return fail(json.error().within(file.string()));
    if (!json->is_object())
        return fail(Errc::InvalidArgument, file.string() + ": expected an object");
    for (const auto& [config, row] : json->items()) {
        JsonReader reader(row, file.string() + "." + config);
        Written written;
        for (const Member& member : kMembers)
            written.*member.value = reader.string(member.name).value_or("");
        if (reader.error())
            return fail(*reader.error());
        ledger.m_written.emplace(config, std::move(written));
    }
    return ledger;
}

const Written* Ledger::find(const std::filesystem::path& config) const
{
    const auto found = m_written.find(config.string());
    return found == m_written.end() ? nullptr : &found->second;
}

Result<> Ledger::put(const std::filesystem::path& config, Written written)
{
    m_written.insert_or_assign(config.string(), std::move(written));
    return save();
}

Result<> Ledger::forget(const std::filesystem::path& config)
{
    m_written.erase(config.string());
    return save();
}

Result<> Ledger::save() const
{
    Json json = Json::object();
    for (const auto& [config, written] : m_written) {
        for (const Member& member : kMembers)
            json[config][member.name] = written.*member.value;
    }
    return writeFile(m_file, dumpJson(json) + "\n", kMode);
}

} // namespace belljar::clients
