// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/paths.h"
#include "engine/clients/config_file.h"
#include "engine/clients/entry.h"
#include "engine/clients/known.h"
#include "engine/clients/ledger.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace belljar::clients {

/// Whether a client's configuration leads to this Belljar.
enum class State : std::uint8_t {
    NotConnected,
    Connected,   ///< by an entry that leads to this program
    LeadsAway,   ///< the entry leads to another program or address, or is switched off
    ProgramGone, ///< the program that the entry names is not there
    Unreadable,  ///< Found::problem or ::error says why
};

/// One client as it was found.
struct Found {
    std::string client; ///< id
    std::string title;
    bool installed = false;
    bool takesHttp = false;
    After after = After::Nothing;
    std::vector<std::string> names; ///< KnownClient::names
    std::filesystem::path file;     ///< its configuration, links followed; it need not exist
    bool fileExists = false;
    bool folderExists = false; ///< the one that it is in
    State state = State::NotConnected;
    std::optional<Problem> problem; ///< of its text
    std::string error;              ///< why it can't be read at all
    std::optional<Entry> entry;
    bool isOurs = false;  ///< the entry is as Belljar wrote it
    bool canUndo = false; ///< Belljar's last change is what the file holds
    friend bool operator==(const Found&, const Found&) = default;
};

/// What would be written. Nothing is until apply().
struct Plan {
    enum class Kind : std::uint8_t { Connect, Disconnect, Undo };

    Kind kind = Kind::Connect;
    std::string client; ///< id
    ConfigFile before;
    std::optional<std::string> after; ///< nothing: the file goes
    bool replacesOther = false; ///< an entry of this name that Belljar didn't write is replaced

    [[nodiscard]] bool changesNothing() const { return before.text == after; }
};

/// Finds clients and edits their configurations. Blocking calls, on one thread at a time; two
/// programs that do so at once are told apart by the files' contents.
class Configurations {
public:
    /// Where it works.
    struct Place {
        std::filesystem::path home;
        Environment environment;
        std::filesystem::path program; ///< `belljar`, absolute: what entries name
        std::filesystem::path ledger;  ///< its file
    };

    Configurations(std::vector<KnownClient> known, Place place);
    /// With the rows that are installed, for this user and environment. Errors: NotFound,
    /// InvalidArgument.
    static Result<Configurations> open(const Paths& paths);

    [[nodiscard]] const std::vector<KnownClient>& known() const { return m_known; }

    /// All of them, the installed ones first. `project` names a project's folder to look at instead
    /// of the user's configuration; clients that have none there are left out.
    [[nodiscard]] std::vector<Found> findAll(const std::filesystem::path& project = {}) const;
    /// Errors: NotFound when there is no such client (the message lists them), or it has no
    /// configuration there.
    Result<Found> find(const std::string& client, const std::filesystem::path& project = {}) const;

    struct Connect {
        std::filesystem::path project; ///< empty: for the user
        Transport transport = Transport::Stdio;
        std::string url;
        std::string token;
    };
    /// Errors: as find(), readConfigFile(), makeEntry() and withEntry().
    Result<Plan> planConnect(const std::string& client, const Connect& how) const;
    /// Back to the bytes from before where the file is still as Belljar left it; else without the
    /// entry. Errors: likewise; NotFound when there is no entry.
    Result<Plan>
    planDisconnect(const std::string& client, const std::filesystem::path& project = {}) const;
    /// Errors: NotFound when Belljar changed nothing; Conflict when the file or its backup isn't
    /// what Belljar left.
    Result<Plan>
    planUndo(const std::string& client, const std::filesystem::path& project = {}) const;

    /// Backs the file up and replaces it. Errors: as replaceConfigFile(); then it is as it was.
    Result<> apply(const Plan& plan) const;

private:
    Result<const KnownClient*> clientOf(const std::string& id) const;
    /// A client and the file that is its configuration.
    struct Target {
        const KnownClient* client;
        std::filesystem::path file;
    };
    [[nodiscard]] Result<Target>
    targetOf(const std::string& id, const std::filesystem::path& project) const;
    Result<std::filesystem::path>
    fileOf(const KnownClient& client, const std::filesystem::path& project) const;
    [[nodiscard]] bool isInstalled(const KnownClient& client) const;
    [[nodiscard]] Found look(const KnownClient& client, const std::filesystem::path& file) const;
    /// The text before Belljar's last change, if the file is as that left it; nothing inside: there
    /// was no file.
    Result<std::optional<std::string>> textBefore(const ConfigFile& now) const;

    std::vector<KnownClient> m_known;
    Place m_place;
};

} // namespace belljar::clients
