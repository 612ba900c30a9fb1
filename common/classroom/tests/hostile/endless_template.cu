// hostile: a template that needs another one, and another one
// earns: 0
template <class T, int depth> struct Endless {
  using Left = typename Endless<Endless<T, depth>, depth + 1>::Left;
  using Right = typename Endless<Endless<T*, depth>, depth + 1>::Right;
};
Endless<int, 0>::Left left;
//@ solution
