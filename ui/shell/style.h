// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProxyStyle>

namespace belljar::ui {

/// Fusion, but what has to be seen to be used is seen in both schemes: the box of a check box, the
/// circle of a radio button and the focus have at least 3:1 against what is around them
/// (WCAG 2.2, 1.4.11 and 2.4.13). Fusion derives them from the window's colour, and in a dark
/// window they vanish.
class Style : public QProxyStyle {
    Q_OBJECT

public:
    Style();

    void drawPrimitive(
        PrimitiveElement element,
        const QStyleOption* option,
        QPainter* painter,
        const QWidget* widget
    ) const override;
};

} // namespace belljar::ui
