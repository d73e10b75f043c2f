// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/policies/policies_screen.h"

#include "engine/base/sha256.h"
#include "engine/base/text.h"
#include "ui/policies/assignments_view.h"
#include "ui/policies/effect_view.h"
#include "ui/policies/form_fields.h"
#include "ui/policies/json_editor.h"
#include "ui/policies/policy_form.h"
#include "ui/policies/preset_dialog.h"
#include "ui/policies/rule_draft.h"
#include "ui/policies/rules_table.h"
#include "ui/policies/versions_view.h"
#include "ui/shell/theme.h"

#include <QDialog>
#include <QEvent>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSaveFile>
#include <QShortcut>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace belljar::ui {

namespace {

/// A policy is some kilobytes; the engine refuses more than it can read anyway.
constexpr qint64 kMostFileBytes = 1024 * 1024;
constexpr int kMostNameLength = 64;

QString shown(const std::string& text)
{
    return QString::fromStdString(escapeForLine(text));
}

/// Letters, digits and '-': what the engine takes as a name.
std::string asName(const QString& text)
{
    std::string name;
    for (const char c : text.toLower().toStdString()) {
        const bool fits = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        if (fits)
            name += c;
        else if (!name.empty() && name.back() != '-')
            name += '-';
    }
    while (name.ends_with('-'))
        name.pop_back();
    name.resize(std::min<std::size_t>(name.size(), kMostNameLength));
    return name.empty() ? "policy" : name;
}

void setColor(QLabel* label, const QColor& color)
{
    QPalette colors = label->palette();
    colors.setColor(QPalette::WindowText, color);
    label->setPalette(colors);
}

} // namespace

PoliciesScreen::PoliciesScreen(const std::filesystem::path& historyFile, QWidget* parent)
    : QWidget(parent)
    , m_loader(historyFile)
{
    auto* splitter = new QSplitter(Qt::Horizontal, this);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(makeList());
    m_stack = new QStackedWidget(this);
    auto* loading = new QLabel(tr("Waiting for the engine to tell its policies…"), this);
    loading->setAlignment(Qt::AlignCenter);
    loading->setWordWrap(true);
    m_stack->addWidget(loading);
    m_stack->addWidget(makeEditorPane());
    m_assignments = new AssignmentsView(this);
    m_stack->addWidget(m_assignments);
    m_message = makeNote({}, false, this);
    m_message->setObjectName(QStringLiteral("policyMessage"));
    m_message->setContentsMargins(9, 0, 9, 4);
    m_message->hide();
    auto* right = new QWidget(this);
    auto* rightLayout = new QVBoxLayout(right);
    rightLayout->setContentsMargins(0, 0, 0, 0);
    rightLayout->addWidget(makeBanner());
    rightLayout->addWidget(m_stack, 1);
    rightLayout->addWidget(m_message);
    splitter->addWidget(right);
    splitter->setStretchFactor(1, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(splitter);
    connect(m_assignments, &AssignmentsView::assignWanted, this, &PoliciesScreen::assign);
    connect(m_effect, &EffectView::executionActivated, this, &PoliciesScreen::executionActivated);
    connect(m_effect, &EffectView::loaded, this, &PoliciesScreen::tellOfRule);
    connect(m_versions, &VersionsView::restoreWanted, this, &PoliciesScreen::restore);
    connect(
        &m_loader,
        &EffectLoader::findingsLoaded,
        this,
        [this](std::uint64_t token, const std::vector<analysis::Finding>& findings) {
            if (token == m_findingsToken)
                insertRule(findings);
        }
    );
    connect(&m_loader, &EffectLoader::failed, this, [this](std::uint64_t token) {
        if (token == m_findingsToken)
            insertRule({});
    });
    makeShortcuts();
    updateList();
    updateBadge();
}

PoliciesScreen::~PoliciesScreen()
{
    // The views look at the documents, which go before them.
    m_form->setDocument(nullptr);
    m_editor->setDocument(nullptr);
    m_effect->setDocument(nullptr, {});
}

QWidget* PoliciesScreen::makeList()
{
    auto* side = new QWidget(this);
    m_list = new QListWidget(side);
    m_list->setObjectName(QStringLiteral("policyList"));
    m_list->setAccessibleName(tr("Policies"));
    m_list->setWordWrap(true);
    m_list->setSpacing(3);
    m_list->setMinimumWidth(fontMetrics().averageCharWidth() * 30);
    connect(m_list, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem* item) {
        if (item)
            select(item->data(Qt::UserRole).toString().toStdString());
    });
    auto* buttons = new QGridLayout;
    int count = 0;
    const auto button = [&](const QString& text, const char* name, auto pressed) {
        auto* made = new QPushButton(text, side);
        made->setObjectName(QLatin1String(name));
        made->setAutoDefault(false);
        connect(made, &QPushButton::clicked, this, pressed);
        buttons->addWidget(made, count / 2, count % 2);
        ++count;
        return made;
    };
    button(tr("New"), "policyNew", [this] {
        select(addDraft(
            "my-policy",
            "{\n  \"version\": 1,\n  \"title\": \"My policy\",\n  \"languages\": {\n"
            "    \"allow\": [\"python\"]\n  },\n  \"approval\": {\n    \"rules\": [],\n"
            "    \"otherwise\": \"ask\"\n  }\n}\n"
        ));
    });
    m_duplicate = button(tr("Duplicate"), "policyDuplicate", [this] { duplicate(); });
    m_rename = button(tr("Rename…"), "policyRename", [this] { rename(); });
    m_remove = button(tr("Delete…"), "policyDelete", [this] { remove(); });
    button(tr("Import…"), "policyImport", [this] {
        const QString file =
            QFileDialog::getOpenFileName(this, tr("Import a policy"), {}, tr("Policies (*.json)"));
        if (!file.isEmpty())
            importFrom(file);
    });
    m_export = button(tr("Export…"), "policyExport", [this] {
        const QString file = QFileDialog::getSaveFileName(
            this,
            tr("Export the policy"),
            QString::fromStdString(m_current) + ".json",
            tr("Policies (*.json)")
        );
        if (!file.isEmpty())
            exportTo(file);
    });
    auto* layout = new QVBoxLayout(side);
    layout->addWidget(m_list, 1);
    layout->addLayout(buttons);
    return side;
}

