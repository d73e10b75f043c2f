// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/store/history_reader.h"
#include "ui/policies/effect_loader.h"

#include <string>
#include <vector>
#endif

#include <QWidget>

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QTableWidget;

namespace belljar::ui {

/// The versions of a policy: what each changed, and a way back.
class VersionsView : public QWidget {
    Q_OBJECT

public:
    explicit VersionsView(EffectLoader& loader, QWidget* parent = nullptr);

    /// `inForce` is the text that the selected version may be compared with.
    void setPolicy(const std::string& name, const std::string& inForce, std::int64_t version);

signals:
    /// The person wants this version back; `text` is its.
    void restoreWanted(std::int64_t version, const std::string& text);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void load();
    void showList();
    void showDiff();

    EffectLoader& m_loader;
    std::string m_name;
    std::string m_inForce;
    std::int64_t m_version = 0;
    std::vector<store::PolicyVersion> m_versions;
    std::uint64_t m_token = 0;
    bool m_stale = true;
    QLabel* m_state;
    QTableWidget* m_list;
    QComboBox* m_against;
    QPushButton* m_restore;
    QPlainTextEdit* m_diff;
};

} // namespace belljar::ui
