// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/docker_session.h"
#include "engine/base/json.h"
#include "engine/base/text.h"
#include "engine/images/builder.h"

#include <iomanip>
#include <iostream>
#include <utility>

namespace belljar::cli {

namespace {

using namespace std::chrono_literals;

constexpr auto kListDeadline = 30s;
constexpr auto kBuildDeadline = 30min;

int complain(const Error& error)
{
    std::cerr << "belljar images: " << escapeUnusual(error.message()) << '\n';
    return 1;
}

struct Workshop {
    DockerSession docker;
    std::vector<images::Recipe> recipes;
};

Result<Workshop> openWorkshop(const EngineOptions& engine)
{
    auto folder = findResource("images");
    if (!folder)
        return fail(folder.error());
    auto recipes = images::loadRecipes(*folder);
    if (!recipes)
        return fail(recipes.error());
    auto docker = DockerSession::open(engine);
    if (!docker)
        return fail(docker.error());
    return Workshop{std::move(*docker), std::move(*recipes)};
}

Json toJson(const ImageStatus& image)
{
    Json json;
    json["language"] = image.language;
    json["reference"] = image.reference;
    json["present"] = image.present;
    json["digest"] = image.digest;
    json["bytes"] = image.bytes;
    return json;
}

void printRow(const ImageStatus& image)
{
    std::cout << std::left << std::setw(14) << image.language << std::setw(24) << image.reference
              << std::right << std::setw(10) << (image.present ? humanBytes(image.bytes) : "-")
              << "  "
              << (image.present ? image.digest.substr(0, 19)
                                : "not built; run: belljar images build " + image.language)
              << '\n';
}

} // namespace

int listImages(const EngineOptions& engine, bool json)
{
    auto workshop = openWorkshop(engine);
    if (!workshop)
        return complain(workshop.error());
    images::Builder builder(workshop->docker.client(), workshop->recipes);
    const auto list = workshop->docker.run(builder.list(deadlineIn(kListDeadline)));
    if (!list)
        return complain(list.error());
    if (json) {
        Json rows = Json::array();
        for (const ImageStatus& image : *list)
            rows.push_back(toJson(image));
        std::cout << rows.dump(2) << '\n';
        return 0;
    }
    for (const ImageStatus& image : *list)
        printRow(image);
    return 0;
}

int buildImages(const EngineOptions& engine, const std::vector<std::string>& languages, bool force)
{
    auto workshop = openWorkshop(engine);
    if (!workshop)
        return complain(workshop.error());
    images::Builder builder(workshop->docker.client(), workshop->recipes);
    std::vector<std::string> wanted = languages;
    if (wanted.empty()) {
        for (const images::Recipe& recipe : workshop->recipes)
            wanted.push_back(recipe.language);
    }
    const auto rebuild = force ? images::Rebuild::Always : images::Rebuild::IfChanged;
    for (const std::string& language : wanted) {
        std::cout << "==> image for " << escapeForLine(language) << std::endl;
        const auto built = workshop->docker.run(builder.build(
            language,
            rebuild,
            [](std::string line) { std::cout << "    " << escapeForLine(line) << std::endl; },
            deadlineIn(kBuildDeadline)
        ));
        if (!built)
            return complain(built.error());
    }
    return 0;
}

} // namespace belljar::cli
