#include "window.h"
#include <assert.h>
#include <stdio.h>

int main(void) {
    struct window *window = window_new(3);
    for (int i = 1; i <= 4; i++)
        window_add(window, i);
    assert(window_mean(window) == 3.0);
    puts("1 passed, 0 failed");
    return 0;
}
