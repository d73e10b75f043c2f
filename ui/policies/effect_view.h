// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/base/ids.h"
#include "ui/policies/effect_loader.h"
#include "ui/policies/policy_document.h"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>
#endif

#include <QPointer>
#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QTableWidget;
class QTimer;

namespace belljar::ui {

/// What a draft would do: past executions decided anew, and a box to try a program out.
class EffectView : public QWidget {
    Q_OBJECT

public:
    explicit EffectView(EffectLoader& loader, QWidget* parent = nullptr);

    /// `name` is the policy's. Null: nothing to show.
    void setDocument(PolicyDocument* document, const std::string& name);
    /// Clients that can be picked beside those of the history.
    void setClients(const QStringList& names);
    /// What the person has decided for later questions too.
    void setRemembered(const std::vector<policy::Remembered>& remembered);
    /// Digests of the languages' images.
    void setImages(std::map<std::string, std::string> digests);
    /// Decides past executions anew now, on the screen or not; loaded() follows where it can.
    void evaluate();
    /// What would change, in sentences (effect.h).
    [[nodiscard]] QString summary() const;
    [[nodiscard]] const Effect& effect() const { return m_effect; }

signals:
    void executionActivated(const belljar::ExecutionId& id);
    void loaded();

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makePast();
    QWidget* makeTryOut();
    void ask();
    void askLater();
    void showEffect();
    void fillRows();
    void tryOut();
    [[nodiscard]] std::optional<policy::Named> draft() const;

    EffectLoader& m_loader;
    QPointer<PolicyDocument> m_document;
    std::string m_name;
    Circumstances m_circumstances;
    Effect m_effect;
    std::vector<ExecutionId> m_shown; ///< by row
    std::uint64_t m_effectToken = 0;
    std::uint64_t m_tryToken = 0;
    bool m_stale = true;
    QTimer* m_later;
    QLabel* m_summary;
    std::array<QCheckBox*, kChanges> m_chips{};
    QTableWidget* m_rows;
    QPlainTextEdit* m_code;
    QComboBox* m_client;
    QComboBox* m_language;
    QPushButton* m_try;
    QLabel* m_answer;
};

} // namespace belljar::ui
