// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/policies/effect_loader.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace belljar::ui {

namespace {

QString messageOf(const Error& error)
{
    return QString::fromStdString(error.message());
}

} // namespace

/// Answers through the loader's signals, which Qt queues across the threads.
class EffectLoader::Worker : public QObject {
public:
    explicit Worker(EffectLoader& loader)
        : m_loader(loader)
    {}

    void setAnalyse(Analyse analyse) { m_analyse = std::move(analyse); }

    void loadEffect(
        std::uint64_t token,
        const policy::Named& before,
        const policy::Named& draft,
        const Circumstances& circumstances,
        std::uint32_t most
    )
    {
        auto reader = store::HistoryReader::open(m_loader.m_file);
        if (!reader) {
            if (reader.error().code() == Errc::NotFound)
                emit m_loader.effectLoaded(token, {}); // nothing has run yet
            else
                emit m_loader.failed(token, messageOf(reader.error()));
            return;
        }
        store::PageQuery query;
        query.limit = most;
        const auto records = reader->page(query);
        if (!records) {
            emit m_loader.failed(token, messageOf(records.error()));
            return;
        }
        Effect effect;
        Versions policies;
        for (const execution::Record& record : *records) {
            if (token != m_loader.m_effectToken)
                return; // the draft has changed meanwhile
            const auto report = reportOf(*reader, record);
            if (!report) {
                ++effect.skipped;
                continue;
            }
            policy::Question question = questionOf(record, *report);
            const auto digest = circumstances.imageDigests.find(record.language);
            if (digest != circumstances.imageDigests.end())
                question.imageDigest = digest->second;
            const policy::Policy* then = policyThen(*reader, policies, record);
            question.asked = askedFor(record, then ? *then : before.policy);
            add(effect, effectOn(record, question, before, draft, circumstances.remembered));
        }
        effect.forgotten = forgottenBy(before, draft, circumstances.remembered);
        emit m_loader.effectLoaded(token, effect);
    }

    void tryOut(
        std::uint64_t token,
        const policy::Named& draft,
        policy::Question question,
        const std::string& code
    )
    {
        if (!m_analyse) {
            emit m_loader.failed(token, EffectLoader::tr("There is no analysis here."));
            return;
        }
        question.report = m_analyse(question.language, code);
        emit m_loader.triedOut(token, policy::decide(draft, question, {}));
    }

    void loadVersions(std::uint64_t token, const std::string& name)
    {
        auto reader = store::HistoryReader::open(m_loader.m_file);
        if (!reader) {
            if (reader.error().code() == Errc::NotFound)
                emit m_loader.versionsLoaded(token, {});
            else
                emit m_loader.failed(token, messageOf(reader.error()));
            return;
        }
        const auto versions = reader->policyVersions(name);
        if (versions)
            emit m_loader.versionsLoaded(token, *versions);
        else
            emit m_loader.failed(token, messageOf(versions.error()));
    }

    void loadFindings(std::uint64_t token, const ExecutionId& id)
    {
        auto reader = store::HistoryReader::open(m_loader.m_file);
        const auto report = reader ? reader->report(id)
                                   : Result<std::optional<analysis::Report>>(fail(reader.error()));
        if (!report)
            emit m_loader.failed(token, messageOf(report.error()));
        else
            emit m_loader.findingsLoaded(
                token, *report ? (*report)->findings : std::vector<analysis::Finding>()
            );
    }

private:
    /// Policies as they were once, by name and version; nothing for one that can't be read.
    using Versions = std::map<std::pair<std::string, std::int64_t>, std::optional<policy::Policy>>;

    /// The policy that decided on `record`, or null. Each is read once.
    static const policy::Policy*
    policyThen(store::HistoryReader& reader, Versions& policies, const execution::Record& record)
    {
        const auto key = std::pair(record.policy, record.policyVersion);
        const auto known = policies.find(key);
        if (known == policies.end()) {
            policies[key]; // once
            const auto versions = reader.policyVersions(record.policy);
            for (std::size_t at = 0; versions && at < versions->size(); ++at) {
                if ((*versions)[at].version == record.policyVersion)
                    policies[key] = policy::check((*versions)[at].text).policy;
            }
        }
        const auto& then = policies[key];
        return then ? &*then : nullptr;
    }

    /// What analysis says of the code that was received; nothing when neither can be had.
    std::optional<analysis::Report>
    reportOf(store::HistoryReader& reader, const execution::Record& record)
    {
        if (m_analyse) {
            if (const auto code = reader.code(record.id))
                return m_analyse(record.language, *code);
        }
        const auto recorded = reader.report(record.id);
        if (!recorded || !*recorded)
            return {};
        // The recorded one has what the policy of then added for imports.
        analysis::Report report = **recorded;
        std::erase_if(report.findings, [](const analysis::Finding& finding) {
            return finding.rule.starts_with("policy.");
        });
        return report;
    }

    static policy::Question
    questionOf(const execution::Record& record, const analysis::Report& report)
    {
        policy::Question question;
        question.client = record.client;
        question.language = record.language;
        question.codeSha256 = record.codeSha256;
        question.report = report;
        question.imageDigest = record.imageDigest;
        question.now = execution::unixNow();
        return question;
    }

    EffectLoader& m_loader;
    Analyse m_analyse;
};

EffectLoader::EffectLoader(std::filesystem::path historyFile, QObject* parent)
    : QObject(parent)
    , m_file(std::move(historyFile))
    , m_worker(new Worker(*this))
{
    m_thread.setObjectName(QStringLiteral("policies"));
    m_worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    m_thread.start();
}

EffectLoader::~EffectLoader()
{
    ++m_effectToken; // ends what is under way
    m_thread.quit();
    m_thread.wait();
}

void EffectLoader::setAnalyse(Analyse analyse)
{
    m_hasAnalyse = static_cast<bool>(analyse);
    QMetaObject::invokeMethod(m_worker, [worker = m_worker, analyse = std::move(analyse)] {
        worker->setAnalyse(analyse);
    });
}

std::uint64_t EffectLoader::loadEffect(
    const policy::Named& before,
    const policy::Named& draft,
    const Circumstances& circumstances,
    std::uint32_t most
)
{
    const std::uint64_t token = ++m_lastToken;
    m_effectToken = token;
    QMetaObject::invokeMethod(
        m_worker,
        [worker = m_worker, token, before, draft, circumstances, most] {
            worker->loadEffect(token, before, draft, circumstances, most);
        }
    );
    return token;
}

std::uint64_t EffectLoader::tryOut(
    const policy::Named& draft, const policy::Question& question, const std::string& code
)
{
    const std::uint64_t token = ++m_lastToken;
    QMetaObject::invokeMethod(m_worker, [worker = m_worker, token, draft, question, code] {
        worker->tryOut(token, draft, question, code);
    });
    return token;
}

std::uint64_t EffectLoader::loadFindings(const ExecutionId& id)
{
    const std::uint64_t token = ++m_lastToken;
    QMetaObject::invokeMethod(m_worker, [worker = m_worker, token, id] {
        worker->loadFindings(token, id);
    });
    return token;
}

std::uint64_t EffectLoader::loadVersions(const std::string& name)
{
    const std::uint64_t token = ++m_lastToken;
    QMetaObject::invokeMethod(m_worker, [worker = m_worker, token, name] {
        worker->loadVersions(token, name);
    });
    return token;
}

} // namespace belljar::ui
