// Arguments: the options of a question as a JSON object, read by name.
//
// Each reader answers the value, or the default where the caller left it out. done() comes last: it knows which names
// were read, so that a wrong type or a name that nothing reads is an Error with the nearest name. One thread.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/interval.h"
#include "core/base/result.h"

namespace overlane
{

class Arguments
{
public:
    // `of` is the question, for errors. An empty text holds no argument.
    static Result<Arguments> parse(std::string_view of, std::string_view json);

    std::string text(std::string_view name, std::string_view otherwise = {});
    std::string steps(std::string_view name);               // "12" or "10-40"
    std::optional<Interval> range(std::string_view name);   // [start, end] in nanoseconds
    std::vector<std::string> texts(std::string_view name);  // a list, or one text
    bool flag(std::string_view name);
    std::int64_t whole(std::string_view name, std::int64_t otherwise, std::int64_t least);
    double real(std::string_view name, double otherwise, double least, double most);
    // {"pin": "thread", "workers": 4} as "pin=thread" and "workers=4", in their order.
    std::vector<std::string> pairs(std::string_view name);

    Result<void> done() const;

private:
    Arguments(std::string_view of, nlohmann::ordered_json values) : m_of(of), m_values(std::move(values)) {}
    const nlohmann::ordered_json* find(std::string_view name);
    void refuse(std::string_view name, std::string_view wanted);
    std::optional<std::string> scalar(const nlohmann::ordered_json& value) const;

    std::string m_of;
    nlohmann::ordered_json m_values;
    std::vector<std::string> m_known;
    std::string m_problem;  // the first
};

}  // namespace overlane
