#include "core/calibration/fidelity_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/loader/settings.h"

namespace overlane
{
namespace
{

std::string percent(double share)
{
    return fmt::format("{:.1f} %", 100 * share);
}

std::string rankingText(const char* what, const FidelityRanking& ranking)
{
    return fmt::format(
        "{}: {} differ by more than 10 % on the GPU, {} of them ranked the other way in the "
        "simulation.\n",
        what, ranking.pairs, ranking.inverted);
}

}  // namespace

std::string scenarioText(const Scenario& scenario)
{
    std::string text;
    const Scenario defaults;
    for (const Setting& setting : allSettings())
        if (setting.get(scenario) != setting.get(defaults))
            text += fmt::format("{}{}={}", text.empty() ? "" : " ", setting.key, settingText(setting, scenario));
    return text;
}

std::string fidelityText(const std::vector<FidelityCase>& cases, std::size_t worstCases)
{
    constexpr auto kLine = "{:<22} | {:>5} | {:>8} | {:>8} | {:>8} | {:>8} | {:>8} | {:>8} | {:>8}\n";
    std::string text = fmt::format(kLine, "rows", "count", "median", "p90", "bias", "noise", "floor", "p90", "overlap");
    text += fmt::format("{:-<22}-|-{:->5}:|-{:->8}:|-{:->8}:|-{:->8}:|-{:->8}:|-{:->8}:|-{:->8}:|-{:->7}:\n", "", "",
                        "", "", "", "", "", "", "");
    for (const FidelityGroup& group : fidelityGroups()) {
        const FidelityStatistics of = fidelityStatistics(cases, group.filter);
        if (of.rows > 0)
            text += fmt::format(kLine, group.name, of.rows, percent(of.median), percent(of.worstDecile),
                                percent(of.bias), percent(of.noise), percent(of.floorMedian),
                                percent(of.floorWorstDecile), of.recorded > 0 ? percent(of.overlapWithin) : "-");
    }
    text += "\n" + rankingText("Pairs that differ in one knob", rankPartners(cases));
    text += rankingText("Any two rows", rankAll(cases));
    const std::vector<FidelityCase> repeats = repeatsCompared(cases);
    const FidelityRanking partners = rankPartners(repeats), all = rankAll(repeats);
    text += fmt::format(
        "The GPU against itself, last runs against first: {} of {} such pairs and {} of {} of any two the other way.\n",
        partners.inverted, partners.pairs, all.inverted, all.pairs);
    if (worstCases == 0)
        return text;
    std::vector<const FidelityCase*> order;
    order.reserve(cases.size());
    for (const FidelityCase& each : cases)
        order.push_back(&each);
    std::sort(order.begin(), order.end(), [](const FidelityCase* left, const FidelityCase* right) {
        return std::abs(left->wallError()) > std::abs(right->wallError());
    });
    order.resize(std::min(order.size(), worstCases));
    text += "\nWorst walls:\n";
    for (const FidelityCase* each : order)
        text +=
            fmt::format("{}.{}: measured {:.2f} ms (noise {}), simulated {:.2f} ms ({:+.1f} %), hidden {} and {}: {}\n",
                        each->row.seed, each->row.index, static_cast<double>(each->row.wallNs()) / 1e6,
                        percent(each->row.noise()), static_cast<double>(each->simulated.wallNs) / 1e6,
                        100 * each->wallError(), percent(each->row.recorded.overlapShare),
                        percent(each->simulated.overlapShare), scenarioText(each->row.scenario));
    return text;
}

}  // namespace overlane
