'use strict';
// Shared by all drawings: the data, DOM helpers, units, colours, the tooltip and the selected op.

let errorCount = 0;
window.addEventListener('error', () => { errorCount += 1; document.body.dataset.errors = String(errorCount); });

const data = JSON.parse(document.getElementById('data').textContent);
const byId = (id) => document.getElementById(id);

/** Element with properties and children; strings become text nodes, never markup. */
function el(tag, properties, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(properties || {})) {
    if (key === 'style') Object.assign(node.style, value);
    else if (key in node && key !== 'list') node[key] = value;
    else node.setAttribute(key, value);
  }
  node.append(...children);
  return node;
}

const kUnits = [[1e12, 's'], [1e9, 'ms'], [1e6, '\u00b5s'], [1e3, 'ns']];
const kThin = '\u2009';

/** Four significant digits, as the figures above the drawings have them. */
function formatDuration(ps) {
  for (const [unit, name] of kUnits) {
    if (ps < unit * 0.99995) continue;
    const value = ps / unit;
    const decimals = value >= 1000 ? 0 : value >= 100 ? 1 : value >= 10 ? 2 : 3;
    return value.toFixed(decimals) + ' ' + name;
  }
  return Math.round(ps) + ' ps';
}

const formatInteger = (value) => String(Math.round(value)).replace(/\B(?=(\d{3})+(?!\d))/g, kThin);

function formatBytes(bytes) {
  const names = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let unit = 0;
  while (bytes >= 1024 && unit + 1 < names.length) { bytes /= 1024; unit += 1; }
  return String(Math.round(bytes * 10) / 10) + ' ' + names[unit];
}

/** Labels of an axis from `low` to `high`: round steps, one unit, no more than `count` of them. */
function ticksOf(low, high, count, units) {
  const span = Math.max(high - low, 1e-9);
  const [unit, name] = units.find(([size]) => high >= size) || units[units.length - 1];
  const raw = span / unit / Math.max(1, count);
  const power = Math.pow(10, Math.floor(Math.log10(raw)));
  const step = [1, 2, 5, 10].map((k) => k * power).find((s) => s >= raw * 0.999) || 10 * power;
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const out = [];
  for (let k = Math.ceil(low / unit / step - 1e-9); k * step * unit <= high; k += 1) {
    out.push({at: k * step * unit, text: (k * step).toFixed(Math.min(decimals, 12)) + ' ' + name});
  }
  return out;
}
const kTimeUnits = [...kUnits, [1, 'ps']];

/** Address labels: steps are powers of two, because buffers are. */
function byteTicks(low, high, count) {
  let step = 1;
  while (step < (high - low) / Math.max(1, count)) step *= 2;
  const out = [];
  for (let at = Math.ceil(low / step) * step; at <= high; at += step) out.push({at, text: formatBytes(at)});
  return out;
}

// Colours come from the style sheet, so that light, dark and print have one source.
let colours = {};
function readColours() {
  const style = getComputedStyle(document.documentElement);
  const names = ['page', 'panel', 'sunken', 'line', 'text', 'muted', 'accent', 'bad', 'estimate',
    'overhead', 'load', 'k0', 'k1', 'k2', 'k3', 'k4', 'k5', 'k6'];
  colours = Object.fromEntries(names.map((name) => [name, style.getPropertyValue('--' + name).trim()]));
  colours.loadInk = inkOn(colours.load);
  colours.ink = Array.from({length: 7}, (_, i) => inkOn(colours['k' + i]));
  colours.sans = style.getPropertyValue('--sans');
}

/** Dark or light text, whichever the eye tells apart better from `colour` (WCAG contrast). */
function inkOn(colour) {
  const channel = (i) => {
    const c = parseInt(colour.slice(i, i + 2), 16) / 255;
    return c <= 0.03928 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4);
  };
  const luminance = 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
  return luminance > 0.22 ? '#15181b' : '#ffffff';
}

