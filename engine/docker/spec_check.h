// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/docker/container_spec.h"

#include <string_view>

/// Is a container what it has to be: before it is asked for, and after the engine has made it.
namespace belljar::docker {

/// Refuses a spec that would make a container weaker than ask, and names
/// that are no names. Errors: InvalidArgument, which names the member.
Result<> checkSpec(const ContainerSpec& spec);

/// Compares `body`, the reply of `GET /containers/{id}/json`, with what was asked for: an engine
/// may ignore what it doesn't know. Errors: Unsafe, which names the part; ProtocolViolation.
Result<> confirmContainer(const ContainerSpec& spec, std::string_view body);

/// Is `warning` of `POST /containers/create` about something that doesn't weaken the sandbox?
[[nodiscard]] bool isHarmless(std::string_view warning);

} // namespace belljar::docker
