// One process of ONNX Runtime: loads a file of ONNX, runs it on one input, and writes its output and the time of each run.
//
// node onnxruntime.js REQUEST, a JSON object:
//   module            folder of the npm package onnxruntime-node
//   model             file of ONNX with one input and one output or several, all F32
//   input, output     raw elements, little-endian; the outputs are written, one after the other
//   threads           of one operator
//   warmup, repeat    runs that do not count, and that do
// On standard output a JSON object: version, runs_ns, before_bytes (resident before the runtime is loaded: node's own).
'use strict';
const fs = require('fs');

async function main(request) {
  const beforeBytes = process.memoryUsage.rss();
  const runtime = require(request.module);
  const session = await runtime.InferenceSession.create(request.model, {
    executionProviders: ['cpu'],
    graphOptimizationLevel: 'all',
    executionMode: 'sequential',
    intraOpNumThreads: request.threads,
    interOpNumThreads: 1,
  });
  const bytes = fs.readFileSync(request.input);
  const elements = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  const input = new runtime.Tensor('float32', elements, session.inputMetadata[0].shape);
  const feeds = {[session.inputNames[0]]: input};
  const runs = [];
  let output = null;
  for (let run = 0; run < request.warmup + request.repeat; ++run) {
    const begin = process.hrtime.bigint();
    const results = await session.run(feeds);
    const end = process.hrtime.bigint();
    output = session.outputNames.map((name) => results[name].data);
    if (run >= request.warmup) runs.push(Number(end - begin));
  }
  const bytesOf = (data) => Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  fs.writeFileSync(request.output, Buffer.concat(output.map(bytesOf)));
  return {version: runtime.env.versions.node, runs_ns: runs, before_bytes: beforeBytes};
}

main(JSON.parse(process.argv[2])).then(
  (answer) => process.stdout.write(JSON.stringify(answer) + '\n'),
  (error) => {
    process.stderr.write(`${error}\n`);
    process.exit(1);
  },
);
