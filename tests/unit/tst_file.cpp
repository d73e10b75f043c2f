// SPDX-License-Identifier: GPL-3.0-or-later
#include <QProcess>
#include <QTest>

#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts, raw strings and Boost
#include "engine/base/file.h"
#include "engine/base/sha256.h"

#include <csignal>
#include <fstream>
#include <string>

#include "private_folder.h"
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace belljar;
using namespace belljar::test;
namespace fs = std::filesystem;

namespace {

unsigned modeOf(const fs::path& path)
{
    struct stat info {};
    return ::lstat(path.c_str(), &info) == 0 ? info.st_mode & 07777U : 0U;
}

std::size_t filesIn(const fs::path& folder)
{
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder), fs::directory_iterator())
    );
}

QString told(const Error& error)
{
    return QString::fromStdString(error.message());
}

/// The child of theLock...: takes the lock, says so, waits for its end.
int holdLock(const char* file)
{
    const auto lock = LockFile::acquire(file);
    if (!lock)
        return 3;
    if (::write(STDOUT_FILENO, "held\n", 5) != 5)
        return 4;
    char byte = 0;
    return ::read(STDIN_FILENO, &byte, 1) == 0 ? 0 : 5;
}

} // namespace
#endif

class TestFile : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_folder = std::make_unique<PrivateFolder>();
        m_file = m_folder->path() / "file";
    }

    void readsWhatItWrote()
    {
        const std::string content = std::string("a\0b\r\n\xff", 6) + std::string(200'000, 'x');

        QVERIFY(writeFile(m_file, content, 0600));

        QVERIFY(readFile(m_file).value() == content);
        QCOMPARE(sha256OfFile(m_file).value(), sha256Hex(content));
    }

    void writesWithTheModeWhateverTheUmask_data()
    {
        QTest::addColumn<uint>("mode");
        QTest::addColumn<uint>("umask");
        QTest::newRow("private, open umask") << 0600U << 0U;
        QTest::newRow("private, tight umask") << 0600U << 0777U;
        QTest::newRow("readable, usual umask") << 0644U << 077U;
        QTest::newRow("program") << 0755U << 022U;
    }
    void writesWithTheModeWhateverTheUmask()
    {
        QFETCH(uint, mode);
        QFETCH(uint, umask);
        const mode_t before = ::umask(umask);

        const auto written = writeFile(m_file, "x", mode);
        ::umask(before);

        QVERIFY(written);
        QCOMPARE(modeOf(m_file), mode);
    }

    void replacesAFileInOneStep()
    {
        QVERIFY(writeFile(m_file, "old", 0600));
        const UniqueFd reader(::open(m_file.c_str(), O_RDONLY | O_CLOEXEC));

        QVERIFY(writeFile(m_file, "new and longer", 0600));

        // Who has the old one open goes on reading the old one: it was not written into.
        char buffer[16] = {};
        QCOMPARE(::read(reader.get(), buffer, sizeof buffer), ssize_t{3});
        QCOMPARE(readFile(m_file).value(), std::string("new and longer"));
        QCOMPARE(filesIn(m_folder->path()), 1U);
    }

    void replacesALinkAndNotWhatItPointsTo()
    {
        const fs::path target = m_folder->path() / "target";
        std::ofstream(target) << "untouched";
        fs::create_symlink(target, m_file);

        QVERIFY(writeFile(m_file, "x", 0600));

        QVERIFY(!fs::is_symlink(m_file));
        QCOMPARE(readFile(target).value(), std::string("untouched"));
    }

    void leavesTheOldFileWhenTheDiskIsFull()
    {
        QVERIFY(writeFile(m_file, "old", 0600));
        std::signal(SIGXFSZ, SIG_IGN);
        rlimit before{};
        ::getrlimit(RLIMIT_FSIZE, &before);
        rlimit tight = before;
        tight.rlim_cur = 1000;
        ::setrlimit(RLIMIT_FSIZE, &tight);

        const auto written = writeFile(m_file, std::string(5000, 'x'), 0600);
        ::setrlimit(RLIMIT_FSIZE, &before);

        QVERIFY(!written);
        QCOMPARE(nameOf(written.error().code()), nameOf(Errc::IoFailed));
        QVERIFY(told(written.error()).contains("File too large"));
        QCOMPARE(readFile(m_file).value(), std::string("old"));
        QCOMPARE(filesIn(m_folder->path()), 1U);
    }

    void saysWhatCanNotBeRead()
    {
        QCOMPARE(nameOf(readFile(m_file).error().code()), nameOf(Errc::NotFound));
        QVERIFY(told(readFile(m_file).error()).contains(QString::fromStdString(m_file.string())));
        QCOMPARE(nameOf(readFile(m_folder->path()).error().code()), nameOf(Errc::IoFailed));
        QCOMPARE(
            nameOf(writeFile(m_folder->path() / "no/such", "x", 0600).error().code()),
            nameOf(Errc::IoFailed)
        );
    }

    void boundsWhatItReads()
    {
        QVERIFY(writeFile(m_file, "12345", 0600));

        QVERIFY(readFile(m_file, 5));
        QCOMPARE(nameOf(readFile(m_file, 4).error().code()), nameOf(Errc::InvalidArgument));
    }

    void makesFoldersPrivateWhateverTheUmask()
    {
        const mode_t before = ::umask(0);
        const auto made = makePrivateFolder(m_folder->path() / "a/b/c");
        ::umask(before);

        QVERIFY(made);
        for (const char* folder : {"a", "a/b", "a/b/c"})
            QCOMPARE(modeOf(m_folder->path() / folder), 0700U);
        QVERIFY(makePrivateFolder(m_folder->path() / "a/b/c"));
    }

    void refusesAnUnsafeFolder_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("says");
        QTest::newRow("link") << "link"
                              << "is not a folder";
        QTest::newRow("link with a slash") << "slash"
                                           << "is not a folder";
        QTest::newRow("file") << "file"
                              << "is not a folder";
        QTest::newRow("group can write") << "group"
                                         << "can be written by others";
        QTest::newRow("others can write") << "others"
                                          << "can be written by others";
        QTest::newRow("another user's") << "foreign"
                                        << "belongs to another user";
    }
    void refusesAnUnsafeFolder()
    {
        QFETCH(QString, kind);
        QFETCH(QString, says);
        const fs::path folder = m_folder->path() / "folder";
        fs::path asked = folder;
        if (kind == "link" || kind == "slash") {
            fs::create_directory(m_folder->path() / "real");
            fs::permissions(m_folder->path() / "real", fs::perms::owner_all);
            fs::create_directory_symlink(m_folder->path() / "real", folder);
            if (kind == "slash")
                asked = folder.string() + "/";
        } else if (kind == "file") {
            std::ofstream(folder) << "x";
        } else {
            fs::create_directory(folder);
            ::chmod(folder.c_str(), kind == "group" ? 0720 : kind == "others" ? 0702 : 0700);
        }
        if (kind == "foreign" && ::chown(folder.c_str(), 65534, 65534) != 0)
            QSKIP("only root can give a folder away");

        const auto made = makePrivateFolder(asked);

        QVERIFY(!made);
        QCOMPARE(nameOf(made.error().code()), nameOf(Errc::Unsafe));
        QVERIFY2(told(made.error()).contains(says), made.error().message().c_str());
    }

    void saysWhichParentCanNotBeMade()
    {
        std::ofstream(m_file) << "x";

        const auto made = makePrivateFolder(m_file / "below/deep");

        QVERIFY(!made);
        QVERIFY(told(made.error()).contains("/file"));
    }

    void locksOnce()
    {
        auto first = LockFile::acquire(m_file);
        QVERIFY(first);
        const auto second = LockFile::acquire(m_file);

        QVERIFY(!second);
        QCOMPARE(nameOf(second.error().code()), nameOf(Errc::Busy));
        QVERIFY2(
            told(second.error()).contains("held by process " + QString::number(::getpid())),
            second.error().message().c_str()
        );
        *first = LockFile();
        QVERIFY(LockFile::acquire(m_file));
        QCOMPARE(modeOf(m_file), 0600U);
    }

    void freesTheLockWhenItsProcessEnds_data()
    {
        QTest::addColumn<bool>("killed");
        QTest::newRow("by itself") << false;
        QTest::newRow("killed") << true;
    }
    void freesTheLockWhenItsProcessEnds()
    {
        QFETCH(bool, killed);
        QProcess child;
        child.start(
            QCoreApplication::applicationFilePath(),
            {"--hold", QString::fromStdString(m_file.string())}
        );
        QTRY_VERIFY(child.canReadLine() || child.waitForReadyRead(1000));

        const auto busy = LockFile::acquire(m_file);
        QVERIFY(!busy);
        QVERIFY2(
            told(busy.error()).contains(QString::number(child.processId())),
            busy.error().message().c_str()
        );
        if (killed)
            child.kill();
        else
            child.closeWriteChannel();
        QVERIFY(child.waitForFinished());

        QVERIFY(LockFile::acquire(m_file));
    }

    void doesNotFollowALinkToLock()
    {
        fs::create_symlink(m_folder->path() / "elsewhere", m_file);

        const auto lock = LockFile::acquire(m_file);

        QVERIFY(!lock);
        QCOMPARE(nameOf(lock.error().code()), nameOf(Errc::IoFailed));
        QVERIFY(!fs::exists(m_folder->path() / "elsewhere"));
    }

    void ownsOneDescriptor()
    {
        UniqueFd first(::open("/dev/null", O_RDONLY | O_CLOEXEC));
        const int number = first.get();
        UniqueFd second(std::move(first));
        QCOMPARE(second.get(), number);
        UniqueFd third;
        third = std::move(second);
        QVERIFY(third.valid());

        third.reset();

        QCOMPARE(::fcntl(number, F_GETFD), -1);
    }

    void hashesLikeEverybodyElse()
    {
        // FIPS 180-4's own examples.
        QCOMPARE(
            sha256Hex(""),
            std::string("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        );
        QCOMPARE(
            sha256Hex("abc"),
            std::string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        );
    }

private:
    std::unique_ptr<PrivateFolder> m_folder;
    fs::path m_file;
};

#ifndef Q_MOC_RUN
int main(int argc, char** argv)
{
    if (argc == 3 && std::string_view(argv[1]) == "--hold")
        return holdLock(argv[2]);
    QCoreApplication application(argc, argv);
    TestFile test;
    return QTest::qExec(&test, argc, argv);
}
#endif
#include "tst_file.moc"
