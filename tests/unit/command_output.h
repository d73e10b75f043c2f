// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <iostream>
#include <sstream>

namespace belljar::test {

/// What a command prints, and how it ends.
struct Ended {
    int code = -1;
    QString out;
    QString error;
};

/// Runs `command` here, with its output and errors caught.
template <class Command>
Ended run(Command command)
{
    std::ostringstream out;
    std::ostringstream error;
    std::streambuf* realOut = std::cout.rdbuf(out.rdbuf());
    std::streambuf* realError = std::cerr.rdbuf(error.rdbuf());
    Ended ended;
    ended.code = command();
    std::cout.rdbuf(realOut);
    std::cerr.rdbuf(realError);
    ended.out = QString::fromStdString(out.str());
    ended.error = QString::fromStdString(error.str());
    return ended;
}

} // namespace belljar::test
