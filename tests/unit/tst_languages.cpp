// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>

#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts and raw strings
#include "engine/base/file.h"
#include "engine/sandbox/languages.h"

using namespace belljar;
using sandbox::Languages;

namespace {

const char* const kRow =
    R"({"id":"lua","title":"Lua","names":["lua","lua5"],"image":"belljar/lua","file":"main.lua",
    "extensions":[".lua"],"run":["lua","main.lua"],"environment":{"A":"b"},"check":["lua","-v"],"hello":"print 'hello world'","lexer":"lua","has":"Lua"})";

std::string rowWith(std::string_view from, std::string_view to)
{
    std::string text = kRow;
    text.replace(text.find(from), from.size(), to);
    return text;
}

} // namespace
#endif

class TestLanguages : public QObject {
    Q_OBJECT

private slots:
    void loadsTheShippedRows()
    {
        const auto languages = Languages::load(BELLJAR_LANGUAGES);
        QVERIFY2(languages.has_value(), languages ? "" : languages.error().message().c_str());
        QCOMPARE(languages->idList(), std::string("bash, javascript, python"));
        QCOMPARE(languages->find("Python3")->id, std::string("python"));
        QCOMPARE(languages->find("js")->id, std::string("javascript"));
        QVERIFY(languages->find("python")->warm.has_value());
        QVERIFY(!languages->find("bash")->warm.has_value());
        QVERIFY(!languages->find("cobol"));
        QCOMPARE(languages->forFile("a/b.MJS")->id, std::string("javascript"));
        QVERIFY(!languages->forFile("README"));
    }

    void aLanguageIsAFile()
    {
        const QTemporaryDir folder;
        const std::string path = folder.path().toStdString();
        QVERIFY(writeFile(path + "/lua.json", kRow, 0600).has_value());
        const auto languages = Languages::load(path);
        QVERIFY(languages.has_value());
        QCOMPARE(languages->find("LUA5")->environment.at("A"), std::string("b"));
    }

    void saysWhatIsWrongWithARow_data()
    {
        QTest::addColumn<QString>("row");
        QTest::addColumn<QString>("message");
        const auto add = [](const char* name, const std::string& row, const char* message) {
            QTest::newRow(name) << QString::fromStdString(row) << message;
        };
        add("no id", rowWith("\"id\"", "\"no\""), "lua.json.id: is required");
        add("names as text",
            rowWith("[\"lua\",\"lua5\"]", "\"lua\""),
            "lua.json.names: expected a list of texts");
        add("file with a folder",
            rowWith("main.lua\",\n", "../main.lua\",\n"),
            "lua.json.file: expected a file name");
        add("nothing to run",
            rowWith("[\"lua\",\"main.lua\"]", "[]"),
            "lua.json.run: expected at least");
        add("not JSON", "{", "not valid JSON");
    }
    void saysWhatIsWrongWithARow()
    {
        QFETCH(QString, row);
        QFETCH(QString, message);
        const QTemporaryDir folder;
        const std::string path = folder.path().toStdString();
        QVERIFY(writeFile(path + "/lua.json", row.toStdString(), 0600).has_value());
        const auto languages = Languages::load(path);
        QVERIFY(!languages.has_value());
        const QString got = QString::fromStdString(languages.error().message());
        QVERIFY2(got.contains(message), qPrintable(got));
    }

    void anEmptyFolderIsAnError()
    {
        const QTemporaryDir folder;
        QVERIFY(!Languages::load(folder.path().toStdString()).has_value());
        QVERIFY(!Languages::load("/nonexistent").has_value());
    }
};

QTEST_GUILESS_MAIN(TestLanguages)
#include "tst_languages.moc"
