// Graph of ops: the layered layout comes with the data; here it is drawn, at the level of detail that the zoom allows.

const kManyEdges = 6000;

class GraphView {
  constructor(parent) {
    this.layout = data.graph;
    this.nodeCount = this.layout.layer.length;
    const rows = this.layout.height / 100 + 1;
    this.surfaceHeight = Math.round(Math.min(460, Math.max(120, rows * 30 + 40)));
    this.edges = [];
    forEachEdge((from, to, bends, count) => this.edges.push([from, to, bends, count]));
    this.faintness = Math.max(0.06, Math.min(1, 2500 / Math.max(1, this.edges.length)));
    this.byLayer = Array.from({length: this.layout.layers}, () => []);
    for (let op = 0; op < this.nodeCount; op += 1) this.byLayer[this.layout.layer[op]].push(op);
    const label = 'Graph of ' + this.nodeCount + ' ops and ' + this.edges.length + ' edges in ' + this.layout.layers + ' layers';
    this.surface = new Surface(parent, label, this.surfaceHeight, this);
    this.fit();
  }

  get pansUp() { return true; }

  /** Zoom 1 shows everything; columns are never wider and rows never higher than a readable box needs. */
  scales() {
    const width = Math.max(40, this.surface.width - 24);
    const height = this.surfaceHeight - 24;
    const rows = this.layout.height / 100 + 1;
    return {x: Math.min(170, width / this.layout.layers) * this.scale, y: Math.min(40, height / rows) * this.scale};
  }

  fit() {
    this.scale = 1;
    this.center = {x: (this.layout.layers - 1) / 2, y: this.layout.height / 200};
    this.surface.redraw();
  }

  pan(dx, dy) {
    const s = this.scales();
    const clamp = (value, high) => Math.min(Math.max(value, 0), high);
    this.center.x = clamp(this.center.x - dx / s.x, this.layout.layers - 1);
    this.center.y = clamp(this.center.y - dy / s.y, this.layout.height / 100);
    this.surface.redraw();
  }

  zoom(factor, x, y) {
    const before = this.scales();
    const most = Math.max(1, 170 / (before.x / this.scale), 30 / (before.y / this.scale));
    const next = Math.min(most, Math.max(1, this.scale * factor));
    const ratio = next / this.scale;
    const dx = x - this.surface.width / 2;
    const dy = y - this.surfaceHeight / 2;
    this.center.x += dx / before.x * (1 - 1 / ratio);
    this.center.y += dy / before.y * (1 - 1 / ratio);
    this.scale = next;
    if (next === 1) this.fit();
    this.surface.redraw();
  }

  xOf(layer) { return this.surface.width / 2 + (layer - this.center.x) * this.now.x; }
  yOf(height) { return this.surfaceHeight / 2 + (height / 100 - this.center.y) * this.now.y; }
  boxSize() {
    return {w: Math.min(132, Math.max(2, this.now.x * 0.72)), h: Math.min(24, Math.max(1.5, this.now.y * 0.62))};
  }

  pick(x, y) {
    this.now = this.scales();
    const {w, h} = this.boxSize();
    const layer = Math.round((x - this.surface.width / 2) / this.now.x + this.center.x);
    const reach = {x: Math.max(w / 2, 5), y: Math.max(h / 2, 5)};
    let best = null;
    for (const op of this.byLayer[layer] || []) {
      const dx = Math.abs(x - this.xOf(layer));
      const dy = Math.abs(y - this.yOf(this.layout.y[op]));
      if (dx <= reach.x && dy <= reach.y && (!best || dy < best.dy)) best = {op, dy};
    }
    return best;
  }

  hover({op}, x, box) {
    const count = (list, noun) => list.length + ' ' + noun + (list.length === 1 ? '' : 's');
    showTip(x, box, opName(op), ['op ' + op + ' \u00b7 ' + kernelOf(op) + ' \u00b7 ' + classOf(op),
      count(predecessors[op], 'predecessor') + ', ' + count(successors[op], 'successor')]);
  }

  select(pick) { selectOp(pick ? pick.op : -1, this.surface.canvas.parentElement); }
  step(direction) {
    if (this.nodeCount === 0) return;
    selectOp(Math.min(this.nodeCount - 1, Math.max(0, selection.op + direction)), this.surface.canvas.parentElement);
  }

  show(op) {
    if (op < 0 || op >= this.nodeCount || this.scale === 1) return;
    this.center = {x: this.layout.layer[op], y: this.layout.y[op] / 100};
  }

