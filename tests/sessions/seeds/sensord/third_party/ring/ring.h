/* ring 1.4 - fixed ring of doubles. vendored, see upstream. */
#ifndef RING_H
#define RING_H
#include <stddef.h>
struct ring { double *slots; size_t size, next; };
void ring_init(struct ring *ring, double *slots, size_t size);
void ring_push(struct ring *ring, double value);
#endif
