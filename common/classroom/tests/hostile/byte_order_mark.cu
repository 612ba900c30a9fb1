// hostile: not at all: an editor put a byte order mark in front
// earns: 10
//@ solution