QWidget* PoliciesScreen::makeBanner()
{
    m_banner = new QWidget(this);
    m_banner->setObjectName(QStringLiteral("policyBanner"));
    m_bannerText = new QLabel(m_banner);
    m_bannerText->setObjectName(QStringLiteral("policyBannerText"));
    m_bannerText->setTextFormat(Qt::PlainText);
    m_bannerText->setWordWrap(true);
    m_confirm = new QPushButton(tr("Confirm…"), m_banner);
    m_confirm->setObjectName(QStringLiteral("policyConfirm"));
    m_putBack = new QPushButton(tr("Put back"), m_banner);
    m_putBack->setObjectName(QStringLiteral("policyPutBack"));
    auto* layout = new QHBoxLayout(m_banner);
    layout->addWidget(m_bannerText, 1);
    for (QPushButton* button : {m_confirm, m_putBack}) {
        button->setAutoDefault(false);
        layout->addWidget(button);
    }
    connect(m_confirm, &QPushButton::clicked, this, [this] { confirm(true); });
    connect(m_putBack, &QPushButton::clicked, this, [this] { confirm(false); });
    return m_banner;
}

QWidget* PoliciesScreen::makeEditorPane()
{
    auto* pane = new QWidget(this);
    m_title = new QLabel(pane);
    m_title->setTextFormat(Qt::PlainText);
    QFont large = m_title->font();
    large.setBold(true);
    large.setPointSizeF(large.pointSizeF() * 1.3);
    m_title->setFont(large);
    m_badge = new QLabel(pane);
    m_badge->setObjectName(QStringLiteral("policyBadge"));
    m_badge->setTextFormat(Qt::PlainText);
    m_form = new PolicyForm(m_guide, pane);
    m_editor = new JsonEditor(m_guide, pane);
    m_effect = new EffectView(m_loader, pane);
    m_versions = new VersionsView(m_loader, pane);
    auto* both = new QSplitter(Qt::Horizontal, pane);
    both->setChildrenCollapsible(false);
    both->addWidget(m_form);
    both->addWidget(m_editor);
    both->setStretchFactor(0, 1);
    both->setStretchFactor(1, 1);
    both->setSizes({500, 500});
    connect(m_form, &PolicyForm::problemActivated, m_editor, &JsonEditor::goTo);
    m_tabs = new QTabWidget(pane);
    m_tabs->setObjectName(QStringLiteral("policyTabs"));
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(both, tr("Form and text"));
    m_tabs->addTab(m_effect, tr("Effect"));
    m_tabs->addTab(m_versions, tr("Versions"));

    m_note = new QLineEdit(pane);
    m_note->setObjectName(QStringLiteral("policyNote"));
    m_note->setPlaceholderText(tr("What this change is for (optional)"));
    m_note->setAccessibleName(tr("Note for this version"));
    m_preset = new QPushButton(tr("Start from a preset…"), pane);
    m_preset->setObjectName(QStringLiteral("policyPreset"));
    connect(m_preset, &QPushButton::clicked, this, &PoliciesScreen::startFromPreset);
    m_discard = new QPushButton(tr("Discard draft"), pane);
    m_discard->setObjectName(QStringLiteral("policyDiscard"));
    m_save = new QPushButton(tr("Save"), pane);
    m_save->setObjectName(QStringLiteral("policySave"));
    m_save->setToolTip(tr("Ctrl+S"));
    connect(m_discard, &QPushButton::clicked, this, &PoliciesScreen::discard);
    connect(m_save, &QPushButton::clicked, this, &PoliciesScreen::save);

    auto* head = new QHBoxLayout;
    head->addWidget(m_title);
    head->addStretch(1);
    head->addWidget(m_badge);
    auto* foot = new QHBoxLayout;
    foot->addWidget(m_note, 1);
    foot->addWidget(m_preset);
    foot->addWidget(m_discard);
    foot->addWidget(m_save);
    auto* layout = new QVBoxLayout(pane);
    layout->addLayout(head);
    layout->addWidget(m_tabs, 1);
    layout->addLayout(foot);
    return pane;
}

