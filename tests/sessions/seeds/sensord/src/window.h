#ifndef WINDOW_H
#define WINDOW_H
#include <stddef.h>
struct window;
struct window *window_new(size_t length);
void window_add(struct window *window, double value);
double window_mean(const struct window *window);
#endif
