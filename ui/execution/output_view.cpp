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
#include <climits>
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

/// Characters: a line of thousands that isn't wrapped is painted as far as it is seen.
constexpr int kPaintedAtOnce = 256;

/// What a line that tells of an error has in it, in the languages that are run here.
const std::array kErrorWords{
    QStringLiteral("Traceback (most recent call last)"),
    QStringLiteral("Error:"),
    QStringLiteral("error:"),
    QStringLiteral("Exception:"),
    QStringLiteral("panicked at"),
    QStringLiteral("Segmentation fault"),
};

} // namespace

OutputView::OutputView(QWidget* parent)
    : QAbstractScrollArea(parent)
    , m_lines(std::make_shared<LineStore>())
{
    setObjectName(QStringLiteral("outputView"));
    setAccessibleName(tr("Output"));
    setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setCursor(Qt::IBeamCursor);
    viewport()->setBackgroundRole(QPalette::Base);
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, [this](int value) {
        noteFollowing(value >= verticalScrollBar()->maximum());
        viewport()->update();
    });
}

void OutputView::clear(const QString& placeholder)
{
    m_lines = std::make_shared<LineStore>();
    m_placeholder = placeholder;
    m_anchor = m_cursor = {};
    m_dropped = 0;
    measure();
    viewport()->update();
}

void OutputView::showPartOf(const OutputView& whole, LineStore::Part part)
{
    m_lines = whole.m_lines;
    m_part = part;
    m_placeholder = whole.m_placeholder;
    m_anchor = m_cursor = {};
    measure();
    viewport()->update();
}

void OutputView::linesChanged()
{
    const std::uint64_t dropped = m_lines->dropped(m_part);
    keepPlace(m_wrapping.update(*m_lines), dropped - m_dropped);
    m_dropped = dropped;
    updateScrollBars();
    viewport()->update();
}

/// What is on the screen and what is selected stays, though lines before it have given way.
void OutputView::keepPlace(std::uint64_t lostRows, std::uint64_t lostLines)
{
    for (Position* place : {&m_anchor, &m_cursor}) {
        if (place->line >= lostLines)
            place->line -= static_cast<std::size_t>(lostLines);
        else
            *place = {};
    }
    if (m_following || lostRows == 0)
        return;
    const auto lost = static_cast<int>(std::min<std::uint64_t>(lostRows, INT_MAX));
    verticalScrollBar()->setValue(verticalScrollBar()->value() - lost);
}

void OutputView::measure()
{
    const int room = viewport()->width() - gutterWidth() * 2;
    m_dropped = m_lines->dropped(m_part);
    m_wrapping.begin(*m_lines, m_part, font(), m_wrap == Wrap::On ? std::max(1, room) : 0);
    updateScrollBars();
}

void OutputView::setWrap(Wrap wrap)
{
    if (m_wrap == wrap)
        return;
    const Position top = positionAt({gutterWidth(), 0});
    m_wrap = wrap;
    measure();
    if (!m_following)
        verticalScrollBar()->setValue(static_cast<int>(m_wrapping.rowOf(*m_lines, top.line)));
    viewport()->update();
}

void OutputView::noteFollowing(bool following)
{
    if (std::exchange(m_following, following) != following)
        emit followingChanged(following);
}

void OutputView::setFollowing(bool following)
{
    noteFollowing(following);
    if (following)
        verticalScrollBar()->setValue(verticalScrollBar()->maximum());
}

const LineStore::Row& OutputView::row(std::size_t line) const
{
    return m_lines->at(line, m_part);
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
    linesChanged();
}

void OutputView::finish()
{
    m_lines->finish();
    linesChanged();
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
    const auto rows = static_cast<int>(std::min<std::size_t>(m_wrapping.rows(*m_lines), INT_MAX));
    vertical->setRange(0, std::max(0, rows - page));
    horizontalScrollBar()->setPageStep(viewport()->width());
    const int width =
        gutterWidth() + (m_lines->longestLine() + 1) * fontMetrics().averageCharWidth();
    const int beyond = m_wrap == Wrap::On ? 0 : width - viewport()->width();
    horizontalScrollBar()->setRange(0, std::max(0, beyond));
    horizontalScrollBar()->setSingleStep(fontMetrics().averageCharWidth() * 4);
    if (following)
        vertical->setValue(vertical->maximum());
    noteFollowing(following);
}