void PoliciesScreen::makeShortcuts()
{
    const auto shortcut = [this](const QKeySequence& keys, auto pressed) {
        auto* made = new QShortcut(keys, this);
        made->setContext(Qt::WidgetWithChildrenShortcut);
        connect(made, &QShortcut::activated, this, pressed);
    };
    shortcut(Qt::CTRL | Qt::Key_S, [this] { save(); });
    shortcut(Qt::CTRL | Qt::Key_F, [this] {
        m_tabs->setCurrentIndex(0);
        if (m_form->isAncestorOf(focusWidget()))
            m_form->focusSearch();
        else
            m_editor->showFind();
    });
    shortcut(Qt::Key_F8, [this] {
        m_tabs->setCurrentIndex(0);
        m_editor->nextProblem();
    });
    shortcut(Qt::SHIFT | Qt::Key_F8, [this] {
        m_tabs->setCurrentIndex(0);
        m_editor->previousProblem();
    });
    const auto undo = [this] {
        if (PolicyDocument* draft = document())
            draft->undoStack().undo();
    };
    const auto redo = [this] {
        if (PolicyDocument* draft = document())
            draft->undoStack().redo();
    };
    shortcut(Qt::CTRL | Qt::Key_Z, undo);
    shortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_Z, redo);
    shortcut(Qt::CTRL | Qt::Key_Y, redo);
    // A field that nothing is being typed in has nothing to undo of its own.
    for (QLineEdit* line : m_form->findChildren<QLineEdit*>())
        line->installEventFilter(this);
}

