#include "app/job/job_picture.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "app/widgets/text.h"
#include "core/job/job_analysis.h"
#include "core/job/job_figures.h"
#include "core/job/job_notes.h"

namespace overlane
{

JobPicture jobPicture(Job of, std::size_t count)
{
    JobPicture picture;
    const auto analyzed = std::make_shared<const AnalyzedJob>(std::move(of));
    const Job& job = analyzed->job;
    const JobAnalysis& read = analyzed->analysis;
    picture.ofGpus = job.isOfGpus();
    picture.read = read.places.size();
    picture.count = std::max(count, job.ranks.size());
    const JobFigures figures = jobFigures(job);
    picture.answer = jobAnswer(job, figures, read);
    const Blocks communication =
        read.isOfSeveralRuns() ? Blocks() : communicationBlocks(read.communication, read.match, read.digests);
    for (const Block& block : communication) {
        if (const auto* table = std::get_if<Table>(&block); table != nullptr && picture.collectives.rows.empty())
            picture.collectives = *table;
        else if (const auto* sentence = std::get_if<Sentence>(&block); sentence != nullptr)
            picture.answer.emplace_back(Sentence{sentence->text, Tone::Muted});
    }
    for (const std::string& note : jobNotes(job))
        picture.notes << text(note);
    picture.ranks = jobTable(job, figures);
    picture.rankWords = figures.ranks.empty() ? std::string() : jobTableWords(job, figures);
    for (const RankFigures& rank : figures.ranks)
        picture.rankOfRow.push_back(rank.rank);
    picture.rankOfRow.resize(picture.ranks.rows.size(), SIZE_MAX);

    picture.strips = JobStrips(analyzed);
    return picture;
}

}  // namespace overlane
