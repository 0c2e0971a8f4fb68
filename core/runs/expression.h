// Expression: arithmetic and comparisons over figures of runs, as lessons write them.
//
//   B.step / A.step < 0.6 and overlap >= 90 %
//   within(A.wall / B.wall, 2, 10 %)        the first lies within a tenth of the second
//   device.pinned_alloc(64 MiB)             a figure of the device profile
//
// Names are RUN.FIGURE, or a figure alone where there is one run to speak of; figures are the metrics
// (core/runs/run_metrics.h) and the settings of the run (core/loader/settings.h). Units are checked
// when it is parsed. Immutable value, cheap to copy, any thread.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/runs/figure_unit.h"

namespace overlane
{

// A figure that an expression asks for. The run is "A", "start", "device", or empty.
struct FigureName {
    std::string run;
    std::string figure;
    bool hasArgument = false;
    double argument = 0;  // bytes, of device figures that depend on a size
};

// The Error says why there is no such figure here ("swap_peak is not measured on a GPU").
using FigureSource = std::function<Result<double>(const FigureName& name)>;

class Expression
{
public:
    Expression() = default;  // of no text; has no value
    // `runs` are the runs that may be named; "" allows figures without a run. The Error says what is
    // wrong and what was expected.
    static Result<Expression> parse(std::string_view text, const std::set<std::string, std::less<>>& runs);

    const std::string& text() const { return m_text; }
    const FigureUnit& unit() const { return m_unit; }
    Result<double> evaluate(const FigureSource& source) const;
    // Each figure it names, once, in order of appearance.
    const std::vector<FigureName>& figures() const { return m_figures; }

    struct Node;

private:
    std::string m_text;
    FigureUnit m_unit;
    std::shared_ptr<const Node> m_root;
    std::vector<FigureName> m_figures;
};

}  // namespace overlane
