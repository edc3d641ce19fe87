// What every test includes, compiled once for each program.
#include <gtest/gtest.h>
