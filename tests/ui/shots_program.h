// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/settings/translations.h"
#include "ui/shell/style.h"
#include "ui/shell/theme.h"

#include <QApplication>
#include <QDir>
#include <QStandardPaths>

#include <functional>
#include <string_view>
#include <utility>

namespace belljar::test {

/// A program of pictures: FOLDER [en|zh_CN]. It looks as the desktop does and touches nobody's
/// settings.
class ShotsProgram {
public:
    /// Makes the folder. `argc` has to live as long as the program, as QApplication wants it.
    ShotsProgram(int& argc, char** argv)
        : m_app(argc, argv)
        , m_folder(argc > 1 ? QString::fromLocal8Bit(argv[1]) : QStringLiteral("."))
    {
        const bool chinese = argc > 2 && std::string_view(argv[2]) == "zh_CN";
        m_language = chinese ? ui::Language::Chinese : ui::Language::English;
        m_translations.use(m_language);
        QStandardPaths::setTestModeEnabled(true);
        QApplication::setOrganizationName(QStringLiteral("belljar-test"));
        QApplication::setStyle(new ui::Style);
        QDir().mkpath(m_folder);
    }

    [[nodiscard]] ui::Language language() const { return m_language; }
    [[nodiscard]] const QString& folder() const { return m_folder; }

    /// Calls `shoot` in each scheme with what the files' names begin with: "FOLDER/light-".
    void inBothSchemes(
        const std::function<void(ui::Theme& theme, ui::Scheme scheme, const QString& prefix)>& shoot
    ) const
    {
        ui::Theme theme;
        for (const auto& [scheme, name] :
             {std::pair(ui::Scheme::Light, "light"), std::pair(ui::Scheme::Dark, "dark")}) {
            theme.apply(scheme);
            shoot(theme, scheme, QStringLiteral("%1/%2-").arg(m_folder, QLatin1String(name)));
        }
    }

private:
    QApplication m_app;
    QString m_folder;
    ui::Language m_language;
    ui::Translations m_translations;
};

} // namespace belljar::test
