#include "callocator.h"

#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

void callocator_grow_by(int bytes) {
#ifdef __GLIBC__
  mallopt(M_TOP_PAD, bytes);
#else
  (void)bytes;
#endif
}
