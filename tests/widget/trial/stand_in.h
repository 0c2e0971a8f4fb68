// StandIn: a shell script in the place of `overlane`, with what it says of a made-up trial.
#pragma once

#include <gtest/gtest.h>

#include <QFile>
#include <QTemporaryDir>

#include "core/base/units.h"
#include "core/trial/trial_news.h"

namespace overlane::test
{

class StandIn
{
public:
    QString path() const { return m_folder.filePath("overlane"); }
    QString file(const QString& name) const { return m_folder.filePath(name); }
    QString folder() const { return m_folder.path(); }

    void write(const QString& script) const
    {
        QFile made(path());
        ASSERT_TRUE(made.open(QIODevice::WriteOnly));
        made.write(("#!/bin/sh\n" + script).toUtf8());
        made.close();
        ASSERT_TRUE(made.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    }

    // A line of the script that tells such news.
    static QString tell(const TrialNews& news)
    {
        return "cat >&2 <<'NEWS'\n" + QString::fromStdString(lineOf(news)) + "NEWS\n";
    }
    // As `overlane try` tells them: the first run, the loader, and a line for each of so many runs.
    static QString news(int runs)
    {
        static const QStringList kSettings = {"as it is",      "pin_memory=True",   "num_workers=4",
                                              "num_workers=8", "prefetch_factor=4", "pin_memory=True, num_workers=8"};
        static const QList<std::int64_t> kTimesNs = {43'200'000, 36'100'000, 21'000'000,
                                                     18'400'000, 43'000'000, 12'900'000};
        QString script = tell({{}, "first, a run as it is, recorded: python train.py"}) +
                         tell({{},
                               "the loader of train.py:31 (num_workers=0, pin_memory=False); 92 batches of each run "
                               "are timed"});
        for (int run = 0; run < runs; ++run) {
            const qsizetype at = run % kSettings.size();
            script += tell({TrialNews::Run{run + 1, kSettings[at].toStdString(), kTimesNs[at]},
                            formatDuration(kTimesNs[at]) + " a batch"});
        }
        return script;
    }

    static QString answer(const QString& json) { return "cat <<'END'\n" + json + "\nEND\n"; }

    static QString fasterJson()
    {
        return R"J({"loader_text": "the loader of train.py:31 (num_workers=0, pin_memory=False, 64 samples a batch)",
 "batches": 92, "seconds": 164.2, "budget_spent": false, "cancelled": false, "runs": 16, "spread": 0.012,
 "rows": [
  {"change": "as it is", "why": "", "batch_ns": 43200000, "runs_ns": [43100000, 43300000, 43200000],
   "predicted": {"batch_ns": 43200000, "range_ns": [43200000, 43200000]}},
  {"change": "pin_memory=True, non_blocking=True", "why": "copies wait for the host", "batch_ns": 36100000,
   "runs_ns": [36000000, 36200000, 36100000], "gain": 0.164, "gain_error": 0.011, "direction": "faster", "claim": "-16.4 % ± 0.9, faster",
   "predicted": {"batch_ns": 34800000, "range_ns": [31200000, 38100000]}},
  {"change": "num_workers=4", "batch_ns": 21000000, "runs_ns": [20900000, 21100000], "gain": 0.514,
   "gain_error": 0.012, "direction": "faster", "claim": "-51.4 % ± 0.6, faster",
   "predicted": {"batch_ns": 19800000, "range_ns": [17400000, 24100000]}},
  {"change": "num_workers=8", "batch_ns": 18400000, "runs_ns": [18400000], "gain": 0.574, "gain_error": null,
   "direction": "too few runs", "claim": "-57.4 %, too few runs"},
  {"change": "prefetch_factor=4", "batch_ns": 47000000, "runs_ns": [47000000, 46900000], "gain": -0.088,
   "gain_error": 0.012, "direction": "slower", "claim": "+8.8 % ± 1.3, slower"},
  {"change": "num_workers=16", "batch_ns": 0, "runs_ns": [],
   "failure": "The program ended with exit code 1. It printed last:\n  RuntimeError: cannot fork here"},
  {"change": "pin_memory=True, num_workers=8, non_blocking=True", "batch_ns": 12900000,
   "runs_ns": [12800000, 13000000, 12900000], "gain": 0.701, "gain_error": 0.013, "direction": "faster", "claim": "-70.1 % ± 0.4, faster",
   "predicted": {"batch_ns": 13900000, "range_ns": [11200000, 17500000]}}],
 "answer": 6,
 "sentence": "Faster: pin_memory=True, num_workers=8, non_blocking=True takes 12.9 ms a batch instead of 43.2 ms, 70 % less (70 to 71 %).",
 "change_lines": [
  {"file": "/home/me/project/train.py", "line": 31, "function": "main",
   "code": "loader = DataLoader(data, batch_size=64, shuffle=True)", "library": "",
   "text": "pass num_workers=8, pin_memory=True"},
  {"file": "/home/me/project/train.py", "line": 48, "function": "step", "code": "x = x.to(\"cuda\")", "library": "",
   "text": "pass non_blocking=True; do not write to the batch on the host afterwards"}],
 "remarks": ["persistent_workers=True was not tried: no epoch ends within the stretch."]})J";
    }
    static QString partialJson()
    {
        return R"J({"loader_text": "the loader of train.py:31 (num_workers=0, pin_memory=False)", "batches": 92,
 "seconds": 31.0, "budget_spent": false, "cancelled": true, "runs": 2, "spread": null,
 "rows": [{"change": "as it is", "batch_ns": 43200000, "runs_ns": [43200000]},
          {"change": "pin_memory=True", "batch_ns": 36100000, "runs_ns": [36100000], "gain": 0.16,
           "gain_error": null, "direction": "too few runs", "claim": "-16.0 %, too few runs"},
          {"change": "num_workers=4", "batch_ns": 0, "runs_ns": []}],
 "answer": null,
 "sentence": "Not sure yet: pin_memory=True took 36.1 ms a batch instead of 43.2 ms, in 1 and 1 runs. It was cancelled before more could be told.",
 "change_lines": [], "remarks": []})J";
    }

private:
    QTemporaryDir m_folder;
};

}  // namespace overlane::test
