// Memory map: time to the right, addresses upwards, one rectangle per tensor while its bytes are in use.

const kMapHeight = 300;
const kBlockFields = 8;  // region, offset, size, begin, end, name, producer, is write

class MemoryView {
  constructor(parent, region) {
    const flat = data.memory.blocks;
    this.blocks = [];
    for (let i = 0; i < flat.length; i += kBlockFields) {
      if (flat[i] !== region) continue;
      const [, offset, size, begin, end, name, producer, isWrite] = flat.slice(i, i + kBlockFields);
      this.blocks.push({offset, size, begin, end, name, op: producer, isWrite});
    }
    this.lost = (data.memory.lost || []).filter((lost) => lost.region === region);
    this.region = data.memory.regions[region];
    this.top = this.blocks.reduce((top, block) => Math.max(top, block.offset + block.size), 1);
    this.range = new Range(0, Math.max(1, data.memory.end) * 1.01);
    this.label = 'Memory map of ' + this.region.name + ', ' + this.blocks.length + ' blocks, ' + formatBytes(this.top);
    this.surface = new Surface(parent, this.label, kMapHeight, this);
  }

  get left() { return 72; }
  get plotHeight() { return kMapHeight - kAxisHeight - 8; }
  xOf(time) { return this.left + (time - this.range.begin) / this.range.size * (this.surface.width - this.left - 8); }
  yOf(address) { return 8 + this.plotHeight * (1 - address / this.top); }
  timeAt(x) { return this.range.begin + (x - this.left) / Math.max(1, this.surface.width - this.left - 8) * this.range.size; }

  pan(dx) { this.range.pan(-dx / (this.surface.width - this.left - 8) * this.range.size); this.surface.redraw(); }
  zoom(factor, x) { this.range.zoom(factor, this.timeAt(Math.max(x, this.left))); this.surface.redraw(); }
  fit() { this.range.fit(); this.surface.redraw(); }

  /** The smallest block under the pointer: large ones are easy to hit elsewhere. */
  pick(x, y) {
    if (x < this.left) return null;
    const time = this.timeAt(x);
    const address = (1 - (y - 8) / this.plotHeight) * this.top;
    let best = null;
    for (const block of this.blocks) {
      const isHit = time >= block.begin && time <= block.end && address >= block.offset && address < block.offset + block.size;
      if (isHit && (!best || block.size < best.size)) best = block;
    }
    return best;
  }

  hover(block, x, box) {
    const when = (value) => (data.memory.time ? formatDuration(value) : 'op ' + Math.round(value));
    showTip(x, box, block.name, [
      formatBytes(block.size) + ' at [' + formatInteger(block.offset) + ', ' + formatInteger(block.offset + block.size) + ')',
      'in use from ' + when(block.begin) + ' to ' + when(block.end),
      block.op < 0 ? 'written before the run' : (block.isWrite ? 'written by ' : 'read by ') + 'op ' + block.op + ' ' + opName(block.op),
    ]);
  }

  select(block) { selectOp(block ? block.op : -1, this.surface.canvas.parentElement); }
  step(direction) {
    const now = this.blocks.findIndex((block) => block.op === selection.op);
    const next = this.blocks[Math.min(this.blocks.length - 1, Math.max(0, now + direction))];
    if (next) selectOp(next.op, this.surface.canvas.parentElement);
  }

  draw(context, width, height) {
    context.clearRect(0, 0, width, height);
    const bottom = 8 + this.plotHeight;
    context.fillStyle = colours.sunken;
    context.globalAlpha = 0.5;
    context.fillRect(this.left, 8, width - this.left - 8, this.plotHeight);
    context.globalAlpha = 1;
    this.drawAxes(context, width, bottom);
    context.save();
    context.beginPath();
    context.rect(this.left, 0, width - this.left - 8, bottom);
    context.clip();
    for (const block of this.blocks) this.drawBlock(context, block, width);
    for (const lost of this.lost) this.drawLost(context, lost, width);
    context.restore();
  }

  drawBlock(context, block, width) {
    const x0 = this.xOf(block.begin);
    const x1 = this.xOf(block.end);
    if (x1 < this.left || x0 > width) return;
    const y = this.yOf(block.offset + block.size);
    const h = Math.max(1, this.yOf(block.offset) - y);
    const w = Math.max(1, x1 - x0);
    const group = block.op < 0 ? kOtherGroup : groupOf(block.op);
    const touches = (list) => list && list.some((tensor) => ops.tensors[tensor] === block.name);
    const isNear = selection.op < 0 || block.op === selection.op || touches(ops.reads[selection.op]) || touches(ops.writes[selection.op]);
    context.globalAlpha = isNear ? (block.isWrite ? 1 : 0.5) : 0.22;
    context.fillStyle = colours['k' + group];
    const gap = w > 4 && h > 4 ? 1 : 0;
    context.fillRect(x0, y, w - gap, h - gap);
    if (selection.op >= 0 && block.op === selection.op) {
      context.strokeStyle = colours.text;
      context.lineWidth = 2;
      context.strokeRect(x0 + 1, y + 1, Math.max(1, w - 3), Math.max(1, h - 3));
    }
    const from = Math.max(x0, this.left);
    const text = h > 13 ? fitText(context, block.name, Math.min(x1, width - 8) - from - 10) : '';
    if (text) {
      // On a block that lets the page through, the page's own ink is the one that can be read.
      const isSolid = context.globalAlpha === 1;
      context.fillStyle = isSolid ? colours.ink[group] : colours.text;
      if (isNear) context.globalAlpha = 1;
      context.fillText(text, from + 5, y + h / 2);
    }
    context.globalAlpha = 1;
  }

