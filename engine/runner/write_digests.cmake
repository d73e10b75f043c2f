# SPDX-License-Identifier: GPL-3.0-or-later
# cmake -DRUNNER=file -DDRIVERS_FOLDER=folder -DDRIVERS=a|b -DOUTPUT=header -P write_digests.cmake
string(REPLACE "|" ";" DRIVERS "${DRIVERS}")
file(SHA256 "${RUNNER}" runner_digest)
list(LENGTH DRIVERS count)
set(rows "")
foreach(driver IN LISTS DRIVERS)
    file(SHA256 "${DRIVERS_FOLDER}/${driver}" digest)
    string(APPEND rows "    FileDigest{\"${driver}\", \"${digest}\"},\n")
endforeach()
file(WRITE "${OUTPUT}.new" "// SPDX-License-Identifier: GPL-3.0-or-later
// Written by engine/runner/write_digests.cmake.
#pragma once

#include <array>
#include <string_view>

namespace belljar::sandbox {

struct FileDigest {
    std::string_view path; ///< below the drivers folder
    std::string_view sha256;
};

/// Of libexec/belljar/belljar_runner.
inline constexpr std::string_view kRunnerSha256 = \"${runner_digest}\";

/// Of every file below resources/drivers.
inline constexpr std::array<FileDigest, ${count}> kDriverSha256 = {
${rows}};

} // namespace belljar::sandbox
")
file(COPY_FILE "${OUTPUT}.new" "${OUTPUT}")
file(REMOVE "${OUTPUT}.new")
