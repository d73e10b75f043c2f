// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/settings/preferences.h"

#include <QTranslator>

namespace belljar::ui {

/// The language of everything that is made from now on. Owns the application's translator.
class Translations {
public:
    Translations() = default;
    ~Translations();
    Translations(const Translations&) = delete;
    Translations& operator=(const Translations&) = delete;

    void use(Language language);

private:
    QTranslator m_translator;
};

/// `language` with System resolved by the desktop.
[[nodiscard]] Language resolved(Language language);

} // namespace belljar::ui
