// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/events.h"

#include <string>

namespace belljar::test {

/// A container, made `age` seconds ago.
inline SandboxStatus sampleSandbox(const std::string& id, SandboxState state, int age = 90)
{
    SandboxStatus one;
    one.id = id;
    one.name = "eager_bohr";
    one.language = "python";
    one.image = "belljar/python";
    one.imageDigest = "sha256:3c00d1875727";
    one.state = state;
    one.madeAt = execution::unixNow() - age * 1000;
    one.cpuPercent = 0.2;
    one.memoryBytes = 24U << 20U;
    return one;
}

inline PoolStatus samplePool(const std::string& language, const std::string& title)
{
    PoolStatus pool;
    pool.language = language;
    pool.title = title;
    pool.wanted = 1;
    pool.most = 8;
    pool.warm = 1;
    return pool;
}

inline ImageStatus sampleImage(const std::string& language, const std::string& title)
{
    ImageStatus image;
    image.language = language;
    image.title = title;
    image.reference = "belljar/" + language;
    image.present = true;
    image.upToDate = true;
    image.digest = "sha256:3c00d18757279089a073332e6a76a6ea594c81f66c524f7c207cf66a356dfcb4";
    image.bytes = 395'736'100;
    image.createdAt = 1'796'130'000'000;
    image.description = title + " from Debian's packages";
    image.madeFrom = "distribution";
    return image;
}

} // namespace belljar::test
