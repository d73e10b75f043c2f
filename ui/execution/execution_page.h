// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/events.h"
#include "ui/bridge/history_loader.h"
#include "ui/execution/output_view.h"

#include <memory>
#include <optional>
#include <vector>
#endif

#include <QWidget>

class QLabel;
class QPushButton;
class QSplitter;
class QTabWidget;

namespace belljar::ui {

class CodeView;
class FactsView;
class FilesView;
class OutputPanel;
class ResourceGraph;
class SettingsView;
class TimelineStrip;

/// One execution: its code, its output as it comes, its resources and all its facts.
class ExecutionPage : public QWidget {
    Q_OBJECT

public:
    explicit ExecutionPage(QWidget* parent = nullptr);

    /// Shows `record` at once; code and what came before follow with setDetails().
    void show(const execution::Record& record);
    void setDetails(const ExecutionDetails& details);
    void showFailure(const QString& message);
    void clear();
    /// Takes what concerns the execution shown.
    void apply(const std::vector<Event>& events);

    [[nodiscard]] const std::optional<execution::Record>& record() const { return m_record; }
    [[nodiscard]] const std::string& code() const { return m_code; }
    /// What Docker was asked for, JSON; nothing while it isn't known.
    void setSettings(const ExecutionId& id, const std::string& settings);
    void setFilePreview(const ExecutionId& id, std::size_t place, const FilePreview& preview);
    /// How saving went; `message` empty: all was written.
    void tellSaved(const QString& place, const QString& message);
    void focusSearch();
    /// See OutputView::jumpToError().
    bool jumpToError(Direction direction);
    /// Marks what was searched for in code and output.
    void setWords(const QStringList& words);

signals:
    void stopWanted(const belljar::ExecutionId& id);
    void runAgainWanted();
    void ruleWanted();
    void settingsWanted(const belljar::ExecutionId& id);
    void fileWanted(const belljar::ExecutionId& id, std::size_t place);
    /// To a file, or all into a new folder.
    void saveFileWanted(const belljar::ExecutionId& id, std::size_t place, const QString& to);
    void saveFilesWanted(const belljar::ExecutionId& id, const QString& to);

private:
    QWidget* makeHeader();
    void setRecord(const execution::Record& record);
    void appendOutput(const std::vector<execution::OutputChunk>& chunks);
    void appendSamples(const std::vector<execution::Sample>& samples);
    void updateHeader();
    void setFiles(const execution::RunFiles& files);
    void askWhereToSave(std::size_t place, const QString& suggestedName);
    void askWhereToSaveAll();
    [[nodiscard]] QString outputPlaceholder() const;
    [[nodiscard]] QString commandText() const;

    std::optional<execution::Record> m_record;
    std::string m_code;
    bool m_detailed = false; ///< the history's part is here, so live parts go straight to the views
    std::vector<execution::OutputChunk>
        m_earlyOutput; ///< came while the history's part was under way
    std::vector<execution::Sample> m_earlySamples;
    std::uint64_t m_nextOffset[2] = {0, 0}; ///< by stream: what is shown already

    QLabel* m_icon;
    QLabel* m_title;
    QLabel* m_subtitle;
    QPushButton* m_stop;
    QPushButton* m_runAgain;
    QPushButton* m_copy;
    QPushButton* m_rule;
    TimelineStrip* m_timeline;
    CodeView* m_codeView;
    OutputPanel* m_output;
    ResourceGraph* m_graph;
    FactsView* m_facts;
    SettingsView* m_settings;
    FilesView* m_files;
    QTabWidget* m_side;
    bool m_hasSettings = false;
};

} // namespace belljar::ui
