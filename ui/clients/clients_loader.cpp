// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/clients/clients_loader.h"

#include "engine/store/history_reader.h"

#include <utility>

namespace belljar::ui {

namespace {

using clients::Configurations;
using clients::Plan;

QString messageOf(const Error& error)
{
    return QString::fromStdString(error.message());
}

Result<Plan>
makePlan(const Configurations& configurations, Plan::Kind kind, const std::string& client)
{
    switch (kind) {
    case Plan::Kind::Connect: return configurations.planConnect(client, {});
    case Plan::Kind::Disconnect: return configurations.planDisconnect(client);
    case Plan::Kind::Undo: return configurations.planUndo(client);
    }
    return fail(Errc::Unsupported, "no such plan");
}

} // namespace

/// Answers through the loader's signals, which Qt queues across the threads.
class ClientsLoader::Worker : public QObject {
public:
    Worker(ClientsLoader& loader, std::filesystem::path historyFile, Open open)
        : m_loader(loader)
        , m_historyFile(std::move(historyFile))
        , m_open(std::move(open))
    {}

    void look()
    {
        const auto configurations = m_open();
        if (!configurations) {
            emit m_loader.lookFailed(messageOf(configurations.error()));
            return;
        }
        const auto all = configurations->findAll();
        emit m_loader.found(all, lastRuns(all));
    }

    void plan(Plan::Kind kind, const std::string& client)
    {
        const auto configurations = m_open();
        const auto plan = configurations ? makePlan(*configurations, kind, client)
                                         : Result<Plan>(fail(configurations.error()));
        if (plan)
            emit m_loader.planned(*plan);
        else
            emit m_loader.failed(QString::fromStdString(client), messageOf(plan.error()));
    }

    void apply(const Plan& plan)
    {
        const auto configurations = m_open();
        const auto applied =
            configurations ? configurations->apply(plan) : Result<>(fail(configurations.error()));
        look();
        if (applied)
            emit m_loader.applied(plan);
        else
            emit m_loader.failed(QString::fromStdString(plan.client), messageOf(applied.error()));
    }

private:
    /// Empty where nothing has run yet; the screen is of use without it.
    [[nodiscard]] LastRuns lastRuns(const std::vector<clients::Found>& all) const
    {
        LastRuns last;
        auto history = store::HistoryReader::open(m_historyFile);
        if (!history)
            return last;
        for (const clients::Found& client : all) {
            for (const std::string& name : client.names) {
                store::PageQuery query;
                query.limit = 1;
                query.clientName = name;
                const auto newest = history->page(query);
                if (newest && !newest->empty())
                    last[name] = newest->front().receivedAt;
            }
        }
        return last;
    }

    ClientsLoader& m_loader;
    std::filesystem::path m_historyFile;
    Open m_open;
};

ClientsLoader::ClientsLoader(std::filesystem::path historyFile, const Open& open, QObject* parent)
    : QObject(parent)
    , m_worker(new Worker(*this, std::move(historyFile), open))
{
    m_thread.setObjectName(QStringLiteral("clients"));
    m_worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    m_thread.start();
}

ClientsLoader::~ClientsLoader()
{
    m_thread.quit();
    m_thread.wait();
}

void ClientsLoader::look()
{
    QMetaObject::invokeMethod(m_worker, [worker = m_worker] { worker->look(); });
}

void ClientsLoader::plan(Plan::Kind kind, const std::string& client)
{
    QMetaObject::invokeMethod(m_worker, [worker = m_worker, kind, client] {
        worker->plan(kind, client);
    });
}

void ClientsLoader::apply(const Plan& plan)
{
    QMetaObject::invokeMethod(m_worker, [worker = m_worker, plan] { worker->apply(plan); });
}

} // namespace belljar::ui
