// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "ui/guide/guide_steps.h"

#include <array>
#include <vector>
#endif

#include <QWidget>

class QLabel;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;

namespace belljar::ui {

/// The way to the first program in a sandbox: Docker, an image, a client, an example. All steps are
/// seen at once; each shows how far it is and can be left for later. Values in, commands out.
class Guide : public QWidget {
    Q_OBJECT

public:
    /// `situation`: what the engine has told so far.
    explicit Guide(const Situation& situation, QWidget* parent = nullptr);

    void apply(const std::vector<Event>& events);
    [[nodiscard]] const std::array<Step, kSteps>& steps() const { return m_steps; }

signals:
    void commandWanted(belljar::Command command);
    void clientsWanted();
    void exampleWanted();

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Row {
        QLabel* icon;
        QLabel* title;
        QLabel* text;
        QPushButton* button;
    };

    Row makeRow(StepName step);
    QWidget* makeBuild();
    QWidget* makeByHand();
    void take(const ImageBuildProgress& progress);
    void take(const ImageBuildEnded& ended);
    void take(const auto& /*event*/) {}
    void press(StepName step);
    void showStep(StepName step);
    void refresh();

    GuideFacts m_facts;
    std::array<Step, kSteps> m_steps;
    std::array<Row, kSteps> m_rows{};
    QWidget* m_build; ///< how the build goes on
    QProgressBar* m_progress;
    QPlainTextEdit* m_log;
};

} // namespace belljar::ui