void OutputView::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    if (m_wrap == Wrap::On && event->size().width() != event->oldSize().width())
        measure();
    else
        updateScrollBars();
}

void OutputView::changeEvent(QEvent* event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        measure();
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        viewport()->update();
}

void OutputView::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(viewport());
    painter.setFont(font());
    if (lineCount() == 0) {
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
    Wrapping::Place place =
        m_wrapping.placeOf(*m_lines, static_cast<std::size_t>(verticalScrollBar()->value()));
    int top = 0;
    for (; place.line < lineCount() && top < viewport()->height(); ++place.line, place.piece = 0) {
        const auto pieces = m_wrapping.piecesOf(row(place.line).line.text);
        for (; place.piece < pieces.size() && top < viewport()->height(); ++place.piece) {
            paintRow(painter, place.line, pieces[place.piece], top);
            top += lineHeight();
        }
    }
}

void OutputView::paintRow(QPainter& painter, std::size_t index, Wrapping::Piece piece, int top)
{
    const LineStore::Row& row = this->row(index);
    const QString& whole = row.line.text;
    const auto xOf = [&](int column) {
        const int shown = std::clamp(column - piece.start, 0, piece.length);
        return gutterWidth() - horizontalScrollBar()->value() +
               fontMetrics().horizontalAdvance(whole.mid(piece.start, shown));
    };
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
    const bool startsLater = index == from.line && from.column > piece.start + piece.length;
    const bool endedBefore = index == to.line && to.column < piece.start;
    if (from != to && index >= from.line && index <= to.line && !startsLater && !endedBefore) {
        const bool goesOn = index != to.line;
        const int start = index == from.line ? xOf(from.column) : left;
        const int end = goesOn ? viewport()->width() : xOf(to.column);
        QColor shade = colors.accent;
        shade.setAlpha(80);
        painter.fillRect(QRect(start, top, std::max(0, end - start), height), shade);
    }

    for (const QString& word : m_words) {
        // One that was broken is marked on both rows.
        const qsizetype pieceEnd = piece.start + piece.length;
        qsizetype at = std::max<qsizetype>(0, piece.start - word.size() + 1);
        while (!word.isEmpty() && (at = whole.indexOf(word, at, Qt::CaseInsensitive)) >= 0) {
            const int start = xOf(static_cast<int>(at));
            if (at >= pieceEnd || start > viewport()->width())
                break;
            QColor shade = colors.accent;
            shade.setAlpha(110);
            const int end = xOf(static_cast<int>(at + word.size()));
            painter.fillRect(QRect(start, top, end - start, height), shade);
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
        if (x + width > 0)
            painter.drawText(QPoint(x, baseline), text);
        x += width;
    };
    const auto paintPart = [&](int begin, int end, const TextStyle& style) {
        const int start = std::max(begin, piece.start);
        const int stop = std::min(end, piece.start + piece.length);
        for (int place = start; place < stop && x < viewport()->width();) {
            int length = std::min(kPaintedAtOnce, stop - place);
            const bool splits = place + length < stop && whole[place + length].isLowSurrogate();
            length += splits ? 1 : 0;
            paintRun(whole.mid(place, length), style);
            place += length;
        }
    };
    int at = 0;
    for (const StyledRun& run : row.line.runs) {
        paintPart(at, at + run.length, run.style);
        at += run.length;
    }
    paintPart(at, static_cast<int>(whole.size()), {});
    painter.restore();
}

OutputView::Position OutputView::positionAt(QPoint point) const
{
    if (lineCount() == 0)
        return {};
    const auto rows = static_cast<int>(std::min<std::size_t>(m_wrapping.rows(*m_lines), INT_MAX));
    const int wanted = verticalScrollBar()->value() + point.y() / lineHeight();
    const auto place = m_wrapping.placeOf(
        *m_lines, static_cast<std::size_t>(std::clamp(wanted, 0, std::max(0, rows - 1)))
    );
    const QString& text = row(place.line).line.text;
    const auto pieces = m_wrapping.piecesOf(text);
    const Wrapping::Piece piece = pieces[std::min(place.piece, pieces.size() - 1)];
    const int x = point.x() - gutterWidth() + horizontalScrollBar()->value();
    int low = 0;
    int high = piece.length;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (fontMetrics().horizontalAdvance(text.mid(piece.start, middle + 1)) <= x)
            low = middle + 1;
        else
            high = middle;
    }
    return {place.line, piece.start + low};
}

