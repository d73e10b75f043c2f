// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sandbox/languages.h"

#include "engine/base/file.h"
#include "engine/base/json.h"

#include <algorithm>
#include <cctype>

namespace belljar::sandbox {

namespace {

std::string lowerCase(std::string_view text)
{
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) {
        return static_cast<char>(std::tolower(c));
    });
    return out;
}

std::vector<std::string> stringList(JsonReader& reader, std::string_view key)
{
    std::vector<std::string> list;
    const Json* value = reader.member(key);
    if (!value)
        return list;
    if (!value->is_array()) {
        reader.refuse(key, "expected a list of texts");
        return list;
    }
    for (const Json& item : *value) {
        if (!item.is_string()) {
            reader.refuse(key, "expected a list of texts");
            return list;
        }
        list.push_back(item.get<std::string>());
    }
    return list;
}

std::map<std::string, std::string> stringMap(JsonReader& reader, std::string_view key)
{
    std::map<std::string, std::string> map;
    const Json* value = reader.member(key);
    if (!value)
        return map;
    if (!value->is_object()) {
        reader.refuse(key, "expected an object of texts");
        return map;
    }
    for (const auto& [name, item] : value->items()) {
        if (!item.is_string()) {
            reader.refuse(key, "expected an object of texts");
            return map;
        }
        map.emplace(name, item.get<std::string>());
    }
    return map;
}

Result<Language> decodeLanguage(const Json& json, const std::string& place)
{
    JsonReader reader(json, place);
    for (const std::string_view key :
         {"id", "title", "names", "image", "file", "run", "check", "hello", "lexer", "has"})
        reader.require(key);
    Language language;
    language.id = reader.string("id").value_or("");
    language.title = reader.string("title").value_or("");
    language.names = stringList(reader, "names");
    language.image = reader.string("image").value_or("");
    language.extensions = stringList(reader, "extensions");
    language.file = reader.string("file").value_or("");
    language.run = stringList(reader, "run");
    language.environment = stringMap(reader, "environment");
    language.check = stringList(reader, "check");
    language.hello = reader.string("hello").value_or("");
    language.lexer = reader.string("lexer").value_or("");
    language.has = reader.string("has").value_or("");
    if (language.file.find('/') != std::string::npos)
        reader.refuse("file", "expected a file name without a folder");
    if (language.run.empty())
        reader.refuse("run", "expected at least the program's name");
    if (const Json* warm = reader.member("warm")) {
        JsonReader warmReader(*warm, place + ".warm");
        WarmStart start{stringList(warmReader, "run"), stringMap(warmReader, "environment")};
        if (start.argv.empty())
            start.argv = language.run;
        if (warmReader.error())
            return fail(*warmReader.error());
        language.warm = std::move(start);
    }
    if (reader.error())
        return fail(*reader.error());
    return language;
}

} // namespace

Result<Languages> Languages::load(const std::filesystem::path& folder)
{
    Languages languages;
    std::error_code failed;
    for (const auto& entry : std::filesystem::directory_iterator(folder, failed)) {
        if (entry.path().extension() != ".json")
            continue;
        const auto content = readFile(entry.path(), 1U << 20U);
        if (!content)
            return fail(content.error());
        const auto json = parseJson(*content);
        if (!json)
            return fail(json.error().within(entry.path().string()));
        auto language = decodeLanguage(*json, entry.path().filename().string());
        if (!language)
            return fail(language.error());
        languages.m_rows.push_back(std::move(*language));
    }
    if (failed)
        return fail(Errc::NotFound, folder.string() + ": " + failed.message());
    if (languages.m_rows.empty())
        return fail(Errc::NotFound, folder.string() + " has no language files (*.json)");
    std::sort(
        languages.m_rows.begin(),
        languages.m_rows.end(),
        [](const Language& a, const Language& b) { return a.id < b.id; }
    );
    return languages;
}

const Language* Languages::find(std::string_view name) const
{
    const std::string wanted = lowerCase(name);
    for (const Language& row : m_rows) {
        if (row.id == wanted ||
            std::find(row.names.begin(), row.names.end(), wanted) != row.names.end())
            return &row;
    }
    return nullptr;
}

const Language* Languages::forFile(const std::filesystem::path& file) const
{
    const std::string extension = lowerCase(file.extension().string());
    for (const Language& row : m_rows) {
        if (std::find(row.extensions.begin(), row.extensions.end(), extension) !=
            row.extensions.end())
            return &row;
    }
    return nullptr;
}

void Languages::setImage(std::string_view id, const std::string& reference)
{
    for (Language& row : m_rows) {
        if (row.id == id)
            row.image = reference;
    }
}

std::string Languages::idList() const
{
    std::string list;
    for (const Language& row : m_rows)
        list += (list.empty() ? "" : ", ") + row.id;
    return list;
}

} // namespace belljar::sandbox
