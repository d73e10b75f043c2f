// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/clients/configurations.h"
#include "ui/clients/clients_loader.h"
#include "ui/clients/connections.h"

#include <map>
#include <optional>
#include <string>
#include <vector>
#endif

#include <QAbstractTableModel>

namespace belljar::ui {

/// One client: one that Belljar knows, or one that it doesn't and that is connected or blocked.
struct ClientRow {
    std::string key;   ///< the client's id, or its name and program
    std::string title; ///< foreign text where it isn't known
    std::optional<clients::Found> found;
    std::vector<Connection> connections; ///< oldest first
    std::vector<Blocked> blocked;
    execution::UnixMs lastRun = 0;      ///< 0: never
    execution::UnixMs waitingSince = 0; ///< its configuration was written, and it hasn't connected
                                        ///< since; 0: nothing is waited for
};

/// The clients, those that are there first. Rows are told apart by their keys, so that what is
/// selected stays.
class ClientsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Title, Configuration, Now, LastRun, ColumnCount };

    explicit ClientsModel(QObject* parent = nullptr);

    void setFound(const std::vector<clients::Found>& found, const LastRuns& lastRuns);
    void apply(const std::vector<Event>& events);
    /// From now on it is waited for the client to connect.
    void waitFor(const std::string& client, execution::UnixMs since);

    [[nodiscard]] bool loaded() const { return m_loaded; }
    [[nodiscard]] const Connections& connections() const { return m_connections; }
    [[nodiscard]] const ClientRow* row(const QModelIndex& index) const;
    [[nodiscard]] const ClientRow* row(const std::string& key) const;
    [[nodiscard]] QModelIndex indexOf(const std::string& key) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant
    headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] std::vector<ClientRow> makeRows() const;
    [[nodiscard]] QString display(const ClientRow& row, int column) const;
    void update();

    bool m_loaded = false;
    std::vector<clients::Found> m_found;
    LastRuns m_lastRuns;
    std::map<std::string, execution::UnixMs> m_waiting; ///< by key
    Connections m_connections;
    std::vector<ClientRow> m_rows;
};

/// Words for where a configuration leads; of a client that isn't there that it isn't.
[[nodiscard]] QString configurationText(const clients::Found& found);
/// Words for what the client is doing now.
[[nodiscard]] QString nowText(const ClientRow& row);
/// The day and minute, or a dash for 0.
[[nodiscard]] QString momentText(execution::UnixMs at);
/// Foreign text on one line, cut where it is very long.
[[nodiscard]] QString foreignText(const std::string& text);

} // namespace belljar::ui
