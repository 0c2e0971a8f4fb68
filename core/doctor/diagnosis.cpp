#include "core/doctor/diagnosis.h"

#include <algorithm>
#include <iterator>

#include "core/doctor/checks.h"

namespace overlane
{
namespace
{

constexpr std::string_view kProblem = "problem";
constexpr std::string_view kNote = "note";
constexpr std::string_view kOk = "ok";

// Not simply where all is well: a machine with a GPU and no driver is meant to record.
Purposes fittingPurposes(const DoctorFacts& facts)
{
    const bool gpu = facts.gpu.state != GpuSupport::State::NoDriver || facts.around.hasDeviceFiles ||
                     !facts.around.driverVersion.empty();
    const bool window = !facts.around.display.empty();
    if (gpu && window)
        return {Purpose::Open, Purpose::Record, Purpose::Measure, Purpose::Window};
    if (gpu)
        return {Purpose::Open, Purpose::Record, Purpose::Measure};
    return window ? Purposes{Purpose::Open, Purpose::Window} : Purposes{Purpose::Open};
}

bool overlap(Purposes a, Purposes b)
{
    return std::any_of(kPurposes.begin(), kPurposes.end(),
                       [&](const PurposeRow& row) { return a.has(row.purpose) && b.has(row.purpose); });
}

// Found and next step, as sentences.
std::string textOf(const MachineCheck& check)
{
    if (check.doThis.empty())
        return check.found;
    return check.found + (check.found.ends_with('.') ? " " : ". ") + check.doThis;
}

Facts purposeFacts(const Diagnosis& diagnosis, Purposes asked)
{
    Facts facts;
    for (const PurposeRow& row : kPurposes) {
        const std::vector<std::string_view> stopping = diagnosis.stopping(row.purpose);
        Cell cell{.text = "works", .tone = Tone::Better};
        if (!stopping.empty()) {
            std::string subjects;
            for (const MachineCheck& check : diagnosis.checks())
                if (std::find(stopping.begin(), stopping.end(), check.id) != stopping.end())
                    subjects += (subjects.empty() ? "" : ", ") + check.subject;
            cell = {.text = "not here: " + subjects, .tone = asked.has(row.purpose) ? Tone::Worse : Tone::Muted};
        }
        facts.rows.emplace_back(row.words, cell);
    }
    return facts;
}

}  // namespace

Diagnosis::Diagnosis(const DoctorFacts& facts) : m_fitting(fittingPurposes(facts))
{
    for (auto part : {gpuChecks, recordChecks, pythonChecks, systemChecks}) {
        std::vector<MachineCheck> checks = part(facts);
        std::move(checks.begin(), checks.end(), std::back_inserter(m_checks));
    }
}

std::vector<std::string_view> Diagnosis::stopping(Purpose purpose) const
{
    std::vector<std::string_view> ids;
    for (const MachineCheck& check : m_checks)
        if (check.stops.has(purpose))
            ids.push_back(check.id);
    return ids;
}

bool Diagnosis::stopsAny(Purposes asked) const
{
    return std::any_of(m_checks.begin(), m_checks.end(),
                       [asked](const MachineCheck& check) { return overlap(check.stops, asked); });
}

std::string_view Diagnosis::stateOf(const MachineCheck& check, Purposes asked)
{
    if (overlap(check.stops, asked))
        return kProblem;
    return check.isFine() ? kOk : kNote;
}

Blocks diagnosisBlocks(const Diagnosis& diagnosis, Purposes asked)
{
    Blocks blocks{purposeFacts(diagnosis, asked)};
    for (const auto& [state, title] : {std::pair{kProblem, "Problems"}, {kNote, "Notes"}, {kOk, "Fine"}}) {
        Facts facts;
        for (const MachineCheck& check : diagnosis.checks())
            if (Diagnosis::stateOf(check, asked) == state)
                facts.rows.emplace_back(
                    check.subject, Cell{.text = textOf(check), .tone = state == kProblem ? Tone::Worse : Tone::Plain});
        if (facts.rows.empty())
            continue;
        blocks.emplace_back(Sentence{.text = title, .lead = true});
        blocks.emplace_back(std::move(facts));
    }
    return blocks;
}

}  // namespace overlane
