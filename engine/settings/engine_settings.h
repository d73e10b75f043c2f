// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace belljar {

/// What a person sets about the engine, for later lives of it too. The command line wins over it.
struct EngineSettings {
    std::string dockerHost;       ///< unix:///...; empty: found by itself
    std::uint32_t maxRunning = 8; ///< executions in a sandbox at once; more wait in state Queued

    bool httpOn = false; ///< MCP over HTTP too
    std::string httpAddress = "127.0.0.1";
    std::uint16_t httpPort = 7707;
    std::string httpCertificateFile; ///< PEM; needed where other machines can reach the address
    std::string httpKeyFile;         ///< PEM

    /// Of the history; 0: for ever. Pinned executions are kept whatever these say.
    std::uint32_t keepDays = 0;
    std::uint32_t keepMegabytes = 0; ///< of 1,000,000 bytes; 0: as much as there is

    friend bool operator==(const EngineSettings&, const EngineSettings&) = default;
};

inline constexpr std::uint32_t kMostRunning = 64;
inline constexpr std::uint32_t kMostKeptDays = 36'500;
inline constexpr std::uint32_t kMostKeptMegabytes = 1'000'000;

/// Reads the text of settings.json: an object whose members are all optional. Errors:
/// InvalidArgument with the member and what is allowed; an unknown member is one.
Result<EngineSettings> parseEngineSettings(std::string_view text);
/// The text that parseEngineSettings() reads, every member in it.
[[nodiscard]] std::string engineSettingsText(const EngineSettings& settings);

/// Checks values that came another way, as from the window. Errors: as parseEngineSettings().
Result<> checkEngineSettings(const EngineSettings& settings);

} // namespace belljar
