#pragma once
/// \file Times that come with the course: what the chapters' programs said on one GPU, docs/results/h200.

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace warpwise::cli {

/// Of one GPU, which is named in the files.
struct PublishedTimes {
  std::string gpu;                          ///< "NVIDIA H200"; empty where nothing was read
  std::map<std::string, double> gigabytes;  ///< a second, by "chapter kernel"

  /// 0: nobody has measured it.
  double of(const std::string& chapter, const std::string& kernel) const;
};

/// Adds what a chapter's program printed, in lines such as "reduce_naive  2^26 on NVIDIA H200: 0.6359 ms,
/// 422.1 GB/s"; other lines are passed over.
void read_published(std::string_view text, const std::string& chapter, PublishedTimes& times);

/// Of the files CHAPTER.txt in `folder`; those that are not there are left out.
PublishedTimes published_in(const std::filesystem::path& folder);

}  // namespace warpwise::cli
