"""A file of ONNX -> its graph, read by nothing but the wire format of protocol buffers and the numbers of onnx.proto."""
import array
import dataclasses
import math

FLOAT, UINT8, INT8, INT32, INT64 = 1, 2, 3, 6, 7  # TensorProto.DataType
TYPE_CODES = {FLOAT: "f", UINT8: "B", INT8: "b", INT32: "i", INT64: "q"}


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def fields(data):
    """Field number -> its values in order: numbers, or bytes of wire types 2 and 5."""
    found, at = {}, 0
    while at < len(data):
        key, at = varint(data, at)
        number, wire = key >> 3, key & 7
        if wire == 0:
            value, at = varint(data, at)
            value -= (value >> 63) << 64  # int64
        elif wire == 2:
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
        elif wire == 5:
            value, at = data[at:at + 4], at + 4
        else:
            raise ValueError(f"wire type {wire} of field {number}")
        if at > len(data):
            raise ValueError(f"field {number} ends behind the message")
        found.setdefault(number, []).append(value)
    return found


def text(values):
    return bytes(values[0]).decode() if values else ""


def floats(data):
    return array.array("f", bytes(data))


@dataclasses.dataclass
class Tensor:
    dims: list
    data: list  # flat, row-major


@dataclasses.dataclass
class Node:
    type: str
    inputs: list
    outputs: list
    attributes: dict
    domain: str = ""


@dataclasses.dataclass
class Graph:
    nodes: list
    constants: dict  # name -> Tensor
    inputs: dict  # name -> dims
    outputs: dict


def attribute(message):
    parts = fields(message)
    kind = parts[20][0]
    value = {1: lambda: floats(parts[2][0])[0], 2: lambda: parts[3][0], 3: lambda: text(parts[4]),
             7: lambda: parts[8]}[kind]()
    return text(parts[1]), value


def node(message):
    parts = fields(message)
    return Node(text(parts[4]), [bytes(name).decode() for name in parts.get(1, [])],
                [bytes(name).decode() for name in parts[2]], dict(attribute(one) for one in parts.get(5, [])), text(parts.get(7)))


def constant(message):
    parts = fields(message)
    dims, kind, raw = parts.get(1, []), parts[2][0], bytes(parts[9][0])
    elements = array.array(TYPE_CODES[kind], raw)
    if len(elements) != math.prod(dims):
        raise ValueError(f"{text(parts[8])}: {len(elements)} elements, dims {dims}")
    return text(parts[8]), Tensor(dims, elements)


def value(message):
    parts = fields(message)
    tensor = fields(fields(parts[2][0])[1][0])
    if tensor[1][0] != FLOAT:
        raise ValueError(f"{text(parts[1])}: no float")
    return text(parts[1]), [fields(dim)[1][0] for dim in fields(tensor[2][0])[1]]


def read(path):
    with open(path, "rb") as file:
        model = fields(memoryview(file.read()))
    opsets = {text(opset[1]): opset[2][0] for opset in map(fields, model[8])}
    if model[1] != [8] or opsets.get("") != 17 or opsets not in ({"": 17}, {"": 17, "com.microsoft": 1}):
        raise ValueError(f"{path}: another version")
    parts = fields(model[7][0])
    nodes = [node(one) for one in parts[1]]
    if {"", *(one.domain for one in nodes)} != set(opsets):
        raise ValueError(f"{path}: domains of nodes are not those of the file")
    return Graph(nodes, dict(constant(one) for one in parts.get(5, [])),
                 dict(value(one) for one in parts[11]), dict(value(one) for one in parts[12]))
