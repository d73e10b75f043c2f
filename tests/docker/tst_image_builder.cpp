// SPDX-License-Identifier: GPL-3.0-or-later
// Building an image for real: a small recipe, the machine's package mirror, the real engine.
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts and raw strings
#include "engine/base/json.h"
#include "engine/base/task_group.h"
#include "engine/images/builder.h"
#include "tests/support/run_to_end.h"

#include <algorithm>

#include <unistd.h>

using namespace belljar;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

constexpr auto kBuild = 240s;

bool contains(const std::vector<std::string>& lines, const std::string& part)
{
    return std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
        return line.find(part) != std::string::npos;
    });
}

QByteArray recipeText(const std::string& reference, const std::string& package)
{
    Json recipe;
    recipe["language"] = "small";
    recipe["title"] = "Small";
    recipe["reference"] = reference;
    recipe["registry"]["base"] = "registry.invalid/none";
    recipe["registry"]["packages"] = Json::array();
    recipe["distribution"]["suite"] = "bookworm";
    recipe["distribution"]["packages"] = Json::array({package});
    recipe["labels"]["title"] = "small \"$HOME\"";
    recipe["check"] = Json::array({"true"});
    return QByteArray::fromStdString(dumpJson(recipe));
}

} // namespace
#endif

class TestImageBuilder : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        const auto endpoints = docker::findEndpoints("");
        m_client =
            std::make_unique<docker::Client>(m_context.get_executor(), endpoints.value().front());
        const auto version = test::runToEnd(m_context, m_client->negotiate(deadlineIn(10s)));
        if (!version && !qEnvironmentVariableIsSet("BELLJAR_REQUIRE_DOCKER"))
            QSKIP(version.error().message().c_str());
        QVERIFY2(version.has_value(), version ? "" : version.error().message().c_str());

        // The smallest image that can be told from another: no packages but the essential ones.
        const fs::path shipped = std::getenv("BELLJAR_DATA_DIR") + std::string("/images");
        m_folder = fs::path(m_temporary.path().toStdString()) / "images";
        fs::create_directories(m_folder / "small");
        for (const char* name : {"finish.sh", "hook.sh", "Dockerfile"})
            fs::copy(shipped / name, m_folder / name);
        m_reference = "belljar-test/small-" + std::to_string(::getpid());
        writeRecipe("usr-is-merged");
    }

    void cleanupTestCase()
    {
        if (m_client)
            (void)test::runToEnd(m_context, m_client->removeImage(m_reference, deadlineIn(30s)));
    }

    void cleanup() { m_lines.clear(); }

    void tellsThatAnImageIsNotThere()
    {
        auto builder = makeBuilder();

        const auto list = test::runToEnd(m_context, builder.list(deadlineIn(10s)));

        QCOMPARE(list.value().size(), std::size_t{1});
        QCOMPARE(list->front().reference, m_reference);
        QVERIFY(!list->front().present);
    }

    void leavesNothingBehindWhenCancelled()
    {
        auto builder = makeBuilder();
        const auto before = bootstrapFolders();
        TaskGroup group(m_context.get_executor(), "test");
        auto build = [](images::Builder& maker, auto onLine) -> asio::awaitable<void> {
            const auto made = co_await maker.build(
                "small", images::Rebuild::IfChanged, std::move(onLine), deadlineIn(kBuild)
            );
            Q_UNUSED(made);
        };
        group.spawn("build", build(builder, [&](std::string line) {
                        if (line.find("extracting archives") != std::string::npos)
                            group.cancel();
                    }));

        m_context.restart();
        m_context.run_for(kBuild);

        QCOMPARE(group.size(), std::size_t{0});
        QCOMPARE(bootstrapFolders(), before);
        const auto image = test::runToEnd(m_context, m_client->image(m_reference, deadlineIn(10s)));
        QCOMPARE(image.error().code(), Errc::NotFound);
    }

    void tellsWhatFailedWhenAPackageIsNotThere()
    {
        writeRecipe("no-such-package-anywhere");
        auto builder = makeBuilder();

        const auto made = build(builder);
        writeRecipe("usr-is-merged");

        QVERIFY(!made.has_value());
        const auto& message = made.error().message();
        QVERIFY2(message.find("no-such-package-anywhere") != std::string::npos, message.c_str());
        QVERIFY2(message.find(m_reference) != std::string::npos, message.c_str());
    }

    void buildsFromPackagesWhereNoBaseCanBePulled()
    {
        auto builder = makeBuilder();

        const auto made = build(builder);

        QVERIFY2(made.has_value(), made ? "" : made.error().message().c_str());
        QVERIFY(contains(m_lines, "not possible: "));
        QVERIFY(contains(m_lines, "distribution's packages instead"));
        QCOMPARE(m_lines.back(), m_reference + " is ready");
        const auto image = test::runToEnd(m_context, m_client->image(m_reference, deadlineIn(10s)));
        QCOMPARE(image->labels.at("io.belljar.recipe"), builder.recipes().front().digest);
        QCOMPARE(image->labels.at("io.belljar.made-from"), std::string("distribution"));
        QCOMPARE(image->labels.at("title"), std::string("small \"$HOME\""));
        const auto list = test::runToEnd(m_context, builder.list(deadlineIn(10s)));
        QVERIFY(list->front().present);
        QVERIFY(list->front().bytes > 20'000'000);
        QVERIFY(list->front().createdAt > execution::unixNow() - 600'000);
    }

    void leavesAloneWhatIsOfTheSameRecipe()
    {
        auto builder = makeBuilder();

        const auto made = build(builder);

        QVERIFY(made.has_value());
        QCOMPARE(m_lines, std::vector<std::string>({m_reference + " is up to date"}));
    }

    void refusesALanguageWithoutRecipe()
    {
        auto builder = makeBuilder();

        const auto made = test::runToEnd(
            m_context,
            builder.build(
                "cobol", images::Rebuild::IfChanged, [](std::string) {}, deadlineIn(10s)
            )
        );

        QCOMPARE(made.error().code(), Errc::NotFound);
        QVERIFY(made.error().message().find("small") != std::string::npos);
    }

private:
    void writeRecipe(const std::string& package)
    {
        QFile file(QString::fromStdString((m_folder / "small/recipe.json").string()));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(recipeText(m_reference, package));
    }

    images::Builder makeBuilder()
    {
        return images::Builder(*m_client, images::loadRecipes(m_folder).value());
    }

    Result<> build(images::Builder& builder)
    {
        return test::runToEnd(
            m_context,
            builder.build(
                "small",
                images::Rebuild::IfChanged,
                [this](std::string line) { m_lines.push_back(std::move(line)); },
                deadlineIn(kBuild)
            ),
            kBuild
        );
    }

    /// What mmdebstrap keeps on the disk while it works.
    static QStringList bootstrapFolders()
    {
        return QDir(QDir::tempPath()).entryList({"mmdebstrap.*"}, QDir::Dirs);
    }

    asio::io_context m_context;
    std::unique_ptr<docker::Client> m_client;
    QTemporaryDir m_temporary;
    fs::path m_folder;
    std::string m_reference;
    std::vector<std::string> m_lines;
};

QTEST_GUILESS_MAIN(TestImageBuilder)
#include "tst_image_builder.moc"
