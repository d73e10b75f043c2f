// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#undef emit       // Qt's word for nothing is Asio's name of a function
#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts, raw strings and Boost
#include "engine/base/deadline.h"
#include "engine/base/file.h"
#include "engine/mcp/transport/unix_socket.h"
#include "tests/support/run_to_end.h"

#include <boost/asio/read_until.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/write.hpp>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "private_folder.h"
#include <sys/stat.h>
#include <unistd.h>

using namespace belljar;
using namespace belljar::mcp;
using namespace belljar::test;
using namespace std::chrono_literals;

namespace {

/// A listener in a folder of its own, with the tools `echo`, `hold` and `flood` (1 MB of answer).
struct Place {
    PrivateFolder folder;
    std::filesystem::path file = folder.path() / "run" / "mcp.sock";
    asio::io_context context;
    Offer offer{context.get_executor()};
    asio::steady_timer gate{context, asio::steady_timer::time_point::max()};
    bool released = false;
    int holding = 0;
    int cancels = 0;
    int floods = 0;
    std::vector<execution::Client> connected;
    std::vector<ClientId> disconnected;
    std::unique_ptr<UnixSocketListener> listener = make();

    ~Place()
    {
        released = true;
        gate.cancel();
        auto end = [](Place* place) -> asio::awaitable<Result<>> {
            co_await place->listener->close();
            co_return Result<>();
        };
        static_cast<void>(runToEnd(context, end(this)));
    }

    std::unique_ptr<UnixSocketListener> make()
    {
        const auto add = [this](const char* name, auto handle) {
            Tool tool;
            tool.name = name;
            tool.inputSchema["type"] = "object";
            tool.handler = [this, handle](std::shared_ptr<Call> call, Json arguments) {
                return (this->*handle)(std::move(call), std::move(arguments));
            };
            offer.add(std::move(tool));
        };
        add("echo", &Place::echo);
        add("hold", &Place::hold);
        add("flood", &Place::flood);
        ClientEvents events;
        events.connected = [this](const execution::Client& client) { connected.push_back(client); };
        events.changed = [](const execution::Client&) {};
        events.disconnected = [this](const ClientId& id) { disconnected.push_back(id); };
        return std::make_unique<UnixSocketListener>(
            context.get_executor(), file, offer, std::move(events)
        );
    }

    /// Runs until `done` says so.
    bool until(const std::function<bool()>& done)
    {
        const Deadline deadline = deadlineIn(kLongestWait);
        context.restart();
        while (!done() && SteadyClock::now() < deadline)
            context.run_one_for(100ms);
        return done();
    }

private:
    asio::awaitable<ToolReply> echo(std::shared_ptr<Call> /*call*/, Json arguments)
    {
        co_return ToolResult{"echo", std::move(arguments), false};
    }
    asio::awaitable<ToolReply> hold(std::shared_ptr<Call> call, Json arguments)
    {
        ++holding;
        call->onCancel([this] { ++cancels; });
        while (!released) {
            boost::system::error_code woken;
            co_await gate.async_wait(asio::redirect_error(asio::use_awaitable, woken));
        }
        co_return ToolResult{"held", std::move(arguments), false};
    }
    asio::awaitable<ToolReply> flood(std::shared_ptr<Call> /*call*/, Json arguments)
    {
        ++floods;
        co_return ToolResult{std::string(1'000'000, 'x'), std::move(arguments), false};
    }
};

/// A client on the same context.
class Peer {
public:
    explicit Peer(Place& place)
        : m_place(place)
        , m_socket(place.context)
    {
        m_socket.connect(asio::local::stream_protocol::endpoint(place.file.string()));
    }

