// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#undef emit       // Qt's word for nothing is Asio's name of a function
#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts, raw strings and Boost
#include "engine/base/file.h"
#include "engine/http/access.h"
#include "engine/http/token.h"

#include <filesystem>
#include <string>

#include "private_folder.h"
#include <sys/stat.h>

using namespace belljar;
using namespace belljar::http;
using namespace belljar::test;

namespace {

const std::string kToken(64, 'a');

Access access()
{
    const Place mcp{"/mcp", {"GET", "POST"}};
    Access made({mcp}, {}, {});
    made.setToken(kToken);
    return made;
}

/// A request that is let in, with one field set (or, with an empty value, taken out).
Request requestWith(const QString& name, const QString& value)
{
    Request request;
    request.method = "POST";
    request.path = "/mcp";
    request.fields = {{"Host", "127.0.0.1:7707"}, {"Authorization", "Bearer " + kToken}};
    if (name.isEmpty())
        return request;
    std::erase_if(request.fields, [&](const Field& field) {
        return sameName(field.name, name.toStdString());
    });
    if (!value.isEmpty())
        request.fields.push_back({name.toStdString(), value.toStdString()});
    return request;
}

int statusOf(const Request& request)
{
    const auto refusal = access().refusalOf(request);
    return refusal ? refusal->status : 0;
}

} // namespace
#endif

class TestHttpAccess : public QObject {
    Q_OBJECT

private slots:
    void judgesByTheHeader_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("value");
        QTest::addColumn<int>("status"); // 0: let in

