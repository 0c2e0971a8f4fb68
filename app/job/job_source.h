// JobSource: reads the ranks of a job on a worker, and shows the first while the others are read.
//
// Lives on the GUI thread.
#pragma once

#include <memory>

#include <QObject>
#include <QStringList>

#include "app/job/job_picture.h"
#include "app/session/background_worker.h"
#include "app/session/mailbox.h"

namespace overlane
{

class JobSource : public QObject
{
    Q_OBJECT

public:
    explicit JobSource(QObject* parent = nullptr);

    // Folders, traces, patterns. Stops what is being read.
    void open(const QStringList& paths);
    void cancel();
    bool busy() const { return m_worker.busy(); }
    const QStringList& paths() const { return m_paths; }

signals:
    void pictureChanged(std::shared_ptr<const overlane::JobPicture> picture);
    void failed(const QString& sentence);
    void busyChanged(bool busy);
    void progressed(double fraction);

private:
    QStringList m_paths;
    std::uint64_t m_opened = 0;  // which of the jobs; pictures of an earlier one are dropped
    Mailbox m_pictures;
    BackgroundWorker m_worker;  // destroyed first: what it runs posts to the mailbox
};

}  // namespace overlane
