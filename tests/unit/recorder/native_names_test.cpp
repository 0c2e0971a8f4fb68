#include "core/recorder/native_names.h"

#include <gtest/gtest.h>

#include "core/recorder/function_names.h"

namespace overlane
{
namespace
{

TEST(OverlaneNames, AFunctionIsWithoutArgumentsAndParameters)
{
    EXPECT_EQ(shortFunction("main"), "main");
    EXPECT_EQ(shortFunction("ns::augment(float*, int)"), "ns::augment");
    EXPECT_EQ(shortFunction("void ns::augment<float>(std::vector<float, std::allocator<float> > const&)"),
              "ns::augment");
    EXPECT_EQ(shortFunction("ns::Loader<int>::next(unsigned long) const"), "ns::Loader::next");
    EXPECT_EQ(shortFunction("(anonymous namespace)::decode(char const*)"), "decode");
    EXPECT_EQ(shortFunction("ns::(anonymous namespace)::Reader::read()"), "ns::Reader::read");
    EXPECT_EQ(shortFunction("decltype(auto) ns::pick<int>(int)"), "ns::pick");
    EXPECT_EQ(shortFunction("std::enable_if<((3)>(4)), int>::type ns::odd<3>()"), "ns::odd");
    EXPECT_EQ(shortFunction("ns::Text[abi:cxx11]::size() const"), "ns::Text::size");
    EXPECT_EQ(shortFunction("ns::copy(int) [clone .part.0]"), "ns::copy");
}

TEST(OverlaneNames, LambdasAndLocalTypesNameTheirFunction)
{
    EXPECT_EQ(shortFunction("train(int)::{lambda(float)#2}::operator()(float) const"), "train::{lambda}");
    EXPECT_EQ(shortFunction("void ns::run<ns::f(int)::{lambda()#1}>(ns::f(int)::{lambda()#1}&&)"), "ns::run");
    EXPECT_EQ(shortFunction("main::Local::work(int)"), "main::Local::work");
    EXPECT_EQ(shortFunction("step(int) const::Local::work(int)"), "step::Local::work");
}

TEST(OverlaneNames, OperatorsKeepWhatTheyAre)
{
    EXPECT_EQ(shortFunction("ns::Sum::operator()(int)"), "ns::Sum::operator()");
    EXPECT_EQ(shortFunction("std::ostream& operator<<(std::ostream&, Item const&)"), "operator<<");
    EXPECT_EQ(shortFunction("bool operator< <int>(Item const&, Item const&)"), "operator<");
    EXPECT_EQ(shortFunction("Item::operator->() const"), "Item::operator->");
    EXPECT_EQ(shortFunction("operator new(unsigned long)"), "operator new");
    EXPECT_EQ(shortFunction("Item::operator bool() const"), "Item::operator bool");
    EXPECT_EQ(shortFunction("Item::operator[](int)"), "Item::operator[]");
    EXPECT_EQ(shortFunction("operators::run(int)"), "operators::run");
}

TEST(OverlaneNames, SymbolsAreDemangled)
{
    EXPECT_EQ(functionName("_ZN2ns7augmentIfEEvPT_"), "ns::augment");
    EXPECT_EQ(functionName("_ZN5train7augment17h0123456789abcdefE"), "train::augment");
    EXPECT_EQ(functionName("_Z21__device_stub__Z4axpyPfPf"), "axpy");
    EXPECT_EQ(functionName("memcpy@@GLIBC_2.14"), "memcpy");
    EXPECT_EQ(functionName("augment.constprop.0"), "augment");
    EXPECT_EQ(functionName("augment._omp_fn.0"), "augment");
    EXPECT_EQ(functionName("_Zbroken"), "_Zbroken");
    EXPECT_EQ(functionName(""), "");
}

TEST(OverlaneNames, WhateverAStrangerWroteIsShort)
{
    for (const char* text : {"<", ">", "((((", "))", "operator", "operator<", "{", "}", "[", "::", " ", "a<b", "f(",
                             "f)", "(anonymous namespace)::", "operator ", "decltype(", "~", "{lambda"})
        EXPECT_LE(shortFunction(text).size(), 32u) << text;
    EXPECT_LE(shortFunction(std::string(100'000, 'x')).size(), 200u);
    EXPECT_LE(functionName("_Z" + std::string(100'000, 'P')).size(), 200u);
    EXPECT_LE(functionName(std::string(100'000, '(')).size(), 200u);
}

TEST(OverlaneNames, ModulesBelongToTheProgramOrToALibrary)
{
    for (const char* path :
         {"/usr/lib/x86_64-linux-gnu/libc.so.6", "/lib64/ld-linux-x86-64.so.2",
          "/usr/local/cuda-12.4/lib64/libcudart.so.12", "/home/me/env/lib/libstdc++.so.6",
          "/home/me/env/lib/python3.11/site-packages/pkg/ext.so", "/opt/app/libcudnn.so.9", "[vdso: 7]"})
        EXPECT_EQ(ownerOfModule(path, false), CodeOwner::Library) << path;
    for (const char* path : {"/home/me/build/libaugment.so", "/opt/app/lib/libloader.so.1 (deleted)"})
        EXPECT_EQ(ownerOfModule(path, false), CodeOwner::Program) << path;
    EXPECT_EQ(ownerOfModule("/usr/bin/train", true), CodeOwner::Program);
    EXPECT_EQ(ownerOfModule("/opt/overlane/lib/liboverlane-inject.so", false), CodeOwner::Recorder);
    EXPECT_EQ(moduleName("/home/me/my train (deleted)"), "my train");
    EXPECT_EQ(moduleName("[vdso: 1234]"), "[vdso]");
}

TEST(OverlaneNames, FunctionsOfLibrariesThatAreCompiledIn)
{
    for (const char* function : {"std::sort", "__gnu_cxx::__normal_iterator::operator*", "_start", "cudaLaunchKernel",
                                 "__cudaRegisterFunction", "thrust::sort"})
        EXPECT_TRUE(isLibraryFunction(function, "")) << function;
    for (const char* function : {"augment", "cudata", "cuda_helpers::copy", "cudaHelper::run", "standard", "cuda"})
        EXPECT_FALSE(isLibraryFunction(function, "")) << function;
    EXPECT_TRUE(isLibraryFunction("helper", "/usr/include/c++/12/bits/stl_algo.h"));
    EXPECT_FALSE(isLibraryFunction("helper", "/home/me/src/helper.h"));
}

TEST(OverlaneNames, WhatCudaAddsToAProgramIsNotItsOwn)
{
    EXPECT_EQ(runtimeOfFunction("cudaMemcpyAsync"), kCudaRuntime);
    EXPECT_EQ(runtimeOfFunction("libcudart_static_418eebf4e9b7"), kCudaRuntime);
    EXPECT_TRUE(isNamelessOfRuntime("libcudart_static_418eebf4e9b7"));
    EXPECT_FALSE(isNamelessOfRuntime("cudaMemcpyAsync"));
    EXPECT_TRUE(isLaunchOfKernel("_ZL21__device_stub__Z4axpyPfPf", ""));
    EXPECT_TRUE(isLaunchOfKernel("_Z4axpyPf", "/tmp/tmpxft_00006590_00000000-6_cu.cudafe1.stub.c"));
    EXPECT_FALSE(isLaunchOfKernel("_Z4axpyPf", "/home/me/axpy.cu"));
}

TEST(OverlaneNames, SourcesAreNamedFromTheFolderOfTheProgram)
{
    EXPECT_EQ(sourceName("/home/me/app/src/train.cpp", "/home/me/app"), "src/train.cpp");
    EXPECT_EQ(sourceName("/home/me/app/build/../src/train.cpp", "/home/me/app/"), "src/train.cpp");
    EXPECT_EQ(sourceName("/home/me/app/src/train.cpp", "/tmp"), "src/train.cpp");
    EXPECT_EQ(sourceName("/home/me/application/a/train.cpp", "/home/me/app"), "a/train.cpp");
    EXPECT_EQ(sourceName("train.cpp", ""), "train.cpp");
    EXPECT_EQ(sourceName("./train.cpp", ""), "train.cpp");
    EXPECT_EQ(sourceName("", "/home"), "");
}

}  // namespace
}  // namespace overlane
