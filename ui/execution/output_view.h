// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "ui/execution/wrapping.h"

#include <memory>
#include <optional>
#endif

#include <QAbstractScrollArea>
#include <QPoint>
#include <QString>
#include <QStringList>

namespace belljar::ui {

enum class Wrap : std::uint8_t { Off, On };
enum class Direction : std::uint8_t { Next, Previous };

/// Shows output, or one stream of it: paints only what is visible, so a megabyte or a hundred
/// thousand lines cost no more than a page. Follows the end until the person scrolls up. Text can
/// be selected, copied and searched; it is always plain.
class OutputView : public QAbstractScrollArea {
    Q_OBJECT

public:
    explicit OutputView(QWidget* parent = nullptr);

    /// Begins anew; `placeholder` is shown while there is no line.
    void clear(const QString& placeholder);
    /// Shows a part of what another view holds and is given; linesChanged() tells it of more.
    void showPartOf(const OutputView& whole, LineStore::Part part);
    void linesChanged();
    void setPlaceholder(const QString& placeholder);
    void append(const std::vector<execution::OutputChunk>& chunks);
    void finish();

    [[nodiscard]] const LineStore& lines() const { return *m_lines; }
    [[nodiscard]] std::size_t lineCount() const { return m_lines->size(m_part); }
    void setWrap(Wrap wrap);
    [[nodiscard]] Wrap wrap() const { return m_wrap; }
    /// Goes to the end and stays there, or stays where it is.
    void setFollowing(bool following);
    /// The selection, or everything where nothing is selected, as plain text.
    [[nodiscard]] QString selectedText() const;
    /// Marks every place where one of `words` stands, whatever its case.
    void setWords(const QStringList& words);
    [[nodiscard]] bool isFollowing() const { return m_following; }

public slots:
    void copy() const;
    void selectAll();
    /// Selects the next line part that holds `text`, from the selection on and around. False when
    /// there is none.
    bool findNext(const QString& text);
    /// Selects the first line of the next or previous piece of stderr, or a line that tells of an
    /// error, from the selection on and around. False when there is none.
    bool jumpToError(Direction direction);

signals:
    void followingChanged(bool following);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Position {
        std::size_t line = 0;
        int column = 0;
        auto operator<=>(const Position&) const = default;
    };

    void updateScrollBars();
    void measure();
    void keepPlace(std::uint64_t lostRows, std::uint64_t lostLines);
    void paintRow(QPainter& painter, std::size_t index, Wrapping::Piece piece, int top);
    void reveal(Position position);
    [[nodiscard]] const LineStore::Row& row(std::size_t line) const;
    [[nodiscard]] bool isError(std::size_t line) const;
    void noteFollowing(bool following);
    [[nodiscard]] Position positionAt(QPoint point) const;
    [[nodiscard]] int lineHeight() const;
    [[nodiscard]] int gutterWidth() const;
    [[nodiscard]] std::pair<Position, Position> selection() const;
    [[nodiscard]] QString textBetween(Position from, Position to) const;

    std::shared_ptr<LineStore> m_lines;
    LineStore::Part m_part = LineStore::Part::Both;
    Wrapping m_wrapping;
    Wrap m_wrap = Wrap::Off;
    std::uint64_t m_dropped = 0; ///< lines that had given way when it was looked last
    QString m_placeholder;
    QStringList m_words;
    Position m_anchor;
    Position m_cursor;
    bool m_following = true;
};

} // namespace belljar::ui
