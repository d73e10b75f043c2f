// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/events.h"
#include "ui/clients/clients_model.h"

#include <optional>
#include <string>
#include <vector>
#endif

#include <QScrollArea>

class QLabel;
class QPushButton;
class QTableWidget;

namespace belljar::ui {

class ChangeView;

/// One client, whole: where its configuration leads and what can be done about it, and its
/// connections.
class ClientPane : public QScrollArea {
    Q_OBJECT

public:
    explicit ClientPane(QWidget* parent = nullptr);

    /// Another row, or the same one changed. What the person has before them of the same row stays.
    void showRow(const ClientRow& row, const Connections& connections);
    void showNothing(const QString& why);

    void showPlan(const clients::Plan& plan);
    void showApplied(const clients::Plan& plan);
    /// Of what the person asked for; `why` is foreign text.
    void showFailure(const QString& why);
    [[nodiscard]] const std::string& key() const { return m_row.key; }

signals:
    void planWanted(belljar::clients::Plan::Kind kind, const std::string& client);
    void writeWanted(const belljar::clients::Plan& plan);
    void commandWanted(belljar::Command command);

private:
    QWidget* makeConfiguration();
    QWidget* makeConnections();
    void ask(clients::Plan::Kind kind);
    void showConfiguration();
    void showConnections(const Connections& connections);
    void updateConnectionButtons();
    void showNote();
    [[nodiscard]] std::optional<execution::Client> selectedClient() const;
    void toggleBlock();

    ClientRow m_row;
    bool m_written = false; ///< since this row has been shown
    QString m_failure;
    QString m_nothingToDo;
    std::vector<execution::Client> m_listed; ///< by row of the table

    QLabel* m_nothing;
    QWidget* m_whole;
    QLabel* m_title;
    QWidget* m_configuration = nullptr;
    QLabel* m_state = nullptr;
    QLabel* m_file = nullptr;
    QLabel* m_entry = nullptr;
    QPushButton* m_connect = nullptr;
    QPushButton* m_remove = nullptr;
    QPushButton* m_undo = nullptr;
    QPushButton* m_folder = nullptr;
    ChangeView* m_change = nullptr;
    QLabel* m_note = nullptr;
    QLabel* m_noConnection = nullptr;
    QTableWidget* m_table = nullptr;
    QPushButton* m_disconnect = nullptr;
    QPushButton* m_block = nullptr;
};

} // namespace belljar::ui
