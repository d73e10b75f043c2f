// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json.h"
#include "engine/base/result.h"
#include "engine/docker/client.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Between our structs and the Engine API's JSON (API 1.41). Everything read here comes from the
/// engine and is checked; everything written is built as a value, never by joining text.
namespace belljar::docker {

/// The body of `POST /containers/create`: `spec`, and the fixed parts of.
[[nodiscard]] Json encodeContainer(const ContainerSpec& spec);

/// The reply of `POST /containers/create`.
struct Created {
    std::string id;
    std::vector<std::string> warnings;
};

Result<Version> decodeVersion(std::string_view body);
Result<Info> decodeInfo(std::string_view body);
Result<Created> decodeCreated(std::string_view body);
Result<int> decodeWait(std::string_view body);
Result<ContainerDetails> decodeContainer(std::string_view body);
Result<std::vector<ContainerSummary>> decodeContainers(std::string_view body);
Result<ContainerStats> decodeStats(std::string_view body);
Result<ImageDetails> decodeImage(std::string_view body);
Result<EngineEvent> decodeEvent(std::string_view line);

/// One line of the progress of an import or build.
struct Progress {
    std::string output; ///< a piece of the log, with its newlines
    std::string status; ///< a whole line: "Pulling from library/python", or the id of an image
    std::optional<std::string> error;
};
Result<Progress> decodeProgress(std::string_view line);

/// The `message` of an error reply, or the reply itself, shortened, where it has none.
[[nodiscard]] std::string decodeMessage(std::string_view body);

/// Is `name` a container id or name that may stand in a path?
[[nodiscard]] bool isContainerName(std::string_view name);
/// Is `reference` an image name, tag or digest that may stand in a path or query?
[[nodiscard]] bool isImageReference(std::string_view reference);
/// Is `signal` a signal's name or number, as kill takes it?
[[nodiscard]] bool isSignal(std::string_view signal);
/// `text` for a query string, percent-encoded.
[[nodiscard]] std::string queryEncoded(std::string_view text);

/// Compares API versions by number: "1.9" is before "1.41". Nothing for what is no version.
[[nodiscard]] std::optional<std::pair<int, int>> parseApiVersion(std::string_view text);

} // namespace belljar::docker
