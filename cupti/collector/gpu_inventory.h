// GpuInventory: the GPUs of this process as records of the spool, asked of the driver it has loaded.
//
// Calls libcuda through pointers, never before cuInit has finished (the driver then says that it is
// not initialized, and the answer is none). One thread at a time. The link's speed and the NUMA node come from sysfs.
// Driver calls used: cuDeviceGetCount, cuDeviceGet, cuDeviceGetName, cuDeviceGetUuid_v2,
// cuDeviceTotalMem_v2, cuDeviceGetAttribute, cuDeviceGetPCIBusId, cuDriverGetVersion.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/spool/spool_writer.h"

namespace overlane
{

class GpuInventory
{
public:
    // Finds libcuda among what the process has loaded. Without it every answer is "none".
    GpuInventory();

    // 13 for a driver of CUDA 13; 0 = unknown. Asks no driver function: cuInit may be under way.
    int driverMajor() const;
    // Calls cuDriverGetVersion once, and nothing else.
    void callDriver() const;
    // False while the driver is not initialized or has no GPU.
    bool write(SpoolWriter& writer) const;
    // GPUs that this process may use; 0 while the driver is not initialized.
    int count() const;

private:
    void* m_driver = nullptr;
};

// The CUDA version of a driver's file: "/usr/lib/libcuda.so.580.65.06" is one of CUDA 13. 0 = unknown.
// Source: CUDA release notes, "CUDA Toolkit and Corresponding Driver Versions": 580 and newer for
// CUDA 13, 525 and newer for CUDA 12.
int driverMajorOf(std::string_view path);

// Bytes per second of one direction of a PCIe link: "16.0 GT/s PCIe", "16". 0 where unreadable.
// Source: PCI Express Base Specification; 8b/10b coding up to 5 GT/s, 128b/130b up to 32 GT/s,
// flits (242 of 256 bytes) from 64 GT/s.
double linkRate(std::string_view speed, std::string_view width);

}  // namespace overlane
