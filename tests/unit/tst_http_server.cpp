// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#undef emit       // Qt's word for nothing is Asio's name of a function
#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts, raw strings and Boost
#include "engine/http/server.h"
#include "tests/support/run_to_end.h"

#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

using namespace belljar;
using namespace belljar::http;
using namespace belljar::test;
using namespace std::chrono_literals;

namespace {

using asio::ip::tcp;
const std::string kToken(64, 't');

/// A server with /echo (answers with the body), /hold (keeps the exchange) and /stream (begins
/// one).
struct Setup {
    asio::io_context context;
    std::vector<std::shared_ptr<Exchange>> held;
    int gone = 0;
    int asked = 0;
    std::unique_ptr<Server> server;

    explicit Setup(Limits limits = {})
    {
        ServerOptions options;
        limits.look = 20ms;
        options.limits = limits;
        Access access(
            {{"/echo", {"POST", "GET"}}, {"/hold", {"POST"}}, {"/stream", {"GET"}}}, {}, {}
        );
        access.setToken(kToken);
        server = std::make_unique<Server>(
            context.get_executor(),
            std::move(options),
            std::move(access),
            [this](const std::shared_ptr<Exchange>& exchange, Request request) {
                take(exchange, std::move(request));
            }
        );
        if (!server->listen(true))
            throw std::runtime_error("listen");
    }
    ~Setup() { close(deadlineIn(0ms)); }

    void take(const std::shared_ptr<Exchange>& exchange, Request request)
    {
        ++asked;
        exchange->onGone([this] { ++gone; });
        if (request.path == "/echo") {
            Response response;
            response.contentType = "text/plain";
            response.body = std::move(request.body);
            exchange->answer(std::move(response));
            return;
        }
        if (request.path == "/stream")
            exchange->beginStream({});
        held.push_back(exchange);
    }

    void close(Deadline deadline)
    {
        auto end = [](Server* closing, Deadline until) -> asio::awaitable<Result<bool>> {
            co_await closing->close(until);
            co_return true;
        };
        static_cast<void>(runToEnd(context, end(server.get(), deadline)));
    }

    /// Runs until `condition` holds; false: it didn't in time.
    bool until(const std::function<bool()>& condition)
    {
        const auto limit = deadlineIn(kLongestWait);
        context.restart();
        while (!condition() && SteadyClock::now() < limit)
            context.run_one_for(10ms);
        return condition();
    }

    std::shared_ptr<tcp::socket> connect()
    {
        auto socket = std::make_shared<tcp::socket>(context);
        socket->connect({asio::ip::address_v4::loopback(), server->port()});
        socket->non_blocking(true);
        return socket;
    }
};

/// A client that reads all the time.
struct Client {
    Setup& place;
    std::shared_ptr<tcp::socket> socket = place.connect();
    std::string got;
    bool ended = false;
    std::array<char, 65536> buffer{};

    explicit Client(Setup& at)
        : place(at)
    {
        read();
    }
    ~Client()
    {
        socket->close();
        place.context.restart();
        place.context.poll();
    }
    void read()
    {
        socket->async_read_some(
            asio::buffer(buffer),
            [this](const boost::system::error_code& error, std::size_t count) {
                got.append(buffer.data(), count);
                if (error)
                    ended = true;
                else
                    read();
            }
        );
    }
    bool send(const std::string& bytes)
    {
        bool sent = false;
        boost::system::error_code failed;
        asio::async_write(
            *socket,
            asio::buffer(bytes),
            [&](const boost::system::error_code& error, std::size_t) {
                failed = error;
                sent = true;
            }
        );
        return place.until([&] { return sent; }) && !failed;
    }
    bool receives(const std::string& text)
    {
        return place.until([&] { return got.find(text) != std::string::npos; });
    }
    bool ends()
    {
        return place.until([&] { return ended; });
    }
    std::size_t count(const std::string& text) const
    {
        std::size_t found = 0;
        for (std::size_t at = got.find(text); at != std::string::npos; at = got.find(text, at + 1))
            ++found;
        return found;
    }
};

std::string
request(const std::string& line, const std::string& more = {}, const std::string& body = {})
{
    return line + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " + kToken + "\r\n" +
           more + (body.empty() ? "" : "Content-Length: " + std::to_string(body.size()) + "\r\n") +
           "\r\n" + body;
}

} // namespace
#endif

