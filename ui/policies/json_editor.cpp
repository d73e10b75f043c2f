// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/policies/json_editor.h"

#include "engine/base/text.h"
#include "ui/shell/theme.h"

#include <Qsci/qscicommandset.h>
#include <Qsci/qscilexerjson.h>
#include <Qsci/qsciscintilla.h>

#include <QEvent>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <string>
#include <vector>

namespace belljar::ui {

namespace {

constexpr int kLineMargin = 0;
constexpr int kMarkMargin = 1;
constexpr int kErrorMark = 1;
constexpr int kWarningMark = 2;
constexpr int kErrorIndicator = 8;
constexpr int kWarningIndicator = 9;
constexpr int kStyles = 128;
constexpr char kSeparator = '\n';

QString shown(const std::string& text)
{
    return QString::fromStdString(escapeForLine(text));
}

unsigned long word(std::size_t value)
{
    return static_cast<unsigned long>(value);
}

} // namespace

JsonEditor::JsonEditor(const SchemaGuide& guide, QWidget* parent)
    : QWidget(parent)
    , m_guide(guide)
    , m_editor(new QsciScintilla(this))
    , m_lexer(std::make_unique<QsciLexerJSON>())
    , m_findBar(new QWidget(this))
    , m_findText(new QLineEdit(m_findBar))
    , m_problem(new QLabel(this))
{
    makeEditor();
    makeFindBar();
    m_problem->setObjectName(QStringLiteral("policyProblem"));
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->setWordWrap(true);
    m_problem->setContentsMargins(6, 3, 6, 3);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_findBar);
    layout->addWidget(m_editor, 1);
    layout->addWidget(m_problem);
    setFocusProxy(m_editor);
    applyColors();
    setDocument(nullptr);
}

JsonEditor::~JsonEditor()
{
    m_editor->setLexer(nullptr); // it goes before the editor does
}

void JsonEditor::makeEditor()
{
    m_editor->setObjectName(QStringLiteral("policyText"));
    m_editor->setAccessibleName(tr("Text of the policy"));
    m_editor->setUtf8(true);
    m_editor->setFrameShape(QFrame::NoFrame);
    m_editor->setMarginType(kLineMargin, QsciScintilla::NumberMargin);
    m_editor->setMarginType(kMarkMargin, QsciScintilla::SymbolMargin);
    m_editor->setMarginMarkerMask(kMarkMargin, (1 << kErrorMark) | (1 << kWarningMark));
    m_editor->setMarginWidth(kMarkMargin, fontMetrics().height());
    m_editor->markerDefine(QsciScintilla::Circle, kErrorMark);
    m_editor->markerDefine(QsciScintilla::RightTriangle, kWarningMark);
    m_editor->indicatorDefine(QsciScintilla::SquiggleIndicator, kErrorIndicator);
    m_editor->indicatorDefine(QsciScintilla::DotsIndicator, kWarningIndicator);
    m_editor->setFolding(QsciScintilla::BoxedTreeFoldStyle, 2);
    m_editor->setAnnotationDisplay(QsciScintilla::AnnotationIndented);
    m_editor->setBraceMatching(QsciScintilla::SloppyBraceMatch);
    m_editor->setAutoIndent(true);
    m_editor->setIndentationWidth(2);
    m_editor->setIndentationsUseTabs(false);
    m_editor->setTabIndents(true);
    m_lexer->setHighlightComments(true);
    m_lexer->setFoldCompact(false);
    m_editor->SendScintilla(QsciScintilla::SCI_SETSCROLLWIDTHTRACKING, 1);
    m_editor->SendScintilla(QsciScintilla::SCI_SETSCROLLWIDTH, 1);
    m_editor->SendScintilla(
        QsciScintilla::SCI_AUTOCSETSEPARATOR, static_cast<unsigned long>(kSeparator)
    );
    m_editor->SendScintilla(QsciScintilla::SCI_AUTOCSETORDER, 1); // it sorts
    // One undo stack for text and form: the document's.
    m_editor->SendScintilla(QsciScintilla::SCI_SETUNDOCOLLECTION, 0UL);
    for (const auto& keys :
         {Qt::CTRL | Qt::Key_Z, Qt::CTRL | Qt::Key_Y, Qt::CTRL | Qt::SHIFT | Qt::Key_Z}) {
        if (QsciCommand* command = m_editor->standardCommands()->boundTo(keys.toCombined()))
            command->setKey(0);
    }
    m_editor->installEventFilter(this);
    connect(
        m_editor,
        &QsciScintilla::SCN_MODIFIED,
        this,
        [this](int at, int kind, const char* text, int length, int, int, int, int, int, int) {
            onModified(at, kind, text, length);
        }
    );
    connect(m_editor, &QsciScintilla::linesChanged, this, [this] {
        m_editor->setMarginWidth(
            kLineMargin, QString::number(m_editor->lines()) + QStringLiteral("00")
        );
    });
    connect(m_editor, &QsciScintilla::SCN_CHARADDED, this, [this](int character) {
        // Word by word would be in the way; a quote asks for a key or a value.
        if (character == '"')
            complete();
    });
}

