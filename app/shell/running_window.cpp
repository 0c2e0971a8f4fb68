#include "app/shell/running_window.h"

#include <cerrno>
#include <cstring>
#include <optional>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

#include <QDir>
#include <QFile>
#include <QSocketNotifier>
#include <QStandardPaths>
#include <QTimer>

#include "app/widgets/text.h"

namespace overlane
{

namespace
{

constexpr char kGreeting[] = "overlane 1";
constexpr char kTaken[] = "taken";
constexpr int kMostConnections = 8;
constexpr qsizetype kLongestPath = 4'096;
constexpr int kTurnMs = 100;  // so that what a try for the lock itself does in the folder starts no storm of tries

QString socketIn(const QString& folder)
{
    return folder + u"/window"_s;
}

Error socketError(const QString& what)
{
    return Error{(what + u": "_s + QString::fromLocal8Bit(std::strerror(errno))).toStdString()};
}

std::optional<sockaddr_un> addressOf(const QString& file)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const QByteArray name = QFile::encodeName(file);
    if (static_cast<std::size_t>(name.size()) >= sizeof address.sun_path)
        return std::nullopt;
    std::memcpy(address.sun_path, name.constData(), static_cast<std::size_t>(name.size()));
    return address;
}

bool isOwn(int connection)
{
    ucred peer{};
    socklen_t size = sizeof peer;
    return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == getuid();
}

// A folder of this person's that is closed to all others.
bool isPrivate(const QString& folder)
{
    struct stat found {
    };
    return lstat(QFile::encodeName(folder).constData(), &found) == 0 && S_ISDIR(found.st_mode) &&
           found.st_uid == getuid() && (found.st_mode & 077U) == 0;
}

QByteArray messageOf(const QStringList& paths)
{
    QByteArray message = kGreeting;
    for (const QString& path : paths)
        message += '\0' + QFile::encodeName(path);
    return message;
}

std::optional<QStringList> pathsOf(const QByteArray& message)
{
    QList<QByteArray> parts = message.split('\0');
    if (parts.takeFirst() != kGreeting || parts.size() > RunningWindow::kMostPaths)
        return std::nullopt;
    QStringList paths;
    for (const QByteArray& part : std::as_const(parts)) {
        if (!part.startsWith('/') || part.size() > kLongestPath)
            return std::nullopt;
        paths << QFile::decodeName(part);
    }
    return paths;
}

}  // namespace

QString RunningWindow::usualFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::RuntimeLocation) + u"/overlane"_s;
}

