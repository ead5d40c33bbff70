// Timeline: one lane per core, one block per op; runs of similar length share one time axis.

const kLaneHeight = 22;
const kLaneGap = 4;
const kAxisHeight = 24;
const kOverhead = -1;  // instead of an op: a step of the runtime
const kFirstLoad = -2;  // the first load of higher priority; the next one is -3

/** Spans of a run by lane, as typed arrays, and who held up whom. */
class RunModel {
  constructor(run) {
    this.run = run;
    this.lanes = run.lanes.map((lane) => {
      const count = lane.spans.length / 3;
      const out = {name: lane.name, isTransfer: lane.dma, op: new Int32Array(count), begin: new Float64Array(count), end: new Float64Array(count), dense: []};
      for (let i = 0; i < lane.dense.length; i += 4) {
        out.dense.push({begin: lane.dense[i], end: lane.dense[i] + lane.dense[i + 1], count: lane.dense[i + 2], busy: lane.dense[i + 3]});
      }
      for (let i = 0; i < count; i += 1) {
        out.op[i] = lane.spans[3 * i];
        out.begin[i] = lane.spans[3 * i + 1];
        out.end[i] = out.begin[i] + lane.spans[3 * i + 2];
      }
      return out;
    });
    this.chain = this.findChain();
  }

  /** Ops that set the makespan: from the last to end, back to whichever it waited for: a predecessor or its core. */
  findChain() {
    const chain = new Set();
    const isCut = data.notes.some((note) => note.section === 'timeline') || ops.count > predecessors.length;
    if (isCut) return chain;
    const place = new Map();
    this.lanes.forEach((lane, l) => {
      if (!lane.isTransfer) lane.op.forEach((op, i) => { if (op >= 0) place.set(op, [l, i]); });
    });
    let at = null;
    const endOf = ([l, i]) => this.lanes[l].end[i];
    for (const where of place.values()) if (!at || endOf(where) > endOf(at)) at = where;
    while (at && chain.size <= place.size) {
      const [l, i] = at;
      const lane = this.lanes[l];
      chain.add(lane.op[i]);
      const candidates = (predecessors[lane.op[i]] || []).map((op) => place.get(op)).filter(Boolean);
      // The op before on this core: past the runtime's steps, loads and earlier parts of this op.
      let before = i - 1;
      while (before >= 0 && (lane.op[before] < 0 || lane.op[before] === lane.op[i])) before -= 1;
      if (before >= 0) candidates.push([l, before]);
      at = null;
      for (const where of candidates) if (!chain.has(this.lanes[where[0]].op[where[1]]) && (!at || endOf(where) > endOf(at))) at = where;
    }
    return chain;
  }
}

/** First index with end > time. */
function firstEnding(lane, time) {
  let low = 0;
  let high = lane.end.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lane.end[middle] > time) high = middle;
    else low = middle + 1;
  }
  return low;
}

class Timeline {
  constructor(parent, model, range, peers) {
    this.model = model;
    this.range = range;
    this.peers = peers;
    const run = model.run;
    const box = el('div', {className: 'run'});
    box.append(el('div', {className: 'run-title'}, el('b', {}, run.title),
      el('span', {className: 'num', title: formatInteger(run.makespan) + ' ps'}, formatDuration(run.makespan))));
    parent.append(box);
    const height = model.lanes.length * (kLaneHeight + kLaneGap) + kLaneGap + kAxisHeight;
    const label = 'Timeline of the ' + run.title + ', ' + model.lanes.length + ' lanes, ' + formatDuration(run.makespan);
    this.surface = new Surface(box, label, height, this);
    peers.push(this);
  }

  get left() { return this.labelWidth || 60; }
  timeAt(x) { return this.range.begin + (x - this.left) / Math.max(1, this.surface.width - this.left - 8) * this.range.size; }
  xOf(time) { return this.left + (time - this.range.begin) / this.range.size * (this.surface.width - this.left - 8); }
  redrawPeers() { for (const peer of this.peers) peer.surface.redraw(); }

