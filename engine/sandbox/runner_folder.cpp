// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sandbox/runner_folder.h"

#include "engine/base/file.h"
#include "engine/base/paths.h"
#include "engine/base/sha256.h"

#include <string>
#include <string_view>

#include "belljar_runner_digest.h"
#include <sys/stat.h>

namespace belljar::sandbox {

namespace {

namespace fs = std::filesystem;

// The code inside has another user id, so it needs the read and execute bits of "others"; nobody
// may write.
constexpr unsigned kFolderMode = 0755;
constexpr unsigned kProgramMode = 0555;
constexpr unsigned kScriptMode = 0444;

Result<> makeReadableFolder(const fs::path& folder)
{
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (failed || ::chmod(folder.c_str(), kFolderMode) != 0)
        return fail(Errc::IoFailed, folder.string() + ": can't be made readable for the sandbox");
    return {};
}

/// Copies `source` to `target` unless the right content is there already.
Result<>
stage(const fs::path& source, const fs::path& target, std::string_view digest, unsigned mode)
{
    if (const auto present = sha256OfFile(target);
        present && *present == digest && ::chmod(target.c_str(), mode) == 0)
        return {};
    const auto content = readFile(source);
    if (!content)
        return fail(content.error());
    if (sha256Hex(*content) != digest)
        return fail(
            Errc::Unsafe,
            source.string() +
                " is not the file that this Belljar was built with; install Belljar again"
        );
    if (auto made = makeReadableFolder(target.parent_path()); !made)
        return made;
    if (auto written = writeFile(target, *content, mode); !written)
        return written;
    const auto copied = sha256OfFile(target);
    if (!copied || *copied != digest)
        return fail(Errc::Unsafe, target.string() + " changed while it was written");
    return {};
}

} // namespace

Result<fs::path> stageRunnerFolder(const fs::path& dataFolder)
{
    // A folder for each build: an engine that still runs keeps its own.
    std::string allDigests(kRunnerSha256);
    for (const FileDigest& driver : kDriverSha256)
        allDigests += std::string(driver.path) + std::string(driver.sha256);
    const fs::path folder = dataFolder / "runner" / sha256Hex(allDigests).substr(0, 16);
    if (auto made = makeReadableFolder(folder); !made)
        return fail(made.error());

    const auto runner = findRunner();
    if (!runner)
        return fail(runner.error());
    if (auto staged = stage(*runner, folder / "belljar_runner", kRunnerSha256, kProgramMode);
        !staged)
        return fail(staged.error());
    const auto drivers = findResource("drivers");
    if (!drivers)
        return fail(drivers.error());
    for (const FileDigest& driver : kDriverSha256) {
        const fs::path target = folder / "drivers" / driver.path;
        if (auto staged = stage(*drivers / driver.path, target, driver.sha256, kScriptMode);
            !staged)
            return fail(staged.error());
        if (auto made = makeReadableFolder(target.parent_path()); !made)
            return fail(made.error());
    }
    if (auto made = makeReadableFolder(folder / "drivers"); !made)
        return fail(made.error());
    return folder;
}

} // namespace belljar::sandbox
