// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/deadline.h"
#include "engine/base/result.h"
#include "engine/docker/client.h"
#include "engine/events.h"
#include "engine/images/recipe.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace belljar::images {

/// Is an image made again although the one that is there is of the same recipe?
enum class Rebuild : std::uint8_t { IfChanged, Always };

/// When an image was made; 0 where that is not said in RFC 3339.
[[nodiscard]] execution::UnixMs unixMsOf(const std::string& rfc3339);

/// What `image` says of itself, shortened: foreign text.
[[nodiscard]] std::string describe(const docker::ImageDetails& image);

/// Makes the sandbox images and tells which are there.
class Builder {
public:
    using OnLine = std::function<void(std::string)>;

    /// `client` has to live longer than the builder and has negotiated its version.
    Builder(docker::Client& client, std::vector<Recipe> recipes);

    [[nodiscard]] const std::vector<Recipe>& recipes() const { return m_recipes; }
    /// nullptr when no recipe is for `language`.
    [[nodiscard]] const Recipe* find(std::string_view language) const;

    /// Makes the image of `language`: from the registry's base image where that can be pulled,
    /// else from the distribution's packages. `onLine` gets the progress, one line of plain text
    /// each. Takes half a minute to several minutes.
    ///
    /// Errors: NotFound (no such language; the message lists them), Unsupported (what to install),
    /// TimedOut, IoFailed (the last lines of what failed), and those of docker::Client. Cancelling
    /// ends the programs that were started; the old image stays in use.
    asio::awaitable<Result<>>
    build(std::string language, Rebuild rebuild, OnLine onLine, Deadline deadline);

    /// What is there of every recipe. Errors: those of docker::Client but NotFound.
    asio::awaitable<Result<std::vector<ImageStatus>>> list(Deadline deadline);

private:
    asio::awaitable<Result<bool>> isUpToDate(const Recipe* recipe, Deadline deadline);
    asio::awaitable<Result<>>
    buildFromRegistry(const Recipe* recipe, OnLine onLine, Deadline deadline);
    asio::awaitable<Result<>>
    buildFromDistribution(const Recipe* recipe, OnLine onLine, Deadline deadline);

    docker::Client& m_client;
    std::vector<Recipe> m_recipes;
};

} // namespace belljar::images
