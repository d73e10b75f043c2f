// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "ui/policies/policy_document.h"
#include "ui/policies/schema_guide.h"

#include <vector>
#endif

#include <QAbstractTableModel>
#include <QPointer>
#include <QWidget>

class QPushButton;
class QTableView;

namespace belljar::ui {

class FormField;

/// The approval rules of a document in their order, and the default as the last row.
class RulesModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Name, When, Then, Why, ColumnCount };

    explicit RulesModel(QObject* parent = nullptr);

    void setDocument(PolicyDocument* document);
    /// Takes over what the document says now; rows that stay keep their selection.
    void refresh();
    [[nodiscard]] int ruleCount() const { return static_cast<int>(m_rows.size()) - 1; }
    /// Moves a rule to where `to` will be its row.
    bool move(int from, int to);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
    QStringList mimeTypes() const override;
    QMimeData* mimeData(const QModelIndexList& indexes) const override;
    bool dropMimeData(
        const QMimeData* data, Qt::DropAction action, int row, int column, const QModelIndex& parent
    ) override;

signals:
    /// A rule stands in another row now.
    void moved(int row);

private:
    struct Row {
        QString name;
        QString when;
        QString then;
        QString why;
        QString note; ///< why it is never reached
        bool operator==(const Row&) const = default;
    };
    [[nodiscard]] std::vector<Row> readRows() const;

    QPointer<PolicyDocument> m_document;
    std::vector<Row> m_rows;
};

/// The rules as a table to sort and edit, with the selected one in detail.
class RulesTable : public QWidget {
    Q_OBJECT

public:
    explicit RulesTable(const SchemaGuide& guide, QWidget* parent = nullptr);

    void setDocument(PolicyDocument* document);
    void refresh();
    void selectRule(int row);
    [[nodiscard]] int currentRow() const;
    [[nodiscard]] QTableView* table() const { return m_table; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void addRule();
    void duplicateRule();
    void removeRule();
    void moveBy(int step);
    void showDetail();

    QPointer<PolicyDocument> m_document;
    RulesModel m_model;
    QTableView* m_table;
    QWidget* m_detail;
    std::vector<FormField*> m_fields;
    std::vector<std::string> m_paths; ///< of the fields, below a rule
    QPushButton* m_duplicate;
    QPushButton* m_remove;
    QPushButton* m_up;
    QPushButton* m_down;
    int m_shown = -1; ///< the rule in the detail
};

} // namespace belljar::ui
