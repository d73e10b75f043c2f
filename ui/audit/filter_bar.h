// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/audit/log_reader.h"
#endif

#include <QWidget>

class QComboBox;
class QDateTimeEdit;
class QHBoxLayout;
class QLineEdit;
class QTimer;

namespace belljar::ui {

/// What of the audit log is wanted: words, what happened, when, of which execution.
class FilterBar : public QWidget {
    Q_OBJECT

public:
    explicit FilterBar(QWidget* parent = nullptr);

    /// As it stands now; "the last hour" is the hour before this call.
    [[nodiscard]] audit::LogFilter filter() const;
    /// Everything, or everything of one execution.
    void clear(const QString& execution = {});
    void focusSearch();

signals:
    /// Typing has paused, or something was picked.
    void changed();

private:
    [[nodiscard]] QWidget* makeBetween();
    void updateBetween();

    QLineEdit* m_search;
    QComboBox* m_type;
    QComboBox* m_time;
    QLineEdit* m_execution;
    QDateTimeEdit* m_from;
    QDateTimeEdit* m_to;
    QWidget* m_between;
    QTimer* m_pause;
    bool m_clearing = false; ///< all fields at once, which is one change
};

} // namespace belljar::ui
