#include "core/analysis/frame_sense.h"

#include <gtest/gtest.h>

namespace overlane
{
namespace
{

TEST(FrameSense, AThreadWaitsInFunctionsThatWaitForOthers)
{
    for (const char* name :
         {"threading.py:355 Condition.wait", "threading.py:655 Event.wait", "queue.py:171 Queue.get",
          "selectors.py:415 _PollLikeSelector.select", "multiprocessing/connection.py:395 Connection._recv",
          "concurrent/futures/_base.py:451 Future.result", "socket.py:720 SocketIO.readinto",
          "threading.py:1149 Thread.join", "subprocess.py:2053 Popen._try_wait"})
        EXPECT_EQ(frameSense(name), FrameSense::Waits) << name;
    for (const char* name : {"threading.py:982 Thread.run", "json/decoder.py:337 JSONDecoder.decode",
                             "numpy/_core/numeric.py:898 convolve", "waiting.py:3 wait", "PIL/Image.py:2200 resize"})
        EXPECT_EQ(frameSense(name), FrameSense::Work) << name;
}

TEST(FrameSense, FrameworksLaunchAndTheirCompilersCompile)
{
    for (const char* name : {"torch/autograd/graph.py:869 _engine_run_backward",
                             "torch/nn/functional.py:2935 layer_norm", "torchvision/ops/boxes.py:339 _box_inter_union",
                             "jax/_src/pjit.py:250 cache_miss", "cupy/_statistics/histogram.py:546 bincount",
                             "torch/_dynamo/eval_frame.py:655 _fn", "/tmp/torchinductor_me/ab/cab.py:123 call"})
        EXPECT_EQ(frameSense(name), FrameSense::Launches) << name;
    for (const char* name :
         {"jax/_src/compiler.py:395 backend_compile_and_load", "torch/_inductor/compile_fx.py:900 codegen_and_compile",
          "torch/_dynamo/convert_frame.py:500 _compile"})
        EXPECT_EQ(frameSense(name), FrameSense::Compiles) << name;
    for (const char* name :
         {"torch/utils/data/_utils/collate.py:275 collate_tensor_fn",
          "torchvision/transforms/functional.py:170 to_tensor", "jax/_src/array.py:637 ArrayImpl._value"})
        EXPECT_EQ(frameSense(name), FrameSense::Work) << name;
}

// Each launch of a compiled kernel passes through its compiler's files.
TEST(FrameSense, WhatIsCompiledAlreadyIsLaunched)
{
    for (const char* name :
         {"triton/backends/nvidia/driver.py:700 CudaLauncher.__call__", "triton/backends/amd/driver.py:520 __call__",
          "triton/compiler/compiler.py:480 CompiledKernel.launch_metadata", "torch/fx/graph_module.py:830 call_wrapped",
          "torch/_inductor/utils.py:2588 run", "triton/backends/amd/compiler.py:174 HIPBackend.get_arg_specialization",
          "torch/_inductor/standalone_compile.py:62 CompiledArtifact.__call__",
          "jax/_src/interpreters/pxla.py:1350 __call__"})
        EXPECT_EQ(frameSense(name), FrameSense::Launches) << name;
    for (const char* name :
         {"triton/backends/nvidia/compiler.py:400 make_ptx",
          "torch/_inductor/runtime/triton_heuristics.py:900 autotune_to_one_config",
          "triton/compiler/compiler.py:300 compile", "torch/fx/experimental/proxy_tensor.py:1900 trace"})
        EXPECT_EQ(frameSense(name), FrameSense::Compiles) << name;
}

TEST(FrameSense, CompiledCodeHasOneWhereItIsCertain)
{
    for (const char* name : {"kernel futex", "kernel page fault", "libcuda.so.1 cuStreamSynchronize",
                             "libcudart cudaDeviceSynchronize", "libcudart.so.12 cudaEventSynchronize"})
        EXPECT_EQ(frameSense(name), FrameSense::Waits) << name;
    for (const char* name :
         {"libcuda.so.1 cuLaunchKernel", "libcudart cudaMemcpyAsync", "libcudart launch of axpy", "libcublasLt.so.12",
          "libcudnn_graph.so.9 cudnnBackendExecute", "libcudart.so.13 cudaGraphLaunch"})
        EXPECT_EQ(frameSense(name), FrameSense::Launches) << name;
    for (const char* name : {"libnvrtc.so.12 nvrtcCompileProgram", "libnvidia-ptxjitcompiler.so.1"})
        EXPECT_EQ(frameSense(name), FrameSense::Compiles) << name;
    for (const char* name : {"libcuda.so.1", "libcuda.so.1 cuMemAlloc_v2", "libc.so.6 memcpy", "train augment",
                             "src/kernel:3 f", "libcudart cudaMalloc"})
        EXPECT_EQ(frameSense(name), FrameSense::Work) << name;
}

TEST(FrameSense, KnowsWhatIsTheRecordersOwn)
{
    EXPECT_TRUE(isRecorderFrame("pytorch/overlane_pytorch.py:468 _Collate.__call__"));
    EXPECT_TRUE(isRecorderFrame("overlane_queues.py:45 ThreadInput.get"));
    EXPECT_FALSE(isRecorderFrame("overlane/train.py:4 main"));
    EXPECT_FALSE(isRecorderFrame("my_overlane_pytorch.py:4 main"));
}

}  // namespace
}  // namespace overlane
