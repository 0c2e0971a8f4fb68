#include "core/replay/change.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <optional>

#include "core/analysis/advice.h"
#include "core/base/units.h"
#include "core/devices/user_profiles.h"

namespace overlane
{
namespace
{

constexpr std::array<ChangeForm, kChangeKindCount> kForms{{
    {"pin", "the host memory of copies is pinned, in both directions (pin_memory=True)", "Pin {data}"},
    {"non_blocking", "no call waits for the copy it issued (non_blocking=True)", "Copy {data} asynchronously"},
    {"side_stream[=DEPTH]", "copies to the device on a stream of their own, DEPTH batches ahead",
     "Copy {data} on a copy stream{value}"},
    {"drop_syncs", "no waits for a stream or the device within a step, no .item()", "Remove the waits for the GPU"},
    {"merge_small", "small copies that follow each other become one", "Merge small copies into one"},
    {"workers=N", "N worker processes in the loader", "Give the loader {value}"},
    {"device=PROFILE", "another GPU and its machine, as `overlane run --list` names them", "Run on {value}"},
    {"link=GB/S", "another rate of pinned copies, in each direction", "Run where the link carries {value}"},
    {"read_later", "no wait for results in pinned memory: the host reads them an iteration later",
     "Read results an iteration later"},
}};

std::string_view nameOf(ChangeKind kind)
{
    const std::string_view form = kForms[static_cast<std::size_t>(kind)].form;
    return form.substr(0, form.find_first_of("[="));
}

// As the object of an action.
std::string dataWords(const ChangedData& data, const ProgramTraits& program)
{
    std::string words;
    if (data.isToDevice && program.hasLoader && !isOffloaded(data.toDevice))
        words = "the loader's batches";
    else if (data.isToDevice)
        words = data.toDevice == CopyRole::Unknown ? "the host's data"
                                                   : fmt::format("the {}", copyRoleWords(data.toDevice));
    if (data.isResults)
        words += fmt::format("{}the {}", words.empty() ? "" : " and ", copyRoleWords(CopyRole::Result));
    return words;
}

std::string pinAdvice(const ChangedData& data, const ProgramTraits& program)
{
    std::string text;
    if (data.isToDevice)
        text = advice(Remedy::Pin, data.toDevice, program);
    if (data.isResults)
        text += (text.empty() ? "" : " ") + std::string(pinnedResultsAdvice(program));
    return text;
}

std::string valueWords(const Change& change)
{
    switch (change.kind) {
        case ChangeKind::SideStream:
            return change.value > 0 ? fmt::format(", {} ahead", change.value) : "";
        case ChangeKind::Workers:
            return fmt::format("{} worker{}", change.value, change.value == 1 ? "" : "s");
        case ChangeKind::Device:
            return change.device ? change.device->name : "another device";
        case ChangeKind::Link:
            return fmt::format("{:g} GB/s", change.bytesPerSecond / 1e9);
        default:
            return "";
    }
}

std::optional<std::int64_t> parseCount(std::string_view text, std::int64_t least, std::int64_t most)
{
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < least || value > most)
        return std::nullopt;
    return value;
}

std::optional<double> parseRate(std::string_view text)
{
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !(value >= 0.01 && value <= 10000))
        return std::nullopt;
    return value * 1e9;
}

Result<Change> withValue(Change change, std::string_view text, std::string_view value)
{
    switch (change.kind) {
        case ChangeKind::SideStream:
        case ChangeKind::Workers: {
            const std::int64_t most = change.kind == ChangeKind::Workers ? 1024 : 64;
            const auto count = parseCount(value, 1, most);
            if (!count)
                return Error{fmt::format("'{}' needs a whole number from 1 to {} after the equals sign.", text, most)};
            change.value = *count;
            return change;
        }
        case ChangeKind::Device: {
            const Result<const DeviceProfile*> device = deviceProfileFrom(value);
            if (!device.ok())
                return device.failure();
            change.device = device.value();
            return change;
        }
        case ChangeKind::Link: {
            const auto rate = parseRate(value);
            if (!rate)
                return Error{fmt::format("'{}' needs a rate in GB/s, such as link=25.", text)};
            change.bytesPerSecond = *rate;
            return change;
        }
        default:
            return Error{fmt::format("'{}' takes no value; write '{}'.", text, nameOf(change.kind))};
    }
}

}  // namespace

