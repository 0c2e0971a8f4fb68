// LessonFieldReader: the fields of a lesson's blocks as what they mean: expressions and prose over the runs that
// are known by now, changes of a scenario.
//
// For whoever reads a lesson to be derived from; one thread. An Error names the file and the line of the field.
#pragma once

#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/lessons/lesson.h"
#include "core/lessons/lesson_blocks.h"
#include "core/lessons/prose.h"
#include "core/loader/scenario.h"
#include "core/runs/expression.h"

namespace overlane
{

// How many sentences end in the text: a mark before a space or the end.
std::size_t sentencesIn(std::string_view text);
// "[text](url)" or a text alone.
LessonSource sourceOf(std::string_view text);

class LessonFieldReader
{
protected:
    using RunNames = std::set<std::string, std::less<>>;

    explicit LessonFieldReader(std::string file) : m_file(std::move(file)) {}

    const std::string& file() const { return m_file; }
    Error fault(int line, const std::string& message) const;

    Result<void> fieldsOf(const LessonBlock& block, std::initializer_list<FieldRule> rules) const;
    // A comparison where `truth` is wanted, else a figure.
    Result<Expression> expression(const LessonField& field, std::string_view text, const RunNames& runs,
                                  bool truth) const;
    Result<void> prose(std::string_view text, int line, const RunNames& runs, Prose& into) const;
    // A field that may be missing.
    Result<void> prose(const LessonBlock& block, std::string_view name, Prose& into) const;
    // "a=1 b=2" onto a scenario; the words are kept as they are.
    Result<void> change(const LessonField& field, Scenario& scenario, std::vector<std::string>& changes) const;
    // All fields 'set' of a block.
    Result<void> change(const LessonBlock& block, Scenario& scenario, std::vector<std::string>& changes) const;
    // Whether the device profile is there and could run the scenario.
    Result<void> possible(const Scenario& scenario, const std::string& device, int line) const;

    RunNames m_runs;  // that expressions may name

private:
    const std::string m_file;
};

}  // namespace overlane
