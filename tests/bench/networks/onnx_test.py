"""What bench_networks --onnx writes: read, counted, and computed in Python beside detent run.

usage: onnx_test.py BENCH_NETWORKS DETENT
"""
import array
import collections
import math
import os
import random
import subprocess
import sys
import tempfile
import unittest

import onnx_file
import onnx_interpreter

BENCH, DETENT = sys.argv[1:3]


def written(spec):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "network.onnx")
        subprocess.run([BENCH, "--onnx", spec, path], check=True)
        return onnx_file.read(path)


def computed_by_detent(spec, name, data):
    with tempfile.TemporaryDirectory() as folder:
        given, wanted = os.path.join(folder, "input"), os.path.join(folder, "output")
        with open(given, "wb") as file:
            array.array("f", data).tofile(file)
        subprocess.run([DETENT, "run", spec, "--workers", "1", "--input", f"{name}={given}", "--output", wanted],
                       check=True, stdout=subprocess.DEVNULL)
        with open(wanted, "rb") as file:
            return onnx_file.floats(file.read())


def types(graph):
    return collections.Counter(node.type for node in graph.nodes)


class Structure(unittest.TestCase):
    def test_nodes_of_yolov8n(self):
        graph = written("yolov8n")
        counts = types(graph)
        self.assertEqual((counts["Conv"], counts["MaxPool"], counts["Resize"], counts["Softmax"]), (63, 3, 2, 3))
        self.assertEqual(counts["Sigmoid"], 57 + 3)  # SiLU of all convolutions but the last of six branches; classes
        self.assertEqual(graph.inputs, {"images": [1, 3, 640, 640]})
        self.assertEqual(graph.outputs, {"output0": [1, 84, 8400]})
        parameters = [graph.constants[name] for node in graph.nodes if node.type == "Conv" for name in node.inputs[1:]]
        self.assertEqual(sum(math.prod(tensor.dims) for tensor in parameters), 3151904 - 16)  # 16 distances in a MatMul

    def test_depthwise_convolutions_are_grouped(self):
        graph = written("mobilenetv2")
        grouped = [node for node in graph.nodes if node.type == "Conv" and node.attributes["group"] > 1]
        self.assertEqual(len(grouped), 17)
        for node in grouped:
            channels = node.attributes["group"]
            self.assertEqual(graph.constants[node.inputs[1]].dims, [channels, 1, 3, 3])
        self.assertEqual(types(graph)["Clip"], 35)

    def test_values_are_made_once_and_before_they_are_read(self):
        for spec in ("yolov8n:64", "resnet18:64", "mobilenetv2:64", "branchnet"):
            graph = written(spec)
            known = {"", *graph.constants, *graph.inputs}
            for node in graph.nodes:
                self.assertLessEqual(set(node.inputs), known)
                self.assertTrue(known.isdisjoint(node.outputs))
                known.update(node.outputs)
            self.assertLessEqual(set(graph.outputs), known)

    def test_a_network_of_other_kernels_is_refused(self):
        for spec, kernel in (("branchnet_int8", "quantize_f32_i8"), ("chain:3", "mix")):
            ended = subprocess.run([BENCH, "--onnx", spec, os.devnull], capture_output=True, text=True, check=False)
            self.assertEqual(ended.returncode, 2)
            self.assertIn(f"kernel {kernel} has no counterpart in ONNX here", ended.stderr)


class Outputs(unittest.TestCase):
    def check(self, spec):
        graph = written(spec)
        (name, dims), = graph.inputs.items()
        source = random.Random(1)
        data = [source.randrange(-2**20, 2**20) / 2**20 for _ in range(math.prod(dims))]
        (expected,) = onnx_interpreter.run(graph, {name: data}).values()
        seen = computed_by_detent(spec, name, data)
        self.assertEqual(len(seen), len(expected))
        for ours, exact in zip(seen, expected):
            self.assertLessEqual(abs(ours - exact), 1e-6 + 1e-3 * abs(exact))

    def test_yolov8n(self):
        self.check("yolov8n:32")

    def test_mobilenetv2(self):
        self.check("mobilenetv2:32")

    def test_resnet18(self):
        self.check("resnet18:33")  # sizes that strides do not divide

    def test_branchnet(self):
        self.check("branchnet:3")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
