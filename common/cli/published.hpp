#pragma once
/// \file Times that come with the course: what the chapters' programs said on one GPU, docs/results/h200.

#include <filesystem>
#include <string>
#include <string_view>

#include "../print/ladder.hpp"

namespace warpwise::cli {

using print::PublishedTimes;

/// Adds what a chapter's program printed, in lines such as "reduce_naive  2^26 on NVIDIA H200: 0.6359 ms,
/// 422.1 GB/s"; other lines are passed over.
void read_published(std::string_view text, const std::string& chapter, PublishedTimes& times);

/// Of the files CHAPTER.txt in `folder`; those that are not there are left out.
PublishedTimes published_in(const std::filesystem::path& folder);

}  // namespace warpwise::cli