  pan(dx) { this.range.pan(-dx / (this.surface.width - this.left - 8) * this.range.size); this.redrawPeers(); }
  zoom(factor, x) { this.range.zoom(factor, this.timeAt(Math.max(x, this.left))); this.redrawPeers(); }
  fit() { this.range.fit(); this.redrawPeers(); }

  pick(x, y) {
    const l = Math.floor((y - kLaneGap) / (kLaneHeight + kLaneGap));
    const lane = this.model.lanes[l];
    if (!lane || x < this.left) return null;
    const slack = this.range.size / this.surface.width;
    const time = this.timeAt(x);
    const i = firstEnding(lane, time - slack);
    if (i < lane.op.length && lane.begin[i] <= time + slack) return {lane, i, op: lane.op[i]};
    const dense = lane.dense.find((block) => block.begin <= time + slack && block.end >= time - slack);
    if (dense) return {lane, dense, op: -1};
    return this.model.run.lost > 0 ? {lane, op: -1} : null;
  }

  /** Name of a block: an op, its transfer, a step of the runtime or another load. */
  blockName(op, lane) {
    if (op === kOverhead) return 'runtime overhead';
    if (op < kOverhead) return 'load ' + (this.model.run.loads[kFirstLoad - op] || kFirstLoad - op);
    return lane.isTransfer ? 'transfer of ' + opName(op) : opName(op);
  }

  hover({lane, i, op, dense}, x, box) {
    if (dense) {
      showTip(x, box, formatInteger(dense.count) + ' short spans', ['drawn together, on ' + lane.name,
        formatDuration(dense.busy) + ' in all', 'from ' + formatDuration(dense.begin) + ' to ' + formatDuration(dense.end)]);
      return;
    }
    if (i === undefined) {
      showTip(x, box, 'Not known', [formatInteger(this.model.run.lost) + ' log records of this run were lost: this may be idle time or not']);
      return;
    }
    const length = lane.end[i] - lane.begin[i];
    showTip(x, box, this.blockName(op, lane), [
      (op >= 0 ? 'op ' + op + ' \u00b7 ' + kernelOf(op) + ' \u00b7 ' : '') + 'on ' + lane.name,
      formatDuration(length) + ' (' + formatInteger(length) + ' ps)',
      'from ' + formatDuration(lane.begin[i]) + ' to ' + formatDuration(lane.end[i]),
    ]);
  }

  select(pick) { selectOp(pick && pick.op >= 0 ? pick.op : -1, this.surface.canvas.parentElement); }

  /** Next or previous op by begin time over all lanes. */
  step(direction) {
    if (!this.order) {
      this.order = [];
      for (const lane of this.model.lanes.filter((each) => !each.isTransfer)) {
        lane.op.forEach((op, i) => { if (op >= 0) this.order.push([lane.begin[i], op, lane.end[i]]); });
      }
      this.order.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    }
    if (this.order.length === 0) return;
    const now = this.order.findIndex((entry) => entry[1] === selection.op);
    const next = now < 0 ? 0 : Math.min(this.order.length - 1, Math.max(0, now + direction));
    this.range.show(this.order[next][0], this.order[next][2]);
    selectOp(this.order[next][1], this.surface.canvas.parentElement);
  }

  draw(context, width, height) {
    const names = this.model.lanes.map((lane) => context.measureText(lane.name).width);
    this.labelWidth = Math.min(120, Math.max(44, ...names) + 20);
    context.clearRect(0, 0, width, height);
    const bottom = height - kAxisHeight;
    this.drawAxis(context, width, bottom);
    this.model.lanes.forEach((lane, l) => this.drawLane(context, lane, kLaneGap + l * (kLaneHeight + kLaneGap)));
    this.drawEnd(context, bottom);
    context.fillStyle = colours.panel;
    context.fillRect(0, 0, this.left - 4, bottom);
    context.fillStyle = colours.text;
    this.model.lanes.forEach((lane, l) => {
      context.fillText(fitText(context, lane.name, this.left - 18), 10, kLaneGap + l * (kLaneHeight + kLaneGap) + kLaneHeight / 2);
    });
  }

