#include "window.h"
#include "ring/ring.h"
#include <stdlib.h>

struct window { struct ring ring; double *slots; size_t length; };

struct window *window_new(size_t length) {
    struct window *window = malloc(sizeof *window);
    window->slots = malloc(length * sizeof(double));
    window->length = length;
    ring_init(&window->ring, window->slots, length + 1);
    return window;
}

void window_add(struct window *window, double value) {
    ring_push(&window->ring, value);
}

double window_mean(const struct window *window) {
    double sum = 0;
    for (size_t i = 0; i < window->length; i++)
        sum += window->slots[i];
    return sum / window->length;
}