class TestHttpServer : public QObject {
    Q_OBJECT

private slots:
    void answersPipelinedRequestsInTheirOrder()
    {
        Setup place;
        Client client(place);
        std::string all;
        for (int number = 0; number < 10000; ++number)
            all += request("POST /echo", {}, "<" + std::to_string(number) + ">");

        QVERIFY(client.send(all));

        QVERIFY(client.receives("<9999>"));
        QCOMPARE(client.count("HTTP/1.1 200 OK"), std::size_t(10000));
        QVERIFY(client.got.find("<41>") < client.got.find("<42>"));
        QVERIFY(!client.ended);
    }

    void keepsAConnectionAfterARefusalWithoutABody()
    {
        Setup place;
        Client client(place);

        QVERIFY(client.send("GET /echo HTTP/1.1\r\nHost: localhost\r\n\r\n"));
        QVERIFY(client.receives("HTTP/1.1 401 Unauthorized\r\n"));
        QVERIFY(client.receives("WWW-Authenticate: Bearer"));
        QVERIFY(client.send(request("POST /echo", {}, "welcome")));

        QVERIFY(client.receives("welcome"));
        QCOMPARE(place.asked, 1);
        QVERIFY(client.got.find("Access-Control") == std::string::npos);
        QVERIFY(client.got.find("Server:") == std::string::npos);
        QVERIFY(client.got.find("X-Content-Type-Options: nosniff") != std::string::npos);
    }

    void refusesWithWords_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QByteArray>("status");

