// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "ui/policies/policy_document.h"
#include "ui/policies/schema_guide.h"

#include <vector>
#endif

#include <QPointer>
#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace belljar::ui {

class FormField;
class RulesTable;

/// A policy as a form, made from the schema. Edits are edits of the document's text; while that is
/// broken the form shows its last good state and can't be used.
class PolicyForm : public QWidget {
    Q_OBJECT

public:
    explicit PolicyForm(const SchemaGuide& guide, QWidget* parent = nullptr);

    void setDocument(PolicyDocument* document);
    /// Selects an approval rule and brings the table onto the screen.
    void showRule(int row);
    void focusSearch();

signals:
    /// The person wants to see why the text is broken.
    void problemActivated(int line, int column);

private:
    struct Group {
        QWidget* box;
        std::vector<FormField*> fields;
        std::vector<QWidget*> cards; ///< by field: what is hidden with it
        bool hasRules = false;
    };
    void addGroup(const std::string& key, const Json& schema, QVBoxLayout* into);
    void addField(Group& group, const std::string& place, const Json& schema, QVBoxLayout* into);
    void filter(const QString& words);
    void refresh();

    const SchemaGuide& m_guide;
    QPointer<PolicyDocument> m_document;
    QLineEdit* m_search;
    QLabel* m_nothing;
    QWidget* m_broken;
    QLabel* m_brokenText;
    QScrollArea* m_area;
    QWidget* m_content;
    RulesTable* m_rules;
    std::vector<Group> m_groups;
};

} // namespace belljar::ui