/// Brings a place to the middle of the page.
void OutputView::reveal(Position position)
{
    std::size_t row = m_wrapping.rowOf(*m_lines, position.line);
    for (const Wrapping::Piece& piece : m_wrapping.piecesOf(this->row(position.line).line.text)) {
        if (position.column <= piece.start + piece.length)
            break;
        ++row;
    }
    noteFollowing(false);
    verticalScrollBar()->setValue(static_cast<int>(row) - verticalScrollBar()->pageStep() / 2);
    viewport()->update();
}

bool OutputView::isError(std::size_t line) const
{
    const LineStore::Row& shown = row(line);
    if (shown.note)
        return false;
    if (shown.stream == execution::Stream::Stderr) {
        // The first of a piece: what came before it is something else.
        if (line == 0)
            return true;
        const LineStore::Row& before = row(line - 1);
        if (before.note || before.stream != shown.stream ||
            m_lines->ordinalOf(line, m_part) != m_lines->ordinalOf(line - 1, m_part) + 1)
            return true;
    }
    return std::any_of(kErrorWords.begin(), kErrorWords.end(), [&shown](const QString& words) {
        return shown.line.text.contains(words);
    });
}

bool OutputView::jumpToError(Direction direction)
{
    const std::size_t count = lineCount();
    if (count == 0)
        return false;
    const auto [from, to] = selection();
    // Without a selection the first is not behind where it starts.
    const bool fresh = from == to && from == Position{};
    const std::size_t start = direction == Direction::Next ? to.line : from.line;
    for (std::size_t step = fresh && direction == Direction::Next ? 0 : 1; step <= count; ++step) {
        const std::size_t line =
            direction == Direction::Next ? (start + step) % count : (start + count - step) % count;
        if (!isError(line))
            continue;
        m_anchor = {line, 0};
        m_cursor = {line, static_cast<int>(row(line).line.text.size())};
        reveal(m_anchor);
        return true;
    }
    return false;
}

std::pair<OutputView::Position, OutputView::Position> OutputView::selection() const
{
    return {std::min(m_anchor, m_cursor), std::max(m_anchor, m_cursor)};
}

QString OutputView::textBetween(Position from, Position to) const
{
    QString text;
    for (std::size_t line = from.line; line <= to.line && line < lineCount(); ++line) {
        const QString& whole = row(line).line.text;
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
    if (lineCount() == 0)
        return {};
    const std::size_t last = lineCount() - 1;
    return textBetween({}, {last, static_cast<int>(row(last).line.text.size())});
}

void OutputView::copy() const
{
    QApplication::clipboard()->setText(selectedText());
}

void OutputView::selectAll()
{
    if (lineCount() == 0)
        return;
    m_anchor = {};
    const std::size_t last = lineCount() - 1;
    m_cursor = {last, static_cast<int>(row(last).line.text.size())};
    viewport()->update();
}

bool OutputView::findNext(const QString& text)
{
    if (text.isEmpty() || lineCount() == 0)
        return false;
    const Position start = selection().second;
    for (std::size_t step = 0; step <= lineCount(); ++step) {
        const std::size_t line = (start.line + step) % lineCount();
        const qsizetype from = step == 0 ? start.column : 0;
        const qsizetype found = row(line).line.text.indexOf(text, from, Qt::CaseInsensitive);
        if (found < 0)
            continue;
        m_anchor = {line, static_cast<int>(found)};
        m_cursor = {line, static_cast<int>(found + text.size())};
        reveal(m_anchor);
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
