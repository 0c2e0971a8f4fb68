// JobPicture: everything the window shows of a job, made of its ranks on a worker.
//
// Pure function; any thread, the value is read on the GUI thread.
#pragma once

#include <QStringList>

#include "app/job/rank_strip.h"
#include "core/content/block.h"
#include "core/job/job.h"

namespace overlane
{

struct JobPicture {
    Blocks answer;                       // the sentences: who is slow, and why
    QStringList notes;                   // what is wrong with the files
    Table ranks;                         // a row a rank that has figures
    std::string rankWords;               // what the columns and signs of that table mean
    std::vector<std::size_t> rankOfRow;  // of that table: places in strips.ranks
    Table collectives;                   // empty where ranks do not communicate
    JobStrips strips;
    bool ofGpus = false;  // a row is a GPU of one process
    std::size_t read = 0;
    std::size_t count = 0;  // of all ranks, those not read yet as well
};

// `count`: as many as there will be, where not all were read yet; 0: those there are.
JobPicture jobPicture(Job job, std::size_t count = 0);

}  // namespace overlane
