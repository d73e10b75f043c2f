// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/policies/policy_document.h"

#include <QUndoCommand>

#include <algorithm>
#include <utility>

namespace belljar::ui {

namespace {

constexpr int kCheckAfterMs = 150;
constexpr int kTypingId = 1;

Json valueOfText(const std::string& text)
{
    const json::Tree tree = json::parse(text);
    return tree.root ? json::valueOf(text, *tree.root) : Json::object();
}

} // namespace

class PolicyDocument::EditCommand : public QUndoCommand {
public:
    EditCommand(PolicyDocument& document, json::Edit edit, const QString& what, Merge merge)
        : QUndoCommand(what)
        , m_document(document)
        , m_edit(std::move(edit))
        , m_before(document.m_text.substr(m_edit.at, m_edit.removed))
        , m_merge(merge)
    {}

    void redo() override { m_document.apply(m_edit); }
    void undo() override { m_document.apply({m_edit.at, m_edit.inserted.size(), m_before}); }

    [[nodiscard]] int id() const override { return m_merge == Merge::Typing ? kTypingId : -1; }

    /// Typing on, or deleting on, in the same line is one step.
    bool mergeWith(const QUndoCommand* other) override
    {
        const auto& next = static_cast<const EditCommand&>(*other);
        if (m_edit.inserted.find('\n') != std::string::npos ||
            next.m_edit.inserted.find('\n') != std::string::npos)
            return false;
        if (next.m_before.empty() && m_edit.at + m_edit.inserted.size() == next.m_edit.at) {
            m_edit.inserted += next.m_edit.inserted;
            return true;
        }
        const bool deletes = m_edit.inserted.empty() && next.m_edit.inserted.empty();
        if (deletes && next.m_edit.at + next.m_edit.removed == m_edit.at) {
            m_edit.at = next.m_edit.at;
            m_edit.removed += next.m_edit.removed;
            m_before = next.m_before + m_before;
            return true;
        }
        return false;
    }

private:
    PolicyDocument& m_document;
    json::Edit m_edit;
    std::string m_before;
    Merge m_merge;
};

PolicyDocument::PolicyDocument(std::string inForce, QObject* parent)
    : QObject(parent)
    , m_text(inForce)
    , m_inForce(std::move(inForce))
    , m_valueInForce(valueOfText(m_inForce))
{
    m_check.setSingleShot(true);
    m_check.setInterval(kCheckAfterMs);
    connect(&m_check, &QTimer::timeout, this, [this] { checkNow(); });
    reparse();
    checkNow();
}

void PolicyDocument::setInForce(const std::string& text)
{
    if (text == m_inForce)
        return;
    const bool follows = !isDirty();
    m_inForce = text;
    m_valueInForce = valueOfText(text);
    if (follows)
        setText(text, tr("take over what is in force"));
    emit inForceChanged();
}

void PolicyDocument::edit(const json::Edit& edit, const QString& what, Merge merge)
{
    if (edit.removed == 0 && edit.inserted.empty())
        return;
    m_undo.push(new EditCommand(*this, edit, what, merge));
}

void PolicyDocument::setText(const std::string& text, const QString& what)
{
    const auto [old, now] = std::mismatch(m_text.begin(), m_text.end(), text.begin(), text.end());
    const auto same = static_cast<std::size_t>(old - m_text.begin());
    std::size_t tail = 0;
    const std::size_t most = std::min(m_text.size(), text.size()) - same;
    while (tail < most && m_text[m_text.size() - 1 - tail] == text[text.size() - 1 - tail])
        ++tail;
    edit({same, m_text.size() - same - tail, text.substr(same, text.size() - same - tail)}, what);
}

bool PolicyDocument::setValue(const std::string& pointer, const Json& value)
{
    if (m_broken)
        return false;
    if (const Json* there = this->value(pointer); there && *there == value)
        return true;
    return applyResult(
        json::setValue(m_text, pointer, value),
        tr("change of %1").arg(QString::fromStdString(pointer.substr(1)))
    );
}

bool PolicyDocument::removeValue(const std::string& pointer)
{
    return applyResult(
        json::removeValue(m_text, pointer),
        tr("removal of %1").arg(QString::fromStdString(pointer.substr(1)))
    );
}

bool PolicyDocument::insertElement(const std::string& pointer, std::size_t index, const Json& value)
{
    return applyResult(
        json::insertElement(m_text, pointer, index, value),
        tr("addition to %1").arg(QString::fromStdString(pointer.substr(1)))
    );
}

bool PolicyDocument::moveElement(const std::string& pointer, std::size_t from, std::size_t to)
{
    if (from == to)
        return true;
    return applyResult(
        json::moveElement(m_text, pointer, from, to),
        tr("move in %1").arg(QString::fromStdString(pointer.substr(1)))
    );
}

const Json* PolicyDocument::value(const std::string& pointer) const
{
    const Json* at = &m_value;
    for (const std::string& step : json::steps(pointer)) {
        if (at->is_object()) {
            const auto found = at->find(step);
            if (found == at->end())
                return nullptr;
            at = &*found;
        } else if (at->is_array() && !step.empty() &&
                   std::all_of(step.begin(), step.end(), [](char c) { return c >= '0' && c <= '9'; }) &&
                   step.size() < 9 && std::stoul(step) < at->size()) {
            at = &(*at)[std::stoul(step)];
        } else {
            return nullptr;
        }
    }
    return at;
}

const policy::Checked& PolicyDocument::checkNow()
{
    m_check.stop();
    m_checked = policy::check(m_text);
    emit problemsChanged();
    return m_checked;
}

void PolicyDocument::apply(const json::Edit& edit)
{
    m_text.replace(edit.at, edit.removed, edit.inserted);
    reparse();
    m_check.start();
    emit edited(edit);
    emit changed();
}

bool PolicyDocument::applyResult(const Result<json::Edit>& edit, const QString& what)
{
    if (!edit)
        return false;
    this->edit(*edit, what);
    return true;
}

void PolicyDocument::reparse()
{
    json::Tree tree = json::parse(m_text);
    m_broken = std::move(tree.error);
    if (tree.root && tree.root->kind == json::Kind::Object)
        m_value = json::valueOf(m_text, *tree.root);
    else if (tree.root)
        m_broken = json::SyntaxError{tree.root->begin, "expected an object: { ... }"};
}

LineColumn lineColumnAt(std::string_view text, std::size_t offset)
{
    const std::string_view before = text.substr(0, offset);
    const std::size_t lineBegin = before.rfind('\n') + 1; // npos + 1 is 0
    const auto lines = std::count(before.begin(), before.end(), '\n');
    const std::string_view line = before.substr(lineBegin);
    const auto characters =
        std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; });
    return {static_cast<int>(lines) + 1, static_cast<int>(characters) + 1};
}

} // namespace belljar::ui
