// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace belljar::images {

/// The label that tells which recipe an image was made from; its value is Recipe::digest.
inline constexpr std::string_view kRecipeLabel = "io.belljar.recipe";

/// The label that tells how it was made: "registry", "distribution".
inline constexpr std::string_view kMadeFromLabel = "io.belljar.made-from";
/// The label that tells people what is in it.
inline constexpr std::string_view kDescriptionLabel = "org.opencontainers.image.description";

/// How the sandbox image of one language is made: a folder of resources/images.
struct Recipe {
    /// From the registry's `base`, with Debian `packages` on top.
    struct Registry {
        std::string base;
        std::vector<std::string> packages;
    };
    /// From the distribution's `packages` alone. `suite` is for hosts that are not Debian or
    /// Ubuntu.
    struct Distribution {
        std::string suite;
        std::vector<std::string> packages;
    };

    std::string language;  ///< "python"
    std::string title;     ///< "Python"
    std::string reference; ///< "belljar/python"
    Registry registry;
    Distribution distribution;
    std::map<std::string, std::string> labels;
    std::vector<std::string> check; ///< a command that ends with 0 in a good image
    std::filesystem::path folder;
    std::string digest; ///< SHA-256 over every file that shapes the image, 64 hex digits
};

/// Reads `folder`/recipe.json. Errors: NotFound, InvalidArgument (file, member, what is allowed).
Result<Recipe> loadRecipe(const std::filesystem::path& folder);

/// The recipes of every folder in `images` (the resource folder "images"), in the order of their
/// languages. Errors: those of loadRecipe(), NotFound when there is none.
Result<std::vector<Recipe>> loadRecipes(const std::filesystem::path& images);

/// The image's labels: those of the recipe, its digest, and how it was made ("registry",
/// "distribution").
[[nodiscard]] std::map<std::string, std::string>
imageLabels(const Recipe& recipe, std::string_view madeFrom);

/// `labels` as one Dockerfile instruction each.
[[nodiscard]] std::vector<std::string>
labelInstructions(const std::map<std::string, std::string>& labels);

} // namespace belljar::images
