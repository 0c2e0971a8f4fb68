#include "app/job/job_source.h"

#include <algorithm>

#include <QElapsedTimer>

#include "app/session/file_bytes.h"
#include "app/widgets/text.h"

namespace overlane
{

namespace
{

constexpr qint64 kPicturePeriodMs = 400;  // while ranks are read, and
constexpr qint64 kPictureShare = 4;       // this many times as long as the last picture took: reading goes first

// The ranks that are there already; one thread at a time.
struct Arrived {
    Job job;
    QElapsedTimer sincePicture;
    qint64 pauseMs = 0;
};

}  // namespace

JobSource::JobSource(QObject* parent) : QObject(parent)
{
    connect(&m_worker, &BackgroundWorker::busyChanged, this, &JobSource::busyChanged);
    connect(&m_worker, &BackgroundWorker::progressed, this, &JobSource::progressed);
}

void JobSource::open(const QStringList& paths)
{
    m_paths = paths;
    const std::uint64_t opened = ++m_opened;
    const auto show = [this, opened](std::shared_ptr<const JobPicture> picture) {
        m_pictures.post([this, opened, picture = std::move(picture)] {
            if (opened == m_opened && busy())
                emit pictureChanged(picture);
        });
    };
    const auto read = [paths, show](Progress& progress) -> Result<std::shared_ptr<const JobPicture>> {
        JobRequest request;
        for (const QString& path : paths)
            request.paths.push_back(fileBytes(path));
        const auto arrived = std::make_shared<Arrived>();
        request.ready = [arrived, show](std::size_t, std::size_t count, const JobRank& rank) {
            arrived->job.ranks.push_back(rank);
            if (arrived->sincePicture.isValid() && arrived->sincePicture.elapsed() < arrived->pauseMs)
                return;
            arrived->sincePicture.start();
            show(std::make_shared<JobPicture>(jobPicture(arrived->job, count)));
            arrived->pauseMs = std::max(kPicturePeriodMs, kPictureShare * arrived->sincePicture.restart());
        };
        ASSIGN_OR_RETURN(Job job, openJob(request, progress));
        arrived->job = {};
        return std::make_shared<const JobPicture>(jobPicture(std::move(job)));
    };
    m_worker.run(u"Reading the ranks"_s, read, [this](Result<std::shared_ptr<const JobPicture>> picture) {
        if (picture.ok())
            emit pictureChanged(picture.value());
        else if (!picture.failure().isCancelled())
            emit failed(text(picture.error()));
    });
}

void JobSource::cancel()
{
    m_worker.cancel();
}

}  // namespace overlane
