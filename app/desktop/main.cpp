// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/desktop.h"
#include "app/desktop/single_instance.h"
#include "engine/base/log.h"
#include "engine/base/paths.h"
#include "ui/shell/style.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QIcon>
#include <QSocketNotifier>

#include <csignal>
#include <cstdio>

#include "belljar_version.h"
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace {

using namespace belljar;

/// Qt's own messages go where ours go, one line each.
void logQtMessage(QtMsgType type, const QMessageLogContext& /*context*/, const QString& message)
{
    const std::string text = log::safe(message.toStdString());
    if (type == QtDebugMsg || type == QtInfoMsg)
        log::ui().debug("qt=\"{}\"", text);
    else
        log::ui().warn("qt=\"{}\"", text);
}

/// SIGINT, SIGTERM and SIGHUP become a read on the descriptor. Called before any thread is started.
int blockedSignals()
{
    sigset_t set;
    ::sigemptyset(&set);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        ::sigaddset(&set, signal);
    ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
    return ::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

void useFonts()
{
    // Where Qt falls back for Chinese by itself, it takes a face that is heavier than the Latin
    // one.
    QFont font = QApplication::font();
    QStringList families = font.families();
    families << QStringLiteral("Noto Sans CJK SC");
    font.setFamilies(families);
    QApplication::setFont(font);
}

} // namespace

int main(int argc, char** argv)
{
    // No core file of ours may hold a client's code.
    ::prctl(PR_SET_DUMPABLE, 0);
    const int signalFd = blockedSignals();

    QCoreApplication::setApplicationName(QStringLiteral("belljar"));
    QCoreApplication::setOrganizationName(QStringLiteral("belljar"));
    QCoreApplication::setApplicationVersion(QString::fromLatin1(kVersion));
    QGuiApplication::setDesktopFileName(QStringLiteral("io.belljar.desktop"));
    QApplication::setStyle(new ui::Style);
    QApplication app(argc, argv);
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QCoreApplication::translate("main", "Watches code that assistants run in sandboxes.")
    );
    parser.addHelpOption();
    parser.addVersionOption();
    const QCommandLineOption background(
        QStringLiteral("background"),
        QCoreApplication::translate("main", "Begin without the window; starting again shows it.")
    );
    parser.addOption(background);
    parser.process(app);

    const Paths paths = findPaths();
    if (auto made = makeFolders(paths); !made) {
        std::fprintf(stderr, "belljar-desktop: %s\n", made.error().message().c_str());
        return 1;
    }
    log::start(paths.logFile(), spdlog::level::warn);
    qInstallMessageHandler(logQtMessage);

    desktop::SingleInstance instance(
        QString::fromStdString((paths.runtime / "desktop.sock").string())
    );
    if (!instance.acquire())
        return 0;

    // Hidden it goes on; it ends by its quit().
    QApplication::setQuitOnLastWindowClosed(false);
    useFonts();
    EngineOptions options;
    options.paths = paths;
    desktop::Desktop desktop(options);
    QObject::connect(&instance, &desktop::SingleInstance::activated, &desktop, [&desktop] {
        desktop.window().raiseWindow();
    });
    QSocketNotifier ended(signalFd, QSocketNotifier::Read);
    QObject::connect(&ended, &QSocketNotifier::activated, &desktop, [&desktop] {
        desktop.window().quit();
    });

    if (!parser.isSet(background))
        desktop.window().show();
    desktop.start();
    return QApplication::exec();
}
