// Managed memory and managed variables: host and device see the same list and the same tree.
#include <cstdio>
#include <cstring>

struct Node {
  int key;
  Node *left, *right;
};

__managed__ int found[8];
__managed__ Node* root;
__device__ __managed__ float scale = 1.5f;

/// Objects that live where both sides see them.
struct Managed {
  void* operator new(size_t bytes) {
    void* pointer;
    cudaMallocManaged(&pointer, bytes);
    cudaDeviceSynchronize();
    return pointer;
  }
  void operator delete(void* pointer) {
    cudaDeviceSynchronize();
    cudaFree(pointer);
  }
};

struct Text : Managed {
  int length;
  char letters[32];
};

__global__ void search(int n) {
  int key = threadIdx.x * 5;
  if (threadIdx.x >= n) return;
  Node* at = root;
  int depth = 0;
  while (at != nullptr && at->key != key) {
    at = key < at->key ? at->left : at->right;
    ++depth;
  }
  found[threadIdx.x] = at != nullptr ? (int)(depth * scale * 2) : -1;
}

__global__ void shout(Text* text) {
  int i = threadIdx.x;
  if (i < text->length && text->letters[i] >= 'a') text->letters[i] -= 'a' - 'A';
}

void insert(Node*& at, int key) {
  if (at == nullptr) {
    cudaMallocManaged(&at, sizeof(Node));
    *at = {key, nullptr, nullptr};
  } else {
    insert(key < at->key ? at->left : at->right, key);
  }
}

int main() {
  for (int key : {20, 10, 30, 5, 15, 25, 35, 0, 12}) insert(root, key);
  scale = 2.5f;
  search<<<1, 32>>>(8);
  cudaDeviceSynchronize();
  for (int& f : found) printf("%s%d", &f == found ? "" : " ", f);
  printf("\n");
  Text* text = new Text;
  strcpy(text->letters, "hello from both sides");
  text->length = (int)strlen(text->letters);
  shout<<<1, 32>>>(text);
  cudaDeviceSynchronize();
  printf("%s\n", text->letters);
  delete text;
  cudaPointerAttributes attributes;
  cudaPointerGetAttributes(&attributes, root);
  printf("managed %d, same pointer %d\n", attributes.type == cudaMemoryTypeManaged,
         attributes.devicePointer == root);
  return 0;
}

// output:
//   15 10 5 10 0 10 5 10
//   HELLO FROM BOTH SIDES
//   managed 1, same pointer 1
