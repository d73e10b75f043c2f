// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/settings_screen.h"

#include "ui/settings/engine_rows.h"
#include "ui/settings/setting_rows.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace belljar::ui {

namespace {

constexpr int kLettersWide = 110;

} // namespace

SettingsScreen::SettingsScreen(QWidget* parent)
    : QWidget(parent)
    , m_search(new QLineEdit)
    , m_nothing(new QLabel(tr("No setting has these words.")))
    , m_rows(new SettingRows)
    , m_problem(new QLabel)
    , m_preferences(loadPreferences())
{
    m_search->setObjectName(QStringLiteral("settingsSearch"));
    m_search->setPlaceholderText(tr("Find a setting"));
    m_search->setAccessibleName(tr("Find a setting"));
    m_search->setClearButtonEnabled(true);
    m_nothing->setObjectName(QStringLiteral("noSetting"));
    m_nothing->hide();
    m_problem->setObjectName(QStringLiteral("settingsProblem"));
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->setWordWrap(true);
    m_problem->hide();

    m_rows->addGroup(tr("Window"));
    addChoice<Language>(
        tr("Language"),
        tr("Of the window; code and output stay as they are."),
        // Each in itself, so that it is found by who can't read the others.
        {tr("As the desktop"), QStringLiteral("English"), QStringLiteral("简体中文")},
        &Preferences::language
    );
    addChoice<SchemeChoice>(
        tr("Colours"),
        tr("Light, dark, or as the desktop is, also when that changes."),
        {tr("As the desktop"), tr("Light"), tr("Dark")},
        &Preferences::scheme
    );
    addChoice<OnClose>(
        tr("When the window is closed"),
        tr("In the background clients can still run programs, and questions reach you as "
           "notifications."),
        {tr("Background where there is a tray, else ask"),
         tr("Keep running in the background"),
         tr("Quit")},
        &Preferences::onClose
    );
    addAutostart();
    m_rows->addGroup(tr("Approvals"));
    addSwitch(
        tr("Notify when a program waits for you"),
        tr("By the desktop's notifications, which can show the question or deny it, and never "
           "allow."),
        &Preferences::notifications
    );
    m_engine = new EngineRows(*m_rows, this);
    connect(m_engine, &EngineRows::commandWanted, this, &SettingsScreen::commandWanted);
    connect(m_engine, &EngineRows::problemChanged, this, &SettingsScreen::showProblem);
    m_rows->updateResets();

    auto* column = new QWidget;
    auto* inner = new QVBoxLayout(column);
    const int space = fontMetrics().height();
    inner->setContentsMargins(space, space / 2, space, space);
    inner->addWidget(m_nothing);
    inner->addWidget(m_rows);
    inner->addStretch(1);
    column->setMaximumWidth(fontMetrics().averageCharWidth() * kLettersWide);
    auto* scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setWidget(column);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_search);
    layout->addWidget(m_problem);
    layout->addWidget(scroll, 1);
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& words) {
        m_rows->find(words);
        m_nothing->setVisible(m_rows->isEmpty());
    });
}

void SettingsScreen::apply(const std::vector<Event>& events)
{
    m_engine->apply(events);
}

void SettingsScreen::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_engine->measure();
}

void SettingsScreen::showProblem(const QString& problem)
{
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
}

void SettingsScreen::focusSearch()
{
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();
}

void SettingsScreen::showPreferences(const Preferences& preferences)
{
    m_preferences = preferences;
    for (const auto& show : m_show)
        show();
    m_rows->updateResets();
}

template <class T>
void SettingsScreen::addChoice(
    const QString& title, const QString& help, const QStringList& names, T Preferences::*member
)
{
    auto* box = new QComboBox;
    box->addItems(names);
    const auto show = [this, box, member] {
        const QSignalBlocker quiet(box);
        box->setCurrentIndex(static_cast<int>(m_preferences.*member));
    };
    show();
    m_show.append(show);
    connect(box, &QComboBox::currentIndexChanged, this, [this, member](int index) {
        m_preferences.*member = static_cast<T>(index);
        changed();
    });
    m_rows->addRow(
        title,
        help,
        box,
        [this, member] { return m_preferences.*member == Preferences().*member; },
        [box, member] { box->setCurrentIndex(static_cast<int>(Preferences().*member)); }
    );
}

void SettingsScreen::addSwitch(const QString& title, const QString& help, bool Preferences::*member)
{
    auto* box = new QCheckBox;
    const auto show = [this, box, member] {
        const QSignalBlocker quiet(box);
        box->setChecked(m_preferences.*member);
    };
    show();
    m_show.append(show);
    connect(box, &QCheckBox::toggled, this, [this, member](bool on) {
        m_preferences.*member = on;
        changed();
    });
    m_rows->addRow(
        title,
        help,
        box,
        [this, member] { return m_preferences.*member == Preferences().*member; },
        [box, member] { box->setChecked(Preferences().*member); }
    );
}

void SettingsScreen::addAutostart()
{
    auto* box = new QCheckBox;
    box->setObjectName(QStringLiteral("autostartBox"));
    box->setChecked(isAutostarted());
    connect(box, &QCheckBox::toggled, this, [this, box](bool on) {
        const QString problem = setAutostarted(on);
        showProblem(
            problem.isEmpty() ? QString()
                              : tr("%1 was not written: %2").arg(autostartFile(), problem)
        );
        const QSignalBlocker quiet(box);
        box->setChecked(isAutostarted());
        m_rows->updateResets();
    });
    m_rows->addRow(
        tr("Start when you log in"),
        tr("In the background, so that clients find Belljar."),
        box,
        [box] { return !box->isChecked(); },
        [box] { box->setChecked(false); }
    );
}

void SettingsScreen::changed()
{
    savePreferences(m_preferences);
    m_rows->updateResets();
    emit preferencesChanged(m_preferences);
}

} // namespace belljar::ui