void JsonEditor::makeFindBar()
{
    m_findText->setObjectName(QStringLiteral("policyFind"));
    m_findText->setPlaceholderText(tr("Find in the text"));
    m_findText->setAccessibleName(tr("Find in the text"));
    m_findText->installEventFilter(this);
    auto* layout = new QHBoxLayout(m_findBar);
    layout->setContentsMargins(6, 3, 6, 3);
    layout->addWidget(m_findText, 1);
    const auto button = [&](const QString& text, const QString& name, auto pressed) {
        auto* made = new QToolButton(m_findBar);
        made->setText(text);
        made->setToolTip(name);
        made->setAccessibleName(name);
        connect(made, &QToolButton::clicked, this, pressed);
        layout->addWidget(made);
    };
    button(QStringLiteral("↑"), tr("Find the one before (Shift+Return)"), [this] { find(false); });
    button(QStringLiteral("↓"), tr("Find the next (Return)"), [this] { find(true); });
    button(QStringLiteral("✕"), tr("Close (Escape)"), [this] {
        m_findBar->hide();
        m_editor->setFocus();
    });
    m_findBar->hide();
}

void JsonEditor::setDocument(PolicyDocument* document)
{
    if (m_document)
        disconnect(m_document, nullptr, this, nullptr);
    m_document = document;
    m_editor->setReadOnly(!document);
    load();
    if (!document)
        return;
    connect(document, &PolicyDocument::edited, this, &JsonEditor::applyEdit);
    connect(document, &PolicyDocument::problemsChanged, this, &JsonEditor::showProblems);
}

void JsonEditor::load()
{
    m_applying = true;
    const std::string text = m_document ? m_document->text() : std::string();
    const bool windowsLines = text.find("\r\n") != std::string::npos;
    m_editor->setEolMode(windowsLines ? QsciScintilla::EolWindows : QsciScintilla::EolUnix);
    m_editor->setReadOnly(false);
    m_editor->SendScintilla(QsciScintilla::SCI_CLEARALL);
    // Not setText(): the bytes have to be the document's, whatever they are.
    m_editor->SendScintilla(QsciScintilla::SCI_APPENDTEXT, word(text.size()), text.data());
    m_editor->setReadOnly(!m_document);
    m_editor->setCursorPosition(0, 0);
    m_applying = false;
    showProblems();
}

void JsonEditor::applyEdit(const json::Edit& edit)
{
    if (m_telling)
        return; // it comes from here
    m_applying = true;
    m_editor->SendScintilla(QsciScintilla::SCI_SETTARGETSTART, word(edit.at));
    m_editor->SendScintilla(QsciScintilla::SCI_SETTARGETEND, word(edit.at + edit.removed));
    m_editor->SendScintilla(
        QsciScintilla::SCI_REPLACETARGET, word(edit.inserted.size()), edit.inserted.data()
    );
    if (m_editor->hasFocus())
        m_editor->SendScintilla(QsciScintilla::SCI_GOTOPOS, word(edit.at + edit.inserted.size()));
    m_applying = false;
}

void JsonEditor::onModified(int at, int kind, const char* text, int length)
{
    if (m_applying || !m_document)
        return;
    const auto begin = static_cast<std::size_t>(at);
    const auto size = static_cast<std::size_t>(length);
    json::Edit edit;
    if (kind & QsciScintilla::SC_MOD_INSERTTEXT)
        edit = {begin, 0, std::string(text, size)};
    else if (kind & QsciScintilla::SC_MOD_DELETETEXT)
        edit = {begin, size, {}};
    else
        return;
    m_telling = true;
    m_document->edit(edit, tr("typing"), PolicyDocument::Merge::Typing);
    m_telling = false;
}

