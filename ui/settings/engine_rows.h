// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/events.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>
#endif

#include <QList>
#include <QObject>
#include <QString>

class QLabel;
class QLineEdit;
class QPushButton;
class QWidget;

namespace belljar::ui {

class SettingRows;

/// What is set about the engine, as rows of the settings: Docker, MCP over HTTP with its token, how
/// long the history is kept, and what Belljar keeps on this machine. Values in, commands out; what
/// the engine hasn't taken is not shown as set.
class EngineRows : public QObject {
    Q_OBJECT

public:
    /// Adds its groups to `rows`, which owns the widgets and lives longer.
    EngineRows(SettingRows& rows, QObject* parent);

    void apply(const std::vector<Event>& events);
    /// Asks how much there is; for when it is looked at.
    void measure();

signals:
    void commandWanted(belljar::Command command);
    /// Why a change was not taken; empty: the last one was.
    void problemChanged(const QString& problem);

private:
    /// A control that shows a member of the settings.
    struct Field {
        const char* name; ///< in the file and in the engine's errors
        QString title;
        QWidget* control;
        std::function<void()> show;
    };

    void addEngine();
    void addHttp();
    void addHistory();
    void addData();
    void addText(
        const char* name,
        const QString& title,
        const QString& help,
        std::string EngineSettings::*member
    );
    void addSwitch(
        const char* name, const QString& title, const QString& help, bool EngineSettings::*member
    );
    /// `zero`: what 0 means, shown in its place; empty: it is a number like others.
    template <class T>
    void addNumber(
        const char* name,
        const QString& title,
        const QString& help,
        T EngineSettings::*member,
        int low,
        int high,
        const QString& unit = {},
        const QString& zero = {}
    );
    void
    add(Field field,
        const QString& help,
        std::function<bool()> isDefault,
        std::function<void()> reset);
    void want(const std::function<void(EngineSettings&)>& change);

    void take(const SettingsChanged& changed);
    void take(const SettingsCommandDone& done);
    void take(const TokenRevealed& revealed);
    void take(const DataMeasured& measured);
    void take(const EngineFailed& failed);
    void take(const auto& /*event*/) {}

    void setKnown(bool known, const QString& state);
    void showHttp(const HttpState& http);
    void askForToken();
    void askToRotate();
    void askToCleanUp();
    [[nodiscard]] QWidget* window() const;

    SettingRows& m_rows;
    EngineSettings m_settings;
    QList<Field> m_fields;
    QList<QWidget*> m_controls; ///< that need the engine
    QLabel* m_state = nullptr;
    QLabel* m_url = nullptr;
    QPushButton* m_copyUrl = nullptr;
    QLineEdit* m_secret = nullptr;
    QLabel* m_folder = nullptr;
    QLabel* m_sizes = nullptr;
    QPushButton* m_cleanUp = nullptr;
    std::uint64_t m_expired = 0;
    std::uint64_t m_lastToken = 0;
    std::uint64_t m_change = 0; ///< token of the newest change under way
    std::uint64_t m_reveal = 0; ///< likewise
};

} // namespace belljar::ui
