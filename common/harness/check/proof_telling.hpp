#pragma once
/// \file Says in words what is wrong with a result, from its terms.

#include <optional>
#include <set>
#include <string>

#include "proof.hpp"
#include "term_reading.hpp"

namespace warpwise::harness {

/// Of a result that is made of `content` and should count each of `wanted` once: refuted, with the sentence
/// that begins with `result` ("out[3]", or "it"), where an element is missing, counts twice or does not
/// belong to it, or where a constant is joined that is not the identity. Else nothing is wrong.
Judgement told(const simulator::TermRecorder& terms, const TermReader& reader, const std::string& result,
               const Content& content, const std::set<Leaf>& wanted);
/// Of a result that is known to be wrong, and has another operator in it, such as a maximum in a sum:
/// refuted; else undecided.
Judgement told_operator(const simulator::TermRecorder& terms, const TermReader& reader,
                        const std::string& result, const Content& content);

}  // namespace warpwise::harness
