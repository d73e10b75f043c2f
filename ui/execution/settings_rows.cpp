// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/execution/settings_rows.h"

#include "engine/base/json.h"
#include "engine/base/sha256.h"
#include "engine/base/text.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <array>
#include <limits>

namespace belljar::ui {

namespace {

constexpr std::string_view kSeccomp = "seccomp=";

class Words {
    Q_DECLARE_TR_FUNCTIONS(belljar::ui::Settings)
};

QString notSet()
{
    return Words::tr("not set");
}

QString safe(const std::string& text)
{
    return QString::fromStdString(escapeForLine(text));
}

/// A value as it was sent; texts without their quotes.
QString plain(const Json& value)
{
    if (value.is_null())
        return notSet();
    if (value.is_string())
        return safe(value.get<std::string>());
    if (value.is_boolean())
        return value.get<bool>() ? Words::tr("yes") : Words::tr("no");
    if (value.is_array()) {
        QStringList items;
        for (const Json& item : value)
            items << plain(item);
        return items.isEmpty() ? Words::tr("none") : items.join(QStringLiteral(", "));
    }
    return safe(dumpJson(value));
}

QString bytes(const Json& value)
{
    if (!value.is_number_unsigned())
        return plain(value);
    const auto count = value.get<std::uint64_t>();
    const auto shown = std::min<std::uint64_t>(count, std::numeric_limits<qint64>::max());
    return Words::tr("%1 bytes (%2)")
        .arg(QLocale().toString(static_cast<qulonglong>(count)))
        .arg(QLocale().formattedDataSize(static_cast<qint64>(shown)));
}

QString cores(const Json& value)
{
    if (!value.is_number())
        return plain(value);
    return Words::tr("%1 of a core").arg(value.get<double>() / 1e9, 0, 'f', 2);
}

/// Everything but the filter, which has a row of its own.
QString securityOptions(const Json& value)
{
    if (!value.is_array())
        return plain(value);
    QStringList items;
    for (const Json& item : value) {
        const bool filter = item.is_string() && item.get<std::string>().starts_with(kSeccomp);
        if (!filter)
            items << plain(item);
    }
    return items.isEmpty() ? Words::tr("none") : items.join(QStringLiteral(", "));
}

QString seccomp(const Json& value)
{
    if (value.is_array()) {
        for (const Json& item : value) {
            if (!item.is_string())
                continue;
            const auto text = item.get<std::string>();
            if (text.starts_with(kSeccomp)) {
                const std::string profile = text.substr(kSeccomp.size());
                return Words::tr("the profile that was sent, %1 bytes, SHA-256 %2")
                    .arg(profile.size())
                    .arg(QString::fromStdString(sha256Hex(profile)));
            }
        }
    }
    return Words::tr("Docker's own profile (none was sent)");
}

QString limits(const Json& value)
{
    if (!value.is_array())
        return plain(value);
    QStringList items;
    for (const Json& item : value) {
        if (item.is_object())
            items << plain(item.value("Name", Json())) + QLatin1Char(' ') +
                         plain(item.value("Soft", Json())) + QLatin1Char('/') +
                         plain(item.value("Hard", Json()));
    }
    return items.isEmpty() ? Words::tr("none") : items.join(QStringLiteral(", "));
}

QString tmpfs(const Json& value)
{
    if (!value.is_object())
        return plain(value);
    QStringList items;
    for (const auto& [point, options] : value.items())
        items << safe(point) + QStringLiteral(": ") + plain(options);
    return items.isEmpty() ? Words::tr("none") : items.join(QLatin1Char('\n'));
}

QString mounts(const Json& value)
{
    if (!value.is_array())
        return plain(value);
    QStringList items;
    for (const Json& item : value) {
        if (!item.is_object())
            continue;
        QString words = plain(item.value("Type", Json()));
        if (item.contains("Source"))
            words += QLatin1Char(' ') + plain(item["Source"]);
        words += QStringLiteral(" → ") + plain(item.value("Target", Json()));
        const Json readOnly = item.value("ReadOnly", Json());
        if (readOnly.is_boolean())
            words += readOnly.get<bool>() ? Words::tr(", read-only") : Words::tr(", writable");
        items << words;
    }
    return items.isEmpty() ? Words::tr("none") : items.join(QLatin1Char('\n'));
}

/// One row of the table: where in the request it is, and how it is told.
struct Row {
    const char* name;
    const char* pointer;
    QString (*tell)(const Json&);
};

constexpr std::array kRows{
    Row{QT_TRANSLATE_NOOP("belljar::ui::Settings", "Image"), "/Image", plain},
    Row{QT_TRANSLATE_NOOP("belljar::ui::Settings", "Network"), "/HostConfig/NetworkMode", plain},
    Row{QT_TRANSLATE_NOOP("belljar::ui::Settings", "Network disabled"), "/NetworkDisabled", plain},
    Row{QT_TRANSLATE_NOOP("belljar::ui::Settings", "User"), "/User", plain},
    Row{QT_TRANSLATE_NOOP("belljar::ui::Settings", "Privileged"), "/HostConfig/Privileged", plain},
    Row{QT_TRANSLATE_NOOP("belljar::ui::Settings", "Capabilities dropped"),
        "/HostConfig/CapDrop",
        plain},
    Row{QT_TRANSLATE_NOOP("belljar::ui::Settings", "Capabilities added"),
        "/HostConfig/CapAdd",
        plain},
    Row{QT_TRANSLATE_NOOP("belljar::ui::Settings", "System call filter"),
        "/HostConfig/SecurityOpt",
        seccomp},
    Row{QT_TRANSLATE_NOOP("belljar::ui::Settings", "Security options"),
        "/HostConfig/SecurityOpt",
        securityOptions},
    Row{QT_TRANSLATE_NOOP("belljar::ui::Settings", "Read-only root"),
        "/HostConfig/ReadonlyRootfs",
        plain},
    Row{QT_TRANSLATE_NOOP("belljar::ui::Settings", "Memory"), "/HostConfig/Memory", bytes},
    Row{QT_TRANSLATE_NOOP("belljar::ui::Settings", "Memory and swap together"),
        "/HostConfig/MemorySwap",
        bytes},
    Row{QT_TRANSLATE_NOOP("belljar::ui::Settings", "CPU"), "/HostConfig/NanoCpus", cores},
    Row{QT_TRANSLATE_NOOP("belljar::ui::Settings", "Processes"), "/HostConfig/PidsLimit", plain},
    Row{QT_TRANSLATE_NOOP("belljar::ui::Settings", "Limits per process (soft/hard)"),
        "/HostConfig/Ulimits",
        limits},
    Row{QT_TRANSLATE_NOOP("belljar::ui::Settings", "Folders in memory"),
        "/HostConfig/Tmpfs",
        tmpfs},
    Row{QT_TRANSLATE_NOOP("belljar::ui::Settings", "Mounts"), "/HostConfig/Mounts", mounts},
    Row{QT_TRANSLATE_NOOP("belljar::ui::Settings", "IPC"), "/HostConfig/IpcMode", plain},
    Row{QT_TRANSLATE_NOOP("belljar::ui::Settings", "Cgroup namespace"),
        "/HostConfig/CgroupnsMode",
        plain},
    Row{QT_TRANSLATE_NOOP("belljar::ui::Settings", "Runtime"), "/HostConfig/Runtime", plain},
    Row{QT_TRANSLATE_NOOP("belljar::ui::Settings", "Entry point"), "/Entrypoint", plain},
    Row{QT_TRANSLATE_NOOP("belljar::ui::Settings", "Working folder"), "/WorkingDir", plain},
    Row{QT_TRANSLATE_NOOP("belljar::ui::Settings", "Environment"), "/Env", plain},
    Row{QT_TRANSLATE_NOOP("belljar::ui::Settings", "Logs of Docker"),
        "/HostConfig/LogConfig/Type",
        plain},
    Row{QT_TRANSLATE_NOOP("belljar::ui::Settings", "Removed at its end"),
        "/HostConfig/AutoRemove",
        plain},
};

} // namespace

std::vector<std::pair<QString, QString>>
settingsRows(std::string_view json, const execution::Record& record)
{
    const auto parsed = parseJson(json);
    if (!parsed || !parsed->is_object())
        return {};
    std::vector<std::pair<QString, QString>> rows;
    for (const Row& row : kRows) {
        const Json::json_pointer pointer(row.pointer);
        const Json found = parsed->contains(pointer) ? parsed->at(pointer) : Json();
        rows.emplace_back(Words::tr(row.name), row.tell(found));
    }
    rows.emplace_back(Words::tr("Container"), safe(record.containerId));
    return rows;
}

} // namespace belljar::ui
