// Any text as a lesson: what is refused says why, what is accepted must render and run.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/lessons/lesson_page.h"
#include "core/lessons/markdown.h"
#include "tests/fuzz/fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    overlane::markdownHtml(text);
    auto parsed = overlane::parseLesson(text, "fuzz.md");
    if (!parsed.ok()) {
        if (!parsed.error().starts_with("fuzz.md:"))
            std::abort();
        return 0;
    }
    overlane::Lesson lesson = std::move(parsed).value();
    // Few batches keep it short; every accepted lesson must run or say why not.
    const auto shorten = [](overlane::Scenario& scenario) {
        scenario.batches = std::min<std::int64_t>(scenario.batches, 3);
        scenario.workers = std::min<std::int64_t>(scenario.workers, 3);
        scenario.tensors = std::min<std::int64_t>(scenario.tensors, 4);
        scenario.batchBytes = std::min<std::int64_t>(scenario.batchBytes, 8 << 20);
    };
    for (overlane::LessonScenario& scenario : lesson.scenarios)
        shorten(scenario.scenario);
    overlane::Progress progress;
    const auto run = overlane::LessonRun::run(lesson, overlane::simulatedLessonEngine(), progress);
    if (run.ok() ? overlane::lessonPage(run.value(), "0").empty() : run.error().empty())
        std::abort();
    return 0;
}

std::vector<std::string> overlane::fuzz::seeds()
{
    std::vector<std::string> texts;
    const auto folder = std::filesystem::path(OVERLANE_SOURCE_DIR) / "resources" / "lessons";
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".md")
            continue;
        std::ostringstream text;
        text << std::ifstream(entry.path()).rdbuf();
        texts.push_back(text.str());
    }
    std::sort(texts.begin(), texts.end());
    return texts;
}