  /** A frame around the bytes in which a read misses its value, while it should have stood there. */
  drawLost(context, lost, width) {
    const x0 = this.xOf(lost.begin);
    const x1 = this.xOf(lost.end);
    if (x1 < this.left || x0 > width) return;
    const y = this.yOf(lost.offset + lost.size);
    const h = Math.max(3, this.yOf(lost.offset) - y);
    context.strokeStyle = colours.bad;
    context.lineWidth = 2;
    context.setLineDash([6, 4]);
    context.strokeRect(x0 + 1, y + 1, Math.max(2, x1 - x0 - 2), Math.max(1, h - 2));
    context.setLineDash([]);
    const from = Math.max(x0, this.left);
    const text = h > 30 ? fitText(context, lost.text, Math.min(x1, width - 8) - from - 10) : '';
    if (!text) return;
    context.fillStyle = colours.panel;
    context.fillRect(from + 3, y + h - 19, context.measureText(text).width + 6, 16);
    context.fillStyle = colours.bad;
    context.fillText(text, from + 6, y + h - 11);
  }

  drawAxes(context, width, bottom) {
    context.fillStyle = colours.muted;
    context.strokeStyle = colours.line;
    context.lineWidth = 1;
    context.textAlign = 'right';
    for (const tick of byteTicks(0, this.top, 6)) {
      const y = Math.round(this.yOf(tick.at)) + 0.5;
      context.fillText(tick.text, this.left - 8, Math.min(bottom - 4, Math.max(12, y)));
    }
    context.textAlign = 'center';
    const count = (width - this.left) / 90;
    const ticks = data.memory.time ? ticksOf(this.range.begin, this.range.end, count, kTimeUnits)
      : ticksOf(this.range.begin, this.range.end, count, [[1, 'ops']]);
    for (const tick of ticks) {
      const x = Math.round(this.xOf(tick.at)) + 0.5;
      context.beginPath();
      context.moveTo(x, 8);
      context.lineTo(x, bottom + 4);
      context.stroke();
      const half = context.measureText(tick.text).width / 2;
      if (x + half < width && x - half > 0) context.fillText(tick.text, x, bottom + 14);
    }
    context.textAlign = 'left';
  }
}

function drawMemory() {
  const parent = document.querySelector('#memory .drawing');
  const flat = data.memory.blocks;
  const bytesOf = new Map();
  for (let i = 0; i < flat.length; i += kBlockFields) bytesOf.set(flat[i], (bytesOf.get(flat[i]) || 0) + 1);
  if (bytesOf.size === 0) {
    parent.append(el('p', {className: 'empty'}, 'No tensor has a place in memory.'));
    return [];
  }
  // The region with the most blocks is where bytes are used again.
  const regions = [...bytesOf].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([region]) => region);
  const holder = el('div', {});
  const views = [];
  const show = (region) => { holder.replaceChildren(); views.splice(0, views.length, new MemoryView(holder, region)); };
  const choice = el('select', {'aria-label': 'Region'});
  for (const region of regions) {
    choice.append(el('option', {value: String(region)}, data.memory.regions[region].name + ' \u00b7 ' + formatBytes(data.memory.regions[region].size)));
  }
  choice.addEventListener('change', () => show(Number(choice.value)));
  const handler = {zoom: (...a) => views[0].zoom(...a), fit: () => views[0].fit()};
  const source = data.memory.time ? 'Times of the ' + data.memory.run + '.' : 'To the right: position in topological order.';
  parent.append(el('div', {className: 'bar'}, choice, el('span', {className: 'hint', style: {marginTop: '0'}}, source), el('span', {className: 'grow'}),
    zoomButtons('memory map', handler, () => views[0].surface)), holder);
  show(regions[0]);
  addNotes('memory', parent);
  addTable(parent, [{name: 'Region'}, {name: 'Tensor'}, {name: 'Offset', number: true}, {name: 'Bytes', number: true}, {name: 'From', number: true}, {name: 'To', number: true}], () => {
    const rows = [];
    for (let i = 0; i < flat.length; i += kBlockFields) {
      rows.push([data.memory.regions[flat[i]].name, flat[i + 5], formatInteger(flat[i + 1]), formatInteger(flat[i + 2]), formatInteger(flat[i + 3]), formatInteger(flat[i + 4])]);
    }
    return rows;
  });
  return views;
}