  drawAxis(context, width, bottom) {
    context.fillStyle = colours.muted;
    context.strokeStyle = colours.line;
    context.lineWidth = 1;
    context.textAlign = 'center';
    for (const tick of ticksOf(this.range.begin, this.range.end, (width - this.left) / 90, kTimeUnits)) {
      const x = Math.round(this.xOf(tick.at)) + 0.5;
      context.beginPath();
      context.moveTo(x, 0);
      context.lineTo(x, bottom + 4);
      context.stroke();
      const half = context.measureText(tick.text).width / 2;
      if (x - half > this.left - 8 && x + half < width) context.fillText(tick.text, x, bottom + 14);
    }
    context.textAlign = 'left';
  }

  drawLane(context, lane, y) {
    const right = this.surface.width - 8;
    context.fillStyle = colours.sunken;
    context.globalAlpha = 0.6;
    context.fillRect(this.left, y, right - this.left, kLaneHeight);
    context.globalAlpha = 1;
    const hatch = (begin, end) => {
      const x0 = Math.max(this.left, this.xOf(begin));
      const x1 = Math.min(right, this.xOf(end));
      if (x1 < this.left || x0 > right) return;
      context.fillStyle = hatching(context);
      context.fillRect(x0, y, Math.max(x1 - x0, 1), kLaneHeight);
    };
    if (this.model.run.lost > 0) hatch(this.range.begin, this.range.end);
    for (const block of lane.dense) hatch(block.begin, block.end);
    let drawnTo = -1;
    for (let i = firstEnding(lane, this.range.begin); i < lane.op.length && lane.begin[i] < this.range.end; i += 1) {
      const x0 = Math.max(this.left, this.xOf(lane.begin[i]));
      const x1 = Math.min(right, this.xOf(lane.end[i]));
      // Blocks thinner than a pixel: one per pixel column is enough.
      if (x1 - x0 < 1 && Math.floor(x1) === drawnTo && lane.op[i] !== selection.op) continue;
      drawnTo = Math.floor(x1);
      if (lane.op[i] < 0) this.drawMark(context, lane.op[i], x0, Math.max(x1 - x0, 0.6), y);
      else this.drawSpan(context, lane.op[i], x0, Math.max(x1 - x0, 0.6), y, lane.isTransfer);
    }
    context.globalAlpha = 1;
  }

  /** Time that no op has: steps of the runtime low, loads of higher priority over the whole lane. */
  drawMark(context, op, x, width, y) {
    const isOverhead = op === kOverhead;
    context.globalAlpha = 1;
    context.fillStyle = colours[isOverhead ? 'overhead' : 'load'];
    const height = isOverhead ? kLaneHeight / 2 : kLaneHeight;
    context.fillRect(x, y + (kLaneHeight - height) / 2, width, height);
    const text = isOverhead ? '' : fitText(context, this.blockName(op), width - 10);
    if (!text) return;
    context.fillStyle = colours.loadInk;
    context.fillText(text, x + 5, y + kLaneHeight / 2);
  }

  drawSpan(context, op, x, width, y, isTransfer) {
    const group = groupOf(op);
    const isFar = selection.op >= 0 && op !== selection.op && !selection.near.has(op);
    context.globalAlpha = isFar ? 0.28 : 1;
    context.fillStyle = colours['k' + group];
    // A hairline of background keeps neighbours of one colour apart where there is room for it.
    const inset = isTransfer ? 6 : 0;
    context.fillRect(x, y + inset, width > 3 ? width - 1 : width, kLaneHeight - 2 * inset);
    if (isTransfer) return;
    if (this.model.chain.has(op)) {
      context.fillStyle = colours.text;
      context.fillRect(x, y + kLaneHeight - 3, width, 3);
    }
    if (op === selection.op) {
      context.strokeStyle = colours.text;
      context.lineWidth = 2;
      context.strokeRect(x + 1, y + 1, Math.max(1, width - 3), kLaneHeight - 2);
    }
    const text = fitText(context, opName(op), width - 10);
    if (text) {
      context.fillStyle = colours.ink[group];
      context.fillText(text, x + 5, y + kLaneHeight / 2);
    }
  }

