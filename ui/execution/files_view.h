// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/base/ids.h"
#include "engine/execution/files.h"
#include "ui/bridge/run_file.h"

#include <cstddef>
#include <map>
#include <optional>
#include <vector>
#endif

#include <QPixmap>
#include <QWidget>

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QStackedWidget;
class QTableWidget;

namespace belljar::ui {

/// The files that a run left in its workspace: what was kept and what wasn't, pictures small in the
/// list and larger below it, texts as text, and how to save them. Names and contents are the
/// program's, so they are shown escaped.
class FilesView : public QWidget {
    Q_OBJECT

public:
    explicit FilesView(QWidget* parent = nullptr);

    /// Begins anew. `ended`: an empty list is final.
    void setFiles(const execution::RunFiles& files, bool ended);
    /// What previewWanted() asked for.
    void setPreview(std::size_t place, const FilePreview& preview);
    [[nodiscard]] const execution::RunFiles& files() const { return m_files; }

signals:
    /// By its place in the list.
    void previewWanted(std::size_t place);
    void saveWanted(std::size_t place, const QString& suggestedName);
    void saveAllWanted();

private:
    void makeTable();
    void fillRow(int row);
    void showSelected();
    void showPreview(const FilePreview& preview);
    void scalePicture();
    void resizeEvent(QResizeEvent* event) override;
    [[nodiscard]] std::optional<std::size_t> selected() const;

    execution::RunFiles m_files;
    std::vector<std::string> m_saveNames;
    std::map<std::size_t, FilePreview> m_previews; ///< of pictures, by place
    QLabel* m_summary;
    QTableWidget* m_table;
    QStackedWidget* m_preview;
    QLabel* m_picture;
    QPlainTextEdit* m_text;
    QLabel* m_words;
    QPushButton* m_save;
    QPushButton* m_saveAll;
    QPixmap m_shown; ///< in full
};

} // namespace belljar::ui
