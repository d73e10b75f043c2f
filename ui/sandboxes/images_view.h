// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/events.h"

#include <optional>
#include <string>
#include <vector>
#endif

#include <QWidget>

class QLabel;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;
class QTableWidget;

namespace belljar::ui {

/// The sandbox images: what is there, and what can be done about it.
class ImagesView : public QWidget {
    Q_OBJECT

public:
    explicit ImagesView(QWidget* parent = nullptr);

    void setImages(const std::vector<ImageStatus>& images);
    void addProgress(const std::string& language, const QStringList& lines);
    void endBuild(const ImageBuildEnded& ended);

signals:
    void buildWanted(const std::string& language);
    void removeWanted(const std::string& language);

private:
    void makeTable();
    void fillRow(int row, const ImageStatus& image);
    [[nodiscard]] const ImageStatus* selected() const;
    [[nodiscard]] QString titleOf(const std::string& language) const;
    void updateButtons();
    void build();
    void askToRemove();

    std::vector<ImageStatus> m_images;
    QTableWidget* m_table;
    QPushButton* m_build;
    QPushButton* m_remove;
    QLabel* m_outcome; ///< of the last build
    QProgressBar* m_progress;
    QPlainTextEdit* m_log;
    std::string m_logged; ///< language whose build is in the log
};

} // namespace belljar::ui