        const auto row = [](const char* name, const std::string& bytes, const char* status) {
            QTest::newRow(name) << QByteArray::fromStdString(bytes) << QByteArray(status);
        };
        row("no HTTP", "hello\r\n\r\n", "400");
        row("long header", request("GET /echo", "X: " + std::string(20000, 'x') + "\r\n"), "431");
        row("endless line", "GET /" + std::string(40000, 'x'), "431");
        row("body that is announced too large",
            request("POST /echo", "Content-Length: 104857600\r\n"),
            "413");
        row("chunks that grow too large",
            request("POST /echo", "Transfer-Encoding: chunked\r\n") + "6400000\r\nxxxx",
            "413");
        row("length and chunks",
            request("POST /echo", "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n") +
                "0\r\n\r\n",
            "400");
        row("chunks and length",
            request("POST /echo", "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n") +
                "0\r\n\r\n",
            "400");
        row("two lengths",
            request("POST /echo", "Content-Length: 4\r\nContent-Length: 5\r\n") + "12345",
            "400");
        row("the same length twice",
            request("POST /echo", "Content-Length: 4\r\nContent-Length: 4\r\n") + "1234",
            "400");
        row("length below zero", request("POST /echo", "Content-Length: -1\r\n"), "400");
        row("coding that nobody knows",
            request("POST /echo", "Transfer-Encoding: gzip, chunked\r\n") + "0\r\n\r\n",
            "501");
        row("blank before the colon", request("GET /echo", "X : a\r\n"), "400");
        row("NUL in a field", request("GET /echo", std::string("X: a\0b\r\n", 8)), "400");
        row("expectation", request("POST /echo", "Expect: wonders\r\n", "x"), "417");
        row("preflight", request("OPTIONS /echo", "Origin: https://evil.example\r\n"), "403");
        row("tunnel", request("CONNECT evil.example:443"), "404");
    }
    void refusesWithWords()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QByteArray, status);
        Setup place;
        Client client(place);
        Client other(place);

        QVERIFY(client.send(bytes.toStdString()));

        QVERIFY2(client.receives("HTTP/1.1 "), client.got.c_str());
        QCOMPARE(QByteArray::fromStdString(client.got.substr(9, 3)), status);
        QCOMPARE(place.asked, 0);
        QVERIFY(other.send(request("POST /echo", {}, "others go on")));
        QVERIFY(other.receives("others go on"));
    }

    void tellsWhoMayNotComeInSoBeforeTheBody()
    {
        Setup place;
        Client client(place);

        QVERIFY(client.send(
            "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999999999\r\n\r\n"
        ));

        QVERIFY(client.receives("HTTP/1.1 401 "));
        QVERIFY(client.got.ends_with("\r\n\r\n")); // no body
    }

    void asksForTheBodyOnlyOfWhoMayComeIn()
    {
        Setup place;
        Client client(place);
        QVERIFY(client.send(request("POST /echo", "Expect: 100-continue\r\nContent-Length: 3\r\n"))
        );
        QVERIFY(client.receives("HTTP/1.1 100 Continue\r\n\r\n"));
        QVERIFY(client.send("abc"));
        QVERIFY(client.receives("abc"));
    }

    void readsABodyInChunksByteByByte()
    {
        Setup place;
        Client client(place);
        const std::string bytes = request("POST /echo", "Transfer-Encoding: chunked\r\n") +
                                  "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";
        for (const char one : bytes)
            QVERIFY(client.send(std::string(1, one)));

        QVERIFY(client.receives("abcde"));
    }

    void cutsOffWhoDawdles_data()
    {
        QTest::addColumn<QByteArray>("bytes");

        QTest::newRow("says nothing") << QByteArray();
        QTest::newRow("half a header") << QByteArray("GET /echo HTTP/1.1\r\nHost: loc");
        QTest::newRow("half a body")
            << QByteArray::fromStdString(request("POST /echo", "Content-Length: 100\r\n") + "half");
    }
    void cutsOffWhoDawdles()
    {
        QFETCH(QByteArray, bytes);
        Limits limits;
        limits.idle = limits.header = limits.body = 100ms;
        Setup place(limits);
        Client client(place);

        QVERIFY(client.send(bytes.toStdString()));

        QVERIFY(client.ends());
        QCOMPARE(place.asked, 0);
        QVERIFY(place.until([&] { return place.server->connections() == 0; }));
    }

    void countsTheTimeForAHeaderFromItsFirstByte()
    {
        Limits limits;
        limits.header = 200ms;
        Setup place(limits);
        Client client(place);
        // A byte now and then must not buy time.
        while (!client.ended && client.got.empty() && client.send("X"))
            place.until([&, next = deadlineIn(20ms)] {
                return client.ended || SteadyClock::now() >= next;
            });

        QVERIFY(client.ends());
    }

    void tellsWhenTheClientHasGone()
    {
        Setup place;
        {
            Client client(place);
            QVERIFY(client.send(request("POST /hold", {}, "x")));
            QVERIFY(place.until([&] { return !place.held.empty(); }));
            QVERIFY(place.held.front()->isOpen());
        }

        QVERIFY(place.until([&] { return place.gone == 1; }));
        QVERIFY(!place.held.front()->isOpen());
        place.held.front()->answer({}); // nobody is there: nothing happens
    }

    void answersWhoHasClosedItsHalf()
    {
        Setup place;
        Client client(place);
        QVERIFY(client.send(request("POST /echo", {}, "one") + request("POST /echo", {}, "two")));
        client.socket->shutdown(tcp::socket::shutdown_send);

        QVERIFY(client.ends());
        QVERIFY(client.got.ends_with("two"));
    }

    void streamsInChunksAndGoesOnAfterwards()
    {
        Setup place;
        Client client(place);
        QVERIFY(client.send(request("GET /stream")));
        QVERIFY(client.receives("text/event-stream"));
        place.held.front()->write("data: 1\n\n");
        QVERIFY(client.receives("9\r\ndata: 1\n\n\r\n"));
        place.held.front()->write("data: 2\n\n");
        place.held.front()->end();
        QVERIFY(client.receives("0\r\n\r\n"));
        QVERIFY(client.send(request("POST /echo", {}, "after it")));

        QVERIFY(client.receives("after it"));
        QCOMPARE(place.gone, 0);
    }

    void keepsAQuietStreamAlive()
    {
        Limits limits;
        limits.quiet = 50ms;
        Setup place(limits);
        Client client(place);
        QVERIFY(client.send(request("GET /stream")));

        QVERIFY(client.receives(": keep-alive\n\n"));
    }

    void cutsAStreamThatNobodyReads()
    {
        Limits limits;
        limits.unsentBytes = 1024U * 1024;
        Setup place(limits);
        const auto socket = place.connect();
        asio::write(*socket, asio::buffer(request("GET /stream")));
        QVERIFY(place.until([&] { return !place.held.empty(); }));
        const auto& stream = place.held.front();
        // The kernel takes some megabytes before it stops; the bound is on what it doesn't take.
        int pieces = 0;
        const std::string piece(512U * 1024, 'x');
        while (stream->isOpen() && pieces < 200) {
            stream->write(piece);
            ++pieces;
            place.until([next = deadlineIn(5ms)] { return SteadyClock::now() >= next; });
        }

        QVERIFY(pieces < 200);
        QVERIFY(place.until([&] { return place.gone == 1; }));
    }

    void hasAThousandIdleConnectionsAndAnswersOthers()
    {
        Setup place;
        std::vector<std::shared_ptr<tcp::socket>> idle;
        for (int count = 0; count < 1000; ++count) {
            idle.push_back(place.connect());
            place.context.restart();
            place.context.poll();
        }
        QVERIFY(place.until([&] { return place.server->connections() == 1000; }));
        Client client(place);
        QVERIFY(client.send(request("POST /echo", {}, "here")));

        QVERIFY(client.receives("here"));
        idle.clear();
        QVERIFY(place.until([&] { return place.server->connections() == 1; }));
    }

    void takesNoMoreConnectionsThanItsLimit()
    {
        Limits limits;
        limits.connections = 1;
        Setup place(limits);
        Client first(place);
        QVERIFY(first.send(request("POST /echo", {}, "a")));
        QVERIFY(first.receives("a"));
        Client second(place);

        QVERIFY(second.ends());
        QVERIFY(!first.ended);
    }

    void endsConnectionsOfAnOldToken()
    {
        Setup place;
        Client client(place);
        QVERIFY(client.send(request("GET /stream")));
        QVERIFY(client.receives("text/event-stream"));

        place.server->setToken("another");

        QVERIFY(client.ends());
        QVERIFY(place.until([&] { return place.gone == 1; }));
        Client again(place);
        QVERIFY(again.send(request("POST /echo", {}, "a")));
        QVERIFY(again.receives("HTTP/1.1 401 "));
    }

    void letsAnAnswerInProgressEnd()
    {
        Setup place;
        Client client(place);
        Client idle(place);
        QVERIFY(client.send(request("POST /hold", {}, "x")));
        QVERIFY(place.until([&] { return !place.held.empty(); }));
        asio::steady_timer later(place.context, 50ms);
        later.async_wait([&](const boost::system::error_code&) {
            Response response;
            response.contentType = "text/plain";
            response.body = "the last word";
            place.held.front()->answer(std::move(response));
        });

        place.close(deadlineIn(10s));

        QVERIFY(client.receives("the last word"));
        QCOMPARE(place.gone, 0);
        QCOMPARE(place.server->connections(), std::size_t(0));
    }

    void endsAnAnswerThatTakesLongerThanTheDeadline()
    {
        Setup place;
        Client client(place);
        QVERIFY(client.send(request("GET /stream")));
        QVERIFY(client.receives("text/event-stream"));

        place.close(deadlineIn(20ms));

        QCOMPARE(place.gone, 1);
        QVERIFY(client.ends());
    }

    void refusesToListenWhereItWouldBeUnsafe_data()
    {
        QTest::addColumn<QString>("address");
        QTest::addColumn<bool>("token");
        QTest::addColumn<int>("code");

        QTest::newRow("everywhere") << "0.0.0.0" << true << int(Errc::Unsafe);
        QTest::newRow("everywhere, v6") << "::" << true << int(Errc::Unsafe);
        QTest::newRow("another machine's net") << "192.168.1.1" << true << int(Errc::Unsafe);
        QTest::newRow("without a token") << "127.0.0.1" << false << int(Errc::Unsafe);
        QTest::newRow("no address") << "example.org" << true << int(Errc::InvalidArgument);
    }
    void refusesToListenWhereItWouldBeUnsafe()
    {
        QFETCH(QString, address);
        QFETCH(bool, token);
        QFETCH(int, code);
        asio::io_context context;
        ServerOptions options;
        options.address = address.toStdString();
        Server server(
            context.get_executor(), options, Access({}, {}, {}), [](const auto&, const auto&) {}
        );

        const auto listening = server.listen(token);

        QVERIFY(!listening);
        QCOMPARE(int(listening.error().code()), code);
    }

    void saysSoWhenThePortIsTaken()
    {
        Setup place;
        ServerOptions options;
        options.port = place.server->port();
        Server second(
            place.context.get_executor(),
            options,
            Access({}, {}, {}),
            [](const auto&, const auto&) {}
        );

        const auto listening = second.listen(true);

        QVERIFY(!listening);
        QCOMPARE(listening.error().code(), Errc::Busy);
        QVERIFY(
            listening.error().message().find(std::to_string(options.port)) != std::string::npos
        );
    }
};

QTEST_GUILESS_MAIN(TestHttpServer)
#include "tst_http_server.moc"