    /// Writes in the background.
    void say(std::string line)
    {
        auto bytes = std::make_shared<std::string>(std::move(line));
        asio::async_write(
            m_socket,
            asio::buffer(*bytes),
            [bytes](const boost::system::error_code&, std::size_t) {}
        );
    }
    /// The next line; empty at the end of the stream.
    std::string hear()
    {
        auto read = [](Peer* peer) -> asio::awaitable<Result<std::string>> {
            boost::system::error_code error;
            auto buffer = asio::dynamic_buffer(peer->m_unread);
            const std::size_t size = co_await asio::async_read_until(
                peer->m_socket, buffer, '\n', asio::redirect_error(asio::use_awaitable, error)
            );
            std::string line = error ? std::string() : peer->m_unread.substr(0, size);
            peer->m_unread.erase(0, size);
            co_return line;
        };
        return runToEnd(m_place.context, read(this)).value_or(std::string());
    }
    std::string ask(std::string line)
    {
        say(std::move(line));
        return hear();
    }
    void greet()
    {
        ask("{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{"
            "\"protocolVersion\":\"2025-11-25\",\"clientInfo\":{\"name\":\"peer\"}}}\n");
    }
    static std::string call(int id, const std::string& tool)
    {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + std::to_string(id) +
               ",\"method\":\"tools/call\",\"params\":{\"name\":\"" + tool + "\"}}\n";
    }
    void leave() { m_socket.close(); }

private:
    Place& m_place;
    asio::local::stream_protocol::socket m_socket;
    std::string m_unread;
};

const char* const kPing = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";

mode_t modeOf(const std::filesystem::path& path)
{
    struct stat info {};
    return ::lstat(path.c_str(), &info) == 0 ? info.st_mode & 07777 : 0;
}

} // namespace
#endif

class TestMcpSocket : public QObject {
    Q_OBJECT

private slots:
    void isReachableByThisUserOnly()
    {
        Place place;
        QVERIFY(place.listener->listen().has_value());

        QCOMPARE(modeOf(place.file), mode_t(0600));
        QCOMPARE(modeOf(place.file.parent_path()), mode_t(0700));
    }

    void aDisconnectedClientIsGoneWithItsCalls()
    {
        Place place;
        QVERIFY(place.listener->listen().has_value());
        Peer one(place);
        Peer other(place);
        one.greet();
        other.greet();
        one.say(Peer::call(1, "hold"));
        QVERIFY(place.until([&] { return place.holding == 1; }));
        const ClientId id = place.connected.front().id;
        place.listener->disconnect(id);
        QVERIFY(place.until([&] { return place.disconnected.size() == 1; }));
        QVERIFY(place.disconnected.front() == id);
        QCOMPARE(place.cancels, 1);
        QCOMPARE(one.hear(), std::string());
        QCOMPARE(place.listener->clients().size(), std::size_t(1));
        QVERIFY(!other.ask(kPing).empty());
        place.listener->disconnect(id); // no more
    }

    void aRefusedClientIsToldWhyAndCallsNothing()
    {
        Place place;
        place.offer.setRefusal([](const execution::Client& client) {
            std::optional<ToolResult> refused;
            if (client.name == "peer")
                refused = ToolResult{"blocked by the person", Json::object(), true};
            return refused;
        });
        QVERIFY(place.listener->listen().has_value());
        Peer peer(place);
        peer.greet();
        const std::string answer = peer.ask(Peer::call(1, "flood"));
        QVERIFY2(answer.find("blocked by the person") != std::string::npos, answer.c_str());
        QVERIFY(answer.find("\"isError\":true") != std::string::npos);
        QCOMPARE(place.floods, 0);
        place.offer.setRefusal({});
        QVERIFY(peer.ask(Peer::call(2, "echo")).find("\"isError\":false") != std::string::npos);
    }

    void refusesAFolderThatOthersCanWriteTo()
    {
        Place place;
        std::filesystem::create_directory(place.file.parent_path());
        QCOMPARE(::chmod(place.file.parent_path().c_str(), 0777), 0);
        const auto listening = place.listener->listen();

        QVERIFY(!listening);
        QVERIFY(listening.error().code() == Errc::Unsafe);
    }

    void replacesALeftoverSocketAndNothingElse()
    {
        Place place;
        QVERIFY(makePrivateFolder(place.file.parent_path()).has_value());
        QVERIFY(writeFile(place.file, "precious", 0600).has_value());
        const auto overFile = place.make()->listen();
        std::filesystem::remove(place.file);
        std::filesystem::create_symlink("/dev/null", place.file);
        const auto overLink = place.make()->listen();
        const bool linkStays = std::filesystem::is_symlink(place.file);
        std::filesystem::remove(place.file);
        {
            asio::local::stream_protocol::acceptor dead(
                place.context, asio::local::stream_protocol::endpoint(place.file.string())
            );
        }

        QVERIFY(!overFile && overFile.error().code() == Errc::Unsafe);
        QVERIFY(!overLink && overLink.error().code() == Errc::Unsafe);
        QVERIFY(linkStays);
        QVERIFY(std::filesystem::is_socket(place.file));
        QVERIFY(place.listener->listen().has_value());
        QVERIFY(!Peer(place).ask(kPing).empty());
    }