Result<bool> RunningWindow::handOver(const QString& folder, const QStringList& paths)
{
    const auto address = addressOf(socketIn(folder));
    const QByteArray message = messageOf(paths);
    if (paths.size() > kMostPaths || message.size() > static_cast<qsizetype>(kMostBytes))
        return Error{"A running window takes " + std::to_string(kMostPaths) + " files at once; name fewer."};
    if (!address || !isPrivate(folder))
        return false;
    const int connection = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (connection < 0)
        return socketError(u"The running window cannot be asked"_s);
    const timeval patience{kPatienceMs / 1'000, 0};
    setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    const auto ended = [connection](Result<bool> answer) {
        close(connection);
        return answer;
    };
    if (::connect(connection, reinterpret_cast<const sockaddr*>(&*address), sizeof *address) != 0) {
        if (errno == ENOENT || errno == ECONNREFUSED)
            return ended(false);
        return ended(socketError(u"The running window does not answer"_s));
    }
    if (!isOwn(connection))
        return ended(false);
    char answer[sizeof kTaken] = {};
    if (send(connection, message.constData(), static_cast<std::size_t>(message.size()), MSG_NOSIGNAL) < 0 ||
        recv(connection, answer, sizeof answer - 1, 0) < 0)
        return ended(socketError(u"The running window does not answer"_s));
    if (std::strcmp(answer, kTaken) != 0)
        return ended(Error{"The running window did not take the files; it may be of another version."});
    return ended(true);
}

RunningWindow::RunningWindow(QObject* parent) : QObject(parent) {}

RunningWindow::~RunningWindow()
{
    endWaiting();
    if (m_socket < 0)
        return;
    QFile::remove(m_file);
    close(m_socket);
}

Result<bool> RunningWindow::listen(const QString& folder)
{
    mkdir(QFile::encodeName(folder).constData(), 0700);
    if (!isPrivate(folder))
        return Error{(folder + u" is not a folder that only you may enter, so no other start can reach this window."_s)
                         .toStdString()};
    m_file = socketIn(folder);
    const auto address = addressOf(m_file);
    if (!address)
        return Error{(m_file + u" is too long a name for a socket."_s).toStdString()};
    auto lock = std::make_unique<QLockFile>(m_file + u".lock"_s);
    lock->setStaleLockTime(0);  // for as long as its process lives
    if (!lock->tryLock()) {
        if (m_watch >= 0)
            return false;
        waitForTurn(folder);
        if (!lock->tryLock())  // once more, since it may have been released before it was watched
            return false;
    }
    endWaiting();
    unlink(address->sun_path);
    const int made = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (made < 0 || ::bind(made, reinterpret_cast<const sockaddr*>(&*address), sizeof *address) != 0 ||
        chmod(address->sun_path, 0600) != 0 || ::listen(made, kMostConnections) != 0) {
        const Error error = socketError(u"No other start can reach this window"_s);
        if (made >= 0)
            close(made);
        return error;
    }
    m_lock = std::move(lock);
    m_socket = made;
    m_notifier = new QSocketNotifier(m_socket, QSocketNotifier::Read, this);
    connect(m_notifier, &QSocketNotifier::activated, this, &RunningWindow::meet);
    return true;
}

// A holder of the lock has its file open for writing: the kernel says when it is closed, whatever ended the holder.
void RunningWindow::waitForTurn(const QString& folder)
{
    m_watch = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (m_watch < 0 ||
        inotify_add_watch(m_watch, QFile::encodeName(folder).constData(), IN_CLOSE_WRITE | IN_DELETE) < 0)
        return endWaiting();
    m_turn = std::make_unique<QSocketNotifier>(m_watch, QSocketNotifier::Read);
    connect(m_turn.get(), &QSocketNotifier::activated, this, [this, folder] {
        m_turn->setEnabled(false);
        QTimer::singleShot(kTurnMs, m_turn.get(), [this, folder] {
            char events[4'096];
            while (read(m_watch, events, sizeof events) > 0) {
            }
            m_turn->setEnabled(true);
            if (const Result<bool> listens = listen(folder); !listens.ok())
                endWaiting();
        });
    });
}

void RunningWindow::endWaiting()
{
    if (m_turn)
        m_turn.release()->deleteLater();  // it may be what called
    if (m_watch >= 0)
        close(std::exchange(m_watch, -1));
}

void RunningWindow::meet()
{
    const int connection = accept4(m_socket, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (connection < 0)
        return;
    if (!isOwn(connection) || m_connections >= kMostConnections) {
        close(connection);
        return;
    }
    ++m_connections;
    auto* notifier = new QSocketNotifier(connection, QSocketNotifier::Read, this);
    connect(notifier, &QSocketNotifier::activated, notifier, [this, notifier, connection] {
        notifier->setEnabled(false);
        hear(connection);
        notifier->deleteLater();
    });
    QTimer::singleShot(kPatienceMs, notifier, [notifier] { notifier->deleteLater(); });
    connect(notifier, &QObject::destroyed, this, [this, connection] {
        --m_connections;
        close(connection);
    });
}

void RunningWindow::hear(int connection)
{
    QByteArray message(kMostBytes + 1, Qt::Uninitialized);
    const ssize_t size = recv(connection, message.data(), static_cast<std::size_t>(message.size()), 0);
    if (size <= 0 || static_cast<std::size_t>(size) > kMostBytes)
        return;
    message.truncate(size);
    const auto paths = pathsOf(message);
    if (!paths)
        return;
    (void)send(connection, kTaken, sizeof kTaken - 1, MSG_NOSIGNAL);
    emit filesGiven(*paths);
}

}  // namespace overlane
