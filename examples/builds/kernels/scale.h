#define SCALE 0.5f