    void saysWhenThePathIsTooLong()
    {
        Place place;
        place.file = place.folder.path() / std::string(120, 'x') / "mcp.sock";
        const auto listening = place.make()->listen();

        QVERIFY(!listening);
        QVERIFY(listening.error().message().find("107") != std::string::npos);
    }

    void servesSeveralClientsAndTellsOfThem()
    {
        Place place;
        QVERIFY(place.listener->listen().has_value());
        Peer one(place);
        Peer two(place);
        one.greet();
        two.greet();
        QCOMPARE(place.listener->clients().size(), std::size_t(2));
        QCOMPARE(place.connected.size(), std::size_t(2));
        QVERIFY(place.connected[0].id != place.connected[1].id);
        QCOMPARE(place.connected[0].transport, std::string("socket"));
        one.leave();

        QVERIFY(place.until([&place] { return place.disconnected.size() == 1; }));
        QVERIFY(place.disconnected[0] == place.connected[0].id);
        QVERIFY(!two.ask(Peer::call(3, "echo")).empty());
        QCOMPARE(place.listener->clients().size(), std::size_t(1));
    }

    void cancelsTheCallsOfAClientThatLeaves()
    {
        Place place;
        QVERIFY(place.listener->listen().has_value());
        Peer peer(place);
        peer.greet();
        peer.say(Peer::call(1, "hold") + Peer::call(2, "hold"));
        QVERIFY(place.until([&place] { return place.holding == 2; }));
        peer.leave();

        QVERIFY(place.until([&place] { return place.cancels == 2; }));
    }

    void goesOnAfterClientsThatComeAndGo()
    {
        Place place;
        QVERIFY(place.listener->listen().has_value());
        for (int round = 0; round < 100; ++round) {
            Peer peer(place);
            peer.greet();
        }

        QVERIFY(place.until([&place] { return place.disconnected.size() == 100; }));
        QVERIFY(place.listener->clients().empty());
        QVERIFY(!Peer(place).ask(kPing).empty());
    }

    void takesAtMost64Clients()
    {
        Place place;
        QVERIFY(place.listener->listen().has_value());
        std::vector<std::unique_ptr<Peer>> peers;
        for (int count = 0; count < 64; ++count) {
            peers.push_back(std::make_unique<Peer>(place));
            QVERIFY(!peers.back()->ask(kPing).empty());
        }
        QVERIFY(Peer(place).hear().empty());
        peers.pop_back();

        QVERIFY(place.until([&place] { return !Peer(place).ask(kPing).empty(); }));
    }

    void readsNoMoreOfAClientThatDoesNotRead()
    {
        Place place;
        QVERIFY(place.listener->listen().has_value());
        Peer greedy(place);
        greedy.greet();
        std::string calls;
        for (int id = 1; id <= 5000; ++id)
            calls += Peer::call(id, "flood");
        greedy.say(std::move(calls));
        Peer other(place);
        QVERIFY(!other.ask(kPing).empty());
        place.context.restart();
        place.context.poll();
        const int served = place.floods;
        // It leaves with megabytes unsent and calls unread: nothing of it may stay.
        greedy.leave();

        QVERIFY2(served < 200, qPrintable(QString::number(served)));
        QVERIFY(place.until([&place] { return place.disconnected.size() == 1; }));
        QVERIFY(!other.ask(kPing).empty());
    }

    void skipsALineOver16MiB()
    {
        Place place;
        QVERIFY(place.listener->listen().has_value());
        Peer peer(place);
        peer.say(std::string(17U * 1024 * 1024, 'x') + "\n" + kPing);

        QVERIFY(peer.hear().find("larger than") != std::string::npos);
        QVERIFY(peer.hear().find("\"result\"") != std::string::npos);
    }

    void leavesNothingWhenItCloses()
    {
        Place place;
        QVERIFY(place.listener->listen().has_value());
        Peer peer(place);
        peer.greet();
        peer.say(Peer::call(1, "hold"));
        QVERIFY(place.until([&place] { return place.holding == 1; }));
        auto close = [](Place* at) -> asio::awaitable<Result<>> {
            co_await at->listener->close();
            co_return Result<>();
        };
        QVERIFY(runToEnd(place.context, close(&place)).has_value());

        QVERIFY(!std::filesystem::exists(place.file));
        QVERIFY(peer.hear().empty());
        QCOMPARE(place.cancels, 1);
        QCOMPARE(place.disconnected.size(), std::size_t(1));
    }
};

QTEST_GUILESS_MAIN(TestMcpSocket)
#include "tst_mcp_socket.moc"