void JsonEditor::showProblems()
{
    m_editor->markerDeleteAll();
    m_editor->clearAnnotations();
    const int lines = m_editor->lines();
    for (const int indicator : {kErrorIndicator, kWarningIndicator})
        m_editor->clearIndicatorRange(0, 0, lines - 1, m_editor->lineLength(lines - 1), indicator);
    QString summary;
    if (m_document) {
        for (const policy::Problem& problem : m_document->checked().problems) {
            const int line = std::clamp(static_cast<int>(problem.line) - 1, 0, lines - 1);
            const int column = std::max(static_cast<int>(problem.column) - 1, 0);
            const QString message = shown(problem.message);
            m_editor->markerAdd(line, problem.isError ? kErrorMark : kWarningMark);
            const int indicator = problem.isError ? kErrorIndicator : kWarningIndicator;
            const QString text = m_editor->text(line);
            const int end = std::max(
                static_cast<int>(text.trimmed().size()) +
                    static_cast<int>(text.indexOf(text.trimmed())),
                column + 1
            );
            m_editor->fillIndicatorRange(line, column, line, end, indicator);
            const QString before = m_editor->annotation(line);
            m_editor->annotate(
                line, before.isEmpty() ? message : before + QLatin1Char('\n') + message, kStyles - 1
            );
            if (summary.isEmpty())
                summary = tr("Line %1: %2").arg(line + 1).arg(message);
        }
        if (const auto count = m_document->checked().problems.size(); count > 1)
            summary +=
                QStringLiteral("  ") + tr("(F8: %n more)", nullptr, static_cast<int>(count) - 1);
    }
    m_problem->setText(summary);
    m_problem->setVisible(!summary.isEmpty());
}

void JsonEditor::goTo(int line, int column)
{
    m_editor->setCursorPosition(line - 1, column - 1);
    m_editor->ensureLineVisible(line - 1);
    m_editor->setFocus();
}

void JsonEditor::nextProblem()
{
    stepProblem(1);
}

void JsonEditor::previousProblem()
{
    stepProblem(-1);
}

void JsonEditor::stepProblem(int direction)
{
    if (!m_document)
        return;
    std::vector<std::pair<int, int>> places;
    for (const policy::Problem& problem : m_document->checkNow().problems)
        places.emplace_back(
            std::max(static_cast<int>(problem.line), 1),
            std::max(static_cast<int>(problem.column), 1)
        );
    if (places.empty())
        return;
    std::sort(places.begin(), places.end());
    int line = 0;
    int column = 0;
    m_editor->getCursorPosition(&line, &column);
    const std::pair here{line + 1, column + 1};
    auto next = direction > 0 ? std::upper_bound(places.begin(), places.end(), here)
                              : std::lower_bound(places.begin(), places.end(), here);
    if (direction < 0)
        next = next == places.begin() ? places.end() - 1 : next - 1;
    else if (next == places.end())
        next = places.begin();
    goTo(next->first, next->second);
}

bool JsonEditor::isOnScreen(std::size_t offset) const
{
    const auto coordinate = [&](unsigned message) {
        return static_cast<int>(m_editor->SendScintilla(message, 0UL, static_cast<long>(offset)));
    };
    const QPoint at(
        coordinate(QsciScintilla::SCI_POINTXFROMPOSITION),
        coordinate(QsciScintilla::SCI_POINTYFROMPOSITION)
    );
    return QGuiApplication::screenAt(m_editor->viewport()->mapToGlobal(at)) != nullptr;
}

bool JsonEditor::complete()
{
    if (!m_document)
        return false;
    const auto at =
        static_cast<std::size_t>(m_editor->SendScintilla(QsciScintilla::SCI_GETCURRENTPOS));
    const json::Place place = json::placeAt(m_document->text(), at);
    const auto proposals = place.isKey
                               ? m_guide.keysAt(place.pointer, m_document->value(place.pointer))
                               : m_guide.valuesAt(place.pointer);
    std::string list;
    for (const SchemaGuide::Proposal& proposal : proposals) {
        if (!list.empty())
            list += kSeparator;
        list += proposal.text + (place.isKey ? ": " : "");
    }
    // Where the cursor is on no screen, QScintilla asks a null screen for its size and dies.
    if (list.empty() || !isOnScreen(at) || !isOnScreen(std::min(place.tokenBegin, at)))
        return false;
    m_editor->SendScintilla(
        QsciScintilla::SCI_AUTOCSHOW, word(at - std::min(place.tokenBegin, at)), list.c_str()
    );
    return m_editor->SendScintilla(QsciScintilla::SCI_AUTOCACTIVE) != 0;
}

void JsonEditor::showFind()
{
    if (const QString selected = m_editor->selectedText(); !selected.isEmpty())
        m_findText->setText(selected.section(QLatin1Char('\n'), 0, 0));
    m_findBar->show();
    m_findText->setFocus();
    m_findText->selectAll();
}

void JsonEditor::find(bool forward)
{
    int line = -1;
    int column = -1;
    if (!forward && m_editor->hasSelectedText()) {
        int endLine = 0;
        int endColumn = 0;
        m_editor->getSelection(&line, &column, &endLine, &endColumn);
    }
    const bool found =
        m_editor->findFirst(m_findText->text(), false, false, false, true, forward, line, column);
    QPalette colors = palette();
    if (!found && !m_findText->text().isEmpty())
        colors.setColor(QPalette::Text, currentColors().status(StatusGroup::Failed));
    m_findText->setPalette(colors);
}

