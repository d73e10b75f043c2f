// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runner/orders.h"

#include "engine/runner/program_file.h"

#include <array>

#include <unistd.h>

namespace belljar::runner {

namespace {

bool isListOfText(const JsonDocument& document, const JsonNode* list)
{
    if (list == nullptr || list->kind != JsonKind::Array)
        return false;
    for (const JsonNode* item = document.firstChild(*list); item != nullptr;
         item = document.next(*item)) {
        if (item->kind != JsonKind::String)
            return false;
    }
    return true;
}

bool addArguments(const JsonDocument& document, const JsonNode* list, Launch& launch)
{
    if (!isListOfText(document, list))
        return false;
    for (const JsonNode* item = document.firstChild(*list); item != nullptr;
         item = document.next(*item)) {
        if (!launch.addArgument(item->text))
            return false;
    }
    return true;
}

bool addEnvironment(const JsonDocument& document, const JsonNode* object, Launch& launch)
{
    if (object != nullptr) {
        if (object->kind != JsonKind::Object)
            return false;
        for (const JsonNode* item = document.firstChild(*object); item != nullptr;
             item = document.next(*item)) {
            if (item->kind != JsonKind::String || !launch.setVariable(item->key, item->text))
                return false;
        }
    }
    return launch.addInherited(::environ);
}

/// "argv" and "env", which both messages have.
std::string_view readProgram(const JsonDocument& document, Launch& launch)
{
    const JsonNode& root = document.root();
    launch.clear();
    if (!addArguments(document, document.find(root, "argv"), launch) || !launch.hasArguments())
        return "argv: expected a list of texts with at least one";
    if (!addEnvironment(document, document.find(root, "env"), launch))
        return "env: expected an object of texts";
    return {};
}

struct NumberField {
    std::string_view name;
    std::uint64_t RunOrder::*member;
    std::int64_t most;
    bool required;
};

constexpr std::int64_t kDayMs = std::int64_t{24} * 60 * 60 * 1000;
constexpr std::int64_t kMostBytes = std::int64_t{1} << 40U;

constexpr std::array kNumberFields = {
    NumberField{"code_bytes", &RunOrder::codeBytes, std::int64_t{1} << 30U, true},
    NumberField{"timeout_ms", &RunOrder::timeoutMs, 365 * kDayMs, true},
    NumberField{"kill_grace_ms", &RunOrder::killGraceMs, kDayMs, false},
    NumberField{"drain_ms", &RunOrder::drainMs, kDayMs, false},
    NumberField{"output_head_bytes", &RunOrder::headBytes, kMostBytes, true},
    NumberField{"output_tail_bytes", &RunOrder::tailBytes, kMostBytes, true},
    NumberField{"sample_ms", &RunOrder::sampleMs, kDayMs, false},
    NumberField{"files", &RunOrder::files, 100'000, false},
    NumberField{"file_bytes", &RunOrder::fileBytes, kMostBytes, false},
    NumberField{"files_bytes", &RunOrder::filesBytes, kMostBytes, false},
    NumberField{"files_ms", &RunOrder::filesMs, kDayMs, false},
};

/// The name of the first member that isn't a number in its range; empty when all are.
std::string_view readNumbers(const JsonDocument& document, RunOrder& order)
{
    for (const NumberField& field : kNumberFields) {
        const JsonNode* node = document.find(document.root(), field.name);
        if (node == nullptr && !field.required)
            continue;
        if (node == nullptr || node->kind != JsonKind::Integer || node->number < 0 ||
            node->number > field.most)
            return field.name;
        order.*field.member = static_cast<std::uint64_t>(node->number);
    }
    return {};
}

bool writeGoMessage(const JsonDocument& document, const JsonNode* list, RunOrder& order)
{
    order.goMessage.clear();
    order.goMessage.add(R"({"args":[)");
    std::string_view separator;
    for (const JsonNode* item = document.firstChild(*list); item != nullptr;
         item = document.next(*item)) {
        order.goMessage.add(separator).addQuoted(item->text);
        separator = ",";
    }
    order.goMessage.add("]}");
    return order.goMessage.isWhole();
}

} // namespace

std::string_view readPrepare(const JsonDocument& document, Launch& launch)
{
    return readProgram(document, launch);
}

std::string_view readRun(const JsonDocument& document, RunOrder& order, Launch& launch)
{
    const JsonNode& root = document.root();
    const JsonNode* file = document.find(root, "file");
    if (file == nullptr || file->kind != JsonKind::String || !isPlainFileName(file->text))
        return "file: expected a plain file name";
    order.file.clear();
    order.file.add(file->text);
    if (const std::string_view name = readNumbers(document, order); !name.empty())
        return name;
    const JsonNode* warm = document.find(root, "warm");
    order.kind = warm != nullptr && warm->kind == JsonKind::True ? Kind::Warm : Kind::Cold;
    const JsonNode* arguments = document.find(root, "args");
    if (arguments != nullptr && !isListOfText(document, arguments))
        return "args: expected a list of texts";
    if (order.kind == Kind::Warm) {
        static const JsonNode kEmpty;
        const bool good = writeGoMessage(document, arguments ? arguments : &kEmpty, order);
        return good ? "" : "args: too long";
    }
    if (const std::string_view problem = readProgram(document, launch); !problem.empty())
        return problem;
    if (arguments != nullptr && !addArguments(document, arguments, launch))
        return "args: too long";
    return {};
}

} // namespace belljar::runner
