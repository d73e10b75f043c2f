// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/sha256.h"
#include "engine/execution/execution.h"
#include "engine/store/history_reader.h"
#include "engine/store/run_search.h"
#include "engine/store/store.h"
#include "tests/support/run_to_end.h"
#include "tests/unit/private_folder.h"

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>

#include <SQLiteCpp/SQLiteCpp.h>
namespace belljar::test {

inline std::shared_ptr<const std::string> text(std::string code)
{
    return std::make_shared<const std::string>(std::move(code));
}

/// A record for `code` as the pipeline makes it.
inline execution::Record recordFor(const std::string& code)
{
    execution::Request request;
    request.id = ExecutionId::make();
    request.client.id = ClientId::make();
    request.client.name = "claude";
    request.language = "python";
    request.code = text(code);
    request.codeSha256 = sha256Hex(code);
    return execution::receivedRecord(request);
}

/// A history in a folder of its own. The store goes before the context, as in the engine.
struct History {
    PrivateFolder folder;
    std::filesystem::path file = folder.path() / "history.db";
    asio::io_context context;
    std::unique_ptr<store::Store> store = open();

    std::unique_ptr<store::Store> open() const
    {
        auto opened = store::Store::open(file);
        if (!opened)
            throw std::runtime_error(opened.error().message());
        return std::move(*opened);
    }
    void reopen()
    {
        store.reset();
        store = open();
    }
    store::HistoryReader reader() const
    {
        auto opened = store::HistoryReader::open(file);
        if (!opened)
            throw std::runtime_error(opened.error().message());
        return std::move(*opened);
    }
    Result<execution::Record> received(execution::Record record, const std::string& code)
    {
        return runToEnd(context, store->received(std::move(record), text(code)));
    }
    execution::Record receive(const std::string& code = "print(1)\n")
    {
        auto done = received(recordFor(code), code);
        if (!done)
            throw std::runtime_error(done.error().message());
        return *done;
    }
    Result<> commit(execution::Record record)
    {
        return runToEnd(context, store->commit(std::move(record)));
    }
    Result<> keepFiles(const ExecutionId& id, execution::RunFiles files)
    {
        return runToEnd(context, store->keepFiles(id, std::move(files)));
    }
};

} // namespace belljar::test
