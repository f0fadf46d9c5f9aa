// One pass of a sorting network: partners from shifts and remainders of the id, one direction for every run of pairs.
__kernel void butterfly_pass(__global uint *key, uint stage, uint pass, uint upward)
{
    uint id = get_global_id(0);
    uint distance = 1u << (stage - pass), run = 2 * distance;
    uint low = id % distance + id / distance * run, high = low + distance;
    uint a = key[low], b = key[high];
    uint isUp = id / (1u << stage) % 2 == 1 ? 1 - upward : upward;
    uint small = min(a, b), large = max(a, b);
    key[low] = isUp ? small : large;
    key[high] = isUp ? large : small;
}
