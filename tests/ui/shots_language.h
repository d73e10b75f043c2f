// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/settings/translations.h"

#include <string_view>

namespace belljar::test {

/// The language of a program of pictures: FOLDER [en|zh_CN].
class ShotsLanguage {
public:
    ShotsLanguage(int argc, char** argv)
    {
        const bool chinese = argc > 2 && std::string_view(argv[2]) == "zh_CN";
        m_language = chinese ? ui::Language::Chinese : ui::Language::English;
        m_translations.use(m_language);
    }
    [[nodiscard]] ui::Language language() const { return m_language; }

private:
    ui::Language m_language;
    ui::Translations m_translations;
};

} // namespace belljar::test
