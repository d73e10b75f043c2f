// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/events.h"

#include <map>
#include <string>
#include <vector>
#endif

#include <QAbstractTableModel>

namespace belljar::ui {

/// The containers of this Belljar, the oldest first. Rows are changed by their id: what is selected
/// stays selected.
class SandboxesModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { State, Language, Program, Age, Cpu, Memory, Image, Container, ColumnCount };

    explicit SandboxesModel(QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant
    headerData(int section, Qt::Orientation orientation, int role) const override;

    /// What is there now, at `now`.
    void setSandboxes(std::vector<SandboxStatus> sandboxes, execution::UnixMs now);
    /// A program that is under way, for its line in the table.
    void setProgram(const execution::Record& record);

    /// nullptr for an index that is none.
    [[nodiscard]] const SandboxStatus* sandbox(const QModelIndex& index) const;

private:
    [[nodiscard]] QString text(const SandboxStatus& one, int column) const;

    std::vector<SandboxStatus> m_rows;
    std::map<ExecutionId, QString> m_programs;
    execution::UnixMs m_now = 0;
};

/// The state in words.
[[nodiscard]] QString sandboxStateText(SandboxState state);
/// "312 MB", in the language of the window.
[[nodiscard]] QString sizeText(std::uint64_t bytes);
/// "3 min", for people.
[[nodiscard]] QString ageText(execution::UnixMs milliseconds);

} // namespace belljar::ui
