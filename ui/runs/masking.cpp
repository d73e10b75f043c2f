// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/masking.h"

#include <QRegularExpression>

#include <vector>

namespace belljar::ui {

namespace {

struct Varying {
    QRegularExpression pattern;
    QString mark;
};

/// In this order: a date with its time is one mark, not two. Each is bounded, so that a line of a
/// megabyte of digits takes no longer than one of words.
std::vector<Varying> varying()
{
    const auto row = [](const char* pattern, const char* mark) {
        return Varying{QRegularExpression(QString::fromLatin1(pattern)), QString::fromLatin1(mark)};
    };
    return {
        row(R"(\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b)",
            "<uuid>"),
        row(R"(\b0x[0-9a-fA-F]{4,16}\b)", "<address>"),
        row(R"(\b\d{4}[-/]\d{2}[-/]\d{2}([T ]\d{2}:\d{2}(:\d{2}([.,]\d{1,9})?)?)?(Z|[+-]\d{2}:?\d{2})?)",
            "<time>"),
        row(R"(\b\d{1,2}:\d{2}:\d{2}([.,]\d{1,9})?\b)", "<time>"),
        row(R"(\b\d{1,20}([.,]\d{1,20})? ?(ns|us|µs|ms|s|sec|secs|seconds|min)\b)", "<duration>"),
    };
}

} // namespace

QString maskVarying(QString text)
{
    static const std::vector<Varying> kVarying = varying();
    for (const Varying& one : kVarying)
        text.replace(one.pattern, one.mark);
    return text;
}

QString squeezeSpaces(QString text)
{
    static const QRegularExpression between(QStringLiteral("[ \\t]+"));
    static const QRegularExpression atEnds(
        QStringLiteral("^ | $"), QRegularExpression::MultilineOption
    );
    text.replace(between, QStringLiteral(" "));
    text.remove(atEnds);
    return text;
}

} // namespace belljar::ui
