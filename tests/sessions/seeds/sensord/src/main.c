#include "window.h"
#include <stdio.h>

int main(void) {
    struct window *window = window_new(10);
    double value;
    while (scanf("%lf", &value) == 1) {
        window_add(window, value);
        printf("%.2f\n", window_mean(window));
    }
    return 0;
}
