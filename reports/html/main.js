// Puts the drawings on the page, keeps them in step with the selected op, and says when all are drawn.

function makeInspector() {
  const body = el('div', {});
  const close = el('button', {type: 'button', className: 'close', 'aria-label': 'Close'}, '\u00d7');
  const box = el('aside', {className: 'inspector', hidden: true, 'aria-live': 'polite', 'aria-label': 'Selected op'}, close, body);
  const leave = () => {
    const hadFocus = box.contains(document.activeElement);
    selectOp(-1);
    const drawing = selection.place && selection.place.querySelector('canvas');
    if (hadFocus && drawing) drawing.focus();
  };
  close.addEventListener('click', leave);
  box.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    leave();
  });
  selection.enter = (place) => {
    selectOp(selection.op, place);
    close.focus();
  };
  const links = (list) => {
    const out = [];
    list.slice(0, 12).forEach((op, i) => out.push(i > 0 ? ', ' : '', el('a', {className: 'op', href: '#graph', 'data-op': String(op)}, opName(op))));
    if (list.length > 12) out.push(' and ' + (list.length - 12) + ' more');
    return out.length > 0 ? out : ['none'];
  };
  const names = (list) => (list.length > 0 ? list.slice(0, 12).map((t) => ops.tensors[t] || 'tensor ' + t).join(', ') : 'none');
  return (op) => {
    box.hidden = !hasOp(op);
    if (box.hidden) return;
    // Under the drawing in which the op was selected, so that it covers none.
    const place = selection.place || document.querySelector('#graph .surface') || document.querySelector('#timeline .drawing');
    if (place && place.nextSibling !== box) place.after(box);
    const facts = [['Kernel', [kernelOf(op) || 'none']], ['Class', [classOf(op)]]];
    data.timelines.forEach((run) => {
      for (const lane of run.lanes) {
        for (let i = 0; i < lane.spans.length; i += 3) {
          if (lane.spans[i] === op) facts.push([run.title.split(' ')[0], [formatDuration(lane.spans[i + 2]) + ' on ' + lane.name]]);
        }
      }
    });
    if (op < predecessors.length) {
      facts.push(['Waits for', links(predecessors[op])], ['Then', links(successors[op])]);
      facts.push(['Reads', [names(ops.reads[op])]], ['Writes', [names(ops.writes[op])]]);
    }
    const list = el('dl', {});
    for (const [name, value] of facts) list.append(el('dt', {}, name), el('dd', {}, ...value));
    body.replaceChildren(el('h3', {}, opName(op)), el('small', {}, 'op ' + op), list);
  };
}

function start() {
  readColours();
  const timelines = drawTimelines();
  const graph = drawGraph();
  const maps = drawMemory();
  const redraw = () => [...timelines, ...(graph ? [graph] : []), ...maps].forEach((view) => view.surface.redraw());
  const inspect = makeInspector();
  selection.listeners.push((op) => { inspect(op); if (graph) graph.show(op); redraw(); });
  document.addEventListener('click', (event) => {
    const link = event.target.closest('[data-op]');
    if (!link) return;
    event.preventDefault();
    const isInside = link.closest('.inspector');
    const isKey = event.detail === 0;  // Enter: what has the focus must stay where the eye is
    const surface = document.querySelector('#graph .surface');
    selectOp(Number(link.dataset.op), isInside ? null : surface);
    if (isInside && isKey) selection.enter(selection.place);
    if (isInside) return;
    byId('graph').scrollIntoView();
    if (isKey) surface.querySelector('canvas').focus({preventScroll: true});
  });
  document.addEventListener('keydown', (event) => { if (event.key === 'Escape') selectOp(-1); });
  for (const query of ['(prefers-color-scheme: dark)', 'print']) {
    window.matchMedia(query).addEventListener('change', () => { readColours(); redraw(); });
  }
  // report.html#op=12 opens with an op selected, so that a finding can be linked to.
  const fromAddress = () => {
    const match = /^#op=(\d+)$/.exec(window.location.hash);
    if (match) selectOp(Number(match[1]));
  };
  window.addEventListener('hashchange', fromAddress);
  fromAddress();
  [...timelines, ...(graph ? [graph] : []), ...maps].forEach((view) => view.surface.draw());
  document.body.dataset.errors = String(errorCount);
  document.body.dataset.panels = [timelines.length, graph ? 1 : 0, maps.length].join(',');
  document.body.dataset.ready = '1';
}

start();
