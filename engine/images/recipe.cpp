// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/images/recipe.h"

#include "engine/base/file.h"
#include "engine/base/json.h"
#include "engine/base/sha256.h"

#include <algorithm>
#include <array>
#include <system_error>

namespace belljar::images {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kMaxRecipeFile = 256 * 1024;
/// What shapes every image, beside the recipes' own folders.
constexpr std::array kSharedFiles = {"Dockerfile", "finish.sh", "hook.sh"};

/// Reads the members of one recipe; the first error stays.
class RecipeReader {
public:
    RecipeReader(const Json& object, std::string place)
        : m_place(std::move(place))
        , m_reader(object, m_place)
    {}

    std::string requiredText(std::string_view key)
    {
        m_reader.require(key);
        const auto text = m_reader.string(key);
        if (text && text->empty())
            m_reader.refuse(key, "expected some text, got an empty one");
        return text.value_or("");
    }

    std::vector<std::string> texts(std::string_view key)
    {
        std::vector<std::string> found;
        m_reader.require(key);
        const Json* list = m_reader.member(key);
        if (list == nullptr)
            return found;
        const bool good = list->is_array() && std::all_of(list->begin(), list->end(), isText);
        if (!good) {
            m_reader.refuse(key, "expected a list of texts");
            return found;
        }
        for (const Json& entry : *list)
            found.push_back(entry.get<std::string>());
        return found;
    }

    std::map<std::string, std::string> textMap(std::string_view key)
    {
        std::map<std::string, std::string> found;
        const Json* object = m_reader.member(key);
        if (object == nullptr)
            return found;
        if (!object->is_object() || !std::all_of(object->begin(), object->end(), isText)) {
            m_reader.refuse(key, "expected an object of texts");
            return found;
        }
        for (const auto& [name, value] : object->items())
            found.emplace(name, value.get<std::string>());
        return found;
    }

    /// The reader of the object at `key`; an empty object where there is none, with an error.
    RecipeReader section(std::string_view key)
    {
        static const Json kEmpty = Json::object();
        const Json* object = m_reader.member(key);
        const bool good = object != nullptr && object->is_object();
        return {good ? *object : kEmpty, m_place + "." + std::string(key)};
    }

    [[nodiscard]] const std::optional<Error>& error() const { return m_reader.error(); }

private:
    static bool isText(const Json& value) { return value.is_string(); }

    std::string m_place;
    JsonReader m_reader;
};

/// Package names go on a command line: nothing but what Debian allows in them.
bool isPackageName(const std::string& name)
{
    const auto allowed = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
    };
    return name.size() >= 2 && name.front() != '-' &&
           std::all_of(name.begin(), name.end(), allowed);
}

Result<std::vector<fs::path>> filesThatShape(const fs::path& folder)
{
    std::vector<fs::path> files;
    std::error_code failure;
    for (const auto& entry : fs::directory_iterator(folder, failure)) {
        if (entry.is_regular_file(failure))
            files.push_back(entry.path());
    }
    if (failure)
        return fail(Errc::IoFailed, folder.string() + ": " + failure.message());
    std::sort(files.begin(), files.end());
    for (const char* name : kSharedFiles)
        files.push_back(folder.parent_path() / name);
    return files;
}

/// Names and contents, each with its length before it, so that no two sets of files look alike.
Result<std::string> digestOf(const fs::path& folder)
{
    const auto files = filesThatShape(folder);
    if (!files)
        return fail(files.error());
    std::string all;
    for (const fs::path& file : *files) {
        const auto content = readFile(file, kMaxRecipeFile);
        if (!content)
            return fail(content.error());
        const std::string name = file.filename().string();
        all += std::to_string(name.size()) + ":" + name;
        all += std::to_string(content->size()) + ":" + *content;
    }
    return sha256Hex(all);
}

} // namespace

Result<Recipe> loadRecipe(const fs::path& folder)
{
    const fs::path file = folder / "recipe.json";
    const auto text = readFile(file, kMaxRecipeFile);
    if (!text)
        return fail(text.error());
    const auto json = parseJson(*text);
    if (!json)
        return fail(json.error().within(file.string()));
    if (!json->is_object())
        return fail(Errc::InvalidArgument, file.string() + ": expected an object");

    RecipeReader reader(*json, "recipe");
    RecipeReader registry = reader.section("registry");
    RecipeReader distribution = reader.section("distribution");
    Recipe recipe;
    recipe.language = reader.requiredText("language");
    recipe.title = reader.requiredText("title");
    recipe.reference = reader.requiredText("reference");
    recipe.labels = reader.textMap("labels");
    recipe.check = reader.texts("check");
    recipe.registry.base = registry.requiredText("base");
    recipe.registry.packages = registry.texts("packages");
    recipe.distribution.suite = distribution.requiredText("suite");
    recipe.distribution.packages = distribution.texts("packages");
    recipe.folder = folder;
    for (const RecipeReader* part : {&reader, &registry, &distribution}) {
        if (part->error())
            return fail(part->error()->within(file.string()));
    }
    for (const auto* packages : {&recipe.registry.packages, &recipe.distribution.packages}) {
        const auto bad = std::find_if_not(packages->begin(), packages->end(), isPackageName);
        if (bad != packages->end())
            return fail(
                Errc::InvalidArgument, file.string() + ": '" + *bad + "' is no name of a package"
            );
    }

    auto digest = digestOf(folder);
    if (!digest)
        return fail(digest.error());
    recipe.digest = std::move(*digest);
    return recipe;
}

Result<std::vector<Recipe>> loadRecipes(const fs::path& images)
{
    std::vector<Recipe> recipes;
    std::error_code failure;
    for (const auto& entry : fs::directory_iterator(images, failure)) {
        if (!fs::exists(entry.path() / "recipe.json"))
            continue;
        auto recipe = loadRecipe(entry.path());
        if (!recipe)
            return fail(recipe.error());
        recipes.push_back(std::move(*recipe));
    }
    if (failure)
        return fail(Errc::NotFound, images.string() + ": " + failure.message());
    if (recipes.empty())
        return fail(Errc::NotFound, images.string() + " holds no image recipe");
    std::sort(recipes.begin(), recipes.end(), [](const Recipe& left, const Recipe& right) {
        return left.language < right.language;
    });
    return recipes;
}

std::map<std::string, std::string> imageLabels(const Recipe& recipe, std::string_view madeFrom)
{
    std::map<std::string, std::string> labels = recipe.labels;
    labels[std::string(kRecipeLabel)] = recipe.digest;
    labels["io.belljar.language"] = recipe.language;
    labels[std::string(kMadeFromLabel)] = madeFrom;
    return labels;
}

std::vector<std::string> labelInstructions(const std::map<std::string, std::string>& labels)
{
    std::vector<std::string> instructions;
    instructions.reserve(labels.size());
    // A JSON text is what a Dockerfile takes as a quoted word; '$' would be a variable there.
    for (const auto& [name, value] : labels) {
        std::string quoted = dumpJson(Json(value));
        for (std::size_t at = 0; (at = quoted.find('$', at)) != std::string::npos; at += 2)
            quoted.insert(at, 1, '\\');
        instructions.push_back("LABEL " + name + "=" + quoted);
    }
    return instructions;
}

} // namespace belljar::images
