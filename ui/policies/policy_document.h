// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/base/json_edit.h"
#include "engine/policy/policy.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#endif

#include <QObject>
#include <QString>
#include <QTimer>
#include <QUndoStack>

namespace belljar::ui {

/// A policy while it is edited: the text is the truth, and the form's edits are edits of the same
/// text. No widgets.
class PolicyDocument : public QObject {
    Q_OBJECT

public:
    /// `inForce` is what the draft is compared with; empty for a policy that isn't saved yet.
    explicit PolicyDocument(std::string inForce, QObject* parent = nullptr);

    [[nodiscard]] const std::string& text() const { return m_text; }
    [[nodiscard]] QUndoStack& undoStack() { return m_undo; }

    /// The engine has taken another text into force. An untouched draft follows it; one that was
    /// edited stays.
    void setInForce(const std::string& text);
    [[nodiscard]] const std::string& inForce() const { return m_inForce; }
    [[nodiscard]] bool isDirty() const { return m_text != m_inForce; }

    /// One edit of the text, undone in one step; typing merges with the typing before it.
    enum class Merge : std::uint8_t { No, Typing };
    void edit(const json::Edit& edit, const QString& what, Merge merge = Merge::No);
    /// The whole text, as one step; only what differs is replaced.
    void setText(const std::string& text, const QString& what);

    /// Edits by JSON pointer: json_edit.h. They do nothing, and return false, while the text is
    /// broken. A value that is there already is no edit.
    bool setValue(const std::string& pointer, const Json& value);
    bool removeValue(const std::string& pointer);
    bool insertElement(const std::string& pointer, std::size_t index, const Json& value);
    bool moveElement(const std::string& pointer, std::size_t from, std::size_t to);

    /// Why the text is no JSON; nothing when it is. Always that of the text as it is.
    [[nodiscard]] const std::optional<json::SyntaxError>& broken() const { return m_broken; }
    /// Of the last text that was JSON; stays until the next one.
    [[nodiscard]] const Json& value() const { return m_value; }
    /// Null where there is none.
    [[nodiscard]] const Json* value(const std::string& pointer) const;
    /// Of the text in force.
    [[nodiscard]] const Json& valueInForce() const { return m_valueInForce; }

    /// What check() says, of the text as it was 150 ms ago at most; checkNow() makes it current.
    [[nodiscard]] const policy::Checked& checked() const { return m_checked; }
    const policy::Checked& checkNow();
    /// No check is outstanding and nothing is wrong.
    [[nodiscard]] bool isValid() const { return !m_check.isActive() && m_checked.policy; }

signals:
    /// The text has changed by this one edit.
    void edited(const belljar::json::Edit& edit);
    /// After edited(): value() or broken() may be others.
    void changed();
    void problemsChanged();
    void inForceChanged();

private:
    class EditCommand;
    void apply(const json::Edit& edit);
    bool applyResult(const Result<json::Edit>& edit, const QString& what);
    void reparse();

    std::string m_text;
    std::string m_inForce;
    Json m_value = Json::object();
    Json m_valueInForce = Json::object();
    std::optional<json::SyntaxError> m_broken;
    policy::Checked m_checked;
    QTimer m_check;
    QUndoStack m_undo;
};

/// Line and column of a byte, from 1; the column counts code points.
struct LineColumn {
    int line = 1;
    int column = 1;
};
[[nodiscard]] LineColumn lineColumnAt(std::string_view text, std::size_t offset);

} // namespace belljar::ui
