// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/approval/gate.h"
#include "engine/store/history_reader.h"

namespace belljar::approval {

/// The decision that `how` would remember for the question `approval`.
[[nodiscard]] policy::Remembered rememberedFor(
    const Approval& approval, const policy::Named& policy, const Remember& how, Verdict verdict
);

/// What the history says of a question: earlier runs of its client, and what each scope would have
/// matched of the last 200 of them. Blocking, on a reader's thread. Errors: StoreFailed.
Result<Background>
lookBack(store::HistoryReader& history, const Approval& approval, const policy::Named& policy);

} // namespace belljar::approval