bool JsonEditor::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::KeyPress && event->type() != QEvent::ShortcutOverride)
        return QWidget::eventFilter(watched, event);
    const auto& key = static_cast<const QKeyEvent&>(*event);
    const bool press = event->type() == QEvent::KeyPress;
    if (watched == m_findText && press) {
        if (key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter) {
            find(!(key.modifiers() & Qt::ShiftModifier));
            return true;
        }
        if (key.key() == Qt::Key_Escape) {
            m_findBar->hide();
            m_editor->setFocus();
            return true;
        }
    }
    if (watched == m_editor) {
        // Not Ctrl+Space: it switches the input method for many.
        if (key.key() == Qt::Key_Down && key.modifiers() == Qt::AltModifier) {
            if (press)
                complete();
            event->accept();
            return true;
        }
        if (press && key.key() == Qt::Key_Tab && key.modifiers() == Qt::ControlModifier) {
            focusNextChild(); // Tab itself is text here
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void JsonEditor::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        applyColors();
}

void JsonEditor::applyColors()
{
    const Colors& colors = currentColors();
    const QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    m_lexer->setDefaultFont(fixed);
    m_lexer->setFont(fixed);
    m_lexer->setPaper(colors.base);
    m_lexer->setDefaultPaper(colors.base);
    m_lexer->setDefaultColor(colors.text);
    for (int style = 0; style < kStyles; ++style)
        m_lexer->setColor(readableOn(m_lexer->defaultColor(style), colors.base), style);
    // QScintilla's own colours of what is wrong shine; ours are marks.
    m_lexer->setColor(colors.status(StatusGroup::Failed), QsciLexerJSON::Error);
    m_lexer->setPaper(colors.base, QsciLexerJSON::Error);
    m_lexer->setColor(colors.text, QsciLexerJSON::UnclosedString);
    m_lexer->setPaper(colors.base, QsciLexerJSON::UnclosedString);
    m_editor->setLexer(m_lexer.get());
    m_editor->setCaretForegroundColor(colors.text);
    m_editor->setMarginsFont(fixed);
    m_editor->setMarginsForegroundColor(colors.muted);
    m_editor->setMarginsBackgroundColor(colors.window);
    m_editor->setFoldMarginColors(colors.window, colors.window);
    for (const int marker : std::initializer_list<int>{
             QsciScintilla::SC_MARKNUM_FOLDEREND,
             QsciScintilla::SC_MARKNUM_FOLDEROPENMID,
             QsciScintilla::SC_MARKNUM_FOLDERMIDTAIL,
             QsciScintilla::SC_MARKNUM_FOLDERTAIL,
             QsciScintilla::SC_MARKNUM_FOLDERSUB,
             QsciScintilla::SC_MARKNUM_FOLDER,
             QsciScintilla::SC_MARKNUM_FOLDEROPEN}) {
        m_editor->setMarkerForegroundColor(colors.window, marker);
        m_editor->setMarkerBackgroundColor(colors.muted, marker);
    }
    const QColor error = readableOn(colors.status(StatusGroup::Failed), colors.base);
    const QColor warning = readableOn(colors.status(StatusGroup::Waiting), colors.base);
    m_editor->setMarkerBackgroundColor(error, kErrorMark);
    m_editor->setMarkerForegroundColor(error, kErrorMark);
    m_editor->setMarkerBackgroundColor(warning, kWarningMark);
    m_editor->setMarkerForegroundColor(warning, kWarningMark);
    m_editor->setIndicatorForegroundColor(error, kErrorIndicator);
    m_editor->setIndicatorForegroundColor(warning, kWarningIndicator);
    m_editor->setMatchedBraceBackgroundColor(colors.window);
    m_editor->setMatchedBraceForegroundColor(colors.accent);
    m_editor->setUnmatchedBraceBackgroundColor(colors.base);
    m_editor->setUnmatchedBraceForegroundColor(error);
    m_editor->setSelectionBackgroundColor(colors.accent);
    m_editor->setSelectionForegroundColor(palette().color(QPalette::HighlightedText));
    // Style of the annotations.
    const auto style = static_cast<unsigned long>(kStyles - 1);
    m_editor->SendScintilla(QsciScintilla::SCI_STYLESETFORE, style, colors.text);
    m_editor->SendScintilla(QsciScintilla::SCI_STYLESETBACK, style, colors.banner);
    QPalette line = palette();
    line.setColor(QPalette::Window, colors.banner);
    line.setColor(QPalette::WindowText, colors.text);
    m_problem->setPalette(line);
    m_problem->setAutoFillBackground(true);
}

} // namespace belljar::ui