        QTest::newRow("as it should be") << ""
                                         << "" << 0;
        QTest::newRow("localhost") << "Host"
                                   << "localhost:1" << 0;
        QTest::newRow("case of the name") << "host"
                                          << "LocalHost" << 0;
        QTest::newRow("IPv6") << "Host"
                              << "[::1]:7707" << 0;
        QTest::newRow("no host") << "Host"
                                 << "" << 400;
        QTest::newRow("rebinding") << "Host"
                                   << "evil.example.com:7707" << 403;
        QTest::newRow("name that begins alike") << "Host"
                                                << "localhost.evil.com" << 403;
        QTest::newRow("name before an at sign") << "Host"
                                                << "127.0.0.1@evil.com" << 403;
        QTest::newRow("port that is none") << "Host"
                                           << "127.0.0.1:x" << 403;
        QTest::newRow("open bracket") << "Host"
                                      << "[::1" << 403;
        QTest::newRow("after the bracket") << "Host"
                                           << "[::1]evil.com" << 403;
        QTest::newRow("web page") << "Origin"
                                  << "https://evil.example.com" << 403;
        QTest::newRow("null page") << "Origin"
                                   << "null" << 403;
        QTest::newRow("page of this host") << "Origin"
                                           << "http://127.0.0.1:7707" << 403;
        QTest::newRow("from a site") << "Sec-Fetch-Site"
                                     << "same-origin" << 403;
        QTest::newRow("from the address bar") << "Sec-Fetch-Site"
                                              << "none" << 0;
        QTest::newRow("no token") << "Authorization"
                                  << "" << 401;
        QTest::newRow("wrong token") << "Authorization"
                                     << "Bearer b" << 401;
        QTest::newRow("nearly the token")
            << "Authorization" << QString("Bearer ") + QString(63, 'a') + 'b' << 401;
        QTest::newRow("token and more")
            << "Authorization" << QString("Bearer ") + QString(65, 'a') << 401;
        QTest::newRow("other scheme")
            << "Authorization" << QString("Basic ") + QString(64, 'a') << 401;
        QTest::newRow("scheme in small")
            << "Authorization" << QString("bearer ") + QString(64, 'a') << 0;
    }
    void judgesByTheHeader()
    {
        QFETCH(QString, name);
        QFETCH(QString, value);
        QFETCH(int, status);

        QCOMPARE(statusOf(requestWith(name, value)), status);
    }

    void refusesAFieldThatIsThereTwice_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("status");

        QTest::newRow("host") << "Host" << 400;
        QTest::newRow("token") << "Authorization" << 401;
    }
    void refusesAFieldThatIsThereTwice()
    {
        QFETCH(QString, name);
        QFETCH(int, status);
        Request request = requestWith("", "");
        request.fields.push_back(
            {name.toStdString(), std::string(*request.field(name.toStdString()))}
        );

        QCOMPARE(statusOf(request), status);
    }

    void refusesASecondOriginThatIsNotAllowed()
    {
        Access made({{"/mcp", {"POST"}}}, {}, {"https://good.example"});
        made.setToken(kToken);
        Request request = requestWith("Origin", "https://good.example");
        QVERIFY(!made.refusalOf(request));
        request.fields.push_back({"Origin", "https://evil.example"});

        QCOMPARE(made.refusalOf(request)->status, 403);
    }

    void tellsWhichMethodsAPlaceHas()
    {
        Request request = requestWith("", "");
        request.method = "PUT";

        const auto refusal = access().refusalOf(request);

        QCOMPARE(refusal->status, 405);
        QCOMPARE(refusal->fields.front().value, std::string("GET, POST"));
    }

    void tellsOfPlacesOnlyToWhoHasTheToken()
    {
        Request request = requestWith("", "");
        request.path = "/secret";
        QCOMPARE(statusOf(request), 404);
        request = requestWith("Authorization", "");
        request.path = "/secret";
        QCOMPARE(statusOf(request), 401);
    }

    void answersA401WithoutABodyAndWithoutALogin()
    {
        const auto refusal = access().refusalOf(requestWith("Authorization", ""));

        QCOMPARE(refusal->body, std::string());
        QCOMPARE(refusal->fields.front().name, std::string("WWW-Authenticate"));
        QVERIFY(refusal->fields.front().value.find("resource_metadata") == std::string::npos);
        Request search = requestWith("Authorization", "");
        search.path = "/.well-known/oauth-protected-resource/mcp";
        QCOMPARE(statusOf(search), 404);
    }

    void letsNobodyInWithoutAToken()
    {
        Access made({{"/mcp", {"POST"}}}, {}, {});
        Request request = requestWith("Authorization", "Bearer ");

        QCOMPARE(made.refusalOf(request)->status, 401);
    }

    void readsListsOfMediaTypes()
    {
        QVERIFY(accepts("application/json, text/event-stream", "text/event-stream"));
        QVERIFY(accepts("text/html;q=0.5 ,*/*;q=0.1", "application/json"));
        QVERIFY(accepts("Application/*", "application/json"));
        QVERIFY(!accepts("application/jsonx", "application/json"));
        QVERIFY(!accepts("", "application/json"));
        QVERIFY(isOfType("application/json ; charset=utf-8", "application/json"));
        QVERIFY(!isOfType("text/plain;application/json", "application/json"));
    }

    void makesATokenThatOnlyItsOwnerCanRead()
    {
        const PrivateFolder folder;
        const auto file = folder.path() / "belljar" / "token";

        const auto made = readOrMakeToken(file);

        QVERIFY(made);
        QCOMPARE(made->size(), std::size_t(64));
        struct stat info {};
        QCOMPARE(::stat(file.c_str(), &info), 0);
        QCOMPARE(info.st_mode & 0777U, 0600U);
        QCOMPARE(*readOrMakeToken(file), *made);
        const auto rotated = rotateToken(file);
        QVERIFY(rotated && *rotated != *made);
        QCOMPARE(*readOrMakeToken(file), *rotated);
    }

    void refusesATokenThatOthersMayKnow()
    {
        const PrivateFolder folder;
        const auto file = folder.path() / "token";
        QVERIFY(writeFile(file, kToken, 0640));
        QCOMPARE(readOrMakeToken(file).error().code(), Errc::Unsafe);
        QVERIFY(writeFile(file, "short", 0600));
        QCOMPARE(readOrMakeToken(file).error().code(), Errc::InvalidArgument);
        std::filesystem::rename(file, folder.path() / "other");
        std::filesystem::create_symlink(folder.path() / "other", file);
        QCOMPARE(readOrMakeToken(file).error().code(), Errc::Unsafe);

        QVERIFY(rotateToken(file));
        QVERIFY(!std::filesystem::is_symlink(file));
        QCOMPARE(*readFile(folder.path() / "other"), std::string("short"));
    }
};

QTEST_GUILESS_MAIN(TestHttpAccess)
#include "tst_http_access.moc"
