"""An application in Python, with pyopencl: kernels of its own, and those that pyopencl writes.

    arrays.py [products] [images] [written_by_pyopencl]

It prints what it computes, so that two runs can be compared. All values are small integers, so
every order of the sums gives the same.
"""

import sys

import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array
from pyopencl.elementwise import ElementwiseKernel
from pyopencl.reduction import ReductionKernel

SIZE = 96
PRODUCT = """
__kernel void product(__global const float *A, __global const float *B, __global float *C, int n)
{
    int i = get_global_id(1), j = get_global_id(0);
    float sum = 0.0f;
    for (int k = 0; k < n; k++)
        sum += A[i * n + k] * B[k * n + j];
    C[i * n + j] = sum;
}
"""
BRIGHTER = """
__constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
__kernel void brighter(read_only image2d_t from, __global float *to, int width)
{
    int x = get_global_id(0), y = get_global_id(1);
    to[y * width + x] = read_imagef(from, nearest, (int2)(x, y)).x + 1.0f;
}
"""


def say(what, is_right, value):
    print(f"{what}: {'right' if is_right else 'wrong'}, {float(value)}")


def integers(count, modulus):
    return (np.arange(count) % modulus - 2).astype(np.float32)


def products(context, queue):
    """Of whole arrays, by two queues, and of memory that both sides see."""
    a = integers(SIZE * SIZE, 7).reshape(SIZE, SIZE)
    b = integers(SIZE * SIZE, 5).reshape(SIZE, SIZE)
    program = cl.Program(context, PRODUCT).build()
    print("kernels:", [kernel.function_name for kernel in program.all_kernels()])
    left, right = cl_array.to_device(queue, a), cl_array.to_device(queue, b)
    result = cl_array.zeros(queue, (SIZE, SIZE), np.float32)
    event = program.product(
        queue, (SIZE, SIZE), None, left.data, right.data, result.data, np.int32(SIZE)
    )
    event.wait()
    say("product", (result.get() == a @ b).all(), result.get().sum())
    unordered = cl.CommandQueue(
        context, properties=cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE
    )
    first = program.product(
        unordered, (SIZE, SIZE), (8, 8), left.data, right.data, result.data, np.int32(SIZE)
    )
    square = cl_array.zeros(queue, (SIZE, SIZE), np.float32)
    queue.finish()
    second = program.product(
        unordered, (SIZE, SIZE), (8, 8), result.data, result.data, square.data, np.int32(SIZE),
        wait_for=[first],
    )
    second.wait()
    say("without an order", (square.get() == a @ b @ a @ b).all(), square.get().sum())
    shared = cl.SVM(cl.csvm_empty(context, (SIZE, SIZE), np.float32))
    program.product(queue, (SIZE, SIZE), None, left.data, right.data, shared, np.int32(SIZE))
    with shared.map_ro(queue) as seen:
        say("shared memory", (seen == a @ b).all(), seen.sum())


def images(context, queue):
    picture = integers(32 * 16, 9).reshape(16, 32)
    image = cl.Image(
        context,
        cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR,
        cl.ImageFormat(cl.channel_order.R, cl.channel_type.FLOAT),
        shape=(32, 16),
        hostbuf=picture,
    )
    result = cl_array.zeros(queue, (16, 32), np.float32)
    program = cl.Program(context, BRIGHTER).build("-cl-std=CL1.2")
    program.brighter(queue, (32, 16), None, image, result.data, np.int32(32))
    say("image", (result.get() == picture + 1).all(), result.get().sum())


def written_by_pyopencl(context, queue):
    host = integers(1000, 11)
    x = cl_array.to_device(queue, host)
    y = cl_array.arange(queue, 1000, dtype=np.float32)
    combined = 2 * x + y
    say("expression", (combined.get() == 2 * host + np.arange(1000)).all(), combined.get().sum())
    ElementwiseKernel(context, "float *v, float f", "v[i] = f * v[i] + 1", "scale")(
        combined, np.float32(3)
    )
    say("elementwise", True, combined.get().sum())
    norm = ReductionKernel(
        context, np.float32, neutral="0", reduce_expr="a+b", map_expr="v[i]*v[i]",
        arguments="const __global float *v",
    )
    say("reduction", norm(x).get() == (host * host).sum(), norm(x).get())


def main():
    platform = next(p for p in cl.get_platforms() if "Portable Computing" in p.name)
    context = cl.Context(platform.get_devices()[:1])
    queue = cl.CommandQueue(context)
    for part in (products, images, written_by_pyopencl):
        if part.__name__ in sys.argv[1:]:
            part(context, queue)
    try:
        cl.Program(context, "__kernel void k(__global int *p) { p[0] = missing; }").build()
    except cl.RuntimeError as error:
        print("broken:", error.code)


main()
