// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/base/result.h"

#include <string>
#include <vector>
#endif

#include <QDialog>

class QComboBox;
class QLabel;
class QPushButton;

namespace belljar::ui {

class DiffView;

/// A policy that comes with Belljar, as it was shipped: what became of it since is the person's.
struct Preset {
    std::string name;
    std::string text;
};

/// All of them, by name. Errors: NotFound, IoFailed.
Result<std::vector<Preset>> readPresets();

/// Asks which preset a draft is to become, beside what that changes. The title stays the draft's.
class PresetDialog : public QDialog {
    Q_OBJECT

public:
    /// `inForce` is what loosening is measured by; empty for a policy that isn't saved yet.
    PresetDialog(
        std::vector<Preset> presets,
        std::string draft,
        std::string title,
        std::string inForce,
        QWidget* parent = nullptr
    );

signals:
    void chosen(const QString& preset, const std::string& text);

private:
    void showPreset();
    [[nodiscard]] std::string textOfPreset() const;

    std::vector<Preset> m_presets;
    std::string m_draft;
    std::string m_title;
    std::string m_inForce;
    QComboBox* m_choice;
    QLabel* m_description;
    QLabel* m_loosens;
    DiffView* m_diff;
    QPushButton* m_replace;
};

} // namespace belljar::ui
