// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/audit/log_reader.h"

#include <cstdint>
#include <optional>
#endif

#include <QFrame>

class QLabel;
class QProgressBar;
class QPushButton;

namespace belljar::ui {

/// The state of the chain in words, with what can be done about it.
class ChainBar : public QFrame {
    Q_OBJECT

public:
    explicit ChainBar(QWidget* parent = nullptr);

    enum class Job : std::uint8_t { None, Verifying, Exporting };
    void showJob(Job job);
    void showProgress(std::uint64_t done, std::uint64_t total);
    /// What the quick check of the end says. One that finds nothing doesn't replace what a whole
    /// verification found.
    void showEnd(const audit::Verification& found);
    void showVerification(const audit::Verification& found);
    void showExported(const QString& file, std::uint64_t rows);
    void showFailure(const QString& message);

    [[nodiscard]] QString text() const;
    [[nodiscard]] Job job() const { return m_job; }

signals:
    void verifyWanted();
    void stopWanted();
    void exportWanted();
    /// All rows, whatever the filter is.
    void evidenceWanted();
    void rowWanted(qint64 sequence);

protected:
    void changeEvent(QEvent* event) override;

private:
    enum class Look : std::uint8_t { Unknown, Good, Bad };

    void say(Look look, const QString& text, const QString& more = {});
    void showBreak(const audit::Verification& found);
    void updateLook();

    QLabel* m_icon;
    QLabel* m_text;
    QLabel* m_more;
    QProgressBar* m_progress;
    QPushButton* m_row;
    QPushButton* m_evidence;
    QPushButton* m_stop;
    QPushButton* m_verify;
    QPushButton* m_export;
    Look m_look = Look::Unknown;
    Job m_job = Job::None;
    bool m_verified = false; ///< the whole log, while this is shown
    qint64 m_broken = 0;
};

} // namespace belljar::ui
