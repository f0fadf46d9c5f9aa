// A step k of all shortest paths, with the path.
__kernel void floyd(__global uint *dist, __global uint *path, const unsigned int numNodes, const unsigned int pass)
{
    int xValue = get_global_id(0);
    int yValue = get_global_id(1);
    if (xValue >= numNodes || yValue >= numNodes || xValue == pass || yValue == pass)
        return;
    int k = pass;
    int oldWeight = dist[yValue * numNodes + xValue];
    int tempWeight = dist[yValue * numNodes + k] + dist[k * numNodes + xValue];
    if (tempWeight < oldWeight) {
        dist[yValue * numNodes + xValue] = tempWeight;
        path[yValue * numNodes + xValue] = k;
    }
}
