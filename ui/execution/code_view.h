// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include <memory>
#include <string>
#endif

#include <QStringList>
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
    /// Marks every place where one of `words` stands, whatever its case, and shows the first.
    void setWords(const QStringList& words);

protected:
    void changeEvent(QEvent* event) override;

private:
    void applyColors();
    void markWords();

    QStringList m_words;
    QLabel* m_notice;
    QsciScintilla* m_editor;
    std::unique_ptr<QsciLexer> m_lexer;
};

} // namespace belljar::ui
