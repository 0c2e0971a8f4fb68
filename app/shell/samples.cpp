#include "app/shell/samples.h"

#include <algorithm>
#include <iterator>

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

#include "app/widgets/text.h"

namespace overlane
{

namespace
{

struct Entry {
    const char* file;
    const char* title;
    const char* meaning;
};

constexpr Entry kEntries[] = {
    {"dataloader_pageable_blocking.overlane", "DataLoader: pageable, blocking",
     "PyTorch on an H200, 8 workers: every copy blocks the host and the GPU"},
    {"dataloader_pinned_blocking.overlane", "DataLoader: pin_memory",
     "The same with pinned memory: faster copies, still none hidden"},
    {"dataloader_pinned_non_blocking.overlane", "DataLoader: pin_memory, non_blocking",
     "The host continues, but the copy waits for the kernels of its own stream"},
    {"dataloader_pinned_side_stream.overlane", "DataLoader: pin_memory, non_blocking, side stream",
     "The copies of the next batches run under the kernels"},
    {"pipeline_pageable.overlane", "Pipeline: pageable memory",
     "64 batches of 16 MiB on an H200: asynchronous copies that are not"},
    {"pipeline_pinned.overlane", "Pipeline: pinned memory", "The same from pinned memory: the copies hide"},
    {"two_gpus.overlane", "Two GPUs: one process each",
     "Two processes of one job on two H200s, with copies from GPU to GPU"},
};

QStringList folders()
{
    const QDir program(QCoreApplication::applicationDirPath());
    return {program.filePath("samples"), program.filePath("../share/overlane/samples"),
            program.filePath("../../share/overlane/samples")};
}

}  // namespace

std::vector<Sample> samples()
{
    for (const QString& folder : folders())
        if (std::vector<Sample> found = samplesIn(folder); !found.empty())
            return found;
    return {};
}

std::vector<Sample> samplesIn(const QString& folder)
{
    std::vector<Sample> found;
    for (const Entry& entry : kEntries) {
        const QFileInfo file(QDir(folder), QString::fromLatin1(entry.file));
        if (file.exists())
            found.push_back({text(entry.title), text(entry.meaning), file.canonicalFilePath()});
    }
    return found;
}

bool isSample(const QString& path)
{
    const QString file = QFileInfo(path).canonicalFilePath();
    const QString name = QFileInfo(file).fileName();
    if (std::none_of(std::begin(kEntries), std::end(kEntries), [&](const Entry& entry) { return name == entry.file; }))
        return false;  // without a look at the folders, since each trace shown is asked about
    for (const Sample& sample : samples())
        if (sample.path == file)
            return true;
    return false;
}

}  // namespace overlane
