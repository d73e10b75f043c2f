// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/execution/execution.h"

#include <string>
#endif

#include <QWidget>

class QLabel;
class QPushButton;
class QTableWidget;

namespace belljar::ui {

/// The settings of the container that a run had, as they were sent to Docker.
class SettingsView : public QWidget {
    Q_OBJECT

public:
    explicit SettingsView(QWidget* parent = nullptr);

    /// `json` empty: not known; why is told from the record.
    void setSettings(const std::string& json, const execution::Record& record);

private:
    QLabel* m_words;
    QTableWidget* m_table;
    QPushButton* m_copy;
    std::string m_json;
};

} // namespace belljar::ui
