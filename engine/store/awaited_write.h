// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/asio.h"
#include "engine/base/result.h"
#include "engine/store/write_thread.h"

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/system/error_code.hpp>

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

/// How a coroutine of the engine thread waits for a write of the store thread.
namespace belljar::store {

/// What is done on the store thread.
template <class T>
using AwaitedWork = std::function<Result<T>(Writer&)>;

/// A waiting coroutine. It is resumed once, on its own executor: by the store thread with the
/// result, or by its cancellation, whichever takes the handler first. After a cancellation the
/// store thread finds nobody here and touches nothing of an io_context that may be gone by then.
template <class T, class Handler>
class Waiter {
public:
    explicit Waiter(Handler handler)
        : m_waiting(std::make_unique<Waiting>(std::move(handler)))
    {}

    /// Any thread.
    void resume(boost::system::error_code cancelled, Result<T> result)
    {
        std::unique_ptr<Waiting> taken;
        {
            const std::lock_guard lock(m_mutex);
            taken.swap(m_waiting);
        }
        if (!taken)
            return;
        const auto executor = taken->work.get_executor();
        asio::post(
            executor,
            [waiting = std::move(taken), cancelled, result = std::move(result)]() mutable {
                // The work guard goes first: resuming may end the last thing that kept the context.
                auto handler = std::move(waiting->handler);
                waiting.reset();
                std::move(handler)(cancelled, std::move(result));
            }
        );
    }

private:
    struct Waiting {
        explicit Waiting(Handler waitingHandler)
            : work(asio::get_associated_executor(waitingHandler))
            , handler(std::move(waitingHandler))
        {}
        asio::executor_work_guard<asio::associated_executor_t<Handler>> work;
        Handler handler;
    };

    std::mutex m_mutex;
    std::unique_ptr<Waiting> m_waiting;
};

/// Queues `work` and returns once it is committed. Cancelling ends the wait with an exception, not
/// the write: what was queued is written.
template <class T>
asio::awaitable<Result<T>>
awaitWrite(WriteThread& thread, std::string what, std::size_t bytes, AwaitedWork<T> work)
{
    auto initiate = [&thread](
                        auto handler, std::string text, std::size_t size, AwaitedWork<T> job
                    ) {
        using Waiting = Waiter<T, decltype(handler)>;
        auto slot = asio::get_associated_cancellation_slot(handler);
        const auto waiter = std::make_shared<Waiting>(std::move(handler));
        if (slot.is_connected())
            slot.assign([weak = std::weak_ptr<Waiting>(waiter)](asio::cancellation_type /*type*/) {
                if (const auto waiting = weak.lock())
                    waiting->resume(
                        asio::error::operation_aborted, fail(Errc::Closed, "the wait was cancelled")
                    );
            });
        const auto value = std::make_shared<std::optional<Result<T>>>();
        Write write;
        write.what = std::move(text);
        write.bytes = size;
        write.apply = [value, job = std::move(job)](Writer& writer) -> Result<> {
            value->emplace(job(writer));
            return **value ? Result<>() : Result<>(fail((*value)->error()));
        };
        write.settled = [value, waiter](const Result<>& result) {
            if (result)
                waiter->resume({}, std::move(**value));
            else
                waiter->resume({}, fail(result.error()));
        };
        thread.push(std::move(write));
    };
    return asio::
        async_initiate<const asio::use_awaitable_t<>&, void(boost::system::error_code, Result<T>)>(
            std::move(initiate), asio::use_awaitable, std::move(what), bytes, std::move(work)
        );
}

} // namespace belljar::store
