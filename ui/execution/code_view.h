// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include <memory>
#include <string>
#endif

#include <QWidget>

class QLabel;
class QsciLexer;
class QsciScintilla;

namespace belljar::ui {

/// A program's code, read only. Characters that can't be seen as themselves are written out
/// and counted above the code. The one place that knows QScintilla.
class CodeView : public QWidget {
    Q_OBJECT

public:
    explicit CodeView(QWidget* parent = nullptr);
    ~CodeView() override;

    /// `language` chooses the lexer: python, javascript, bash; anything else has none.
    void setCode(const std::string& code, const QString& language);
    /// What is shown, with unusual characters written out.
    [[nodiscard]] QString shownText() const;
    [[nodiscard]] QString notice() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void applyColors();

    QLabel* m_notice;
    QsciScintilla* m_editor;
    std::unique_ptr<QsciLexer> m_lexer;
};

} // namespace belljar::ui
