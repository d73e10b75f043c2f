// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/execution/output_view.h"

#include "ui/shell/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QFontDatabase>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <array>
#include <utility>

namespace belljar::ui {

namespace {

/// The 16 basic colours (as xterm has them); painted in a shade that can be read on the background.
constexpr std::array<QRgb, 16> kBasicColors{
    0x000000,
    0xcd0000,
    0x00a000,
    0xa0a000,
    0x2060d0,
    0xb000b0,
    0x00a0a0,
    0xc8c8c8,
    0x7f7f7f,
    0xff3030,
    0x20d020,
    0xe0e020,
    0x5c8cff,
    0xff40ff,
    0x20e0e0,
    0xffffff,
};

} // namespace

OutputView::OutputView(QWidget* parent)
    : QAbstractScrollArea(parent)
    , m_lines(std::make_unique<LineStore>())
{
    setObjectName(QStringLiteral("outputView"));
    setAccessibleName(tr("Output"));
    setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setCursor(Qt::IBeamCursor);
    viewport()->setBackgroundRole(QPalette::Base);
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, [this](int value) {
        m_following = value >= verticalScrollBar()->maximum();
        viewport()->update();
    });
}

void OutputView::clear(const QString& placeholder)
{
    m_lines = std::make_unique<LineStore>();
    m_placeholder = placeholder;
    m_anchor = m_cursor = {};
    m_following = true;
    updateScrollBars();
    viewport()->update();
}

void OutputView::setPlaceholder(const QString& placeholder)
{
    m_placeholder = placeholder;
    viewport()->update();
}

void OutputView::setWords(const QStringList& words)
{
    m_words = words;
    viewport()->update();
}

void OutputView::append(const std::vector<execution::OutputChunk>& chunks)
{
    m_lines->append(chunks);
    updateScrollBars();
    viewport()->update();
}

void OutputView::finish()
{
    m_lines->finish();
    updateScrollBars();
    viewport()->update();
}

int OutputView::lineHeight() const
{
    return fontMetrics().lineSpacing();
}

int OutputView::gutterWidth() const
{
    return fontMetrics().averageCharWidth() * 2;
}

void OutputView::updateScrollBars()
{
    const bool following = m_following;
    const int page = std::max(1, viewport()->height() / lineHeight());
    QScrollBar* vertical = verticalScrollBar();
    vertical->setPageStep(page);
    vertical->setRange(0, std::max(0, static_cast<int>(m_lines->size()) - page));
    horizontalScrollBar()->setPageStep(viewport()->width());
    const int width =
        gutterWidth() + (m_lines->longestLine() + 1) * fontMetrics().averageCharWidth();
    horizontalScrollBar()->setRange(0, std::max(0, width - viewport()->width()));
    horizontalScrollBar()->setSingleStep(fontMetrics().averageCharWidth() * 4);
    if (following)
        vertical->setValue(vertical->maximum());
    m_following = following;
}

void OutputView::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    updateScrollBars();
}

void OutputView::changeEvent(QEvent* event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        viewport()->update();
}

void OutputView::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(viewport());
    painter.setFont(font());
    if (m_lines->size() == 0) {
        painter.setPen(currentColors().muted);
        painter.drawText(
            viewport()->rect().adjusted(
                gutterWidth(), gutterWidth(), -gutterWidth(), -gutterWidth()
            ),
            int(Qt::AlignTop | Qt::AlignLeft | Qt::TextWordWrap),
            m_placeholder
        );
        return;
    }
    const auto first = static_cast<std::size_t>(verticalScrollBar()->value());
    int top = 0;
    for (std::size_t index = first; index < m_lines->size() && top < viewport()->height();
         ++index) {
        paintRow(painter, index, top);
        top += lineHeight();
    }
}

void OutputView::paintRow(QPainter& painter, std::size_t index, int top)
{
    const LineStore::Row& row = m_lines->at(index);
    const Colors& colors = currentColors();
    const QColor background = palette().color(QPalette::Base);
    const int height = lineHeight();
    const int baseline = top + fontMetrics().ascent();
    const int left = gutterWidth() - horizontalScrollBar()->value();
    if (row.stream == execution::Stream::Stderr && !row.note) {
        // A bar and a mark, not the colour alone.
        painter.fillRect(QRect(0, top, 3, height), colors.status(StatusGroup::Failed));
        painter.setPen(colors.status(StatusGroup::Failed));
        painter.drawText(QPoint(5, baseline), QStringLiteral("!"));
    }
    painter.save();
    painter.setClipRect(QRect(gutterWidth(), top, viewport()->width(), height));

    const auto [from, to] = selection();
    if (from != to && index >= from.line && index <= to.line) {
        const auto xOf = [&](int column) {
            return left + fontMetrics().horizontalAdvance(row.line.text.left(column));
        };
        const int start = index == from.line ? xOf(from.column) : left;
        const int end = index == to.line ? xOf(to.column) : viewport()->width();
        QColor shade = colors.accent;
        shade.setAlpha(80);
        painter.fillRect(QRect(start, top, std::max(0, end - start), height), shade);
    }

    for (const QString& word : m_words) {
        const QString& whole = row.line.text;
        qsizetype at = 0;
        while (!word.isEmpty() && (at = whole.indexOf(word, at, Qt::CaseInsensitive)) >= 0) {
            const int start = left + fontMetrics().horizontalAdvance(whole.left(at));
            if (start > viewport()->width())
                break;
            QColor shade = colors.accent;
            shade.setAlpha(110);
            const int width = fontMetrics().horizontalAdvance(whole.mid(at, word.size()));
            painter.fillRect(QRect(start, top, width, height), shade);
            at += word.size();
        }
    }

    int x = left;
    const auto paintRun = [&](const QString& text, const TextStyle& style) {
        const QColor behind =
            style.background < 0
                ? background
                : QColor(kBasicColors.at(static_cast<std::size_t>(style.background)));
        QFont face = font();
        face.setBold(style.bold);
        face.setUnderline(style.underline);
        painter.setFont(face);
        const int width = painter.fontMetrics().horizontalAdvance(text);
        if (style.background >= 0)
            painter.fillRect(QRect(x, top, width, height), behind);
        const QColor wanted =
            style.foreground < 0
                ? palette().color(QPalette::Text)
                : QColor(kBasicColors.at(static_cast<std::size_t>(style.foreground)));
        painter.setPen(row.note ? colors.muted : readableOn(wanted, behind));
        painter.drawText(QPoint(x, baseline), text);
        x += width;
    };
    int at = 0;
    for (const StyledRun& run : row.line.runs) {
        paintRun(row.line.text.mid(at, run.length), run.style);
        at += run.length;
    }
    paintRun(row.line.text.mid(at), {});
    painter.restore();
}

