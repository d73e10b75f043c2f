// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts, raw strings and Boost
#include "engine/analysis/analyzer.h"
#include "engine/base/file.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace belljar;
using namespace belljar::analysis;
#endif

namespace {

struct Snippet {
    std::string language;
    std::string kind;
    std::string name;
    std::set<std::string> rules;
    std::string code;
};

std::string utf8(unsigned long codePoint)
{
    const char32_t character = static_cast<char32_t>(codePoint);
    return QString::fromUcs4(&character, 1).toStdString();
}

/// `\u{202e}` as the character.
std::string unescaped(const std::string& line)
{
    std::string text;
    std::size_t at = 0;
    for (std::size_t found; (found = line.find("\\u{", at)) != std::string::npos;) {
        const std::size_t end = line.find('}', found);
        text += line.substr(at, found - at) +
                utf8(std::stoul(line.substr(found + 3, end - found - 3), nullptr, 16));
        at = end + 1;
    }
    return text + line.substr(at);
}

std::vector<Snippet> readCorpus()
{
    std::vector<Snippet> snippets;
    for (const auto& entry : std::filesystem::directory_iterator(BELLJAR_CORPUS)) {
        if (entry.path().extension() != ".txt")
            continue;
        std::istringstream lines(readFile(entry.path()).value());
        for (std::string line; std::getline(lines, line);) {
            if (!line.starts_with("### ")) {
                snippets.back().code += unescaped(line) + "\n";
                continue;
            }
            Snippet snippet;
            snippet.language = entry.path().stem().string();
            std::istringstream words(line.substr(4));
            words >> snippet.kind >> snippet.name;
            snippet.name.pop_back(); // the colon
            if (const std::size_t slash = snippet.name.find('/'); slash != std::string::npos)
                snippet.language = snippet.name.substr(0, slash);
            for (std::string rule; words >> rule;)
                snippet.rules.insert(rule);
            snippets.push_back(std::move(snippet));
        }
    }
    return snippets;
}

/// What counts: medium and above.
std::set<std::string> rulesOf(const Report& report)
{
    std::set<std::string> rules;
    for (const Finding& finding : report.findings) {
        if (finding.severity >= Severity::Medium)
            rules.insert(finding.rule);
    }
    return rules;
}

struct Score {
    int right = 0;
    int wrong = 0;
    int missed = 0;
};

} // namespace

class TestAnalysisCorpus : public QObject {
    Q_OBJECT

private slots:
    void theCorpusIsWhole()
    {
        const auto snippets = readCorpus();
        QVERIFY(snippets.size() >= 150);
        std::set<std::string> names;
        for (const Snippet& snippet : snippets) {
            QVERIFY2(
                names.insert(snippet.language + snippet.kind + snippet.name).second,
                snippet.name.c_str()
            );
            const bool known =
                snippet.kind == "harmful" || snippet.kind == "harmless" || snippet.kind == "tricky";
            QVERIFY2(known, snippet.name.c_str());
            QVERIFY(snippet.kind != "harmless" || snippet.rules.empty());
            QVERIFY(snippet.kind != "harmful" || !snippet.rules.empty());
        }
    }

    void findsWhatIsThereAndNothingElse()
    {
        const auto analyzer = Analyzer::load(BELLJAR_QUERIES);
        QVERIFY2(analyzer.has_value(), analyzer ? "" : analyzer.error().message().c_str());
        std::map<std::string, Score> scores;
        QStringList faults;
        for (const Snippet& snippet : readCorpus()) {
            const Report report = analyzer->analyse(snippet.language, snippet.code);
            QVERIFY(report.complete);
            const auto found = rulesOf(report);
            const std::string place = snippet.language + "/" + snippet.name;
            for (const std::string& rule : snippet.rules) {
                Score& score = scores[rule];
                if (found.contains(rule)) {
                    ++score.right;
                } else {
                    ++score.missed;
                    faults << QString::fromStdString(place + ": " + rule + " is missed");
                }
            }
            for (const std::string& rule : found) {
                if (snippet.rules.contains(rule))
                    continue;
                ++scores[rule].wrong;
                faults << QString::fromStdString(place + ": " + rule + " is found and isn't there");
            }
        }
        for (const auto& [rule, score] : scores)
            qInfo(
                "%-34s precision %.2f recall %.2f (%d)",
                rule.c_str(),
                score.right + score.wrong == 0 ? 1.0
                                               : double(score.right) / (score.right + score.wrong),
                score.right + score.missed == 0
                    ? 1.0
                    : double(score.right) / (score.right + score.missed),
                score.right + score.missed
            );
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join('\n')));
    }

    void everyRuleHasASnippet()
    {
        const auto analyzer = Analyzer::load(BELLJAR_QUERIES);
        std::set<std::string> named;
        for (const Snippet& snippet : readCorpus())
            named.insert(snippet.rules.begin(), snippet.rules.end());
        QStringList without;
        for (const RuleInfo& rule : analyzer->rules()) {
            const bool main = rule.language == "python" || rule.language == "javascript" ||
                              rule.language == "bash";
            if (main && rule.severity >= Severity::Medium && !named.contains(rule.id))
                without << QString::fromStdString(rule.id);
            QVERIFY2(!rule.message.empty() && !rule.category.empty(), rule.id.c_str());
        }
        QVERIFY2(without.isEmpty(), qPrintable(without.join(' ')));
    }
};

QTEST_GUILESS_MAIN(TestAnalysisCorpus)
#include "tst_analysis_corpus.moc"
