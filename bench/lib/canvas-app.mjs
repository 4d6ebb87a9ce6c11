import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startElectron } from './electron.mjs';
import { CALL } from './team-app.mjs';

const COLUMNS = 25;

/**
 * The text of a workflow with `steps` commands in a grid, with cables along its rows and, up to `cables`,
 * into the next row.
 */
export function gridText(name, { steps, cables, placed }) {
  const ids = Array.from({ length: steps }, (_, index) => index);
  const lines = ids.map((index) => {
    const at = `{ x: ${(index % COLUMNS) * 270}, y: ${Math.floor(index / COLUMNS) * 130} }`;
    const position = placed ? `, position: ${at}` : '';
    return `  - { id: s${index}, type: step.command, config: { script: ':', terminal: false }${position} }`;
  });
  const along = ids.filter((index) => (index + 1) % COLUMNS !== 0 && index + 1 < steps);
  const down = ids.filter((index) => (index + 1) % COLUMNS !== 0 && index + COLUMNS + 1 < steps);
  const ends = [
    ...along.map((index) => [index, index + 1, 'data_in']),
    ...down.map((index) => [index, index + COLUMNS + 1, 'context_in']),
  ];
  const wired = ends
    .slice(0, cables)
    .map(([from, to, port]) => `  - { from: s${from}.data_out, to: s${to}.${port} }`);
  if (wired.length < cables) throw new Error(`only ${wired.length} cables fit`);
  const head = `name: ${name}\nworkspace: folder\nmax_parallel: 16\nsteps:`;
  return `${[head, ...lines, ...(wired.length > 0 ? ['cables:', ...wired] : [])].join('\n')}\n`;
}

/**
 * The app with a project of these workflows, by file name; returns the app, the project's number and its
 * folder.
 */
export async function canvasApp(home, texts, { app: folder, env = {} }) {
  const path = join(home, 'project');
  const files = join(path, '.muster', 'workflows');
  mkdirSync(files, { recursive: true });
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(files, name), text);
  const app = await startElectron([folder, '--data-dir', join(home, 'data'), 'muster://settings'], {
    selector: 'section',
    env,
  });
  await app.painted;
  const projectId = await app.ask('page', {
    code: `(async () => { ${CALL} return (await call('project.add', { path: ${JSON.stringify(path)} })).id; })()`,
  });
  await app.ask('page', { code: PAGE });
  return { app, projectId, files };
}

export const canvasHash = (projectId, name) =>
  `#/workflow/${projectId}/${encodeURIComponent(`.muster/workflows/${name}`)}`;

/** In the page: the measuring functions of the canvas benches. */
const PAGE = `window.bench = (() => {
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const painted = async () => { await nextFrame(); await nextFrame(); return performance.now(); };
  const until = (holds) => new Promise((resolve) => {
    const look = () => holds() && (watcher.disconnect(), resolve());
    const watcher = new MutationObserver(look);
    watcher.observe(document, { childList: true, subtree: true, attributes: true });
    look();
  });
  const elements = () => document.querySelectorAll('[data-part="canvas-step"]').length;
  const shapes = () => document.querySelectorAll('[data-part="canvas-shape"]').length;
  /** Painted, in full or as a shape. */
  const steps = () => elements() + shapes();
  const overview = () => document.querySelector('.react-flow__minimap-node') !== null;
  /** All of a workflow is in sight, as after "Show the whole workflow": else a part of it may be shown at first. */
  const showWhole = (hash) => {
    const [, project, file] = /^#.workflow.([0-9]+).([^?]+)/.exec(hash) ?? [];
    if (file === undefined) return;
    sessionStorage.setItem('muster.kept.canvas/' + project + '/' + decodeURIComponent(file) + '/seen', '"whole"');
  };
  /** Milliseconds until a place shows all steps, and until each takes the mouse and the overview is drawn. */
  const open = async (hash, count) => {
    showWhole(hash);
    const began = performance.now();
    location.hash = hash;
    await until(() => steps() >= count);
    const seen = (await painted()) - began;
    await until(() => elements() >= count && shapes() === 0 && overview());
    return { seen, whole: (await painted()) - began };
  };
  /** The canvas keeps what is in sight; the whole workflow, so that it opens with all of its steps. */
  const leave = async () => {
    const canvas = document.querySelector('[data-part="canvas"]');
    canvas?.dispatchEvent(new KeyboardEvent('keydown', { key: '0', bubbles: true, cancelable: true }));
    await painted();
    location.hash = '#/settings';
    await until(() => steps() === 0);
    await painted();
  };
  /** Frames while something is done in each of them: the milliseconds of each. */
  const frames = async (count, act = () => {}) => {
    const times = [];
    let last = await nextFrame();
    for (let index = 0; index < count; index += 1) {
      act(index);
      const now = await nextFrame();
      times.push(now - last);
      last = now;
    }
    return times;
  };
  const framesFor = async (ms) => {
    const times = [];
    const began = await nextFrame();
    let last = began;
    while (last - began < ms) {
      const now = await nextFrame();
      times.push(now - last);
      last = now;
    }
    return times;
  };
  const wheel = (deltaX, deltaY, ctrlKey) => {
    const pane = document.querySelector('.react-flow__pane');
    const { left, top, width, height } = pane.getBoundingClientRect();
    pane.dispatchEvent(new WheelEvent('wheel', {
      deltaX, deltaY, ctrlKey, bubbles: true, cancelable: true,
      clientX: left + width / 2, clientY: top + height / 2,
    }));
  };
  const shown = () => document.querySelector('.react-flow__viewport').style.transform;
  /** Pans over the whole, zooms in and out, and pans where single steps can be read. */
  const panAndZoom = async (count) => {
    const before = shown();
    let moved = 0;
    let at = before;
    const times = await frames(count, (index) => {
      const part = Math.floor((index / count) * 6);
      const way = Math.floor(index / 20) % 2 === 0 ? 1 : -1;
      if (part === 0 || part === 3) wheel(24 * way, 9 * way, false);
      else wheel(0, part < 3 ? -6 : 6, true);
      const now = shown();
      if (now !== at) moved += 1;
      at = now;
    });
    return { times, moved };
  };
  /** A key that moves the chosen step: when it was pressed, and when its new place was painted. */
  const moveBy = async (id, key) => {
    const node = document.getElementById('canvas-' + id);
    const canvas = document.querySelector('[data-part="canvas"]');
    const before = node.style.transform;
    canvas.focus();
    const began = Date.now();
    canvas.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey: true, bubbles: true, cancelable: true }));
    await until(() => node.style.transform !== before);
    await nextFrame();
    return { began, painted: Date.now() };
  };
  /** The same of an element that a key moves and nothing else: what painting alone takes. */
  const repaint = async () => {
    const node = document.createElement('div');
    node.style.cssText = 'position: fixed; left: 0; top: 0; width: 20px; height: 20px; background: red';
    document.body.append(node);
    await painted();
    document.addEventListener('bench', () => { node.style.transform = 'translate(20px, 0)'; }, { once: true });
    const began = Date.now();
    document.dispatchEvent(new Event('bench'));
    await until(() => node.style.transform !== '');
    await nextFrame();
    const ms = Date.now() - began;
    node.remove();
    return ms;
  };
  return { open, leave, moveBy, repaint, frames, framesFor, panAndZoom, painted, until, steps };
})(); 0`;
