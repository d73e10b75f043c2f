// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "ui/policies/policy_document.h"
#include "ui/policies/schema_guide.h"

#include <memory>
#endif

#include <QPointer>
#include <QWidget>

class QLabel;
class QLineEdit;
class QsciLexerJSON;
class QsciScintilla;

namespace belljar::ui {

/// The text of a policy: colours, error marks, completion from the schema, folding, find. Its edits
/// are the document's, undo and redo as well.
class JsonEditor : public QWidget {
    Q_OBJECT

public:
    explicit JsonEditor(const SchemaGuide& guide, QWidget* parent = nullptr);
    ~JsonEditor() override;

    /// Null: nothing to edit.
    void setDocument(PolicyDocument* document);

    void showFind();
    /// Moves the cursor there, from 1, and takes the focus.
    void goTo(int line, int column);
    void nextProblem();
    void previousProblem();
    /// Offers what may stand at the cursor. False: nothing may, that the schema knows of.
    bool complete();

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void makeEditor();
    void makeFindBar();
    void load();
    void applyEdit(const json::Edit& edit);
    void onModified(int at, int kind, const char* text, int length);
    void showProblems();
    void stepProblem(int direction);
    void find(bool forward);
    [[nodiscard]] bool isOnScreen(std::size_t offset) const;
    void applyColors();

    const SchemaGuide& m_guide;
    QPointer<PolicyDocument> m_document;
    QsciScintilla* m_editor;
    std::unique_ptr<QsciLexerJSON> m_lexer;
    QWidget* m_findBar;
    QLineEdit* m_findText;
    QLabel* m_problem;
    bool m_applying = false; ///< the document's edit is being taken over
    bool m_telling = false;  ///< an edit of the person is on its way to the document
};

} // namespace belljar::ui
