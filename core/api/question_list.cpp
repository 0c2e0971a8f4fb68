#include <array>
#include <vector>

#include "core/api/question.h"
#include "core/cli/nearest_name.h"

namespace overlane
{

std::span<const Question> allQuestions()
{
    static constexpr std::array kQuestions{
        Question{"facts", Takes::OneTrace, answerFacts},
        Question{"info", Takes::OneTrace, answerInfo},
        Question{"digest", Takes::OneTrace, answerDigest},
        Question{"easiest", Takes::OneTrace, answerEasiest},
        Question{"overlap", Takes::OneTrace, answerOverlap},
        Question{"names", Takes::OneTrace, answerNames},
        Question{"compare", Takes::TwoTraces, answerCompare},
        Question{"check", Takes::OneOrTwoTraces, answerCheck},
        Question{"report", Takes::OneOrTwoTraces, answerReport},
        Question{"picture", Takes::OneTrace, answerPicture},
        Question{"whatif", Takes::OneTrace, answerWhatIf},
        Question{"convert", Takes::OneTrace, answerConvert},
        Question{"run", Takes::Nothing, answerRun},
        Question{"sweep", Takes::Nothing, answerSweep},
        Question{"advise", Takes::Nothing, answerAdvise},
        Question{"lists", Takes::Nothing, answerLists},
    };
    return kQuestions;
}

Result<const Question*> findQuestion(std::string_view name)
{
    std::vector<std::string_view> names;
    for (const Question& question : allQuestions()) {
        if (question.name == name)
            return &question;
        names.push_back(question.name);
    }
    return Error{unknownName("question", name, names)};
}

}  // namespace overlane
