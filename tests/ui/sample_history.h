// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/unit/store_fixture.h"

#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace belljar::test {

/// A history on the disk with runs that differ in what can be filtered, for the screen over it.
struct SampleHistory : History {
    execution::Record
    add(execution::Record record, const std::string& code, const std::string& output = {})
    {
        auto kept = received(std::move(record), code);
        if (!kept)
            throw std::runtime_error(kept.error().message());
        if (!output.empty())
            store->append(
                kept->id, std::vector{execution::OutputChunk{execution::Stream::Stdout, 0, output}}
            );
        if (auto done = commit(*kept); !done)
            throw std::runtime_error(done.error().message());
        return *kept;
    }

    static execution::Record
    run(const std::string& code,
        execution::Status status,
        const std::string& client,
        const std::string& language,
        int milliseconds)
    {
        execution::Record record = recordFor(code);
        record.status = status;
        record.client.name = client;
        record.client.id = ClientId("cl_" + client);
        record.language = language;
        record.policy = "balanced";
        record.startedAt = record.receivedAt;
        record.executionTime = execution::milliseconds(milliseconds);
        record.memoryPeakBytes = static_cast<std::uint64_t>(milliseconds) << 17U;
        record.image = "belljar/" + language;
        if (status == execution::Status::Succeeded)
            record.exitCode = 0;
        return record;
    }

    /// Waits until text finds what there is.
    void waitForIndex() const
    {
        auto search = store::RunSearch::open(file);
        for (int turn = 0; search && turn < 2000; ++turn) {
            if (search->countOfUnindexed().value() == 0)
                return;
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        throw std::runtime_error("not indexed within ten seconds");
    }
};

} // namespace belljar::test
