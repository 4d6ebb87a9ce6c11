/**
 * Loaded into an Electron's main process before its own program (`-r`): reports when the page has painted an
 * element, and measures on request. Without a debugger, which would distort the measurement.
 */
const { monitorEventLoopDelay } = require('node:perf_hooks');
const { writeFileSync } = require('node:fs');
const { createInterface } = require('node:readline');
const { app } = require('electron');

const say = (message) => process.stdout.write(`bench ${JSON.stringify(message)}\n`);

/** Runs in the page. Two frames after the element exists it has been painted. */
const painted = (selector) => `new Promise((resolve) => {
  const frame = () => requestAnimationFrame(() => requestAnimationFrame(() => resolve(Date.now())));
  const look = () => document.querySelector(${JSON.stringify(selector)}) !== null && (watcher.disconnect(), frame());
  const watcher = new MutationObserver(look);
  watcher.observe(document, { childList: true, subtree: true });
  look();
})`;

let page = null;

const tasks = {
  async loop({ ms }) {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    await new Promise((resolve) => setTimeout(resolve, ms));
    delay.disable();
    return { p50: delay.percentile(50) / 1e6, p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 };
  },
  page: ({ code }) => page.executeJavaScript(code),
  /** The working set of the page's process, in kilobytes. */
  memory: () =>
    app.getAppMetrics().find(({ pid }) => pid === page.getOSProcessId())?.memory.workingSetSize ?? null,
  /** The share of the next milliseconds in which the page's main thread is busy, and in which functions. */
  async busy({ ms }) {
    const { debugger: inspector } = page;
    inspector.attach();
    await inspector.sendCommand('Performance.enable');
    const read = async () => {
      const { metrics } = await inspector.sendCommand('Performance.getMetrics');
      return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
    };
    const before = await read();
    await new Promise((resolve) => setTimeout(resolve, ms));
    const after = await read();
    inspector.detach();
    const share = (name) => (after[name] - before[name]) / (after.Timestamp - before.Timestamp);
    return {
      all: share('TaskDuration'),
      script: share('ScriptDuration'),
      style: share('RecalcStyleDuration'),
      layout: share('LayoutDuration'),
    };
  },
  /**
   * Runs code in the page and writes the CPU profile of its main thread to a file; returns the result of the
   * code.
   */
  async profile({ code, file }) {
    const { debugger: inspector } = page;
    inspector.attach();
    await inspector.sendCommand('Profiler.enable');
    await inspector.sendCommand('Profiler.setSamplingInterval', { interval: 200 });
    await inspector.sendCommand('Profiler.start');
    const value = await page.executeJavaScript(code);
    const { profile } = await inspector.sendCommand('Profiler.stop');
    inspector.detach();
    writeFileSync(file, JSON.stringify(profile));
    return value;
  },
  quit: () => app.exit(0),
};

app.on('web-contents-created', (_event, contents) => {
  page ??= contents;
  contents.once('dom-ready', () => {
    contents.executeJavaScript(painted(process.env.BENCH_PAINTED)).then((at) => say({ painted: at }));
  });
});

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, task, ...input } = JSON.parse(line);
  Promise.resolve(tasks[task](input)).then(
    (value) => say({ id, value }),
    (error) => say({ id, error: String(error) }),
  );
});
