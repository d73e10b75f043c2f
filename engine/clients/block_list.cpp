// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clients/block_list.h"

#include "engine/base/file.h"
#include "engine/base/json.h"

#include <algorithm>
#include <utility>

namespace belljar::clients {

namespace {

constexpr unsigned kMode = 0600;
constexpr std::int64_t kMostAt = 253'402'300'799'999; // in the year 9999

auto is(std::string_view name, std::string_view executable)
{
    return [name, executable](const Blocked& one) {
        return one.name == name && one.executable == executable;
    };
}

} // namespace

Result<BlockList> BlockList::load(const std::filesystem::path& file)
{
    BlockList list;
    list.m_file = file;
    auto text = readFile(file);
    if (!text && text.error().code() == Errc::NotFound)
        return list;
    if (!text)
        return fail(text.error());
    auto json = parseJson(*text);
    if (!json)
        return fail(json.error().within(file.string()));
    if (!json->is_array())
        return fail(Errc::InvalidArgument, file.string() + ": expected an array");
    for (const Json& row : *json) {
        JsonReader reader(row, file.string());
        Blocked blocked;
        reader.require("name");
        blocked.name = reader.string("name").value_or("");
        blocked.executable = reader.string("executable").value_or("");
        blocked.at = reader.integer("at", 0, kMostAt).value_or(0);
        if (reader.error())
            return fail(*reader.error());
        list.m_all.push_back(std::move(blocked));
    }
    return list;
}

bool BlockList::has(std::string_view name, std::string_view executable) const
{
    return std::any_of(m_all.begin(), m_all.end(), is(name, executable));
}

Result<> BlockList::add(Blocked blocked)
{
    if (has(blocked.name, blocked.executable))
        return {};
    m_all.push_back(std::move(blocked));
    return save();
}

Result<> BlockList::remove(std::string_view name, std::string_view executable)
{
    if (std::erase_if(m_all, is(name, executable)) == 0)
        return {};
    return save();
}

Result<> BlockList::save() const
{
    Json json = Json::array();
    for (const Blocked& blocked : m_all) {
        Json row;
        row["name"] = blocked.name;
        row["executable"] = blocked.executable;
        row["at"] = blocked.at;
        json.push_back(std::move(row));
    }
    return writeFile(m_file, dumpJson(json) + "\n", kMode);
}

} // namespace belljar::clients
