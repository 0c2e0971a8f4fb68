#include "cupti/collector/peer_copies.h"

#include <gtest/gtest.h>

namespace overlane
{
namespace
{

TEST(PeerCopies, XlaIsToldByItsLibraries)
{
    const std::string site = "/usr/lib/python3/site-packages/";
    EXPECT_TRUE(isOfXla({"", site + "jax_plugins/xla_cuda13/xla_cuda_plugin.so"}));
    EXPECT_TRUE(isOfXla({site + "jaxlib/xla_extension.so"}));
    EXPECT_TRUE(isOfXla({site + "tensorflow/libtensorflow_cc.so.2"}));
    EXPECT_TRUE(isOfXla({"/opt/exla/libexla.so"}));
    EXPECT_TRUE(isOfXla({site + "_XLAC.cpython-312-x86_64-linux-gnu.so"}));
    EXPECT_FALSE(isOfXla({"", "/usr/lib/libcuda.so.1", site + "torch/lib/libtorch_cuda.so"}));
    EXPECT_FALSE(isOfXla({"/home/someone/xla/venv/lib/libcupti.so.13"})) << "a folder's name says nothing";
}

}  // namespace
}  // namespace overlane
