#!/bin/sh
# Builds the shared library that pipeline-bench loads to measure simdjson:
#   build.sh OUTPUT
# Fails quietly where the header (Debian: libsimdjson-dev) or a C++ compiler is missing.
set -e
here=$(dirname "$0")
for compiler in "${CXX:-g++}" c++ clang++; do
  command -v "$compiler" >/dev/null 2>&1 || continue
  "$compiler" -std=c++17 -O3 -shared -fPIC -o "$1" "$here/simdjson.cpp" -lsimdjson 2>/dev/null &&
    exit 0
done
exit 1
