// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/menu_text.h"

#include <QRegularExpression>

namespace belljar::ui {

QString withoutMnemonic(QString text)
{
    static const QRegularExpression inBrackets(QStringLiteral("\\(&.\\)"));
    return text.remove(inBrackets).remove(QLatin1Char('&'));
}

} // namespace belljar::ui
