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


def written(spec, form="exact"):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "network.onnx")
        subprocess.run([BENCH, "--onnx", spec, path, "--form", form], check=True)
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
        for spec in ("yolov8n:64", "resnet18:64", "mobilenetv2:64", "branchnet", "yolov8n_int8:64", "resnet18_int8:64",
                     "mobilenetv2_int8:64", "branchnet_int8"):
            graph = written(spec)
            known = {"", *graph.constants, *graph.inputs}
            for node in graph.nodes:
                self.assertLessEqual(set(node.inputs), known)
                self.assertTrue(known.isdisjoint(node.outputs))
                known.update(node.outputs)
            self.assertLessEqual(set(graph.outputs), known)

    def test_a_network_of_other_kernels_is_refused(self):
        ended = subprocess.run([BENCH, "--onnx", "chain:3", os.devnull], capture_output=True, text=True, check=False)
        self.assertEqual(ended.returncode, 2)
        self.assertIn("kernel mix has no counterpart in ONNX here", ended.stderr)

    def test_nodes_of_int8_networks(self):
        counts = types(written("yolov8n_int8"))
        self.assertEqual((counts["QLinearConv"], counts["Gather"], counts["QLinearSigmoid"]), (63, 57, 0))
        counts = types(written("yolov8n_int8", "fast"))
        self.assertEqual((counts["QLinearConv"], counts["Conv"], counts["MaxPool"], counts["Resize"]), (63, 0, 3, 2))
        self.assertEqual((counts["QLinearSigmoid"], counts["QLinearMul"], counts["QLinearAdd"]), (57, 57, 6))
        self.assertEqual((counts["QuantizeLinear"], counts["DequantizeLinear"], counts["Clip"]), (1, 6, 0))
        counts = types(written("resnet18_int8"))
        self.assertEqual((counts["QLinearConv"], counts["QLinearAdd"], counts["QGemm"]), (20, 8, 1))
        graph = written("mobilenetv2_int8", "fast")
        self.assertEqual((types(graph)["QLinearConv"], types(graph)["Clip"]), (52, 0))
        for node in graph.nodes:
            if node.type == "QLinearConv" and node.attributes["group"] > 1:
                self.assertEqual(graph.constants[node.inputs[3]].dims, [node.attributes["group"], 1, 3, 3])

    def test_results_end_where_the_ops_say(self):
        graph = written("mobilenetv2_int8", "exact")
        self.assertEqual(types(graph)["Clip"], 35)  # ReLU6
        made = {node.outputs[0]: node for node in graph.nodes}
        ends = set()
        for node in graph.nodes:
            if node.type == "Clip":
                low, high = (graph.constants[name].data[0] for name in node.inputs[1:])
                zero = graph.constants[made[node.inputs[0]].inputs[7]].data[0]
                self.assertEqual((low, zero), (0, 0))
                ends.add(high)
        self.assertEqual(max(ends), 127)
        self.assertLess(min(ends), 64)  # 6, where 127 stands for more than 12


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


class Int8(unittest.TestCase):
    """Elements where integers end, beside those of detent run, whose probabilities give them back."""

    def check(self, spec, form="ends"):
        graph = written(spec, form)
        (name, dims), = graph.inputs.items()
        source = random.Random(1)
        data = [source.randrange(-2**20, 2**20) / 2**20 for _ in range(math.prod(dims))]
        (elements,) = onnx_interpreter.run(graph, {name: data}).values()
        whole = written(spec)
        scale, = (whole.constants[node.inputs[1]].data[0] for node in whole.nodes if node.type == "DequantizeLinear")
        logits = [math.log(share) / scale for share in computed_by_detent(spec, name, data)]
        shift = round(max(elements) - max(logits), 6)
        return [abs(ours + shift - theirs) for ours, theirs in zip(logits, elements)]

    def test_resnet18(self):
        steps = self.check("resnet18_int8:33")
        self.assertLess(max(steps), 0.01)

    def test_mobilenetv2(self):
        steps = self.check("mobilenetv2_int8:32")
        self.assertLess(max(steps), 0.01)

    def test_branchnet(self):
        self.assertLess(max(self.check("branchnet_int8:3")), 0.01)

    def test_silu_of_two_operators_is_near(self):
        graph, exact = written("branchnet_int8:3", "fast"), written("branchnet_int8:3", "exact")
        (name, dims), = graph.inputs.items()
        source = random.Random(1)
        data = [source.randrange(-2**20, 2**20) / 2**20 for _ in range(math.prod(dims))]
        (fast,), (slow,) = (onnx_interpreter.run(one, {name: data}).values() for one in (graph, exact))
        self.assertLess(max(abs(a - b) for a, b in zip(fast, slow)), 0.03)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
