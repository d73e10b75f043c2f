// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace belljar::sandbox {

/// How an interpreter is started before the code is known
/// (engine/base/adr/0002-runner-protocol.md).
struct WarmStart {
    std::vector<std::string> argv;
    std::map<std::string, std::string> environment;
};

/// One row of resources/languages: everything that differs between languages.
struct Language {
    std::string id;
    std::string title;
    std::vector<std::string> names; ///< what clients may write for it, lower case, `id` among them
    std::string image;
    std::vector<std::string> extensions; ///< of files in this language, with their dot
    std::string file;                    ///< the program's file name in the workspace
    std::vector<std::string> run;        ///< the command that runs it; arguments follow
    std::map<std::string, std::string> environment;
    std::optional<WarmStart> warm;
    std::vector<std::string>
        check;         ///< a command that ends with 0 when the image has what the language needs
    std::string hello; ///< a program that prints "hello world", to try an image with
    std::string lexer;
    std::string has; ///< what a program finds there, for tool descriptions
};

/// The languages of this installation, in the order of their ids.
class Languages {
public:
    /// Reads every *.json of `folder`. Errors: NotFound, InvalidArgument (file, member, what is
    /// allowed).
    static Result<Languages> load(const std::filesystem::path& folder);

    /// The language with this id or other name, whatever its case; nullptr when there is none.
    [[nodiscard]] const Language* find(std::string_view name) const;
    /// The language of files called like `file`, by extension; nullptr when there is none.
    [[nodiscard]] const Language* forFile(const std::filesystem::path& file) const;
    [[nodiscard]] const std::vector<Language>& all() const { return m_rows; }
    /// From now on programs of the language with this id run in the image `reference`.
    void setImage(std::string_view id, const std::string& reference);
    /// "bash, javascript, python", for error messages.
    [[nodiscard]] std::string idList() const;

private:
    std::vector<Language> m_rows;
};

} // namespace belljar::sandbox
