// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/policies/preset_dialog.h"

#include "engine/base/file.h"
#include "engine/base/json_edit.h"
#include "engine/base/paths.h"
#include "engine/base/text.h"
#include "engine/policy/policy.h"
#include "ui/approvals/diff_view.h"
#include "ui/policies/form_fields.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace belljar::ui {

namespace {

constexpr std::uint64_t kMostBytes = 1024 * 1024;
constexpr std::size_t kMostLoosens = 10; ///< that are listed: the diff needs room too

QString shown(const std::string& text)
{
    return QString::fromStdString(escapeForLine(text));
}

} // namespace

Result<std::vector<Preset>> readPresets()
{
    const auto folder = findResource("policies");
    if (!folder)
        return fail(folder.error());
    std::vector<Preset> presets;
    std::error_code failed;
    for (const auto& entry : std::filesystem::directory_iterator(*folder, failed)) {
        if (entry.path().extension() != ".json")
            continue;
        auto text = readFile(entry.path(), kMostBytes);
        if (!text)
            return fail(text.error());
        presets.push_back({entry.path().stem().string(), std::move(*text)});
    }
    if (failed)
        return fail(Errc::IoFailed, folder->string() + ": " + failed.message());
    std::sort(presets.begin(), presets.end(), [](const Preset& one, const Preset& other) {
        return one.name < other.name;
    });
    return presets;
}

PresetDialog::PresetDialog(
    std::vector<Preset> presets,
    std::string draft,
    std::string title,
    std::string inForce,
    QWidget* parent
)
    : QDialog(parent)
    , m_presets(std::move(presets))
    , m_draft(std::move(draft))
    , m_title(std::move(title))
    , m_inForce(std::move(inForce))
    , m_choice(new QComboBox)
    , m_description(makeNote({}, true, this))
    , m_loosens(makeNote({}, false, this))
    , m_diff(new DiffView)
    , m_replace(new QPushButton(tr("&Replace the draft")))
{
    setObjectName(QStringLiteral("presetDialog"));
    setAttribute(Qt::WA_DeleteOnClose);
    setModal(true);
    setWindowTitle(tr("Start from a preset"));
    m_choice->setObjectName(QStringLiteral("presetChoice"));
    for (const Preset& preset : m_presets) {
        const auto checked = policy::check(preset.text);
        m_choice->addItem(shown(checked.policy ? checked.policy->title : preset.name));
    }
    auto* label = new QLabel(tr("&Preset:"));
    label->setBuddy(m_choice);
    m_loosens->setObjectName(QStringLiteral("presetLoosens"));
    m_diff->setTitles(tr("Your draft"), tr("The preset"));
    m_replace->setObjectName(QStringLiteral("presetReplace"));
    auto* keep = new QPushButton(tr("&Keep my draft"));
    keep->setObjectName(QStringLiteral("presetKeep"));
    auto* head = new QHBoxLayout;
    head->addWidget(label);
    head->addWidget(m_choice);
    head->addWidget(m_description, 1);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(
        makeNote(
            tr("Nothing is saved yet, and Undo brings your draft back. The title stays."),
            true,
            this
        ),
        1
    );
    for (QPushButton* button : {keep, m_replace}) {
        button->setAutoDefault(false);
        buttons->addWidget(button);
    }
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(head);
    layout->addWidget(m_loosens);
    layout->addWidget(m_diff, 1);
    layout->addLayout(buttons);
    connect(m_choice, &QComboBox::currentIndexChanged, this, &PresetDialog::showPreset);
    connect(keep, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_replace, &QPushButton::clicked, this, [this] {
        accept();
        emit chosen(m_choice->currentText(), textOfPreset());
    });
    const int letter = fontMetrics().averageCharWidth();
    resize(letter * 130, fontMetrics().lineSpacing() * 34);
    showPreset();
}

std::string PresetDialog::textOfPreset() const
{
    const int row = m_choice->currentIndex();
    if (row < 0)
        return m_draft;
    const std::string& text = m_presets[static_cast<std::size_t>(row)].text;
    if (m_title.empty())
        return text;
    const auto titled = json::setValue(text, "/title", Json(m_title));
    return titled ? json::applied(text, *titled) : text;
}

void PresetDialog::showPreset()
{
    const std::string text = textOfPreset();
    const auto before = policy::check(m_inForce);
    const auto now = policy::check(text);
    m_description->setText(now.policy ? shown(now.policy->description) : QString());
    QStringList loosens;
    if (before.policy && now.policy) {
        const auto all = policy::loosened(*before.policy, *now.policy);
        for (std::size_t at = 0; at < std::min(all.size(), kMostLoosens); ++at)
            loosens << QStringLiteral("• ") + tr("Loosens: %1").arg(shown(all[at]));
        if (all.size() > kMostLoosens)
            loosens << tr("and %n more", nullptr, static_cast<int>(all.size() - kMostLoosens));
    }
    m_loosens->setText(
        loosens.isEmpty() ? QString()
                          : tr("It allows more than what is in force:") + QLatin1Char('\n') +
                                loosens.join(QLatin1Char('\n'))
    );
    m_loosens->setVisible(!loosens.isEmpty());
    m_diff->setTexts(m_draft, text);
    m_replace->setEnabled(text != m_draft);
}

} // namespace belljar::ui
