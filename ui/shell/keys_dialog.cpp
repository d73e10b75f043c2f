// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/keys_dialog.h"

#include "ui/shell/menu_text.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QMenu>
#include <QMenuBar>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace belljar::ui {

namespace {

struct PlaceKey {
    const char* keys;
    const char* what;
};
/// Of the runs and the run that is shown.
constexpr PlaceKey kRunKeys[] = {
    {"Ctrl+D", QT_TRANSLATE_NOOP("belljar::ui::KeysDialog", "Compare two runs")},
    {"Delete", QT_TRANSLATE_NOOP("belljar::ui::KeysDialog", "Delete from the history")},
    {"F8", QT_TRANSLATE_NOOP("belljar::ui::KeysDialog", "Next error or difference")},
    {"Shift+F8", QT_TRANSLATE_NOOP("belljar::ui::KeysDialog", "Previous error or difference")},
};
/// Of the question that is shown; it has no menu.
constexpr PlaceKey kCardKeys[] = {
    {"Ctrl+Return", QT_TRANSLATE_NOOP("belljar::ui::KeysDialog", "Allow once")},
    {"Ctrl+Shift+Return", QT_TRANSLATE_NOOP("belljar::ui::KeysDialog", "Allow, and remember")},
    {"Ctrl+Backspace", QT_TRANSLATE_NOOP("belljar::ui::KeysDialog", "Deny")},
    {"Ctrl+E", QT_TRANSLATE_NOOP("belljar::ui::KeysDialog", "Edit before running")},
    {"Escape", QT_TRANSLATE_NOOP("belljar::ui::KeysDialog", "Decide later")},
};

} // namespace

KeysDialog::KeysDialog(const QMenuBar& menus, QWidget* parent)
    : QDialog(parent)
{
    setObjectName(QStringLiteral("keysDialog"));
    setWindowTitle(tr("Keys"));
    auto* list = new QTreeWidget;
    list->setAccessibleName(tr("Actions and their keys"));
    list->setHeaderLabels({tr("Action"), tr("Keys")});
    list->setRootIsDecorated(false);
    list->setSelectionMode(QAbstractItemView::SingleSelection);
    const auto addGroup = [list](const QString& title) {
        auto* group = new QTreeWidgetItem(list, {title});
        group->setFirstColumnSpanned(true);
        QFont bold = list->font();
        bold.setBold(true);
        group->setFont(0, bold);
        group->setFlags(Qt::ItemIsEnabled);
        group->setExpanded(true);
        return group;
    };
    const auto addKeys = [](QTreeWidgetItem* group, const QString& what, const QKeySequence& keys) {
        new QTreeWidgetItem(group, {what, keys.toString(QKeySequence::NativeText)});
    };
    for (const QAction* menu : menus.actions()) {
        QTreeWidgetItem* group = addGroup(withoutMnemonic(menu->text()));
        for (const QAction* action : menu->menu()->actions()) {
            if (!action->shortcut().isEmpty())
                addKeys(group, withoutMnemonic(action->text()), action->shortcut());
        }
    }
    const auto addPlace = [&](const QString& title, const auto& keys) {
        QTreeWidgetItem* group = addGroup(title);
        for (const PlaceKey& key : keys)
            addKeys(group, tr(key.what), QKeySequence(QString::fromLatin1(key.keys)));
    };
    addPlace(tr("Runs"), kRunKeys);
    addPlace(tr("A question that waits"), kCardKeys);
    list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    list->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    list->header()->setStretchLastSection(false);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(list);
    layout->addWidget(buttons);
    resize(fontMetrics().averageCharWidth() * 64, fontMetrics().lineSpacing() * 32);
}

} // namespace belljar::ui
