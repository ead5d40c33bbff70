"""A graph of ONNX and its input -> its output, operator by operator as ONNX defines them, in loops and doubles."""
import itertools
import math
import operator

from onnx_file import Tensor


def dot(left, right):
    return sum(map(operator.mul, left, right))


def windows(x, kernel, strides, pads, dilations, fill):
    """For each place of the output, row by row: a function from a channel to the elements under the window."""
    _, _, height, width = x.dims
    extent = [d * (k - 1) + 1 for k, d in zip(kernel, dilations)]
    out = [(size + pads[i] + pads[i + 2] - extent[i]) // strides[i] + 1 for i, size in enumerate((height, width))]

    def window(top, left):
        places = [(top + i * dilations[0], left + j * dilations[1]) for i in range(kernel[0]) for j in range(kernel[1])]
        offsets = [y * width + z if 0 <= y < height and 0 <= z < width else None for y, z in places]

        def of_channel(channel):
            base = channel * height * width
            return [fill if offset is None else x.data[base + offset] for offset in offsets]
        return of_channel

    return out, [window(i * strides[0] - pads[0], j * strides[1] - pads[1]) for i in range(out[0]) for j in range(out[1])]


def planes(out, channels, by_place):
    """[place][channel] -> [1, channel, height, width]"""
    return Tensor([1, channels, *out], [place[channel] for channel in range(channels) for place in by_place])


def conv(x, weights, bias, kernel_shape, strides, dilations, pads, group):
    out, places = windows(x, kernel_shape, strides, pads, dilations, 0.0)
    out_channels, in_channels = weights.dims[0], weights.dims[1]
    size = in_channels * math.prod(kernel_shape)
    rows = [weights.data[row * size:(row + 1) * size].tolist() for row in range(out_channels)]
    per_group = out_channels // group
    by_place = []
    for window in places:
        patches = [list(itertools.chain.from_iterable(window(g * in_channels + i) for i in range(in_channels)))
                   for g in range(group)]
        by_place.append([bias.data[o] + dot(patches[o // per_group], rows[o]) for o in range(out_channels)])
    return planes(out, out_channels, by_place)


def max_pool(x, kernel_shape, strides, pads):
    out, places = windows(x, kernel_shape, strides, pads, [1, 1], -math.inf)
    return planes(out, x.dims[1], [[max(window(c)) for c in range(x.dims[1])] for window in places])


def average_pool(x, kernel_shape, strides, pads):
    out, places = windows(x, kernel_shape, strides, pads, [1, 1], None)

    def mean(values):
        inside = [value for value in values if value is not None]
        return sum(inside) / len(inside)
    return planes(out, x.dims[1], [[mean(window(c)) for c in range(x.dims[1])] for window in places])


def resize(x, _, scales, mode, nearest_mode, coordinate_transformation_mode):
    assert (mode, nearest_mode, coordinate_transformation_mode) == ("nearest", "floor", "asymmetric")
    assert scales.data[0] == scales.data[1] == 1
    _, channels, height, width = x.dims
    up, across = int(scales.data[2]), int(scales.data[3])
    return Tensor([1, channels, height * up, width * across],
                  [x.data[(c * height + i // up) * width + j // across]
                   for c in range(channels) for i in range(height * up) for j in range(width * across)])


def global_average(x):
    size = x.dims[2] * x.dims[3]
    return Tensor([1, x.dims[1], 1, 1], [sum(x.data[c * size:(c + 1) * size]) / size for c in range(x.dims[1])])


def elementwise(function):
    def apply(a, b):
        if math.prod(b.dims) == 1:
            return Tensor(a.dims, [function(x, b.data[0]) for x in a.data])
        assert a.dims == b.dims, (a.dims, b.dims)
        return Tensor(a.dims, list(map(function, a.data, b.data)))
    return apply


def each(function):
    return lambda x: Tensor(x.dims, list(map(function, x.data)))


def clip(x, low, high):
    return Tensor(x.dims, [min(max(value, low.data[0]), high.data[0]) for value in x.data])


def concat(*parts, axis):
    dims = list(parts[0].dims)
    assert all(part.dims[:axis] + part.dims[axis + 1:] == dims[:axis] + dims[axis + 1:] for part in parts)
    dims[axis] = sum(part.dims[axis] for part in parts)
    data = []
    for outer in range(math.prod(dims[:axis])):
        for part in parts:
            size = math.prod(part.dims[axis:])
            data += part.data[outer * size:(outer + 1) * size]
    return Tensor(dims, data)


def strides_of(dims):
    return [math.prod(dims[i + 1:]) for i in range(len(dims))]


def gather(x, dims, begins, steps):
    """The element at index i of the result is that at sum(begins) + sum(i * steps)."""
    offsets = itertools.product(*[[begin + step * i for i in range(dim)] for dim, begin, step in zip(dims, begins, steps)])
    return Tensor(list(dims), [x.data[sum(offset)] for offset in offsets])


def slice_(x, begins, ends, axes):
    dims, first, strides = list(x.dims), [0] * len(x.dims), strides_of(x.dims)
    for begin, end, axis in zip(begins.data, ends.data, axes.data):
        assert 0 <= begin < end <= x.dims[axis]
        dims[axis], first[axis] = end - begin, begin * strides[axis]
    return gather(x, dims, first, strides)


def transpose(x, perm):
    strides = strides_of(x.dims)
    return gather(x, [x.dims[axis] for axis in perm], [0] * len(perm), [strides[axis] for axis in perm])


def reshape(x, shape):
    assert math.prod(x.dims) == math.prod(shape.data), (x.dims, shape.data)
    return Tensor(list(shape.data), x.data)


def matmul(a, b):
    (m, k), (_, n) = a.dims, b.dims
    assert b.dims[0] == k
    columns = [b.data[j::n] for j in range(n)]
    return Tensor([m, n], [dot(a.data[i * k:(i + 1) * k], columns[j]) for i in range(m) for j in range(n)])


def gemm(a, b, bias):
    product = matmul(a, b)
    return Tensor(product.dims, [value + bias.data[i % b.dims[1]] for i, value in enumerate(product.data)])


def softmax(x, axis):
    assert axis == len(x.dims) - 1 == 1
    rows, columns = x.dims
    data = []
    for row in range(rows):
        values = x.data[row * columns:(row + 1) * columns]
        powers = [math.exp(value - max(values)) for value in values]
        data += [power / sum(powers) for power in powers]
    return Tensor(x.dims, data)


def sigmoid(x):
    return 1 / (1 + math.exp(-x)) if x > -700 else 0.0


# Operators on bytes: integers, with one rounding to the nearest byte, the even one of two, as ONNX defines it. Scales
# are floats; quotients of them are taken in doubles.
def saturated(value):
    return min(max(value, 0), 255)


def requantised(number, zero):
    return saturated(round(number) + zero.data[0])


def cast(x, to):
    assert to == 6
    return Tensor(x.dims, list(x.data))


def gather_rows(table, places, axis):
    assert axis == 0 and len(table.dims) == 1
    return Tensor(places.dims, [table.data[place] for place in places.data])


def quantize_linear(x, scale, zero):
    return Tensor(x.dims, [requantised(value / scale.data[0], zero) for value in x.data])


def dequantize_linear(x, scale, zero):
    return Tensor(x.dims, [(value - zero.data[0]) * scale.data[0] for value in x.data])


def factors(x_scale, w_scale, y_scale, channels):
    scales = w_scale.data if len(w_scale.data) == channels else list(w_scale.data) * channels
    return [x_scale.data[0] * scale / y_scale.data[0] for scale in scales]


def centred(x, zero):
    return Tensor(x.dims, [value - zero.data[0] for value in x.data])


def qlinear_conv(x, x_scale, x_zero, w, w_scale, w_zero, y_scale, y_zero, bias, **attributes):
    assert not any(w_zero.data)
    sums = conv(centred(x, x_zero), w, bias, **attributes)
    channels, pixels = sums.dims[1], sums.dims[2] * sums.dims[3]
    by = factors(x_scale, w_scale, y_scale, channels)
    assert all(value == int(value) for value in sums.data)
    return Tensor(sums.dims, [requantised(value * by[i // pixels], y_zero) for i, value in enumerate(sums.data)])


def qgemm(a, a_scale, a_zero, b, b_scale, b_zero, bias, y_scale, y_zero):
    assert not any(b_zero.data)
    sums = gemm(centred(a, a_zero), b, bias)
    columns = b.dims[1]
    by = factors(a_scale, b_scale, y_scale, columns)
    return Tensor(sums.dims, [requantised(value * by[i % columns], y_zero) for i, value in enumerate(sums.data)])


def qlinear(function):
    def apply(a, a_scale, a_zero, b, b_scale, b_zero, y_scale, y_zero):
        assert a.dims == b.dims
        left, right = dequantize_linear(a, a_scale, a_zero), dequantize_linear(b, b_scale, b_zero)
        return quantize_linear(Tensor(a.dims, list(map(function, left.data, right.data))), y_scale, y_zero)
    return apply


def qlinear_sigmoid(x, x_scale, x_zero, y_scale, y_zero):
    return quantize_linear(each(sigmoid)(dequantize_linear(x, x_scale, x_zero)), y_scale, y_zero)


def qlinear_global_average(x, x_scale, x_zero, y_scale, y_zero, channels_last):
    assert channels_last == 0
    return quantize_linear(global_average(dequantize_linear(x, x_scale, x_zero)), y_scale, y_zero)


OPERATORS = {
    "Add": elementwise(operator.add), "AveragePool": average_pool, "Clip": clip, "Concat": concat, "Conv": conv,
    "Gemm": gemm, "GlobalAveragePool": global_average, "Identity": lambda x: x, "MatMul": matmul, "MaxPool": max_pool,
    "Mul": elementwise(operator.mul), "Relu": each(lambda x: max(x, 0.0)), "Reshape": reshape, "Resize": resize,
    "Cast": cast, "DequantizeLinear": dequantize_linear, "Gather": gather_rows, "QGemm": qgemm, "QLinearAdd": qlinear(operator.add), "QLinearConv": qlinear_conv,
    "QLinearGlobalAveragePool": qlinear_global_average, "QLinearMul": qlinear(operator.mul),
    "QLinearSigmoid": qlinear_sigmoid, "QuantizeLinear": quantize_linear,
    "Sigmoid": each(sigmoid), "Slice": slice_, "Softmax": softmax, "Sub": elementwise(operator.sub), "Transpose": transpose,
}


def run(graph, inputs):
    """Outputs by name. @param inputs  flat elements by name"""
    values = {"": None, **graph.constants, **{name: Tensor(graph.inputs[name], data) for name, data in inputs.items()}}
    for node in graph.nodes:
        values[node.outputs[0]] = OPERATORS[node.type](*[values[name] for name in node.inputs], **node.attributes)
    for name, dims in graph.outputs.items():
        assert values[name].dims == dims, name
    return {name: values[name].data for name in graph.outputs}