bool PoliciesScreen::eventFilter(QObject* watched, QEvent* event)
{
    const auto* line = qobject_cast<QLineEdit*>(watched);
    if (line && event->type() == QEvent::ShortcutOverride && !line->isModified()) {
        const auto& key = static_cast<const QKeyEvent&>(*event);
        if (key.matches(QKeySequence::Undo) || key.matches(QKeySequence::Redo)) {
            event->ignore();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void PoliciesScreen::setAnalyse(Analyse analyse)
{
    m_loader.setAnalyse(std::move(analyse));
}

PoliciesScreen::Entry* PoliciesScreen::current()
{
    const auto found = m_entries.find(m_current);
    return found == m_entries.end() ? nullptr : &found->second;
}

const PoliciesScreen::Entry* PoliciesScreen::current() const
{
    const auto found = m_entries.find(m_current);
    return found == m_entries.end() ? nullptr : &found->second;
}

PolicyDocument* PoliciesScreen::document() const
{
    const Entry* entry = current();
    return entry ? entry->document.get() : nullptr;
}

bool PoliciesScreen::hasDrafts() const
{
    return m_assignments->isDirty() ||
           std::any_of(m_entries.begin(), m_entries.end(), [](const auto& entry) {
               return entry.second.document->isDirty();
           });
}

void PoliciesScreen::apply(const std::vector<Event>& events)
{
    for (const Event& event : events) {
        if (const auto* policies = std::get_if<PoliciesChanged>(&event))
            onPolicies(*policies);
        else if (const auto* done = std::get_if<PolicyCommandDone>(&event))
            onDone(*done);
        else if (const auto* connected = std::get_if<ClientConnected>(&event))
            onClient(connected->client);
        else if (const auto* changed = std::get_if<ClientChanged>(&event))
            onClient(changed->client);
        else if (const auto* remembered = std::get_if<RememberedChanged>(&event))
            m_effect->setRemembered(remembered->all);
        else if (const auto* images = std::get_if<ImagesChanged>(&event))
            onImages(*images);
    }
}

void PoliciesScreen::onClient(const execution::Client& client)
{
    if (client.name.empty() || !m_clients.insert(shown(client.name)).second)
        return;
    QStringList names;
    for (const QString& name : m_clients)
        names << name;
    m_effect->setClients(names);
}

void PoliciesScreen::onImages(const ImagesChanged& images)
{
    std::map<std::string, std::string> digests;
    for (const ImageStatus& image : images.images)
        digests[image.language] = image.digest;
    m_effect->setImages(std::move(digests));
}

void PoliciesScreen::onPolicies(const PoliciesChanged& policies)
{
    m_policies = policies;
    for (const PolicyState& state : policies.policies) {
        Entry& entry = m_entries[state.name];
        entry.state = state;
        if (entry.document) {
            entry.document->setInForce(state.text);
        } else {
            entry.document = std::make_unique<PolicyDocument>(state.text);
            connect(entry.document.get(), &PolicyDocument::changed, this, [this] {
                updateBadge();
                updateList();
            });
            connect(
                entry.document.get(),
                &PolicyDocument::problemsChanged,
                this,
                &PoliciesScreen::updateBadge
            );
        }
    }
    for (auto at = m_entries.begin(); at != m_entries.end();) {
        const std::string& name = at->first; // no binding: clang 14 captures none
        const Entry& entry = at->second;
        const bool there =
            std::any_of(policies.policies.begin(), policies.policies.end(), [&](const auto& state) {
                return state.name == name;
            });
        // What was edited is not lost with the file: it stays as a draft.
        if (there || !entry.state) {
            ++at;
        } else if (entry.document->isDirty()) {
            at->second.state.reset();
            ++at;
        } else {
            if (m_current == name) {
                m_current.clear();
                showCurrent();
            }
            at = m_entries.erase(at);
        }
    }
    m_assignments->setPolicies(policies);
    m_loaded = true;
    updateList();
    if (!current() && m_current != policy::kAssignmentsName) {
        select(
            m_entries.contains(policies.defaultPolicy) ? policies.defaultPolicy
            : m_entries.empty()                        ? std::string()
                                                       : m_entries.begin()->first
        );
        return;
    }
    showCurrent();
}

void PoliciesScreen::onDone(const PolicyCommandDone& done)
{
    const auto found = m_sent.find(done.token);
    if (found == m_sent.end())
        return;
    const Sent command = found->second;
    m_sent.erase(found);
    if (done.error) {
        say(tr("That didn't work: %1").arg(shown(done.error->message())));
        updateBadge();
        return;
    }
    say({});
    if (command.kind == Sent::Kind::Save)
        m_note->clear();
    if (command.kind == Sent::Kind::Rename && !command.oldName.empty()) {
        // Only now: between the two nobody is without a policy. Assignments move along.
        AssignPolicies assign;
        assign.assignments = m_policies.assignments;
        for (Assignment& assignment : assign.assignments) {
            if (assignment.policy == command.oldName)
                assignment.policy = command.name;
        }
        assign.defaultPolicy =
            m_policies.defaultPolicy == command.oldName ? command.name : m_policies.defaultPolicy;
        assign.token = sent({});
        emit commandWanted(std::move(assign));
        emit commandWanted(DeletePolicy{sent({}), command.oldName});
        select(command.name);
    }
    updateBadge();
}

std::uint64_t PoliciesScreen::sent(Sent sent)
{
    static std::uint64_t lastToken = 0;
    m_sent[++lastToken] = std::move(sent);
    return lastToken;
}

void PoliciesScreen::say(const QString& message, Tone tone)
{
    m_message->setText(message);
    m_message->setVisible(!message.isEmpty());
    const Colors& colors = currentColors();
    setColor(
        m_message,
        tone == Tone::News ? colors.text
                           : readableOn(colors.status(StatusGroup::Failed), colors.window)
    );
}

QString PoliciesScreen::listText(const std::string& name, const Entry& entry) const
{
    const PolicyDocument& document = *entry.document;
    const std::string title = textOf(document.value(), "title");
    QStringList marks;
    if (name == m_policies.defaultPolicy)
        marks << tr("default");
    if (!entry.state)
        marks << tr("not saved");
    else if (document.isDirty())
        marks << tr("● edited");
    if (entry.state && !entry.state->pendingText.empty())
        marks << tr("⚠ waits for you");
    else if (entry.state && !entry.state->problems.empty())
        marks << tr("⚠ file broken");
    QStringList clients;
    for (const Assignment& assignment : m_policies.assignments) {
        if (assignment.policy == name)
            clients << shown(
                assignment.clientName.empty() ? assignment.executable : assignment.clientName
            );
    }
    QString text = shown(title.empty() ? name : title);
    if (!title.empty() && title != name)
        text += QStringLiteral("  (%1)").arg(shown(name));
    if (!marks.isEmpty())
        text += QLatin1Char('\n') + marks.join(QStringLiteral(" · "));
    if (!clients.isEmpty())
        text += QLatin1Char('\n') + tr("for %1").arg(clients.join(QStringLiteral(", ")));
    return text;
}

void PoliciesScreen::updateList()
{
    const QSignalBlocker quiet(m_list);
    int row = 0;
    const auto put = [&](const std::string& name, const QString& text) {
        if (row == m_list->count())
            m_list->addItem(new QListWidgetItem);
        QListWidgetItem* item = m_list->item(row);
        item->setText(text);
        item->setData(Qt::UserRole, QString::fromStdString(name));
        if (name == m_current)
            m_list->setCurrentRow(row);
        ++row;
    };
    for (const auto& [name, entry] : m_entries)
        put(name, listText(name, entry));
    if (m_loaded) {
        const bool odd =
            !m_policies.assignmentsProblem.empty() || !m_policies.pendingAssignments.empty();
        put(policy::kAssignmentsName,
            odd ? tr("Who gets which") + QLatin1Char('\n') + tr("⚠ needs you")
                : tr("Who gets which"));
    }
    while (m_list->count() > row)
        delete m_list->takeItem(row);
}

void PoliciesScreen::select(const std::string& name)
{
    if (name == m_current)
        return;
    m_current = name;
    m_ruleFrom.reset();
    m_drafted.clear();
    say({});
    updateList();
    showCurrent();
}

void PoliciesScreen::showPolicy(const std::string& name, const std::string& rule)
{
    select(name);
    m_tabs->setCurrentIndex(0);
    const PolicyDocument* draft = document();
    const Json* rules = draft ? draft->value("/approval/rules") : nullptr;
    for (std::size_t at = 0; !rule.empty() && rules && rules->is_array() && at < rules->size();
         ++at) {
        if (textOf((*rules)[at], "name") == rule)
            m_form->showRule(static_cast<int>(at));
    }
}

void PoliciesScreen::makeRule(const execution::Record& record)
{
    const policy::Assignments assignments{m_policies.assignments, m_policies.defaultPolicy};
    const std::string name = m_entries.contains(record.policy)
                                 ? record.policy
                                 : policy::policyNameFor(assignments, record.client);
    if (!m_entries.contains(name))
        return;
    showPolicy(name);
    m_drafted.clear();
    m_ruleFrom = record;
    m_findingsToken = m_loader.loadFindings(record.id);
}

void PoliciesScreen::insertRule(const std::vector<analysis::Finding>& findings)
{
    const auto record = std::exchange(m_ruleFrom, std::nullopt);
    PolicyDocument* draft = document();
    if (!record || !draft)
        return;
    const Json* rules = draft->value("/approval/rules");
    Json rule = draftRule(*record, findings);
    const std::string name = freeRuleName(rules, textOf(rule, "name"));
    rule["name"] = name;
    const std::size_t place = draftPlace(rules, *record);
    if (!draft->insertElement("/approval/rules", place, rule)) {
        say(tr("The text of this policy is broken; mend it before a rule can be added."));
        return;
    }
    m_form->showRule(static_cast<int>(place));
    m_drafted = shown(name);
    draft->checkNow();
    m_effect->evaluate();
}

void PoliciesScreen::tellOfRule()
{
    if (m_drafted.isEmpty())
        return;
    say(tr("The rule \"%1\" is a draft, not saved yet. Of the last %n execution(s): ",
           nullptr,
           static_cast<int>(m_effect->effect().rows.size()))
                .arg(std::exchange(m_drafted, {})) +
            m_effect->summary(),
        Tone::News);
}

void PoliciesScreen::showCurrent()
{
    const Entry* entry = current();
    if (m_form->property("shown").toString() != QString::fromStdString(m_current) || !entry) {
        PolicyDocument* draft = entry ? entry->document.get() : nullptr;
        m_form->setDocument(draft);
        m_editor->setDocument(draft);
        m_effect->setDocument(draft, m_current);
        m_form->setProperty("shown", entry ? QString::fromStdString(m_current) : QString());
    }
    m_stack->setCurrentIndex(m_current == policy::kAssignmentsName ? 2 : entry ? 1 : 0);
    if (entry)
        m_versions->setPolicy(
            m_current, entry->document->inForce(), entry->state ? entry->state->version : 0
        );
    updateBanner();
    updateBadge();
}

void PoliciesScreen::updateBanner()
{
    const Entry* entry = current();
    const bool assignments = m_current == policy::kAssignmentsName;
    const auto waits = waiting();
    QString text;
    if (waits) {
        QStringList lines{
            assignments ? tr("The file of the assignments was changed so that it allows more; it "
                             "waits for you:")
                        : tr("The file was changed so that it allows more; it waits for you, and "
                             "version %1 stays in force:")
                              .arg(entry->state->version)};
        for (const std::string& one : waits->loosens)
            lines << QStringLiteral("• ") + shown(one);
        text = lines.join(QLatin1Char('\n'));
    } else if (entry && entry->state && !entry->state->problems.empty()) {
        const policy::Problem& problem = entry->state->problems.front();
        text = tr("The file is broken in line %1, column %2: %3. Version %4 stays in force.")
                   .arg(problem.line)
                   .arg(problem.column)
                   .arg(shown(problem.message))
                   .arg(entry->state->version);
    } else if (assignments && !m_policies.assignmentsProblem.empty()) {
        text = tr("The file of the assignments is broken: %1. The last good one stays in force.")
                   .arg(shown(m_policies.assignmentsProblem));
    }
    m_bannerText->setText(text);
    m_confirm->setVisible(waits.has_value());
    m_putBack->setVisible(waits.has_value());
    m_banner->setVisible(!text.isEmpty());
    QPalette colors = palette();
    colors.setColor(QPalette::Window, currentColors().banner);
    m_banner->setPalette(colors);
    m_banner->setAutoFillBackground(true);
}

void PoliciesScreen::updateBadge()
{
    const Entry* entry = current();
    const bool isPolicy = entry != nullptr;
    m_duplicate->setEnabled(isPolicy);
    m_export->setEnabled(isPolicy);
    m_rename->setEnabled(isPolicy && entry->state && !entry->state->shipped);
    m_remove->setEnabled(isPolicy && (!entry->state || !entry->state->shipped));
    if (!entry) {
        m_save->setEnabled(false);
        m_discard->setEnabled(false);
        return;
    }
    const PolicyDocument& document = *entry->document;
    m_title->setText(shown(m_current));
    const bool dirty = document.isDirty() || !entry->state;
    QString badge;
    StatusGroup group = StatusGroup::Succeeded;
    if (document.broken()) {
        badge = tr("✕ Not readable");
        group = StatusGroup::Failed;
    } else if (!document.checked().policy) {
        badge = tr("✕ Has errors (F8)");
        group = StatusGroup::Failed;
    } else if (!entry->state) {
        badge = tr("● Not saved yet");
        group = StatusGroup::Waiting;
    } else if (dirty) {
        const Json changes = Json::diff(document.valueInForce(), document.value());
        badge = changes.empty() ? tr("● Only the layout differs from what is in force")
                                : tr("● %n value(s) differ from what is in force",
                                     nullptr,
                                     static_cast<int>(changes.size()));
        group = StatusGroup::Waiting;
    } else {
        badge = tr("✓ In force, version %1").arg(entry->state->version);
    }
    m_badge->setText(badge);
    setColor(m_badge, readableOn(currentColors().status(group), currentColors().window));
    m_discard->setEnabled(dirty);
    m_save->setEnabled(dirty && document.isValid());
    m_note->setEnabled(dirty);
}

std::string PoliciesScreen::freeName(const std::string& wanted) const
{
    std::string name = wanted;
    for (int number = 2; m_entries.contains(name); ++number)
        name = wanted + "-" + std::to_string(number);
    return name;
}

std::string PoliciesScreen::addDraft(const std::string& wantedName, const std::string& text)
{
    const std::string name = freeName(wantedName);
    Entry& entry = m_entries[name];
    entry.document = std::make_unique<PolicyDocument>(text);
    connect(entry.document.get(), &PolicyDocument::changed, this, [this] {
        updateBadge();
        updateList();
    });
    connect(
        entry.document.get(), &PolicyDocument::problemsChanged, this, &PoliciesScreen::updateBadge
    );
    updateList();
    return name;
}

void PoliciesScreen::save()
{
    Entry* entry = current();
    if (!entry || (entry->state && !entry->document->isDirty()))
        return;
    const policy::Checked& checked = entry->document->checkNow();
    if (!checked.policy) {
        say(tr("It has errors; F8 goes to the next."));
        return;
    }
    // A new policy is nobody's before it is assigned: nothing is loosened by its being there.
    std::vector<std::string> loosens;
    if (entry->state) {
        if (const auto before = policy::check(entry->document->inForce()); before.policy)
            loosens = policy::loosened(*before.policy, *checked.policy);
    }
    if (loosens.empty())
        sendSave();
    else
        confirmFirst(
            loosening(tr("Save \"%1\"?").arg(shown(m_current)), loosens, tr("Allow more and save")),
            [this] { sendSave(); }
        );
}

PoliciesScreen::Question PoliciesScreen::loosening(
    const QString& title, const std::vector<std::string>& loosens, const QString& button
)
{
    Question question{title, tr("This allows more than before:"), {}, button};
    for (const std::string& one : loosens)
        question.items << tr("Loosens: %1").arg(shown(one));
    return question;
}

void PoliciesScreen::sendSave()
{
    const PolicyDocument* draft = document();
    if (!draft)
        return;
    emit commandWanted(SavePolicy{
        sent({Sent::Kind::Save, m_current, {}}),
        m_current,
        draft->text(),
        m_note->text().toStdString()});
}

void PoliciesScreen::confirmFirst(const Question& question, std::function<void()> then)
{
    auto* dialog = new QDialog(this);
    dialog->setObjectName(QStringLiteral("loosenDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setModal(true);
    dialog->setWindowTitle(question.title);
    auto* heading = makeNote(question.heading, false, dialog);
    auto* list = new QListWidget(dialog);
    list->setObjectName(QStringLiteral("loosenList"));
    list->setAccessibleName(heading->text());
    list->setWordWrap(true);
    list->addItems(question.items);
    auto* accept = new QPushButton(question.button, dialog);
    accept->setObjectName(QStringLiteral("loosenAccept"));
    auto* keep = new QPushButton(tr("Go back"), dialog);
    keep->setObjectName(QStringLiteral("loosenKeep"));
    auto* buttons = new QHBoxLayout;
    buttons->addStretch(1);
    for (QPushButton* button : {keep, accept}) {
        // Return in the list must not answer.
        button->setAutoDefault(false);
        button->setDefault(false);
        buttons->addWidget(button);
    }
    auto* layout = new QVBoxLayout(dialog);
    layout->addWidget(heading);
    layout->addWidget(list, 1);
    layout->addLayout(buttons);
    connect(keep, &QPushButton::clicked, dialog, &QDialog::reject);
    connect(accept, &QPushButton::clicked, dialog, [dialog, then = std::move(then)] {
        dialog->accept();
        then();
    });
    dialog->resize(fontMetrics().averageCharWidth() * 70, fontMetrics().lineSpacing() * 16);
    list->setFocus();
    dialog->open();
}

void PoliciesScreen::startFromPreset()
{
    const PolicyDocument* draft = document();
    if (!draft)
        return;
    auto presets = readPresets();
    if (!presets) {
        say(tr("The presets can't be read: %1").arg(shown(presets.error().message())));
        return;
    }
    auto* dialog = new PresetDialog(
        std::move(*presets),
        draft->text(),
        textOf(draft->value(), "title"),
        current()->state ? draft->inForce() : std::string(),
        this
    );
    // The draft it was asked for, not the one that is on the screen by then.
    connect(
        dialog,
        &PresetDialog::chosen,
        draft,
        [this, name = m_current](const QString& preset, const std::string& text) {
            if (const auto entry = m_entries.find(name); entry != m_entries.end())
                entry->second.document->setText(text, tr("start from %1").arg(preset));
        }
    );
    dialog->open();
}

void PoliciesScreen::discard()
{
    Entry* entry = current();
    if (!entry)
        return;
    if (entry->state) {
        entry->document->setText(entry->document->inForce(), tr("discard of the draft"));
        return;
    }
    const std::string name = std::exchange(m_current, {});
    showCurrent();
    m_entries.erase(name);
    updateList();
    select(
        m_entries.contains(m_policies.defaultPolicy) ? m_policies.defaultPolicy
        : m_entries.empty()                          ? std::string()
                                                     : m_entries.begin()->first
    );
}

void PoliciesScreen::duplicate()
{
    const PolicyDocument* draft = document();
    if (!draft)
        return;
    const std::string name = addDraft(m_current + "-copy", draft->text());
    PolicyDocument& copy = *m_entries[name].document;
    if (const std::string title = textOf(copy.value(), "title"); !title.empty())
        copy.setValue("/title", tr("%1 (copy)").arg(QString::fromStdString(title)).toStdString());
    select(name);
}

void PoliciesScreen::rename()
{
    auto* dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Rename"));
    dialog->setLabelText(tr("New name (letters, digits and -):"));
    dialog->setTextValue(QString::fromStdString(m_current));
    const std::string old = m_current;
    connect(dialog, &QInputDialog::textValueSelected, this, [this, old](const QString& text) {
        const std::string name = asName(text);
        const auto entry = m_entries.find(old);
        if (name == old || entry == m_entries.end())
            return;
        if (m_entries.contains(name)) {
            say(tr("There is a policy of that name already."));
            return;
        }
        emit commandWanted(SavePolicy{
            sent({Sent::Kind::Rename, name, old}),
            name,
            entry->second.document->inForce(),
            tr("renamed from %1").arg(QString::fromStdString(old)).toStdString()});
    });
    dialog->open();
}

void PoliciesScreen::remove()
{
    Entry* entry = current();
    if (!entry)
        return;
    if (!entry->state) {
        discard();
        return;
    }
    confirmFirst(
        {tr("Delete \"%1\"?").arg(shown(m_current)),
         tr("Delete the policy \"%1\"?").arg(shown(m_current)),
         {tr("Whoever has this policy gets the default one."),
          tr("Its versions stay in the history.")},
         tr("Delete")},
        [this, name = m_current] {
            emit commandWanted(DeletePolicy{sent({}), name});
        }
    );
}

void PoliciesScreen::restore(std::int64_t version, const std::string& text)
{
    const Entry* entry = current();
    if (!entry || !entry->state)
        return;
    std::vector<std::string> loosens;
    const auto before = policy::check(entry->document->inForce());
    const auto now = policy::check(text);
    if (before.policy && now.policy)
        loosens = policy::loosened(*before.policy, *now.policy);
    const auto send = [this, name = m_current, version] {
        emit commandWanted(RestorePolicy{sent({}), name, version});
    };
    if (loosens.empty())
        send();
    else
        confirmFirst(
            loosening(
                tr("Restore version %1?").arg(version), loosens, tr("Allow more and restore")
            ),
            send
        );
}

void PoliciesScreen::assign(const AssignPolicies& command)
{
    std::map<std::string, policy::Policy> inForce;
    for (const PolicyState& state : m_policies.policies) {
        if (auto checked = policy::check(state.text); checked.policy)
            inForce.emplace(state.name, std::move(*checked.policy));
    }
    const auto loosens = policy::loosened(
        policy::Assignments{m_policies.assignments, m_policies.defaultPolicy},
        policy::Assignments{command.assignments, command.defaultPolicy},
        [&inForce](const std::string& name) {
            const auto found = inForce.find(name);
            return found == inForce.end() ? nullptr : &found->second;
        }
    );
    const auto send = [this, command] {
        AssignPolicies now = command;
        now.token = sent({});
        emit commandWanted(std::move(now));
    };
    if (loosens.empty())
        send();
    else
        confirmFirst(
            loosening(tr("Assign these policies?"), loosens, tr("Allow more and assign")), send
        );
}

std::optional<PoliciesScreen::Waiting> PoliciesScreen::waiting() const
{
    if (m_current == policy::kAssignmentsName && !m_policies.pendingAssignments.empty())
        return Waiting{m_policies.pendingAssignmentsText, m_policies.pendingAssignments};
    const Entry* entry = current();
    if (entry && entry->state && !entry->state->pendingText.empty())
        return Waiting{entry->state->pendingText, entry->state->pendingLoosens};
    return {};
}

void PoliciesScreen::confirm(bool accept)
{
    const auto shownNow = waiting();
    if (!shownNow)
        return;
    // The hash is taken before the question is shown, not when it is answered: a file that changes
    // meanwhile is another change, which the engine refuses under this hash.
    const auto send = [this, name = m_current, hash = sha256Hex(shownNow->text), accept] {
        emit commandWanted(ConfirmPolicy{sent({}), name, hash, accept});
    };
    if (!accept)
        send();
    else
        confirmFirst(
            loosening(tr("Take the changed file into force?"), shownNow->loosens, tr("Allow more")),
            send
        );
}

bool PoliciesScreen::importFrom(const QString& file)
{
    QFile input(file);
    if (!input.open(QIODevice::ReadOnly)) {
        say(tr("%1 can't be read: %2").arg(file, input.errorString()));
        return false;
    }
    const QByteArray text = input.read(kMostFileBytes + 1);
    if (text.size() > kMostFileBytes || !isValidUtf8(text.toStdString())) {
        say(tr("%1 is no policy: it is too large, or no UTF-8 text").arg(file));
        return false;
    }
    select(addDraft(asName(QFileInfo(file).completeBaseName()), text.toStdString()));
    return true;
}

bool PoliciesScreen::exportTo(const QString& file)
{
    const PolicyDocument* draft = document();
    QSaveFile output(file);
    if (draft && output.open(QIODevice::WriteOnly)) {
        output.write(QByteArray::fromStdString(draft->text()));
        if (output.commit())
            return true;
    }
    say(tr("%1 can't be written: %2").arg(file, output.errorString()));
    return false;
}

} // namespace belljar::ui
