// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/translations.h"

#include <QCoreApplication>
#include <QLocale>

namespace belljar::ui {

namespace {

/// Words of Qt's own on our screens; its translations are not everywhere where Belljar is.
[[maybe_unused]] constexpr const char* kQtWords[] = {
    QT_TRANSLATE_NOOP("QPlatformTheme", "OK"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Save"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Open"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "&Yes"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "&No"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Close"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Cancel"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Discard"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Apply"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Reset"),
    QT_TRANSLATE_NOOP("QLineEdit", "&Undo"),
    QT_TRANSLATE_NOOP("QLineEdit", "&Redo"),
    QT_TRANSLATE_NOOP("QLineEdit", "Cu&t"),
    QT_TRANSLATE_NOOP("QLineEdit", "&Copy"),
    QT_TRANSLATE_NOOP("QLineEdit", "&Paste"),
    QT_TRANSLATE_NOOP("QLineEdit", "Delete"),
    QT_TRANSLATE_NOOP("QLineEdit", "Select All"),
    QT_TRANSLATE_NOOP("QWidgetTextControl", "&Undo"),
    QT_TRANSLATE_NOOP("QWidgetTextControl", "&Redo"),
    QT_TRANSLATE_NOOP("QWidgetTextControl", "Cu&t"),
    QT_TRANSLATE_NOOP("QWidgetTextControl", "&Copy"),
    QT_TRANSLATE_NOOP("QWidgetTextControl", "Copy &Link Location"),
    QT_TRANSLATE_NOOP("QWidgetTextControl", "&Paste"),
    QT_TRANSLATE_NOOP("QWidgetTextControl", "Delete"),
    QT_TRANSLATE_NOOP("QWidgetTextControl", "Select All"),
};

} // namespace

Language resolved(Language language)
{
    if (language != Language::System)
        return language;
    const QStringList wanted = QLocale::system().uiLanguages();
    const bool chinese = !wanted.isEmpty() && wanted.first().startsWith(QLatin1String("zh"));
    return chinese ? Language::Chinese : Language::English;
}

Translations::~Translations()
{
    QCoreApplication::removeTranslator(&m_translator);
}

void Translations::use(Language language)
{
    QCoreApplication::removeTranslator(&m_translator);
    const bool chinese = resolved(language) == Language::Chinese;
    // English has a file too: its plurals.
    const QString name = chinese ? QStringLiteral("belljar_zh_CN") : QStringLiteral("belljar_en");
    if (m_translator.load(name, QStringLiteral(":/belljar/i18n")))
        QCoreApplication::installTranslator(&m_translator);
    // Numbers and dates go with the words, unless the desktop's own are wanted.
    if (language == Language::System)
        QLocale::setDefault(QLocale::system());
    else
        QLocale::setDefault(
            chinese ? QLocale(QLocale::Chinese, QLocale::China)
                    : QLocale(QLocale::English, QLocale::UnitedStates)
        );
}

} // namespace belljar::ui
