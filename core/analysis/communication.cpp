#include "core/analysis/communication.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace overlane
{
namespace
{

// How an identifier in the name of such a kernel begins, in lower case.
constexpr std::array<std::string_view, 14> kBeginnings{
    "nccl",
    "rccl",
    "msccl",
    "nvshmem",
    "rocshmem",
    "deep_ep",
    "cross_device_reduce",     // vLLM, SGLang
    "oneshotallreducekernel",  // TensorRT-LLM
    "twoshotallreducekernel",
    "one_shot_all_reduce",  // PyTorch's symmetric memory
    "two_shot_all_reduce",
    "multimem_all_reduce",
    "multimem_one_shot",
    "multimem_all_gather",
};

bool isOfAnIdentifier(char character)
{
    return std::isalnum(static_cast<unsigned char>(character)) != 0 || character == '_';
}

bool beginsWith(std::string_view text, std::string_view lower)
{
    return text.size() >= lower.size() && std::equal(lower.begin(), lower.end(), text.begin(), [](char a, char b) {
               return a == static_cast<char>(std::tolower(static_cast<unsigned char>(b)));
           });
}

}  // namespace

bool isCommunicationKernel(std::string_view name)
{
    // What a kernel is given does not make it one: only the name before the arguments counts.
    constexpr std::string_view kUnnamed = "(anonymous namespace)";
    const std::size_t unnamed = name.find(kUnnamed);
    const std::size_t from = unnamed == std::string_view::npos ? 0 : unnamed + kUnnamed.size();
    const std::string_view called = name.substr(0, std::min(name.find_first_of("(<", from), name.size()));
    for (std::size_t at = 0; at < called.size(); ++at)
        if ((at == 0 || !isOfAnIdentifier(called[at - 1])) &&
            std::any_of(kBeginnings.begin(), kBeginnings.end(),
                        [&](std::string_view beginning) { return beginsWith(called.substr(at), beginning); }))
            return true;
    return false;
}

bool isPeerCopy(std::string_view name)
{
    return name.find("PtoP") != std::string_view::npos;
}

}  // namespace overlane
