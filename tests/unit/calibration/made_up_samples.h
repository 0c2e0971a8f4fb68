// Samples of a machine that does not exist, whose figures are known: link 20 GB/s, pageable 8 GB/s from a cache and
// 5 GB/s from memory, first touch 4 GB/s, and so on.
#pragma once

#include <cmath>

#include "core/devices/calibration_samples.h"

namespace overlane
{

constexpr std::int64_t kMadeUpMiB = std::int64_t{1} << 20;
constexpr double kMadeUpLink = 20e9;

// Nine samples around `value`: 1 % to either side, and two far off, as a disturbed machine gives.
inline std::vector<double> around(double value)
{
    return {value, value * 0.99, value * 1.01, value, value * 9, value, value * 1.01, value * 0.99, value};
}

inline double nsFor(std::int64_t bytes, double bytesPerSecond)
{
    return static_cast<double>(bytes) * 1e9 / bytesPerSecond;
}

inline void addCopies(CalibrationSamples& samples, const std::string& variant, double bytesPerSecond)
{
    for (std::int64_t bytes = 4096; bytes <= 1024 * kMadeUpMiB; bytes *= 4) {
        double rate = bytesPerSecond;
        if (variant == "h2d pageable warm" && bytes > 64 * kMadeUpMiB)
            rate = 5e9;  // beyond the cache
        const double tookNs = 2000 + nsFor(bytes, rate);
        const bool pageable = variant.find("pageable") != std::string::npos;
        // A pageable call returns when its last MiB is staged.
        const double restNs = nsFor(std::min(bytes, kMadeUpMiB), kMadeUpLink);
        samples.series.push_back({"copy_event", variant, bytes, 1, around(tookNs)});
        samples.series.push_back({"copy_call", variant, bytes, 1, around(pageable ? tookNs - restNs : 1500)});
        samples.series.push_back({"copy_total", variant, bytes, 1, around(tookNs + 3000)});
    }
}

inline CalibrationSamples madeUpSamples()
{
    CalibrationSamples samples;
    MachineFacts& machine = samples.machine;
    machine.gpu = "Imagined Quokka 77";
    machine.processor = "Imagined processor";
    machine.driverVersion = 13000;
    machine.link = {4, 16, 4, 16};
    machine.deviceMemoryBytes = std::int64_t{16} << 30;
    machine.cores = 8;
    machine.ramBytes = std::int64_t{64} << 30;
    machine.usedRamBytes = std::int64_t{3} << 30;
    machine.swapBytes = 0;
    machine.lastLevelCacheBytes = 32 * kMadeUpMiB;
    for (const auto& [variant, rate] :
         {std::pair{"h2d pinned warm", kMadeUpLink}, std::pair{"h2d pinned cold", kMadeUpLink},
          std::pair{"d2h pinned", 19e9}, std::pair{"h2d pageable warm", 8e9}, std::pair{"h2d pageable cold", 5e9},
          std::pair{"d2h pageable", 6e9}})
        addCopies(samples, variant, rate);
    for (std::int64_t bytes = 64 << 10; bytes <= 16 * kMadeUpMiB; bytes *= 4)
        samples.series.push_back({"copy_train", "h2d", bytes, 1, around(1800 + nsFor(bytes, kMadeUpLink))});
    const auto one = [&](const char* probe, double value, std::int64_t bytes = 0, std::int64_t threads = 1) {
        samples.series.push_back({probe, {}, bytes, threads, around(value)});
    };
    one("both_directions", nsFor(512 * kMadeUpMiB, 36e9), 512 * kMadeUpMiB);
    one("two_streams", nsFor(512 * kMadeUpMiB, kMadeUpLink), 512 * kMadeUpMiB);
    one("device_copy", nsFor(512 * kMadeUpMiB, 700e9), 512 * kMadeUpMiB);
    for (std::int64_t bytes = 4096; bytes <= 4 * kMadeUpMiB; bytes *= 2)
        samples.series.push_back(
            {"inline_copy", "h2d pageable", bytes, 1, std::vector<double>(5, bytes <= 65536 ? 1 : 0)});
    one("launch_call", 3000);
    one("event_record", 400);
    one("stream_wait", 600);
    one("idle_sync", 900);
    one("round_trip", 6000);
    one("dependency", 4000);
    one("run_ahead", 1022);
    one("concurrent_kernels", 31.8, 0, 64);
    one("kernel_alone", 5e6);
    one("kernel_beside_copies", 5.2e6);
    one("matrix_products", 90e12);
    for (const std::int64_t threads : {1, 2, 4, 8})
        one("memcpy", nsFor(64 * kMadeUpMiB * threads, 10e9 * std::min<double>(4, static_cast<double>(threads))),
            64 * kMadeUpMiB * threads, threads);
    for (const std::int64_t threads : {1, 2, 4, 8})
        one("fresh_pages", nsFor(64 * kMadeUpMiB * threads, 4e9 * std::sqrt(static_cast<double>(threads))),
            64 * kMadeUpMiB * threads, threads);
    one("memcpy_warm", nsFor(16 * kMadeUpMiB, 14e9), 16 * kMadeUpMiB);
    one("write", nsFor(16 * kMadeUpMiB, 9e9), 16 * kMadeUpMiB);
    one("hand_over", 25'000, 0, 2);
    for (std::int64_t bytes = 4096; bytes <= 1024 * kMadeUpMiB; bytes *= 4) {
        one("malloc", 500, bytes);
        one("first_touch", nsFor(bytes, 4e9), bytes);
        one("give_back", nsFor(bytes, 20e9), bytes);
        one("shared_touch", nsFor(bytes, 3e9), bytes);
        one("shared_give_back", nsFor(bytes, 15e9), bytes);
        one("host_alloc", 200'000 + nsFor(bytes, 3e9), bytes);
        one("host_alloc_touch", nsFor(bytes, 100e9), bytes);
        one("host_free", 100'000 + nsFor(bytes, 12e9), bytes);
        one("host_register", 50'000 + nsFor(bytes, 30e9), bytes);
        one("host_unregister", 30'000 + nsFor(bytes, 80e9), bytes);
        one("pool", 700, bytes);
    }
    samples.tookNs = 61'000'000'000;
    return samples;
}

}  // namespace overlane
