// hostile: ten to the power of nine numbers, made by macros
// earns: 0
#define A(...) __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__
#define B(...) A(A(A(__VA_ARGS__)))
#define C(...) B(__VA_ARGS__) B(__VA_ARGS__) B(__VA_ARGS__) B(__VA_ARGS__) B(__VA_ARGS__)
#define D(...) C(__VA_ARGS__) C(__VA_ARGS__) C(__VA_ARGS__) C(__VA_ARGS__) C(__VA_ARGS__)
#define E(...) D(__VA_ARGS__) D(__VA_ARGS__) D(__VA_ARGS__) D(__VA_ARGS__) D(__VA_ARGS__)
#define F(...) E(E1(__VA_ARGS__))
#define E1(...) A(A(A(__VA_ARGS__)))
__device__ int everything[] = {F(1,)};
//@ solution
