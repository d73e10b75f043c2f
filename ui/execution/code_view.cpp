// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/execution/code_view.h"

#include "engine/base/text.h"
#include "ui/shell/theme.h"

#include <Qsci/qscilexerbash.h>
#include <Qsci/qscilexerjavascript.h>
#include <Qsci/qscilexerpython.h>
#include <Qsci/qsciscintilla.h>

#include <QEvent>
#include <QFontDatabase>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <functional>
#include <map>

namespace belljar::ui {

namespace {

constexpr int kStyles = 128;
constexpr int kLineMargin = 0;
/// Above it colouring costs more than it tells.
constexpr std::size_t kMaxColouredBytes = 4U * 1024 * 1024;

constexpr int kWordIndicator = 9;
constexpr int kMostMarks = 1000; ///< more help nobody

struct LexerRow {
    const char* language;
    std::unique_ptr<QsciLexer> (*make)();
};

const std::array kLexers{
    LexerRow{
        "python",
        []() -> std::unique_ptr<QsciLexer> { return std::make_unique<QsciLexerPython>(); }},
    LexerRow{
        "javascript",
        []() -> std::unique_ptr<QsciLexer> { return std::make_unique<QsciLexerJavaScript>(); }},
    LexerRow{
        "bash", []() -> std::unique_ptr<QsciLexer> { return std::make_unique<QsciLexerBash>(); }},
};

std::unique_ptr<QsciLexer> lexerFor(const QString& language)
{
    for (const LexerRow& row : kLexers) {
        if (language == QLatin1String(row.language))
            return row.make();
    }
    return nullptr;
}

/// CRLF is one line end; a carriage return on its own is shown.
std::string withLineFeeds(std::string code)
{
    for (std::size_t at = 0; (at = code.find("\r\n", at)) != std::string::npos; ++at)
        code.erase(at, 1);
    return code;
}

} // namespace

CodeView::CodeView(QWidget* parent)
    : QWidget(parent)
    , m_notice(new QLabel)
    , m_editor(new QsciScintilla)
{
    m_notice->setObjectName(QStringLiteral("codeNotice"));
    m_notice->setTextFormat(Qt::PlainText);
    m_notice->setWordWrap(true);
    m_notice->setMargin(fontMetrics().height() / 3);
    m_notice->hide();
    m_editor->setObjectName(QStringLiteral("codeEditor"));
    m_editor->setAccessibleName(tr("Code"));
    m_editor->setReadOnly(true);
    m_editor->setUtf8(true);
    m_editor->setEolMode(QsciScintilla::EolUnix);
    m_editor->setFrameShape(QFrame::NoFrame);
    m_editor->setMarginType(kLineMargin, QsciScintilla::NumberMargin);
    m_editor->setMarginWidth(1, 0);
    m_editor->setCaretWidth(0);
    m_editor->setWrapMode(QsciScintilla::WrapNone);
    m_editor->SendScintilla(QsciScintilla::SCI_SETSCROLLWIDTHTRACKING, 1);
    m_editor->SendScintilla(QsciScintilla::SCI_SETSCROLLWIDTH, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_notice);
    layout->addWidget(m_editor);
    m_editor->indicatorDefine(QsciScintilla::RoundBoxIndicator, kWordIndicator);
    m_editor->setIndicatorDrawUnder(true, kWordIndicator);
    applyColors();
}

CodeView::~CodeView()
{
    m_editor->setLexer(nullptr); // it goes before the editor does
}

void CodeView::setCode(const std::string& code, const QString& language)
{
    const std::string plain = withLineFeeds(code);
    const QString original = QString::fromStdString(plain);
    const auto characters = original.toUcs4();
    const auto unusual = std::count_if(characters.begin(), characters.end(), [](uint character) {
        return isUnusual(character);
    });
    const bool windowsLines = plain.size() != code.size();
    QStringList notices;
    if (unusual > 0)
        notices << tr(
            "%n unusual character(s), written as \\u{…}", nullptr, static_cast<int>(unusual)
        );
    if (windowsLines)
        notices << tr("lines end with CR LF");
    m_notice->setText(notices.join(QStringLiteral("; ")));
    m_notice->setVisible(!notices.isEmpty());

    m_editor->setLexer(nullptr);
    m_lexer = plain.size() <= kMaxColouredBytes ? lexerFor(language) : nullptr;
    m_editor->setText(QString::fromStdString(escapeUnusual(plain)));
    applyColors();
    m_editor->setMarginWidth(
        kLineMargin, QString::number(m_editor->lines()) + QStringLiteral("00")
    );
    m_editor->setCursorPosition(0, 0);
    markWords();
}

void CodeView::setWords(const QStringList& words)
{
    if (words == m_words)
        return;
    m_words = words;
    markWords();
}

void CodeView::markWords()
{
    const int lines = m_editor->lines();
    m_editor->clearIndicatorRange(0, 0, lines, 0, kWordIndicator);
    const QString text = m_editor->text();
    std::map<qsizetype, qsizetype> hits; // begin and length, in the order of the text
    for (const QString& word : m_words) {
        qsizetype at = 0;
        while (!word.isEmpty() && static_cast<int>(hits.size()) < kMostMarks &&
               (at = text.indexOf(word, at, Qt::CaseInsensitive)) >= 0) {
            hits[at] = std::max(hits[at], word.size());
            at += word.size();
        }
    }
    if (hits.empty())
        return;
    m_editor->SendScintilla(QsciScintilla::SCI_SETINDICATORCURRENT, kWordIndicator);
    qsizetype counted = 0; // characters, and their bytes, in which the editor counts
    qsizetype bytes = 0;
    for (const auto& [begin, length] : hits) {
        bytes += QStringView(text).mid(counted, begin - counted).toUtf8().size();
        counted = begin;
        const auto size = QStringView(text).mid(begin, length).toUtf8().size();
        m_editor->SendScintilla(
            QsciScintilla::SCI_INDICATORFILLRANGE,
            static_cast<unsigned long>(bytes),
            static_cast<long>(size)
        );
    }
    const auto line = text.left(hits.begin()->first).count(QLatin1Char('\n'));
    m_editor->ensureLineVisible(static_cast<int>(line));
}

void CodeView::applyColors()
{
    const Colors& colors = currentColors();
    const QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    if (m_lexer) {
        m_lexer->setDefaultFont(fixed);
        m_lexer->setFont(fixed);
        m_lexer->setPaper(colors.base);
        m_lexer->setDefaultPaper(colors.base);
        m_lexer->setDefaultColor(colors.text);
        for (int style = 0; style < kStyles; ++style)
            m_lexer->setColor(readableOn(m_lexer->defaultColor(style), colors.base), style);
        m_editor->setLexer(m_lexer.get());
    } else {
        m_editor->setFont(fixed);
        m_editor->setColor(colors.text);
        m_editor->setPaper(colors.base);
    }
    QColor marked = colors.accent;
    marked.setAlpha(110);
    m_editor->setIndicatorForegroundColor(marked, kWordIndicator);
    m_editor->setMarginsFont(fixed);
    m_editor->setMarginsForegroundColor(colors.muted);
    m_editor->setMarginsBackgroundColor(colors.window);
    m_editor->setSelectionBackgroundColor(colors.accent);
    m_editor->setSelectionForegroundColor(palette().color(QPalette::HighlightedText));
}

QString CodeView::shownText() const
{
    return m_editor->text();
}

QString CodeView::notice() const
{
    return m_notice->isHidden() ? QString() : m_notice->text();
}

void CodeView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        applyColors();
}

} // namespace belljar::ui
