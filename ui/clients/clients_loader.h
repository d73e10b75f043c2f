// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/clients/configurations.h"
#include "engine/execution/execution.h"

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>
#endif

#include <QObject>
#include <QString>
#include <QThread>

namespace belljar::ui {

/// When clients have last run something: by the name that they give themselves.
using LastRuns = std::map<std::string, execution::UnixMs>;

/// Looks at clients' configurations and changes them, on a thread of its own. Every answer names
/// the client that it is about; messages may have foreign text in them.
class ClientsLoader : public QObject {
    Q_OBJECT

public:
    /// Called on the thread of its own, for every request anew.
    using Open = std::function<Result<clients::Configurations>()>;

    ClientsLoader(std::filesystem::path historyFile, const Open& open, QObject* parent = nullptr);
    ~ClientsLoader() override;

    void look();
    void plan(clients::Plan::Kind kind, const std::string& client);
    /// Answers with a look of the new state, then applied().
    void apply(const clients::Plan& plan);

signals:
    void
    found(const std::vector<belljar::clients::Found>& all, const belljar::ui::LastRuns& lastRuns);
    void lookFailed(const QString& why);
    void planned(const belljar::clients::Plan& plan);
    void applied(const belljar::clients::Plan& plan);
    /// A plan couldn't be made or carried out.
    void failed(const QString& client, const QString& why);

private:
    class Worker;

    QThread m_thread;
    Worker* m_worker; ///< lives on m_thread, which deletes it
};

} // namespace belljar::ui
