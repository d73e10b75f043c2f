// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/events.h"
#include "ui/clients/clients_loader.h"
#include "ui/clients/clients_model.h"

#include <filesystem>
#include <string>
#include <vector>
#endif

#include <QWidget>

class QLabel;
class QSplitter;
class QStackedWidget;
class QTableView;

namespace belljar::ui {

class ClientPane;

/// The MCP clients: which are here, whether they are set up for Belljar and connected now.
class ClientsScreen : public QWidget {
    Q_OBJECT

public:
    ClientsScreen(
        const std::filesystem::path& historyFile,
        const ClientsLoader::Open& open,
        QWidget* parent = nullptr
    );

    void apply(const std::vector<belljar::Event>& events);
    /// Looks at the configurations again; by itself whenever it is shown.
    void look();

signals:
    void commandWanted(belljar::Command command);

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    enum class State { Loading, Failed, Ready };

    void makeTable();
    QWidget* makeFailed();
    void connectLoader();
    void showSelected();
    void showState(State state);

    ClientsLoader m_loader;
    ClientsModel m_model;
    QTableView* m_table;
    ClientPane* m_pane;
    QSplitter* m_splitter;
    QStackedWidget* m_stack;
    QLabel* m_failure;
    execution::UnixMs m_writeBegan = 0;
};

} // namespace belljar::ui
