// What every test of the control room includes.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
