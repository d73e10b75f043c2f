// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/events.h"
#include "ui/policies/effect_loader.h"
#include "ui/policies/policy_document.h"
#include "ui/policies/schema_guide.h"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>
#endif

#include <QWidget>

class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;
class QStackedWidget;
class QTabWidget;

namespace belljar::ui {

class AssignmentsView;
class EffectView;
class JsonEditor;
class PolicyForm;
class VersionsView;

/// The policies: which there are, one of them as form and text over one document, what the draft
/// would do, its versions, and who gets which. Drafts stay when another is looked at.
class PoliciesScreen : public QWidget {
    Q_OBJECT

public:
    explicit PoliciesScreen(const std::filesystem::path& historyFile, QWidget* parent = nullptr);
    ~PoliciesScreen() override;

    /// For the try-out box and the effect; without it recorded findings are used.
    void setAnalyse(Analyse analyse);
    /// Puts a policy on the screen, at one of its rules where one is named.
    void showPolicy(const std::string& name, const std::string& rule = {});
    /// Drafts a rule from a run (rule_draft.h) in the policy that decided it, and shows what it
    /// would change; nothing is saved.
    void makeRule(const execution::Record& record);
    /// The draft on the screen, or null.
    [[nodiscard]] PolicyDocument* document() const;
    /// Has anything been edited and not been saved?
    [[nodiscard]] bool hasDrafts() const;
    /// Takes a file's text as a new draft; the button asks for the file first. False: it can't be
    /// read, and the screen says why.
    bool importFrom(const QString& file);
    bool exportTo(const QString& file);

public slots:
    /// Events that aren't about policies, or about what decisions depend on, are passed over.
    void apply(const std::vector<belljar::Event>& events);

signals:
    void commandWanted(const belljar::Command& command);
    void executionActivated(const belljar::ExecutionId& id);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// A policy of the engine's, or one that isn't saved yet.
    struct Entry {
        std::optional<PolicyState> state;
        std::unique_ptr<PolicyDocument> document;
    };
    /// A command on its way, and what it was for.
    struct Sent {
        enum class Kind : std::uint8_t { Save, Rename, Other } kind = Kind::Other;
        std::string name;
        std::string oldName; ///< of a rename: goes when the new one is there
    };

    QWidget* makeList();
    QWidget* makeEditorPane();
    QWidget* makeBanner();
    void makeShortcuts();
    void onPolicies(const PoliciesChanged& policies);
    void onDone(const PolicyCommandDone& done);
    void onImages(const ImagesChanged& images);
    void onClient(const execution::Client& client);
    void select(const std::string& name);
    void showCurrent();
    void updateList();
    void updateBadge();
    void updateBanner();
    [[nodiscard]] QString listText(const std::string& name, const Entry& entry) const;
    [[nodiscard]] Entry* current();
    [[nodiscard]] const Entry* current() const;
    std::string addDraft(const std::string& wantedName, const std::string& text);
    std::string freeName(const std::string& wanted) const;
    void save();
    void sendSave();
    void startFromPreset();
    void discard();
    void duplicate();
    void rename();
    void remove();
    void restore(std::int64_t version, const std::string& text);
    void assign(const AssignPolicies& command);
    /// A change on disk that waits for the person.
    struct Waiting {
        std::string text;
        std::vector<std::string> loosens;
    };
    /// That of what is on the screen.
    [[nodiscard]] std::optional<Waiting> waiting() const;
    void confirm(bool accept);
    std::uint64_t sent(Sent sent);
    /// What the person is asked before something is sent.
    struct Question {
        QString title;
        QString heading;
        QStringList items;
        QString button;
    };
    [[nodiscard]] static Question
    loosening(const QString& title, const std::vector<std::string>& loosens, const QString& button);
    void confirmFirst(const Question& question, std::function<void()> then);
    void insertRule(const std::vector<analysis::Finding>& findings);
    void tellOfRule();
    enum class Tone : std::uint8_t { News, Problem };
    void say(const QString& message, Tone tone = Tone::Problem);

    SchemaGuide m_guide;
    EffectLoader m_loader;
    PoliciesChanged m_policies;
    std::map<std::string, Entry> m_entries;
    std::string m_current;
    std::map<std::uint64_t, Sent> m_sent;
    std::set<QString> m_clients;
    std::optional<execution::Record> m_ruleFrom; ///< while its findings are being read
    std::uint64_t m_findingsToken = 0;
    QString m_drafted; ///< name of the rule whose effect is being found out
    bool m_loaded = false;

    QListWidget* m_list = nullptr;
    QStackedWidget* m_stack = nullptr;
    QTabWidget* m_tabs = nullptr;
    PolicyForm* m_form = nullptr;
    JsonEditor* m_editor = nullptr;
    EffectView* m_effect = nullptr;
    VersionsView* m_versions = nullptr;
    AssignmentsView* m_assignments = nullptr;
    QLabel* m_title = nullptr;
    QLabel* m_badge = nullptr;
    QLineEdit* m_note = nullptr;
    QPushButton* m_save = nullptr;
    QPushButton* m_preset = nullptr;
    QPushButton* m_discard = nullptr;
    QWidget* m_banner = nullptr;
    QLabel* m_bannerText = nullptr;
    QPushButton* m_confirm = nullptr;
    QPushButton* m_putBack = nullptr;
    QLabel* m_message = nullptr;
    QPushButton* m_duplicate = nullptr;
    QPushButton* m_rename = nullptr;
    QPushButton* m_remove = nullptr;
    QPushButton* m_export = nullptr;
};

} // namespace belljar::ui
