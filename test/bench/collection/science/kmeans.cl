// The nearest centre of every point; features of points are planes, those of centres are rows.
__kernel void kmeans_assign(__global const float *feature, __global const float *clusters, __global int *membership,
                            int npoints, int nclusters, int nfeatures)
{
    unsigned int point_id = get_global_id(0);
    int index = 0;
    if (point_id < npoints) {
        float min_dist = FLT_MAX;
        for (int i = 0; i < nclusters; i++) {
            float dist = 0;
            float ans = 0;
            for (int l = 0; l < nfeatures; l++)
                ans += (feature[l * npoints + point_id] - clusters[i * nfeatures + l]) *
                       (feature[l * npoints + point_id] - clusters[i * nfeatures + l]);
            dist = ans;
            if (dist < min_dist) {
                min_dist = dist;
                index = i;
            }
        }
        membership[point_id] = index;
    }
}

__kernel void kmeans_swap(__global const float *feature, __global float *feature_swap, int npoints, int nfeatures)
{
    unsigned int tid = get_global_id(0);
    if (tid >= npoints)
        return;
    for (int i = 0; i < nfeatures; i++)
        feature_swap[i * npoints + tid] = feature[tid * nfeatures + i];
}
