// CodeShare: a place in a program's code, and its part of a time that was asked about.
//
// Values and their texts; pure, any thread. Nanoseconds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/frame_sense.h"

namespace overlane
{

// Shares are of the time that was asked about: 0 to 1.
struct CodeShare {
    std::string place;      // "train.py:88 augment"
    std::string innermost;  // what it called there for longest; empty where that is next to nothing, or itself
    double share = 0;
    double lineShare = 0;       // of that line of the function alone
    double innermostShare = 0;  // of what it called there
    std::int64_t ns = 0;        // the share of that time
    // What it did there, by what it called innermost: the parts of `share`.
    std::array<double, kFrameSenseCount> senses{};
    double ownLines = 0;  // the part of `share` in which it called nothing that has a name

    double sense(FrameSense sense) const { return senses[static_cast<std::size_t>(sense)]; }
};

// What a thread did most of a time, where that is not simply work: for more than half of it.
struct MainSense {
    FrameSense sense = FrameSense::Work;
    double share = 0;                  // of the time
    const CodeShare* place = nullptr;  // where it did so most; nullptr for work
};
MainSense mainSense(const std::vector<CodeShare>& shares);

// The parts of "train.py:88 augment".
struct CodePlace {
    std::string_view file;  // empty where the place names none
    std::int64_t line = 0;
    std::string_view function;
};
CodePlace codePlace(std::string_view place);

// Below this share a place is not worth a word.
constexpr double kPlaceWorthNaming = 0.08;

// "train.py:88 augment (62 %, mostly PIL/Image.py:2200 resize), train.py:30 log (21 %)": the first that are worth
// it. Where what the first called has less than half of its time: "28 % in PIL/Image.py:2200 resize"; where it has
// much time on its other lines: "51 % on that line". Empty for none.
std::string codeSharesText(const std::vector<CodeShare>& shares);
// Of a path with many folders the last one: "pipeline/model.py:40 run".
std::string_view shortPlace(std::string_view place);
// Whole percents: samples are not known better.
std::string percentText(double share);
// "train.py:88 augment (PIL/Image.py:2200 resize)"
std::string placeText(const CodeShare& share);
// ", 62 % of it in train.py:88 augment": the first alone, to end a sentence with that has to be short.
std::string firstShareText(const std::vector<CodeShare>& shares);
// " Most of train.py:88 augment is in PIL/Image.py:2200 resize.", to follow it, a sentence that stands for itself;
// empty where it calls nothing for so long.
std::string calledSentence(const std::vector<CodeShare>& shares);

}  // namespace overlane
