#include "core/io/kineto_collectives.h"

#include <algorithm>
#include <array>

#include "core/base/contains.h"
#include "core/io/chrome_time.h"

namespace overlane
{
namespace
{

constexpr std::string_view kName = "Collective name";

// By the names of c10::ScalarType (c10/core/ScalarType.h); 0 for one that is not known.
std::int64_t bytesOfType(std::string_view type)
{
    struct Row {
        std::string_view name;
        std::int64_t bytes;
    };
    static constexpr std::array<Row, 17> kTypes{{{"Byte", 1},
                                                 {"Char", 1},
                                                 {"Bool", 1},
                                                 {"Short", 2},
                                                 {"Half", 2},
                                                 {"BFloat16", 2},
                                                 {"Int", 4},
                                                 {"Float", 4},
                                                 {"Long", 8},
                                                 {"Double", 8},
                                                 {"ComplexFloat", 8},
                                                 {"ComplexDouble", 16},
                                                 {"UInt16", 2},
                                                 {"UInt32", 4},
                                                 {"UInt64", 8},
                                                 {"QInt8", 1},
                                                 {"QUInt8", 1}}};
    if (type.starts_with("Float8"))
        return 1;
    const auto* const found =
        std::find_if(kTypes.begin(), kTypes.end(), [type](const Row& row) { return row.name == type; });
    return found == kTypes.end() ? 0 : found->bytes;
}

std::int64_t numberOf(const ChromeEvent& event, std::string_view key, std::int64_t otherwise)
{
    return parseInteger(event.arg(key)).value_or(otherwise);
}

std::int64_t bytesOf(const ChromeEvent& event)
{
    const std::int64_t elements = std::max(numberOf(event, "In msg nelems", 0), numberOf(event, "Out msg nelems", 0));
    std::int64_t bytes = 0;
    return elements > 0 && !__builtin_mul_overflow(elements, bytesOfType(event.arg("dtype")), &bytes) ? bytes : 0;
}

// A long list is cut off; where the ranks are evenly apart, their start and distance say the same.
std::vector<int> ranksOf(const ChromeEvent& event, std::int32_t size)
{
    constexpr std::int32_t kMostKept = 4096;
    std::vector<int> ranks = ranksOfText(event.arg("Process Group Ranks"));
    const std::int64_t start = numberOf(event, "Global rank start", -1);
    const std::int64_t stride = numberOf(event, "Global rank stride", 0);
    if (!ranks.empty() || start < 0 || start >= kMostRanks || size <= 0 || size > kMostKept ||
        (size > 1 && (stride < 1 || stride > kMostRanks / size)))
        return ranks;
    for (std::int32_t at = 0; at < size; ++at)
        ranks.push_back(static_cast<int>(start + at * stride));
    return ranks;
}

}  // namespace

std::optional<CollectiveInfo> KinetoCollectives::told(const ChromeEvent& event)
{
    const std::string_view name = event.arg(kName);
    if (name.empty())
        return std::nullopt;
    CollectiveInfo info;
    info.kind = collectiveKindOf(name);
    if (const std::string_view group = event.arg("Process Group Name"); !group.empty())
        info.group = m_builder.intern(unescapedJson(group));
    info.sequence = std::max<std::int64_t>(numberOf(event, "Seq", -1), -1);
    info.bytes = bytesOf(event);
    if (const std::int64_t size = numberOf(event, "Group size", 0); size > 0 && size <= kMostRanks)
        info.groupSize = static_cast<std::int32_t>(size);
    noteGroup(event, info);
    return info;
}

void KinetoCollectives::noteGroup(const ChromeEvent& event, const CollectiveInfo& info)
{
    constexpr std::size_t kMostGroups = 4096;
    if (!info.group.valid() || m_groups.size() >= kMostGroups)
        return;
    CollectiveGroupInfo& group = m_groups[std::string(m_builder.text(info.group))];
    if (group.description.empty())
        group.description = unescapedJson(event.arg("Process Group Description"));
    if (group.ranks.empty())
        group.ranks = ranksOf(event, info.groupSize);
}

void KinetoCollectives::noteOperator(const ChromeEvent& event)
{
    if (event.name != "record_param_comms")
        return;
    const std::int64_t external = numberOf(event, "External id", 0);
    if (const std::optional<CollectiveInfo> info = told(event); info && external != 0)
        m_operators.insert_or_assign(external, *info);
}

bool KinetoCollectives::mayHold(const ChromeEvent& kernel)
{
    return contains(kernel.name, "nccl") || !kernel.arg(kName).empty();
}

void KinetoCollectives::add(const ChromeEvent& kernel, const Event& work)
{
    m_kernels.push_back({work, told(kernel), numberOf(kernel, "External id", 0)});
}

void KinetoCollectives::finish(const WorkMeter& work,
                               const std::function<void(const Event&, const CollectiveInfo*)>& place)
{
    for (const Kernel& kernel : m_kernels) {
        work.count();
        std::optional<CollectiveInfo> info = kernel.told;
        if (const auto found = m_operators.find(kernel.external); kernel.external != 0 && found != m_operators.end()) {
            const CollectiveInfo& said = found->second;
            if (!info)
                info = said;
            if (info->kind == CollectiveKind::Unknown)
                info->kind = said.kind;
            if (!info->group.valid())
                info->group = said.group;
            if (info->sequence < 0)
                info->sequence = said.sequence;
            if (info->bytes == 0)
                info->bytes = said.bytes;
            if (info->groupSize == 0)
                info->groupSize = said.groupSize;
        }
        place(kernel.work, info ? &*info : nullptr);
    }
    m_kernels = std::vector<Kernel>();  // `= {}` would keep the memory
    m_operators = decltype(m_operators)();
    if (!m_groups.empty())
        m_builder.metadata().properties[kCollectiveGroups] = collectiveGroupsText(m_groups);
}

}  // namespace overlane
