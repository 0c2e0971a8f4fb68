// PredictionRange: what each thing that is not sure would make of a step, put together.
//
// Each thing gives the step that it would make alone at either of its ends, which nine of ten cases lie between;
// they are independent, so that each side of the range is the root of the sum of the squares of what they add.
// One thread. Nanoseconds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/replay/prediction.h"

namespace overlane
{

class PredictionRange
{
public:
    explicit PredictionRange(std::int64_t stepNs) : m_stepNs(stepNs) {}

    // Ends on the same side of the step both count there.
    void reach(std::int64_t lowNs, std::int64_t highNs, std::string origin);
    // Its ends and origins, the widest first.
    void store(Prediction& prediction) const;

private:
    struct Part {
        std::int64_t lowNs, highNs;
        std::string origin;
    };

    std::int64_t m_stepNs;
    std::vector<Part> m_parts;
};

}  // namespace overlane
