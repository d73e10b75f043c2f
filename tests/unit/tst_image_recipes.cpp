// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/paths.h"
#include "engine/images/distribution.h"
#include "engine/images/recipe.h"
#include "engine/images/tar_writer.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <filesystem>

using namespace belljar;
namespace fs = std::filesystem;

namespace {

void write(const fs::path& file, const QByteArray& content)
{
    QFile out(QString::fromStdString(file.string()));
    QVERIFY(out.open(QIODevice::WriteOnly | QIODevice::Truncate));
    QCOMPARE(out.write(content), content.size());
}

QByteArray read(const fs::path& file)
{
    QFile in(QString::fromStdString(file.string()));
    return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
}

fs::path shippedImages()
{
    return findResource("images").value();
}

} // namespace

class TestImageRecipes : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_images = fs::path(m_folder->path().toStdString()) / "images";
        fs::copy(shippedImages(), m_images, fs::copy_options::recursive);
    }

    void loadsTheShippedRecipesInTheOrderOfTheirLanguages()
    {
        const auto recipes = images::loadRecipes(shippedImages());

        QVERIFY2(recipes.has_value(), recipes ? "" : recipes.error().message().c_str());
        QStringList languages;
        for (const auto& recipe : *recipes) {
            languages.append(QString::fromStdString(recipe.language));
            QCOMPARE(recipe.reference, "belljar/" + recipe.language);
            QCOMPARE(recipe.digest.size(), std::size_t{64});
            QVERIFY(!recipe.distribution.packages.empty());
            QVERIFY(!recipe.check.empty());
        }
        QCOMPARE(languages, QStringList({"bash", "javascript", "python"}));
    }

    void changesTheDigestWithEveryFileThatShapesTheImage_data()
    {
        QTest::addColumn<QString>("file");
        QTest::newRow("the recipe") << "python/recipe.json";
        QTest::newRow("its preparation") << "python/prepare.sh";
        QTest::newRow("what cleans up") << "finish.sh";
        QTest::newRow("what mmdebstrap runs") << "hook.sh";
        QTest::newRow("the Dockerfile") << "Dockerfile";
    }
    void changesTheDigestWithEveryFileThatShapesTheImage()
    {
        QFETCH(QString, file);
        const auto before = images::loadRecipe(m_images / "python").value().digest;
        const fs::path changed = m_images / file.toStdString();

        write(changed, read(changed) + "\n");

        QVERIFY(images::loadRecipe(m_images / "python").value().digest != before);
    }

    void keepsTheDigestWhenAnotherRecipeChanges()
    {
        const auto before = images::loadRecipe(m_images / "python").value().digest;

        write(m_images / "bash/recipe.json", read(m_images / "bash/recipe.json") + "\n");

        QCOMPARE(images::loadRecipe(m_images / "python").value().digest, before);
    }

    void refusesABadRecipeAndNamesThePlace_data()
    {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("an option as a package")
            << QByteArray("\"python3\"") << QByteArray("\"--evil\"") << QByteArray("--evil");
        QTest::newRow("a command as a package")
            << QByteArray("\"python3\"") << QByteArray("\"a;reboot\"") << QByteArray("a;reboot");
        QTest::newRow("no base") << QByteArray("\"base\"") << QByteArray("\"bass\"")
                                 << QByteArray("registry.base");
        QTest::newRow("packages that are a text")
            << QByteArray("\"suite\": \"bookworm\"") << QByteArray("\"suite\": 12")
            << QByteArray("distribution.suite");
        QTest::newRow("no JSON") << QByteArray("{") << QByteArray("<") << QByteArray("recipe.json");
    }
    void refusesABadRecipeAndNamesThePlace()
    {
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        QFETCH(QByteArray, says);
        const fs::path file = m_images / "python/recipe.json";
        write(file, read(file).replace(from, to));

        const auto recipe = images::loadRecipe(m_images / "python");

        QVERIFY(!recipe.has_value());
        QVERIFY2(
            recipe.error().message().find(says.toStdString()) != std::string::npos,
            recipe.error().message().c_str()
        );
    }

    void reportsAFolderWithoutRecipes()
    {
        QTemporaryDir empty;

        const auto recipes = images::loadRecipes(empty.path().toStdString());

        QCOMPARE(recipes.error().code(), Errc::NotFound);
    }

    void quotesLabelsForADockerfile()
    {
        const auto instructions = images::labelInstructions({{"a.b", "say \"$HOME\" \\ ü"}});

        QCOMPARE(instructions.size(), std::size_t{1});
        QCOMPARE(instructions[0], std::string("LABEL a.b=\"say \\\"\\$HOME\\\" \\\\ ü\""));
    }

    void takesPackagesFromTheHostsOwnReleaseWhereItCan_data()
    {
        QTest::addColumn<QByteArray>("osRelease");
        QTest::addColumn<QByteArray>("suite");
        QTest::addColumn<QByteArray>("components");
        QTest::newRow("Debian") << QByteArray("ID=debian\nVERSION_CODENAME=trixie\n")
                                << QByteArray("trixie") << QByteArray("main");
        QTest::newRow("Ubuntu") << QByteArray("NAME=\"Ubuntu\"\nVERSION_CODENAME=noble\nID=ubuntu")
                                << QByteArray("noble") << QByteArray("main,universe");
        QTest::newRow("quoted") << QByteArray("ID=\"debian\"\nVERSION_CODENAME='bookworm'\n")
                                << QByteArray("bookworm") << QByteArray("main");
        QTest::newRow("Debian's testing")
            << QByteArray("ID=debian\n") << QByteArray("bookworm") << QByteArray("main");
        QTest::newRow("Fedora") << QByteArray("ID=fedora\nVERSION_CODENAME=forty\n")
                                << QByteArray("bookworm") << QByteArray("main");
        QTest::newRow("no such file")
            << QByteArray() << QByteArray("bookworm") << QByteArray("main");
    }
    void takesPackagesFromTheHostsOwnReleaseWhereItCan()
    {
        QFETCH(QByteArray, osRelease);
        QFETCH(QByteArray, suite);
        QFETCH(QByteArray, components);

        const auto source = images::packageSource(osRelease.toStdString(), "bookworm");

        QCOMPARE(QByteArray::fromStdString(source.suite), suite);
        QCOMPARE(QByteArray::fromStdString(source.components), components);
    }

    void writesArchivesThatTarReads()
    {
        images::TarWriter tar;
        const QByteArray large(1'000'000, 'x');
        tar.add("Dockerfile", "FROM scratch\n");
        tar.add("empty", "");
        tar.add("exactly.512", QByteArray(512, 'y').toStdString());
        tar.add("large", large.toStdString());
        const fs::path archive = m_images / "archive.tar";
        write(archive, QByteArray::fromStdString(tar.finish()));

        QProcess extract;
        extract.start(
            "tar",
            {"--extract",
             "--file",
             QString::fromStdString(archive.string()),
             "--directory",
             QString::fromStdString(m_images.string())}
        );
        QVERIFY(extract.waitForFinished());

        QCOMPARE(extract.readAllStandardError(), QByteArray());
        QCOMPARE(extract.exitCode(), 0);
        QCOMPARE(read(m_images / "Dockerfile"), QByteArray("FROM scratch\n"));
        QCOMPARE(read(m_images / "empty"), QByteArray());
        QCOMPARE(read(m_images / "exactly.512"), QByteArray(512, 'y'));
        QCOMPARE(read(m_images / "large"), large);
    }

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    fs::path m_images;
};

QTEST_GUILESS_MAIN(TestImageRecipes)
#include "tst_image_recipes.moc"