// Ops: names, kinds, neighbours.
const ops = data.ops;
const kOtherGroup = 6;
// Ops that are not in the graph and have a span: name, kernel, class, colour by id.
const further = new Map();
for (let i = 0; i < ops.further.length; i += 5) further.set(ops.further[i], ops.further.slice(i + 1, i + 5));
const factOf = (list, field, op, none) => (op >= 0 && op < list.length ? list[op] : further.has(op) ? further.get(op)[field] : none);
const opName = (op) => factOf(ops.name, 0, op, 'op ' + op);
const kernelOf = (op) => ops.kernels[factOf(ops.kernel, 1, op, -1)] || '';
const classOf = (op) => ops.classes[factOf(ops.class, 2, op, -1)] || '';
const groupOf = (op) => factOf(ops.colour, 3, op, kOtherGroup);
const hasOp = (op) => (op >= 0 && op < ops.name.length) || further.has(op);
const predecessors = ops.reads.map(() => []);
const successors = ops.reads.map(() => []);

/** fn(from, to, bends) for every edge of the graph; bends is an array of heights. */
function forEachEdge(fn) {
  const flat = data.graph.edges;
  for (let i = 0; i < flat.length; i += 3 + flat[i + 2]) fn(flat[i], flat[i + 1], i + 3, flat[i + 2]);
}
forEachEdge((from, to) => { successors[from].push(to); predecessors[to].push(from); });

/** A word of the glossary as a link; its hint is the explanation that stands there. */
function termLink(id, text) {
  const entry = byId('term-' + id);
  return el('a', {className: 'term', href: '#term-' + id, title: entry ? entry.lastElementChild.textContent : ''}, text);
}

// The selected op, shared by all drawings.
const selection = {op: -1, place: null, near: new Set(), listeners: [], enter: () => {}};
function selectOp(op, place) {
  selection.op = op;
  if (place) selection.place = place;
  selection.near = new Set([...(predecessors[op] || []), ...(successors[op] || [])]);
  for (const listener of selection.listeners) listener(op);
}

// One tooltip for the page.
const tip = el('div', {className: 'tip', hidden: true, role: 'presentation'});
document.body.append(tip);
/** Below the drawing `box`, or above it where there is no room: the drawing itself stays in sight. */
function showTip(x, box, title, lines) {
  tip.replaceChildren(el('b', {}, title), ...lines.map((line) => el('small', {}, line)));
  tip.hidden = false;
  const left = Math.min(x - 20, window.innerWidth - tip.offsetWidth - 8);
  const below = box.bottom + 6;
  const above = box.top - tip.offsetHeight - 6;
  const top = below + tip.offsetHeight <= window.innerHeight || above < 0 ? below : above;
  tip.style.left = Math.max(8, left) + 'px';
  tip.style.top = Math.max(8, Math.min(top, window.innerHeight - tip.offsetHeight - 4)) + 'px';
}
const hideTip = () => { tip.hidden = true; };

function addNotes(section, parent) {
  for (const note of data.notes) {
    if (note.section === section) parent.append(el('p', {className: 'note'}, note.text));
  }
}

const kTableRows = 1000;

/** The facts of a drawing as a table that is built when it is opened. rows(): arrays of cells. */
function addTable(parent, heads, rows) {
  const details = el('details', {className: 'as-table'}, el('summary', {}, 'As a table'));
  details.addEventListener('toggle', () => {
    if (!details.open || details.children.length > 1) return;
    const all = rows();
    const body = el('tbody', {});
    for (const row of all.slice(0, kTableRows)) {
      body.append(el('tr', {}, ...row.map((cell, i) => el('td', {className: heads[i].number ? 'r num' : ''}, String(cell)))));
    }
    const head = el('tr', {}, ...heads.map((h) => el('th', {className: h.number ? 'r' : '', scope: 'col'}, h.name)));
    details.append(el('div', {className: 'scroll'}, el('table', {}, el('thead', {}, head), body)));
    if (all.length > kTableRows) {
      details.append(el('p', {className: 'note'}, 'The first ' + formatInteger(kTableRows) + ' of ' + formatInteger(all.length) + ' rows.'));
    }
  });
  parent.append(details);
}
