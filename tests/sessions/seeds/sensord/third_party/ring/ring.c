#include "ring.h"

void ring_init(struct ring *ring, double *slots, size_t size) {
    ring->slots = slots;
    ring->size = size;
    ring->next = 0;
}

void ring_push(struct ring *ring, double value) {
    ring->slots[ring->next] = value;
    ring->next = (ring->next + 1) % ring->size;
}
