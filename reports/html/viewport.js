// Canvas with one way to zoom, pan, hover and select, by wheel, drag, touch and keyboard.

/** A canvas that fills its parent's width and draws itself after every change, at most once a frame. */
class Surface {
  /** @param handler  {draw(context, width, height), pan(dx, dy), zoom(factor, x, y), fit(), pick(x, y), hover(pick, x, box),
   *                   select(pick), step(direction), pansUp: whether it has a dy} */
  constructor(parent, label, height, handler) {
    this.handler = handler;
    this.height = height;
    this.canvas = el('canvas', {tabIndex: 0, role: 'application', 'aria-label': label});
    parent.append(el('div', {className: 'surface'}, this.canvas));
    this.pointers = new Map();
    this.isPending = false;
    this.listen();
    new ResizeObserver(() => this.redraw()).observe(this.canvas);
  }

  get width() { return this.canvas.clientWidth; }

  redraw() {
    if (this.isPending) return;
    this.isPending = true;
    requestAnimationFrame(() => { this.isPending = false; this.draw(); });
  }

  draw() {
    const ratio = window.devicePixelRatio || 1;
    const width = this.width;
    this.canvas.style.height = this.height + 'px';
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    const context = this.canvas.getContext('2d');
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.font = '12px ' + colours.sans;
    context.textBaseline = 'middle';
    this.handler.draw(context, width, this.height);
  }

  place(event) {
    const box = this.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  listen() {
    const on = (name, fn, options) => this.canvas.addEventListener(name, fn, options);
    // The wheel belongs to the page until the drawing has been clicked: a report is read by scrolling.
    on('wheel', (event) => {
      if (document.activeElement !== this.canvas && !event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const [x, y] = this.place(event);
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        this.handler.pan(-(event.deltaX || event.deltaY), 0);
      } else {
        this.handler.zoom(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.002)), x, y);
      }
    }, {passive: false});
    on('pointerdown', (event) => this.press(event));
    on('pointermove', (event) => this.move(event));
    on('pointerup', (event) => this.release(event));
    on('pointercancel', (event) => this.pointers.delete(event.pointerId));
    on('pointerleave', hideTip);
    on('dblclick', (event) => this.handler.zoom(2, ...this.place(event)));
    on('keydown', (event) => this.key(event));
  }

  press(event) {
    this.pointers.set(event.pointerId, this.place(event));
    this.canvas.setPointerCapture(event.pointerId);
    this.travelled = 0;
  }

  move(event) {
    const [x, y] = this.place(event);
    const from = this.pointers.get(event.pointerId);
    if (!from) {
      const pick = this.handler.pick(x, y);
      if (pick) this.handler.hover(pick, event.clientX, this.canvas.getBoundingClientRect());
      else hideTip();
      return;
    }
    hideTip();
    this.travelled += Math.abs(x - from[0]) + Math.abs(y - from[1]);
    if (this.pointers.size === 1) this.handler.pan(x - from[0], y - from[1]);
    else this.pinch(event.pointerId, [x, y]);
    this.pointers.set(event.pointerId, [x, y]);
  }

  pinch(id, now) {
    const other = [...this.pointers].find(([key]) => key !== id)[1];
    const distance = (a) => Math.hypot(a[0] - other[0], a[1] - other[1]);
    const factor = distance(now) / Math.max(1, distance(this.pointers.get(id)));
    this.handler.zoom(factor, (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
  }

  release(event) {
    const wasClick = this.pointers.size === 1 && this.travelled < 5;
    this.pointers.delete(event.pointerId);
    if (wasClick) this.handler.select(this.handler.pick(...this.place(event)));
  }

  key(event) {
    const step = this.width / 8;
    const actions = {
      ArrowLeft: () => this.handler.pan(step, 0),
      ArrowRight: () => this.handler.pan(-step, 0),
      '+': () => this.handler.zoom(1.5, this.width / 2, this.height / 2),
      '=': () => this.handler.zoom(1.5, this.width / 2, this.height / 2),
      '-': () => this.handler.zoom(1 / 1.5, this.width / 2, this.height / 2),
      0: () => this.handler.fit(),
      Home: () => this.handler.fit(),
      n: () => this.handler.step(1),
      p: () => this.handler.step(-1),
      Enter: () => this.enter(),
      ' ': () => this.enter(),
      Escape: () => selectOp(-1),
    };
    // Where there is nothing above and below, these scroll the page.
    if (this.handler.pansUp) {
      actions.ArrowUp = () => this.handler.pan(0, 40);
      actions.ArrowDown = () => this.handler.pan(0, -40);
    }
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const action = event.ctrlKey || event.metaKey || event.altKey ? null : actions[name];
    if (!action) return;
    event.preventDefault();
    action();
  }

  /** To the facts of the selected op; where none is selected, to the first op. */
  enter() {
    if (selection.op < 0) this.handler.step(1);
    else selection.enter(this.canvas.parentElement);
  }
}

/** The visible part of one axis, kept inside [low, high]. */
class Range {
  constructor(low, high) {
    this.low = low;
    this.high = Math.max(high, low + 1e-6);
    this.fit();
  }
  fit() { this.begin = this.low; this.end = this.high; }
  get size() { return this.end - this.begin; }
  pan(delta) {
    const shift = Math.min(Math.max(delta, this.low - this.begin), this.high - this.end);
    this.begin += shift;
    this.end += shift;
  }
  zoom(factor, at) {
    const whole = this.high - this.low;
    const size = Math.min(whole, Math.max(this.size / factor, whole * 1e-7));
    const share = (at - this.begin) / this.size;
    this.begin = at - share * size;
    this.end = this.begin + size;
    this.pan(0);
  }
  show(begin, end) {
    if (begin >= this.begin && end <= this.end) return;
    this.pan((begin + end) / 2 - (this.begin + this.end) / 2);
  }
}

/** Zoom buttons for whoever has no wheel. */
function zoomButtons(name, handler, surface) {
  const button = (text, label, action) => {
    const node = el('button', {type: 'button', 'aria-label': label + ' ' + name}, text);
    node.addEventListener('click', action);
    return node;
  };
  return el('div', {className: 'buttons'},
    button('\u2212', 'Zoom out', () => handler.zoom(1 / 1.6, surface().width / 2, surface().height / 2)),
    button('+', 'Zoom in', () => handler.zoom(1.6, surface().width / 2, surface().height / 2)),
    button('Fit', 'Fit', () => handler.fit()));
}

/** Text cut with an ellipsis to `width` pixels; empty when not even three letters fit. */
function fitText(context, text, width) {
  if (width < 18) return '';
  const perLetter = 6.4;
  if (text.length * perLetter <= width || context.measureText(text).width <= width) return text;
  let length = Math.max(0, Math.floor(width / perLetter));
  while (length > 2 && context.measureText(text.slice(0, length) + '\u2026').width > width) length -= 1;
  return length > 2 ? text.slice(0, length) + '\u2026' : '';
}

function legendOf() {
  const legend = el('div', {className: 'legend'});
  data.groups.forEach((group) => {
    legend.append(el('span', {}, el('i', {style: {background: 'var(--k' + group.colour + ')'}}), group.family + ' ' + group.share));
  });
  return legend;
}
