// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/mcp/execution_resources.h"

#include <algorithm>
#include <array>
#include <utility>

namespace belljar::mcp {

namespace {

constexpr std::string_view kLanguage = "language";

struct ArgumentRow {
    const char* name;
    const char* title;
    const char* description;
    bool required;
};

/// A prompt; in its text `{name}` stands for the argument of that name, with the words before it
/// that only make sense with it in `[...]`.
struct PromptRow {
    const char* name;
    const char* title;
    const char* description;
    std::array<ArgumentRow, 3> arguments;
    const char* text;
};

constexpr std::array kPrompts{
    PromptRow{
        "verify_function",
        "Verify a function",
        "Runs a function with test cases in a sandbox and tells what holds",
        {{{"language", "Language", "The language of the function", true},
          {"code", "Function", "The function, complete", true},
          {"expectation", "Expected", "What it should do; cases that matter", false}}},
        "Verify this {language} function by running it with execute_code.[ It should do this: "
        "{expectation}]\n\nWrite a test program around it that covers usual values, limits and "
        "wrong input, run it, and report what you ran, what held, what failed, and the smallest "
        "input that shows each failure. Don't change the function before you have seen a failure."
        "\n\n{code}"},
    PromptRow{
        "analyse_data",
        "Analyse data",
        "Answers a question about data with a program that runs in a sandbox",
        {{{"question", "Question", "What you want to know", true},
          {"data", "Data", "As CSV, JSON or text", true},
          {"language", "Language", "Default: python", false}}},
        "Answer this question about the data below by running a program with execute_code[ in "
        "{language}]: {question}\n\nPass the data in stdin. Check first that it parses as you "
        "think and say how many rows are usable. Give the answer with the numbers that it rests "
        "on; draw a plot as PNG into the working directory where it helps.\n\n{data}"},
    PromptRow{
        "debug_algorithm",
        "Debug an algorithm",
        "Finds out by experiments in a sandbox why an algorithm is wrong or slow",
        {{{"language", "Language", "The language of the program", true},
          {"code", "Program", "The program, complete", true},
          {"problem", "Problem", "What goes wrong, and with which input", true}}},
        "This {language} program has a problem: {problem}\n\nReproduce it with execute_code "
        "first. Then narrow it down with small experiments, one question each, until you can name "
        "the cause; mend it, run the failing input again and a few others, and show what changed."
        "\n\n{code}"},
};

/// `text` with the arguments in their places.
std::string filled(std::string_view text, const Json& arguments)
{
    std::string out;
    while (!text.empty()) {
        const std::size_t special = text.find_first_of("[{");
        out += text.substr(0, special);
        if (special == std::string_view::npos)
            break;
        text.remove_prefix(special);
        if (text.front() == '[') {
            const std::size_t close = text.find(']');
            const std::string_view inner = text.substr(1, close - 1);
            const std::size_t open = inner.find('{');
            const std::string name(inner.substr(open + 1, inner.find('}') - open - 1));
            if (!arguments.value(name, "").empty())
                out += filled(inner, arguments);
            text.remove_prefix(close + 1);
            continue;
        }
        const std::size_t close = text.find('}');
        out += arguments.value(std::string(text.substr(1, close - 1)), "");
        text.remove_prefix(close + 1);
    }
    return out;
}

} // namespace

void addPrompts(Offer& offer, const std::vector<LanguageInfo>& languages)
{
    std::vector<std::string> ids;
    for (const LanguageInfo& language : languages)
        ids.push_back(language.id);
    for (const PromptRow& row : kPrompts) {
        Prompt prompt;
        prompt.name = row.name;
        prompt.title = row.title;
        prompt.description = row.description;
        for (const ArgumentRow& argument : row.arguments)
            prompt.arguments.push_back(
                {argument.name, argument.title, argument.description, argument.required}
            );
        prompt.complete = [ids](const std::string& argument, const std::string& typed) {
            std::vector<std::string> fitting;
            if (argument == kLanguage)
                std::copy_if(
                    ids.begin(),
                    ids.end(),
                    std::back_inserter(fitting),
                    [&typed](const std::string& id) { return id.starts_with(typed); }
                );
            return fitting;
        };
        prompt.handler =
            [text = row.text](std::shared_ptr<Call>, Json arguments) -> asio::awaitable<Reply> {
            Json message;
            message["role"] = "user";
            message["content"] = textBlock(filled(text, arguments));
            co_return Json::array({message});
        };
        offer.add(std::move(prompt));
    }
}

} // namespace belljar::mcp
