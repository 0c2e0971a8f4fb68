#include "app/session/file_bytes.h"

#include <filesystem>
#include <vector>

#include <QFile>

namespace overlane
{

namespace
{

namespace fs = std::filesystem;

// The entries of a folder that Qt shows by this name.
std::vector<fs::path> shownAs(const fs::path& folder, const QString& name)
{
    std::vector<fs::path> found;
    std::error_code error;
    for (fs::directory_iterator entry(folder.empty() ? "." : folder, error), end; !error && entry != end;
         entry.increment(error))
        if (const fs::path file = entry->path().filename(); QFile::decodeName(file.c_str()) == name)
            found.push_back(file);
    return found;
}

}  // namespace

std::string fileBytes(const QString& path)
{
    std::string shown = path.toStdString();
    if (!path.contains(QChar::ReplacementCharacter))
        return shown;
    fs::path bytes;
    for (const fs::path& part : fs::path(shown)) {
        const QString name = QString::fromStdString(part.string());
        if (!name.contains(QChar::ReplacementCharacter)) {
            bytes /= part;
            continue;
        }
        const std::vector<fs::path> found = shownAs(bytes, name);
        if (found.size() != 1)
            return shown;
        bytes /= found.front();
    }
    return bytes.string();
}

}  // namespace overlane
