// RunningWindow: how a start of the program hands its files to a window that the same person has open already.
//
// GUI thread. A socket in the person's runtime directory, which only they may enter; both sides check who the other
// one is. A message is one packet of bounded size. The first window holds a lock beside the socket for as long as it
// lives, so a socket without a holder is stale and is replaced. Further windows watch the folder: once the holder ends,
// also by a crash, one of them listens in its place.
#pragma once

#include <memory>

#include <QLockFile>
#include <QObject>
#include <QStringList>

#include "core/base/result.h"

class QSocketNotifier;

namespace overlane
{

class RunningWindow : public QObject
{
    Q_OBJECT

public:
    static constexpr std::size_t kMostBytes = 65'536;
    static constexpr int kMostPaths = 64;
    static constexpr int kPatienceMs = 3'000;

    static QString usualFolder();
    // Absolute paths; none: the window is only raised. False where no window runs. Waits for its answer, kPatienceMs
    // at most.
    static Result<bool> handOver(const QString& folder, const QStringList& paths);

    explicit RunningWindow(QObject* parent = nullptr);
    ~RunningWindow() override;

    // False where another window of this person listens: this one does once that ends.
    Result<bool> listen(const QString& folder);
    bool listening() const { return m_socket >= 0; }

signals:
    void filesGiven(const QStringList& paths);

private:
    void waitForTurn(const QString& folder);
    void endWaiting();
    void meet();
    void hear(int connection);

    std::unique_ptr<QLockFile> m_lock;
    QString m_file;
    int m_socket = -1;
    int m_watch = -1;  // of inotify, while another window listens
    std::unique_ptr<QSocketNotifier> m_turn;
    int m_connections = 0;
    QSocketNotifier* m_notifier = nullptr;
};

}  // namespace overlane