std::span<const ChangeForm> allChangeForms()
{
    return kForms;
}

std::vector<ChangeKind> changeKinds(std::string_view names)
{
    std::vector<ChangeKind> kinds;
    while (!names.empty()) {
        const std::string_view name = names.substr(0, names.find('+'));
        names.remove_prefix(std::min(names.size(), name.size() + 1));
        for (int number = 0; number < kChangeKindCount; ++number)
            if (const auto kind = static_cast<ChangeKind>(number); name == nameOf(kind))
                kinds.push_back(kind);
    }
    return kinds;
}

Result<Change> parseChange(std::string_view text)
{
    const std::size_t equals = text.find('=');
    const std::string_view name = text.substr(0, equals);
    for (int number = 0; number < kChangeKindCount; ++number) {
        Change change;
        change.kind = static_cast<ChangeKind>(number);
        if (name != nameOf(change.kind))
            continue;
        if (equals != std::string_view::npos)
            return withValue(change, text, text.substr(equals + 1));
        const std::string_view form = kForms[static_cast<std::size_t>(number)].form;
        if (form.find('=') != std::string_view::npos && form.find('[') == std::string_view::npos)
            return Error{fmt::format("'{}' has no value; write {}.", text, form)};
        return change;
    }
    std::string forms;
    for (const ChangeForm& form : kForms)
        forms += (forms.empty() ? "" : ", ") + std::string(form.form);
    return Error{fmt::format("There is no change '{}'. The changes are: {}.", text, forms)};
}

std::string changeText(const Change& change)
{
    std::string name(nameOf(change.kind));
    switch (change.kind) {
        case ChangeKind::SideStream:
            return change.value > 0 ? fmt::format("{}={}", name, change.value) : name;
        case ChangeKind::Workers:
            return fmt::format("{}={}", name, change.value);
        case ChangeKind::Device:
            return fmt::format("{}={}", name, change.device ? change.device->key : "");
        case ChangeKind::Link:
            return fmt::format("{}={:g}", name, change.bytesPerSecond / 1e9);
        default:
            return name;
    }
}

std::string changeText(std::span<const Change> changes)
{
    std::string text;
    for (const Change& change : changes)
        text += (text.empty() ? "" : " + ") + changeText(change);
    return text.empty() ? "no change" : text;
}

std::string changeAction(const Change& change, const ChangedData& data, const ProgramTraits& program)
{
    return fmt::format(fmt::runtime(kForms[static_cast<std::size_t>(change.kind)].action),
                       fmt::arg("data", dataWords(change.kind == ChangeKind::Pin ? data : data.toDevice, program)),
                       fmt::arg("value", valueWords(change)));
}

std::string changeAdvice(const Change& change, const ChangedData& data, const ProgramTraits& program)
{
    const auto remedy = [&](Remedy what) { return std::string(advice(what, data.toDevice, program)); };
    switch (change.kind) {
        case ChangeKind::Pin:
            return pinAdvice(data, program);
        case ChangeKind::NonBlocking:
            return remedy(Remedy::NoWait);
        case ChangeKind::SideStream:
            return change.value > 1
                       ? remedy(Remedy::CopyStream) + fmt::format(" Hold {} on the device at a time.", change.value)
                       : remedy(Remedy::CopyStream);
        case ChangeKind::DropSyncs:
            return remedy(Remedy::WaitLess);
        case ChangeKind::MergeSmall:
            return "Put small copies into one buffer, copy that, and take views of it on the device.";
        case ChangeKind::Workers:
            return fmt::format("Give the DataLoader num_workers={}.", change.value);
        case ChangeKind::Device:
        case ChangeKind::Link:
            return changeAction(change, data, program) + ".";
        case ChangeKind::ReadLater:
            return std::string(advice(Remedy::ReadLater, CopyRole::Result, program));
    }
    return "";
}

}  // namespace overlane
