// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/icons.h"

#include <QApplication>
#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QSvgRenderer>

namespace belljar::ui {

namespace {

const QByteArray kDrawnIn = QByteArrayLiteral("#000000");

QByteArray drawing(const QString& name)
{
    QFile file(QStringLiteral(":/belljar/icons/%1.svg").arg(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Qt's own engine for SVG keeps the colours of the file, which a dark palette makes invisible.
class LineIconEngine : public QIconEngine {
public:
    explicit LineIconEngine(QByteArray svg)
        : m_svg(std::move(svg))
    {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override
    {
        const QPalette palette = QApplication::palette();
        const QColor color = mode == QIcon::Selected   ? palette.color(QPalette::HighlightedText)
                             : mode == QIcon::Disabled ? palette.color(QPalette::PlaceholderText)
                                                       : palette.color(QPalette::WindowText);
        QByteArray svg = m_svg;
        svg.replace(kDrawnIn, color.name().toLatin1());
        QSvgRenderer(svg).render(painter, rect);
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return pixmap;
    }
    [[nodiscard]] QIconEngine* clone() const override { return new LineIconEngine(m_svg); }

private:
    QByteArray m_svg;
};

} // namespace

QIcon lineIcon(const QString& name)
{
    return QIcon(new LineIconEngine(drawing(name)));
}

} // namespace belljar::ui
