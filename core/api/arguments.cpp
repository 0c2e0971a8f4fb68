#include "core/api/arguments.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/cli/nearest_name.h"
#include "core/judgement/judged_trace.h"

namespace overlane
{

using Json = nlohmann::ordered_json;

Result<Arguments> Arguments::parse(std::string_view of, std::string_view json)
{
    if (json.empty())
        return Arguments(of, Json::object());
    Json values = Json::parse(json, nullptr, false);
    if (values.is_discarded() || !values.is_object())
        return Error{fmt::format("The arguments of {} are no JSON object; write {{\"name\": value}}.", of)};
    return Arguments(of, std::move(values));
}

const Json* Arguments::find(std::string_view name)
{
    m_known.emplace_back(name);
    const auto found = m_values.find(name);
    return found == m_values.end() || found->is_null() ? nullptr : &*found;
}

void Arguments::refuse(std::string_view name, std::string_view wanted)
{
    if (m_problem.empty())
        m_problem =
            fmt::format("The argument '{}' of {} cannot be {}; give {}.", name, m_of,
                        m_values[std::string(name)].dump(-1, ' ', false, Json::error_handler_t::replace), wanted);
}

std::optional<std::string> Arguments::scalar(const Json& value) const
{
    if (value.is_string())
        return value.get<std::string>();
    if (value.is_boolean())
        return value.get<bool>() ? "true" : "false";
    if (value.is_number())
        return value.dump();
    return {};
}

std::string Arguments::text(std::string_view name, std::string_view otherwise)
{
    const Json* value = find(name);
    if (value == nullptr)
        return std::string(otherwise);
    if (const auto found = scalar(*value))
        return *found;
    refuse(name, "a text");
    return {};
}

std::string Arguments::steps(std::string_view name)
{
    std::string steps = text(name);
    if (!steps.empty() && !parsedStepNumbers(steps))
        refuse(name, "iterations from 0 such as 10-40 or 12");
    return steps;
}

std::optional<Interval> Arguments::range(std::string_view name)
{
    const Json* value = find(name);
    if (value == nullptr)
        return {};
    if (value->is_array() && value->size() == 2 && (*value)[0].is_number_integer() && (*value)[1].is_number_integer()) {
        const Interval range{(*value)[0].get<std::int64_t>(), (*value)[1].get<std::int64_t>()};
        if (!range.empty())
            return range;
    }
    refuse(name, "a start and a later end in nanoseconds");
    return {};
}

std::vector<std::string> Arguments::texts(std::string_view name)
{
    const Json* value = find(name);
    if (value == nullptr)
        return {};
    const Json list = value->is_array() ? *value : Json::array({*value});
    std::vector<std::string> all;
    for (const Json& one : list) {
        const auto found = scalar(one);
        if (!found) {
            refuse(name, "a list of texts");
            return {};
        }
        all.push_back(*found);
    }
    return all;
}

bool Arguments::flag(std::string_view name)
{
    const Json* value = find(name);
    if (value == nullptr)
        return false;
    if (!value->is_boolean())
        refuse(name, "true or false");
    return value->is_boolean() && value->get<bool>();
}

std::int64_t Arguments::whole(std::string_view name, std::int64_t otherwise, std::int64_t least)
{
    const Json* value = find(name);
    if (value == nullptr)
        return otherwise;
    if (value->is_number_integer() && value->get<std::int64_t>() >= least)
        return value->get<std::int64_t>();
    refuse(name, fmt::format("a whole number of at least {}", least));
    return otherwise;
}

double Arguments::real(std::string_view name, double otherwise, double least, double most)
{
    const Json* value = find(name);
    if (value == nullptr)
        return otherwise;
    if (value->is_number() && value->get<double>() >= least && value->get<double>() <= most)
        return value->get<double>();
    refuse(name, fmt::format("a number from {} to {}", least, most));
    return otherwise;
}

std::vector<std::string> Arguments::pairs(std::string_view name)
{
    const Json* value = find(name);
    std::vector<std::string> all;
    if (value == nullptr)
        return all;
    if (!value->is_object()) {
        refuse(name, "an object of settings and their values");
        return all;
    }
    for (const auto& [key, one] : value->items()) {
        const auto found = scalar(one);
        if (!found) {
            refuse(name, "a text, a number or true and false for each setting");
            return {};
        }
        all.push_back(fmt::format("{}={}", key, *found));
    }
    return all;
}

Result<void> Arguments::done() const
{
    if (!m_problem.empty())
        return Error{m_problem};
    const std::vector<std::string_view> known(m_known.begin(), m_known.end());
    for (const auto& [name, value] : m_values.items()) {
        if (std::find(known.begin(), known.end(), name) != known.end())
            continue;
        const std::string_view nearest = nearestName(name, known);
        return Error{known.empty() ? fmt::format("There is no argument '{}' of {}; leave it out.", name, m_of)
                                   : fmt::format("There is no argument '{}' of {}{} The arguments are: {}.", name, m_of,
                                                 nearest.empty() ? "." : fmt::format("; did you mean '{}'?", nearest),
                                                 fmt::join(known, ", "))};
    }
    return {};
}

}  // namespace overlane