  draw(context, width, height) {
    this.now = this.scales();
    context.clearRect(0, 0, width, height);
    const hasSelection = selection.op >= 0 && selection.op < this.nodeCount;
    const near = (edge) => edge[0] === selection.op || edge[1] === selection.op;
    context.lineWidth = 1;
    context.strokeStyle = colours.muted;
    context.globalAlpha = hasSelection ? 0.18 * this.faintness : 0.55 * this.faintness;
    this.strokeEdges(context, width, this.edges);
    if (hasSelection) {
      context.globalAlpha = 1;
      context.lineWidth = 2;
      for (const [colour, index] of [['k0', 1], ['k5', 0]]) {  // what it waits for, what waits for it
        context.strokeStyle = colours[colour];
        this.strokeEdges(context, width, this.edges.filter((edge) => near(edge) && edge[index] === selection.op));
      }
    }
    this.drawNodes(context, width, height, hasSelection);
    context.globalAlpha = 1;
  }

  strokeEdges(context, width, edges) {
    const isSimple = edges.length > kManyEdges && this.now.x < 30;
    const flat = this.layout.edges;
    const half = this.boxSize().w / 2;
    context.beginPath();
    for (const [from, to, bends, count] of edges) {
      const isBack = this.layout.layer[from] > this.layout.layer[to];
      const left = isBack ? to : from;
      const right = isBack ? from : to;
      const x0 = this.xOf(this.layout.layer[left]) + half;
      const x1 = this.xOf(this.layout.layer[right]) - half;
      if (x1 < 0 || x0 > width) continue;
      let x = x0;
      let y = this.yOf(this.layout.y[left]);
      context.moveTo(x, y);
      for (let k = 0; k <= count; k += 1) {
        const nextX = k === count ? x1 : this.xOf(this.layout.layer[left] + k + 1);
        const nextY = this.yOf(k === count ? this.layout.y[right] : flat[bends + k]);
        if (isSimple || Math.abs(nextY - y) < 0.5) context.lineTo(nextX, nextY);
        else context.bezierCurveTo((x + nextX) / 2, y, (x + nextX) / 2, nextY, nextX, nextY);
        x = nextX;
        y = nextY;
      }
    }
    context.stroke();
  }

  drawNodes(context, width, height, hasSelection) {
    const {w, h} = this.boxSize();
    const first = Math.max(0, Math.floor(this.center.x - width / 2 / this.now.x - 1));
    const last = Math.min(this.layout.layers - 1, Math.ceil(this.center.x + width / 2 / this.now.x + 1));
    context.textAlign = 'left';
    for (let layer = first; layer <= last; layer += 1) {
      const x = this.xOf(layer) - w / 2;
      for (const op of this.byLayer[layer]) {
        const y = this.yOf(this.layout.y[op]) - h / 2;
        if (y + h < 0 || y > height) continue;
        this.drawNode(context, op, x, y, w, h, hasSelection);
      }
    }
  }

  drawNode(context, op, x, y, w, h, hasSelection) {
    const isSelected = op === selection.op;
    const group = groupOf(op);
    context.globalAlpha = hasSelection && !isSelected && !selection.near.has(op) ? 0.3 : 1;
    context.fillStyle = colours['k' + group];
    if (w > 7 && h > 5) {
      context.beginPath();
      context.roundRect(x, y, w, h, Math.min(3, h / 3));
      context.fill();
    } else {
      context.fillRect(x, y, w, h);
    }
    if (isSelected) {
      context.strokeStyle = colours.text;
      context.lineWidth = 2;
      context.strokeRect(x - 2, y - 2, w + 4, h + 4);
    }
    if (w < 44 || h < 13) return;
    context.fillStyle = colours.ink[group];
    context.fillText(fitText(context, opName(op), w - 10), x + 5, y + h / 2 + 0.5);
  }
}

/** Ops whose id is the text or whose name holds it, from the one after the selected op on. */
function findOp(text) {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return -1;
  if (/^\d+$/.test(wanted) && Number(wanted) < ops.name.length) return Number(wanted);
  for (let k = 1; k <= ops.name.length; k += 1) {
    const op = (selection.op + k + ops.name.length) % ops.name.length;
    if (ops.name[op].toLowerCase().includes(wanted)) return op;
  }
  return -1;
}

function drawGraph() {
  const parent = document.querySelector('#graph .drawing');
  if (data.graph.layer.length === 0) {
    parent.append(el('p', {className: 'empty'}, 'There are no ops.'));
    return null;
  }
  const search = el('input', {type: 'search', placeholder: 'Find an op by name or id', 'aria-label': 'Find an op by name or id'});
  search.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') selectOp(findOp(search.value));
  });
  const bar = el('div', {className: 'bar'}, search, el('span', {className: 'grow'}));
  parent.append(bar);
  const graph = new GraphView(parent);
  bar.append(zoomButtons('graph', graph, () => graph.surface));
  parent.append(el('p', {className: 'hint'}, 'Time flows to the right. Enter in the search field goes to the next match; keys in the drawing are those of the timeline.'));
  addNotes('graph', parent);
  addTable(parent, [{name: 'Op', number: true}, {name: 'Name'}, {name: 'Kernel'}, {name: 'Class'}, {name: 'Waits for'}], () =>
    predecessors.map((list, op) => [op, opName(op), kernelOf(op), classOf(op), list.join(', ')]));
  return graph;
}
