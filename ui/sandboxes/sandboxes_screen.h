// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/events.h"
#include "ui/sandboxes/sandboxes_model.h"

#include <cstdint>
#include <string>
#include <vector>
#endif

#include <QWidget>

class QLabel;
class QPushButton;
class QStackedWidget;
class QTableView;

namespace belljar::ui {

class Banner;
class ImagesView;
class PoolBar;

/// The containers of Belljar as they are now, how many are kept warm, and the images. The engine
/// measures them only while this is on the screen.
class SandboxesScreen : public QWidget {
    Q_OBJECT

public:
    explicit SandboxesScreen(QWidget* parent = nullptr);

    void apply(const std::vector<Event>& events);

    enum class State : std::uint8_t { Loading, NoDocker, Failed, Ready };
    [[nodiscard]] State state() const { return m_state; }

signals:
    void commandWanted(belljar::Command command);
    void executionActivated(const belljar::ExecutionId& id);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    [[nodiscard]] QWidget* makeReadyPage();
    void makeTable();
    void connectParts();

    void take(const DockerChanged& changed);
    void take(const EngineFailed& failed);
    void take(const ImagesChanged& changed);
    void take(const ImageBuildProgress& progress);
    void take(const ImageBuildEnded& ended);
    void take(const SandboxesChanged& changed);
    void take(const SandboxCommandDone& done);
    void take(const ExecutionChanged& changed);
    void take(const auto& /*event*/) {}

    void setState(State state);
    void updateButtons();
    void kill();
    void useImage(const std::string& language, const std::string& reference);
    void showProgram();
    [[nodiscard]] const SandboxStatus* selected() const;
    void flushProgress();

    SandboxesModel m_model;
    State m_state = State::Loading;
    std::uint64_t m_lastToken = 0;
    std::uint64_t m_useToken = 0; ///< of the last UseImage
    std::string m_building;       ///< language of the lines below
    QStringList m_lines;          ///< of one batch of events

    QStackedWidget* m_stack;
    QLabel* m_noDocker;
    QLabel* m_failure;
    Banner* m_refused; ///< why the last command was not carried out
    QLabel* m_problem; ///< of the file that keeps what was chosen
    PoolBar* m_pools;
    QStackedWidget* m_list; ///< the table, or that there is nothing
    QTableView* m_table;
    QPushButton* m_kill;
    QPushButton* m_show;
    ImagesView* m_images;
};

} // namespace belljar::ui
