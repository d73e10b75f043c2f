// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/base/json.h"
#include "ui/policies/policy_document.h"
#include "ui/policies/schema_guide.h"

#include <functional>
#include <string>
#endif

#include <QPointer>
#include <QWidget>

class QLabel;
class QToolButton;

namespace belljar::ui {

/// What edits one value: `show` takes the value there is or its default, `problem` says what is
/// wrong with what stands in it.
struct ValueEditor {
    QWidget* widget = nullptr;
    std::function<void(const Json& value)> show;
    std::function<QString()> problem = [] { return QString(); };
};

/// Takes a value that the person has chosen. A null takes the member out.
using Commit = std::function<void(const Json& value)>;

/// One value of the policy, made from its schema: title, editor, what it is for, what is wrong, and
/// a way back to the default.
class FormField : public QWidget {
    Q_OBJECT

public:
    enum class Style : std::uint8_t { Full, Compact };
    /// `schemaPlace` is where the schema describes it; the value's place may differ (elements).
    FormField(
        const SchemaGuide& guide,
        const std::string& schemaPlace,
        Style style,
        QWidget* parent = nullptr
    );

    /// Null: nothing to edit.
    void setPlace(PolicyDocument* document, const std::string& pointer);
    void refresh();
    [[nodiscard]] bool matches(const QString& words) const;
    [[nodiscard]] const std::string& pointer() const { return m_pointer; }

private:
    void commit(const Json& value);
    void showProblem();

    Json m_schema;
    QPointer<PolicyDocument> m_document;
    std::string m_pointer;
    ValueEditor m_editor;
    QLabel* m_title;
    QLabel* m_modified;
    QToolButton* m_reset;
    QLabel* m_description;
    QLabel* m_warning;
    QLabel* m_problem;
};

/// A label for longer text: plain, wrapped, in the muted colour when `muted`.
[[nodiscard]] QLabel* makeNote(const QString& text, bool muted, QWidget* parent);

} // namespace belljar::ui
