// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/preferences.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <QSettings>
#include <QStandardPaths>

#include <array>

namespace belljar::ui {

namespace {

const QString kLanguage = QStringLiteral("window/language");
const QString kScheme = QStringLiteral("window/theme");
const QString kOnClose = QStringLiteral("window/on_close");
const QString kNotifications = QStringLiteral("window/notifications");

/// The words in the file, by the enumeration's values.
using Words = std::array<const char*, 3>;
constexpr Words kLanguageWords{"system", "en", "zh_CN"};
constexpr Words kSchemeWords{"system", "light", "dark"};
constexpr Words kOnCloseWords{"ask", "background", "quit"};

template <class T>
T read(const QSettings& settings, const QString& key, const Words& words)
{
    const QString kept = settings.value(key).toString();
    for (std::size_t value = 0; value < words.size(); ++value) {
        if (kept == QLatin1String(words[value]))
            return static_cast<T>(value);
    }
    return T{};
}

template <class T>
void write(QSettings& settings, const QString& key, const Words& words, T value)
{
    settings.setValue(key, QString::fromLatin1(words[static_cast<std::size_t>(value)]));
}

/// A word of an Exec line (Desktop Entry Specification 1.5, "The Exec key").
QString execWord(QString path)
{
    for (const char special : {'\\', '"', '`', '$'})
        path.replace(QLatin1Char(special), QLatin1Char('\\') + QString(QLatin1Char(special)));
    // A string's own escapes come on top, and a percent sign begins a field code.
    path.replace(QLatin1Char('\\'), QStringLiteral("\\\\"));
    path.replace(QLatin1Char('%'), QStringLiteral("%%"));
    return QLatin1Char('"') + path + QLatin1Char('"');
}

} // namespace

Preferences loadPreferences()
{
    const QSettings settings;
    Preferences preferences;
    preferences.language = read<Language>(settings, kLanguage, kLanguageWords);
    preferences.scheme = read<SchemeChoice>(settings, kScheme, kSchemeWords);
    preferences.onClose = read<OnClose>(settings, kOnClose, kOnCloseWords);
    preferences.notifications = settings.value(kNotifications, true).toBool();
    return preferences;
}

void savePreferences(const Preferences& preferences)
{
    QSettings settings;
    write(settings, kLanguage, kLanguageWords, preferences.language);
    write(settings, kScheme, kSchemeWords, preferences.scheme);
    write(settings, kOnClose, kOnCloseWords, preferences.onClose);
    settings.setValue(kNotifications, preferences.notifications);
}

QString autostartFile()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) +
           QStringLiteral("/autostart/io.belljar.desktop.desktop");
}

bool isAutostarted()
{
    QFile file(autostartFile());
    if (!file.open(QIODevice::ReadOnly))
        return false;
    constexpr qint64 kMostBytes = 16384;
    const QList<QByteArray> lines = file.read(kMostBytes).split('\n');
    return !lines.contains("Hidden=true") && !lines.contains("X-GNOME-Autostart-enabled=false");
}

QString setAutostarted(bool on)
{
    const QString path = autostartFile();
    if (!on) {
        QFile file(path);
        return !file.exists() || file.remove() ? QString() : file.errorString();
    }
    QDir().mkpath(QFileInfo(path).path());
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return file.errorString();
    file.write("[Desktop Entry]\nType=Application\nName=Belljar\nIcon=io.belljar.desktop\nExec=");
    file.write(execWord(QCoreApplication::applicationFilePath()).toUtf8());
    file.write(" --background\nTerminal=false\nX-GNOME-Autostart-enabled=true\n");
    return file.commit() ? QString() : file.errorString();
}

} // namespace belljar::ui