OutputView::Position OutputView::positionAt(QPoint point) const
{
    if (m_lines->size() == 0)
        return {};
    const int row = verticalScrollBar()->value() + point.y() / lineHeight();
    const auto line =
        static_cast<std::size_t>(std::clamp(row, 0, static_cast<int>(m_lines->size()) - 1));
    const QString& text = m_lines->at(line).line.text;
    const int x = point.x() - gutterWidth() + horizontalScrollBar()->value();
    int low = 0;
    int high = static_cast<int>(text.size());
    while (low < high) {
        const int middle = (low + high) / 2;
        if (fontMetrics().horizontalAdvance(text.left(middle + 1)) <= x)
            low = middle + 1;
        else
            high = middle;
    }
    return {line, low};
}

std::pair<OutputView::Position, OutputView::Position> OutputView::selection() const
{
    return {std::min(m_anchor, m_cursor), std::max(m_anchor, m_cursor)};
}

QString OutputView::textBetween(Position from, Position to) const
{
    QString text;
    for (std::size_t line = from.line; line <= to.line && line < m_lines->size(); ++line) {
        const QString& whole = m_lines->at(line).line.text;
        const int start = line == from.line ? from.column : 0;
        const int end = line == to.line ? to.column : static_cast<int>(whole.size());
        text += whole.mid(start, end - start);
        if (line != to.line)
            text += QLatin1Char('\n');
    }
    return text;
}

QString OutputView::selectedText() const
{
    const auto [from, to] = selection();
    if (from != to)
        return textBetween(from, to);
    if (m_lines->size() == 0)
        return {};
    const std::size_t last = m_lines->size() - 1;
    return textBetween({}, {last, static_cast<int>(m_lines->at(last).line.text.size())});
}

void OutputView::copy() const
{
    QApplication::clipboard()->setText(selectedText());
}

void OutputView::selectAll()
{
    if (m_lines->size() == 0)
        return;
    m_anchor = {};
    const std::size_t last = m_lines->size() - 1;
    m_cursor = {last, static_cast<int>(m_lines->at(last).line.text.size())};
    viewport()->update();
}

bool OutputView::findNext(const QString& text)
{
    if (text.isEmpty() || m_lines->size() == 0)
        return false;
    const Position start = selection().second;
    for (std::size_t step = 0; step <= m_lines->size(); ++step) {
        const std::size_t line = (start.line + step) % m_lines->size();
        const qsizetype from = step == 0 ? start.column : 0;
        const qsizetype found =
            m_lines->at(line).line.text.indexOf(text, from, Qt::CaseInsensitive);
        if (found < 0)
            continue;
        m_anchor = {line, static_cast<int>(found)};
        m_cursor = {line, static_cast<int>(found + text.size())};
        verticalScrollBar()->setValue(static_cast<int>(line) - verticalScrollBar()->pageStep() / 2);
        viewport()->update();
        return true;
    }
    return false;
}

void OutputView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    m_cursor = positionAt(event->position().toPoint());
    if (!(event->modifiers() & Qt::ShiftModifier))
        m_anchor = m_cursor;
    viewport()->update();
}

void OutputView::mouseMoveEvent(QMouseEvent* event)
{
    if (!(event->buttons() & Qt::LeftButton))
        return;
    m_cursor = positionAt(event->position().toPoint());
    viewport()->update();
}

void OutputView::keyPressEvent(QKeyEvent* event)
{
    QScrollBar* vertical = verticalScrollBar();
    if (event->matches(QKeySequence::Copy))
        copy();
    else if (event->matches(QKeySequence::SelectAll))
        selectAll();
    else if (event->matches(QKeySequence::MoveToStartOfDocument) || event->key() == Qt::Key_Home)
        vertical->setValue(0);
    else if (event->matches(QKeySequence::MoveToEndOfDocument) || event->key() == Qt::Key_End)
        vertical->setValue(vertical->maximum());
    else
        QAbstractScrollArea::keyPressEvent(event);
}

} // namespace belljar::ui
