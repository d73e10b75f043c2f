// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The one place that names Asio: its parts that most of the engine needs, and the short namespace.

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace belljar {

namespace asio = boost::asio;

} // namespace belljar
