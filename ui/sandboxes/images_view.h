// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/events.h"

#include <optional>
#include <string>
#include <vector>
#endif

#include <QPointer>
#include <QWidget>

class QLabel;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;
class QTableWidget;

namespace belljar::ui {

class ImageDialog;

/// The sandbox images: what is there, and what can be done about it.
class ImagesView : public QWidget {
    Q_OBJECT

public:
    explicit ImagesView(QWidget* parent = nullptr);

    void setImages(const std::vector<ImageStatus>& images);
    void addProgress(const std::string& language, const QStringList& lines);
    void endBuild(const ImageBuildEnded& ended);
    /// How the last useWanted() ended; nothing where none is under way.
    void endUse(const std::optional<Error>& error);

signals:
    void buildWanted(const std::string& language);
    void removeWanted(const std::string& language);
    /// `reference`: empty for the shipped image.
    void useWanted(const std::string& language, const std::string& reference);

private:
    void makeTable();
    void fillRow(int row, const ImageStatus& image);
    [[nodiscard]] const ImageStatus* selected() const;
    [[nodiscard]] QString titleOf(const std::string& language) const;
    void updateButtons();
    void build();
    void askToRemove();
    void askForImage();
    void useShipped();
    void use(const std::string& language, const std::string& reference);

    std::vector<ImageStatus> m_images;
    QTableWidget* m_table;
    QPushButton* m_build;
    QPushButton* m_remove;
    QPushButton* m_use;
    QPushButton* m_shipped;
    QLabel* m_outcome; ///< of the last build
    QProgressBar* m_progress;
    QPlainTextEdit* m_log;
    QPointer<ImageDialog> m_dialog; ///< while it is open
    std::string m_used;             ///< language whose image is being changed
    std::string m_logged;           ///< language whose build is in the log
};

} // namespace belljar::ui
