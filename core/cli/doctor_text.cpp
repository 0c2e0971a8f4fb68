#include "core/cli/doctor_text.h"

#include "core/content/terminal.h"

namespace overlane
{

std::string doctorText(const Diagnosis& diagnosis, Purposes asked)
{
    std::string text;
    for (const Block& block : diagnosisBlocks(diagnosis, asked))
        text += (std::holds_alternative<Sentence>(block) ? "\n" : "") + terminalText(block);
    return text;
}

OrderedJson doctorJson(const Diagnosis& diagnosis, Purposes asked)
{
    OrderedJson json;
    json["stopped"] = diagnosis.stopsAny(asked);
    json["purposes"] = OrderedJson::array();
    for (const PurposeRow& row : kPurposes)
        json["purposes"].push_back(
            {{"id", row.id}, {"asked", asked.has(row.purpose)}, {"stopped_by", diagnosis.stopping(row.purpose)}});
    json["checks"] = OrderedJson::array();
    for (const MachineCheck& check : diagnosis.checks()) {
        OrderedJson stops = OrderedJson::array();
        for (const PurposeRow& row : kPurposes)
            if (check.stops.has(row.purpose))
                stops.push_back(row.id);
        json["checks"].push_back({{"id", check.id},
                                  {"state", Diagnosis::stateOf(check, asked)},
                                  {"subject", check.subject},
                                  {"found", check.found},
                                  {"do", check.doThis},
                                  {"stops", stops}});
    }
    return json;
}

}  // namespace overlane
