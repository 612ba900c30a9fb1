// hostile: sequences that clear a terminal, in messages of the compiler
// earns: 0
#error [2J ]0;title  [31m all passed
//@ solution
