// hostile: includes itself, twice, for ever
// earns: 0
#include __FILE__
#include __FILE__
//@ solution
