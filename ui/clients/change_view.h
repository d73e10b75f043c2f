// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/clients/configurations.h"

#include <optional>
#endif

#include <QFrame>

class QCheckBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace belljar::ui {

/// A change of a client's configuration as it would be written, and the person's word on it.
class ChangeView : public QFrame {
    Q_OBJECT

public:
    explicit ChangeView(QWidget* parent = nullptr);

    /// `title` is the client's; `needsConsent`: the person has to tick `consent` first, a sentence.
    void show(const clients::Plan& plan, const QString& consent);
    void clear();
    /// Also while it is being written.
    [[nodiscard]] const std::optional<clients::Plan>& plan() const { return m_plan; }

signals:
    void writeWanted(const belljar::clients::Plan& plan);
    void dismissed();

private:
    void updateButtons();

    std::optional<clients::Plan> m_plan;
    QLabel* m_title;
    QLabel* m_backup;
    QPlainTextEdit* m_diff;
    QCheckBox* m_consent;
    QPushButton* m_write;
    QPushButton* m_cancel;
    bool m_writing = false;
};

} // namespace belljar::ui
