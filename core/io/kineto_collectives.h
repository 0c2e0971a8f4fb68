// KinetoCollectives: what PyTorch's profiler says of the collectives behind communication kernels.
//
// It stands in the arguments of the operators `record_param_comms` and, in part, of their kernels; a kernel names its
// operator by "External id" (libkineto/src/output_json.cpp, torch/csrc/profiler/util.cpp). Kernels are held until all
// of the file is known. Borrows the builder; one thread. Bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/work_meter.h"
#include "core/io/chrome_event.h"
#include "core/trace/trace_builder.h"

namespace overlane
{

class KinetoCollectives
{
public:
    explicit KinetoCollectives(TraceBuilder& builder) : m_builder(builder) {}

    // The operator, or any other event, which changes nothing.
    void noteOperator(const ChromeEvent& event);
    static bool mayHold(const ChromeEvent& kernel);
    void add(const ChromeEvent& kernel, const Event& work);
    std::size_t size() const { return m_kernels.size(); }

    // What the arguments of one event say; none where they name no collective.
    std::optional<CollectiveInfo> told(const ChromeEvent& event);

    // Hands the held kernels on, and puts the groups into the metadata.
    void finish(const WorkMeter& work, const std::function<void(const Event&, const CollectiveInfo*)>& place);

private:
    void noteGroup(const ChromeEvent& event, const CollectiveInfo& info);

    struct Kernel {
        Event work;
        std::optional<CollectiveInfo> told;
        std::int64_t external = 0;  // 0: none
    };
    TraceBuilder& m_builder;
    std::vector<Kernel> m_kernels;
    std::unordered_map<std::int64_t, CollectiveInfo> m_operators;  // by external id
    CollectiveGroups m_groups;
};

}  // namespace overlane
