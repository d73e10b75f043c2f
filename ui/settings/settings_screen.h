// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/events.h"
#include "ui/settings/preferences.h"

#include <functional>
#include <vector>
#endif

#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;

namespace belljar::ui {

class EngineRows;
class SettingRows;

/// Everything that can be set, with search, defaults and a way back to them.
class SettingsScreen : public QWidget {
    Q_OBJECT

public:
    explicit SettingsScreen(QWidget* parent = nullptr);

    void apply(const std::vector<Event>& events);
    void focusSearch();
    /// What is set elsewhere: by the question at closing.
    void showPreferences(const Preferences& preferences);

signals:
    /// Chosen, and kept already.
    void preferencesChanged(const belljar::ui::Preferences& preferences);
    void commandWanted(belljar::Command command);

protected:
    void showEvent(QShowEvent* event) override;

private:
    template <class T>
    void addChoice(
        const QString& title, const QString& help, const QStringList& names, T Preferences::*member
    );
    void addSwitch(const QString& title, const QString& help, bool Preferences::*member);
    void addAutostart();
    void changed();
    void showProblem(const QString& problem);

    QLineEdit* m_search;
    QLabel* m_nothing;
    SettingRows* m_rows;
    EngineRows* m_engine = nullptr;
    QLabel* m_problem;
    Preferences m_preferences;
    QList<std::function<void()>> m_show; ///< each puts what is set into its control
};

} // namespace belljar::ui