  drawEnd(context, bottom) {
    const x = Math.round(this.xOf(this.model.run.makespan)) + 0.5;
    if (x < this.left || x > this.surface.width) return;
    context.globalAlpha = 1;
    context.strokeStyle = colours.text;
    context.lineWidth = 1;
    context.setLineDash([3, 3]);
    context.beginPath();
    context.moveTo(x, 0);
    context.lineTo(x, bottom);
    context.stroke();
    context.setLineDash([]);
  }
}

/** Neither busy nor idle in one colour: there is more than can be drawn, or it is not known. */
let hatch = null;
function hatching(context) {
  if (hatch && hatch.colour === colours.muted) return hatch.pattern;
  const tile = el('canvas', {width: 6, height: 6});
  const paint = tile.getContext('2d');
  paint.fillStyle = colours.line;
  paint.fillRect(0, 0, 6, 6);
  paint.strokeStyle = colours.muted;
  paint.beginPath();
  for (const at of [-3, 3]) {
    paint.moveTo(at, 6);
    paint.lineTo(at + 6, 0);
  }
  paint.stroke();
  hatch = {colour: colours.muted, pattern: context.createPattern(tile, 'repeat')};
  return hatch.pattern;
}

function drawTimelines() {
  const parent = document.querySelector('#timeline .drawing');
  if (data.timelines.length === 0) {
    parent.append(el('p', {className: 'empty'}, 'No run was traced.'));
    return [];
  }
  const models = data.timelines.map((run) => new RunModel(run));
  const legend = legendOf();
  if (models[0].chain.size > 0) {
    legend.append(el('span', {}, el('i', {className: 'chain', style: {background: 'var(--text)', height: '3px', verticalAlign: '-1px'}}), termLink('chain', 'chain that sets the end')));
  }
  const holds = (test) => models.some((model) => model.lanes.some((lane) => lane.op.some(test)));
  const mark = (name, text) => legend.append(el('span', {}, el('i', {style: {background: 'var(--' + name + ')'}}), text));
  if (holds((op) => op === kOverhead)) mark('overhead', 'runtime overhead');
  if (holds((op) => op < kOverhead)) mark('load', 'loads of higher priority');
  const isHatched = models.some((model) => model.run.lost > 0 || model.lanes.some((lane) => lane.dense.length > 0));
  if (isHatched) legend.append(el('span', {}, el('i', {className: 'dense'}), 'many short spans, or not known'));
  legend.append(el('span', {}, el('i', {className: 'idle'}), 'no op'));
  const bar = el('div', {className: 'bar'}, legend);
  parent.append(bar);
  // Simulated runs compare on one axis; a native run has another clock, and an axis of its own.
  const isShared = (run) => !run.native;
  const shared = new Range(0, Math.max(...data.timelines.filter(isShared).map((run) => run.makespan), 0) * 1.01);
  const peers = [];
  const timelines = models.map((model) => {
    const joins = isShared(model.run);
    return new Timeline(parent, model, joins ? shared : new Range(0, model.run.makespan * 1.01), joins ? peers : []);
  });
  bar.append(zoomButtons('timeline', timelines[0], () => timelines[0].surface));
  parent.append(el('p', {className: 'hint'}, 'Drag to move; scroll to zoom after a click, or with Ctrl. Keys: arrows, + and \u2212, 0 to fit, N and P for the next and previous op, Enter for its facts, Escape to leave it.'));
  addNotes('timeline', parent);
  addTable(parent, [{name: 'Run'}, {name: 'Core'}, {name: 'Op', number: true}, {name: 'Name'}, {name: 'Begin, ps', number: true}, {name: 'Duration, ps', number: true}], () => {
    const rows = [];
    for (const view of timelines) {
      for (const lane of view.model.lanes) {
        lane.op.forEach((op, i) => rows.push([view.model.run.title, lane.name, op >= 0 ? op : '', view.blockName(op, lane), formatInteger(lane.begin[i]), formatInteger(lane.end[i] - lane.begin[i])]));
      }
    }
    return rows;
  });
  return timelines;
}
