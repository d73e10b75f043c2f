// SPDX-License-Identifier: GPL-3.0-or-later
// The settings of the engine: their file, and what becomes of them in an engine that runs.
#include <QTest>

#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts, raw strings and Boost
#include "engine/base/file.h"
#include "engine/settings/engine_settings.h"
#include "tests/support/engine_bench.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>

using namespace belljar;
using test::EngineBench;

namespace {

const char* const kNoDocker = "unix:///nonexistent/docker.sock";

struct Wrong {
    const char* name;
    const char* text;
    const char* said;
};
constexpr Wrong kWrong[] = {
    {"not JSON", "{", "byte"},
    {"no object", "[]", "expected an object"},
    {"unknown", R"({"max_runing": 2})", "max_runing: there is no such setting; use docker_host"},
    {"hostile name", "{\"\\u202e<b>\": 1}", "there is no such setting"},
    {"type", R"({"max_running": "2"})", "max_running: expected"},
    {"too few", R"({"max_running": 0})", "max_running: expected"},
    {"too many", R"({"max_running": 65})", "max_running: expected"},
    {"port", R"({"http_port": 65536})", "http_port: expected"},
    {"address", R"({"http_address": "example.com"})", "http_address: expected an IP address"},
    {"address and port", R"({"http_address": "127.0.0.1:80"})", "http_address: expected"},
    {"Docker over TCP", R"({"docker_host": "tcp://1.2.3.4:2375"})", "docker_host: expected"},
    {"relative key", R"({"http_key_file": "key.pem"})", "http_key_file: expected"},
    {"key alone", R"({"http_key_file": "/key.pem"})", "http_key_file: a certificate"},
    {"negative", R"({"keep_days": -1})", "keep_days: expected"},
    {"twice", R"({"keep_days": 1, "keep_days": 2})", "keep_days"},
};

/// A port of this machine that nobody has: 0 is not a setting.
std::uint16_t freePort()
{
    const UniqueFd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    ::bind(fd.get(), reinterpret_cast<sockaddr*>(&address), size);
    ::getsockname(fd.get(), reinterpret_cast<sockaddr*>(&address), &size);
    return ntohs(address.sin_port);
}

/// The first line of the answer to a GET of /mcp; empty: nobody listens.
std::string get(std::uint16_t port, const std::string& token)
{
    const UniqueFd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    if (::connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
        return {};
    const std::string request = "GET /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                                "Authorization: Bearer " +
                                token + "\r\n\r\n";
    static_cast<void>(::send(fd.get(), request.data(), request.size(), MSG_NOSIGNAL));
    std::string answer(4096, '\0');
    const auto got = ::recv(fd.get(), answer.data(), answer.size(), 0);
    answer.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return answer.substr(0, answer.find('\r'));
}

EngineSettings changed(EngineBench& bench, EngineSettings settings, std::uint64_t token)
{
    bench.submit(ChangeSettings{token, std::move(settings)});
    const auto done = bench.told<SettingsCommandDone>([token](const SettingsCommandDone& one) {
        return one.token == token;
    });
    if (done.error)
        throw std::runtime_error(done.error->message());
    return bench.told<SettingsChanged>().settings;
}

} // namespace
#endif

class TestEngineSettings : public QObject {
    Q_OBJECT

private slots:
    void whatIsWrittenIsRead()
    {
        EngineSettings settings;
        settings.dockerHost = "unix:///run/user/1000/docker.sock";
        settings.maxRunning = 3;
        settings.httpOn = true;
        settings.httpAddress = "::1";
        settings.httpPort = 65'535;
        settings.httpCertificateFile = "/etc/ssl/Schlüssel \"a\".pem";
        settings.httpKeyFile = "/etc/ssl/key.pem";
        settings.keepDays = 90;
        settings.keepMegabytes = 2000;
        const auto read = parseEngineSettings(engineSettingsText(settings));
        QVERIFY2(read, read ? "" : read.error().message().c_str());
        QVERIFY(*read == settings);
        QVERIFY(*parseEngineSettings("{}") == EngineSettings());
        QCOMPARE(parseEngineSettings("{\"max_running\": 2}")->maxRunning, 2U);
    }

    void saysWhatIsWrong_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("said");
        for (const Wrong& wrong : kWrong)
            QTest::newRow(wrong.name) << QByteArray(wrong.text) << QByteArray(wrong.said);
    }
    void saysWhatIsWrong()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, said);
        const auto read = parseEngineSettings(text.toStdString());
        QVERIFY(!read);
        const std::string message = read.error().message();
        QVERIFY2(message.find(said.toStdString()) != std::string::npos, message.c_str());
        QVERIFY(message.find("\u202e") == std::string::npos);
    }

    void httpGoesOnAndOffInAnEngineThatRuns()
    {
        EngineBench bench(kNoDocker);
        QVERIFY(!bench.told<SettingsChanged>().http.on);
        const std::uint16_t port = freePort();
        EngineSettings settings;
        settings.httpOn = true;
        settings.httpPort = port;
        bench.submit(ChangeSettings{1, settings});
        const auto on = bench.told<SettingsChanged>();
        QCOMPARE(on.http.url, "http://127.0.0.1:" + std::to_string(port) + "/mcp");
        QCOMPARE(get(port, "wrong"), "HTTP/1.1 401 Unauthorized");
        bench.submit(RevealToken{2});
        const auto token = bench.told<TokenRevealed>();
        QVERIFY(token.secret && token.secret->size() >= 32);
        QCOMPARE(get(port, *token.secret), "HTTP/1.1 406 Not Acceptable"); // let in

        bench.submit(RotateToken{3});
        QVERIFY(!bench.told<SettingsCommandDone>([](const auto& done) { return done.token == 3; }
        ).error);
        QTRY_COMPARE(get(port, *token.secret), "HTTP/1.1 401 Unauthorized");
        bench.submit(RevealToken{4});
        QVERIFY(*bench.told<TokenRevealed>().secret != *token.secret);

        settings.httpOn = false;
        changed(bench, settings, 5);
        QCOMPARE(get(port, "wrong"), std::string());
        QTRY_COMPARE(bench.audited("settings_changed").size(), 2U); // written behind
        const auto rotated = bench.audited("token_rotated");
        QCOMPARE(rotated.size(), 1U);
        QVERIFY(rotated[0].find(*token.secret) == std::string::npos);
    }

    void saysWhyHttpIsNotServed()
    {
        EngineBench bench(kNoDocker);
        const UniqueFd taken(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        ::bind(taken.get(), reinterpret_cast<sockaddr*>(&address), size);
        ::listen(taken.get(), 1);
        ::getsockname(taken.get(), reinterpret_cast<sockaddr*>(&address), &size);
        bench.forget();
        EngineSettings settings;
        settings.httpOn = true;
        settings.httpPort = ntohs(address.sin_port);
        bench.submit(ChangeSettings{1, settings});
        const auto told = bench.told<SettingsChanged>();
        QVERIFY(told.http.on && told.http.url.empty());
        QVERIFY(told.http.problem.find("taken by another program") != std::string::npos);
    }

    void areKeptForTheNextLife()
    {
        EngineBench bench(kNoDocker);
        EngineSettings settings;
        settings.maxRunning = 5;
        settings.keepDays = 30;
        bench.forget();
        QVERIFY(changed(bench, settings, 1) == settings);
        struct stat info {};
        const auto file = bench.folder() / "config" / "settings.json";
        QCOMPARE(::stat(file.c_str(), &info), 0);
        QCOMPARE(info.st_mode & 0777U, 0600U);
        bench.restart();
        QVERIFY(bench.told<SettingsChanged>().settings == settings);
    }

    void whatIsWrongChangesNothing()
    {
        EngineBench bench(kNoDocker);
        bench.forget();
        EngineSettings settings;
        settings.httpAddress = "nowhere";
        bench.submit(ChangeSettings{7, settings});
        const auto done = bench.told<SettingsCommandDone>();
        QVERIFY(done.error && done.error->message().starts_with("http_address: "));
        QVERIFY(bench.told<SettingsChanged>().settings == EngineSettings());
        QVERIFY(!std::filesystem::exists(bench.folder() / "config" / "settings.json"));
        QVERIFY(bench.audited("settings_changed").empty());
    }

    void aBrokenFileIsToldAndKept()
    {
        EngineBench bench(kNoDocker);
        const auto file = bench.folder() / "config" / "settings.json";
        const std::string broken = "{\"max_running\": 4, oops}";
        QVERIFY(writeFile(file, broken, 0600));
        bench.restart();
        const auto told = bench.told<SettingsChanged>();
        QVERIFY(told.settings == EngineSettings());
        QVERIFY(told.problem.find("settings.json") != std::string::npos);
        QCOMPARE(*readFile(file), broken);
        bench.forget();
        EngineSettings settings;
        settings.maxRunning = 2;
        changed(bench, settings, 1);
        QCOMPARE(*readFile(file.string() + ".broken"), broken);
        QCOMPARE(parseEngineSettings(*readFile(file))->maxRunning, 2U);
    }

    void measuresWhatThereIs()
    {
        EngineBench bench(kNoDocker);
        bench.submit(MeasureData{});
        const auto measured = bench.told<DataMeasured>();
        QCOMPARE(measured.folder, bench.folder().string());
        QVERIFY(measured.historyBytes > 0 && measured.historyUsed > 0);
        QCOMPARE(measured.executions, 0U);
        QCOMPARE(measured.expired, 0U);
    }
};

QTEST_GUILESS_MAIN(TestEngineSettings)
#include "tst_engine_settings.moc"
