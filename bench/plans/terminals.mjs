import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { root } from '../../tools/lib/paths.mjs';
import { must } from '../../tools/lib/run.mjs';
import { calmRounds, interleaved, undisturbed } from '../lib/compare.mjs';
import { startElectron } from '../lib/electron.mjs';
import { inFolder, runSide } from '../lib/side.mjs';
import { median, quantile, spread } from '../lib/statistics.mjs';

const MB = 1e6;

/**
 * The throughput of the system: one process reads the other end of a terminal, and parses and stores nothing.
 */
const READ_LIMIT = `
import json, os, pty, sys, time
def ticks(fields): return sum(map(int, fields)) * 10
def used():
    own = sum(os.times()[:4]) * 1000
    for name in filter(str.isdigit, os.listdir('/proc') if os.path.isdir('/proc/2') else []):
        try: line = open('/proc/%s/stat' % name).read()
        except OSError: continue
        fields = line[line.rindex(')') + 2:].split()
        if fields[1] == '2' and '(kworker' in line: own += ticks(fields[11:13])
    try: fields = open('/proc/stat').readline().split()[1:9]
    except OSError: return None
    return own, ticks(fields[:3] + fields[5:])
before = used()
started = time.monotonic()
pid, fd = pty.fork()
if pid == 0: os.execv('/bin/cat', ['cat', sys.argv[1]])
size = 0
while True:
    try: data = os.read(fd, 65536)
    except OSError: break
    if not data: break
    size += len(data)
os.waitpid(pid, 0)
found = {'ms': (time.monotonic() - started) * 1000, 'bytes': size}
if before:
    after = used()
    found['cpuMs'] = after[0] - before[0]
    found['othersMs'] = max(0, after[1] - before[1] - found['cpuMs'])
print(json.dumps(found))
`;

/**
 * The processor time of carrying the bytes, for each side: also valid if the processors are shared with
 * others.
 */
function processorWords({ ours, limit }) {
  const times = (results) => results.flatMap(({ cpuMs }) => (cpuMs === undefined ? [] : [cpuMs]));
  if (times(ours).length === 0) return '';
  const share = median(ours.map(({ cpuMs }, round) => limit[round].cpuMs / cpuMs));
  return `Processor time with the programs and the kernel's workers: ${spread(times(ours), 0)} ms against ${spread(times(limit), 0)} ms, ratio ${share.toFixed(2)}.`;
}

async function textFile(path, bytes) {
  const stream = createWriteStream(path);
  let written = 0;
  for (let line = 0; written < bytes; ) {
    let text = '';
    for (; text.length < 256 * 1024; line += 1)
      text += `${String(line).padStart(9, '0')} the quick brown fox jumps over the lazy dog, ${line % 97} times in a row\n`;
    written += text.length;
    if (!stream.write(text)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'finish');
  return written;
}

export const terminalsHidden = {
  name: 'terminals-hidden',
  async run({ side, quick }) {
    return inFolder(async (folder) => {
      const rounds = quick ? 5 : 9;
      const one = join(folder, 'one.txt');
      const each = join(folder, 'each.txt');
      const oneBytes = await textFile(one, quick ? 50 * MB : 200 * MB);
      const eachBytes = 20 * (await textFile(each, quick ? 3 * MB : 10 * MB));
      const hidden = (kind, file, count) => runSide(side('terminals-hidden'), [kind, file, count, folder]);
      const python = async () => JSON.parse(await must('python3', ['-c', READ_LIMIT, one]));
      const same = [];
      const checked = (count) => async () => {
        const found = await hidden('ours', count === 1 ? one : each, count);
        same.push(found.same / count);
        return found;
      };
      const faster = (ours, limit) => limit.ms / ours.ms;
      await hidden('ours', each, 1);
      const single = await undisturbed(rounds, { ours: checked(1), limit: python }, faster);
      const nodePty = () => hidden('node-pty', each, 20);
      const twenty = await undisturbed(rounds, { ours: checked(20), limit: nodePty }, faster);
      const rate = (bytes, results) =>
        `${spread(
          results.map(({ ms }) => bytes / ms / 1000),
          1,
        )} MB/s`;
      return [
        {
          what: 'a hidden terminal, kept on disk, against read() of the terminal alone',
          ours: rate(oneBytes, single.ours),
          limit: rate(oneBytes, single.limit),
          ratio: single.middle,
          ratios: spread(single.ratio),
          goal: { atLeast: 0.9 },
          note: `cat of ${Math.round(oneBytes / MB)} MB; the limit is a Python process that reads and drops; no window is on screen. ${single.undisturbed}. ${processorWords(single)}`,
        },
        {
          what: '20 hidden terminals at once, kept on disk, against node-pty alone',
          ours: rate(eachBytes, twenty.ours),
          limit: rate(eachBytes, twenty.limit),
          ratio: twenty.middle,
          ratios: spread(twenty.ratio),
          goal: { atLeast: 0.95 },
          note: `20 x cat of ${Math.round(eachBytes / 20 / MB)} MB at the same time; node-pty's handler drops all; no window is on screen. ${twenty.undisturbed}. ${processorWords(twenty)}`,
        },
        {
          what: 'terminals whose file is the source by SHA-256, after the line ends of the terminal',
          ours: `${same.length} runs`,
          ratio: median(same.map((share) => Math.min(...same, share))),
          goal: { atLeast: 1 },
        },
      ];
    });
  },
};

export const terminalsShown = {
  name: 'terminals-shown',
  async run({ side, quick }) {
    return inFolder(async (folder) => {
      const rounds = quick ? 3 : 5;
      const shown = (...args) => runSide(side('terminals-shown'), args);
      const flood = (kind) => () => shown('flood', kind, folder, 3);
      const parser = [];
      const floods = await interleaved(
        rounds,
        {
          ours: async () => {
            parser.push(await shown('parser', folder));
            return flood('ours')();
          },
          limit: flood('free'),
        },
        (ours, free) => ours.ms / free.ms,
      );
      const rates = (results) => results.map(({ drawn, forMs }) => drawn / forMs / 1000);
      const [drawn, free] = [rates(floods.ours), rates(floods.limit)];
      const drawnRatio = drawn.map((rate, round) => rate / free[round]);
      const alone = parser.map(({ bytes, ms }) => bytes / ms / 1000);
      const most = Math.max(...floods.ours.map(({ backlog }) => backlog));
      const lost = floods.ours.reduce((sum, { discarded }) => sum + discarded, 0);
      const inMs = (results) =>
        `${spread(
          results.map(({ ms }) => ms),
          1,
        )} ms`;
      return [
        {
          what: 'a coloured flood on screen, against the same without flow control',
          ours: `${spread(drawn, 1)} MB/s`,
          limit: `${spread(free, 1)} MB/s`,
          ratio: median(drawnRatio),
          ratios: spread(drawnRatio),
          goal: { atLeast: 0.85 },
          note: `drawn by the parser of xterm.js in a thread of its own; the parser alone, on text in memory, does ${spread(alone, 1)} MB/s.`,
        },
        {
          what: 'Ctrl+C to quiet after 3 s of a coloured flood, against none held back',
          ours: inMs(floods.ours),
          limit: inMs(floods.limit),
          ratio: floods.middle,
          ratios: spread(floods.ratio, 3),
          goal: { atMost: 0.02 },
          note: `without flow control ${Math.round(median(floods.limit.map(({ backlog }) => backlog)) / MB)} MB wait at most, and ${Math.round(median(floods.limit.map(({ discarded }) => discarded)) / MB)} MB are discarded by xterm.js.`,
        },
        {
          what: 'bytes that wait for the screen in a flood, the most, against 1 MiB',
          ours: `${(most / 1024).toFixed(0)} KiB`,
          limit: '1024 KiB',
          ratio: most / 2 ** 20,
          goal: { atMost: 1 },
          note: 'what the screen has and has not drawn; at most 512 KiB and one batch more are under way to it, and 288 KiB wait for the disk.',
        },
        {
          what: 'bytes of a flood that were discarded',
          ours: `${lost} B`,
          ratio: lost,
          goal: { atMost: 0 },
        },
      ];
    });
  },
};

export const terminalsTyping = {
  name: 'terminals-typing',
  async run({ side, quick }) {
    return inFolder(async (folder) => {
      const p99 = (times) => quantile(times, 0.99);
      const keys = () => runSide(side('terminals-shown'), ['echo', folder, 200]);
      const { taken: rows, words } = await calmRounds(quick ? 2 : 4, keys);
      const idle = rows.map(({ before, after }) => (p99(before) + p99(after)) / 2);
      const loaded = rows.map((row) => p99(row.loaded));
      const ratio = loaded.map((one, round) => one / idle[round]);
      const half = (pick) =>
        spread(
          rows.map((row) => median(pick(row))),
          1,
        );
      return [
        {
          what: 'a typed key back on screen under 20 floods, against idle, p99',
          ours: `${spread(loaded, 1)} ms`,
          limit: `${spread(idle, 1)} ms`,
          ratio: median(ratio),
          ratios: spread(ratio),
          goal: { atMost: 2 },
          note: `p50 ${half(({ loaded }) => loaded)} ms against ${half(({ before }) => before)} ms; of ${rows.length * rows[0].before.length} keys under load ${rows.reduce((sum, { loaded }) => sum + loaded.length, 0)} came back within a second. ${words}.`,
        },
      ];
    });
  },
};

export const terminalsReattach = {
  name: 'terminals-reattach',
  async run({ side, quick }) {
    return inFolder(async (folder) => {
      const found = await runSide(side('terminals-shown'), ['reattach', folder, quick ? 3 : 7]);
      const words = {
        lines: '10 MB of plain lines',
        coloured: '10 MB of coloured lines',
        redrawn: '10 MB with a line that is redrawn',
      };
      return Object.entries(found).map(([kind, { ours, bare }]) => {
        const ratio = ours.map((ms, round) => ms / bare[round]);
        return {
          what: `showing ${words[kind]} again, against parsing them`,
          ours: `${spread(ours, 0)} ms`,
          limit: `${spread(bare, 0)} ms`,
          ratio: median(ratio),
          ratios: spread(ratio),
          goal: { atMost: 1.2 },
          note: 'from the request to the last of it drawn, in a thread that parses; the limit has the same bytes in memory.',
        };
      });
    });
  },
};

const FLOODS = 20;
const LOOP_MS = 2_500;

const floods = `name: floods
workspace: folder
max_parallel: ${FLOODS}
steps:${Array.from({ length: FLOODS }, (_, index) => `\n  - { id: s${index}, type: step.command, config: { script: 'exec yes flood of terminal ${index}', timeout_seconds: 60 } }`).join('')}
`;

/** In the page: starts the floods, and shows one of them; returns the run. */
const beginFloods = (project) => `(async () => {
  const call = async (name, input) => {
    const reply = await muster.call(name, input);
    if (!reply.ok) throw new Error(name + ': ' + reply.error.message);
    return reply.value;
  };
  const { id } = await call('project.add', { path: ${JSON.stringify(project)} });
  await call('settings.set', { settings: { terminals: { terminalMb: 16, totalMb: 1000 } } });
  const { runId } = await call('run.start', { projectId: id, file: '.muster/workflows/floods.yaml' });
  for (let waited = 0; waited < 200; waited += 1) {
    const { state } = await call('run.get', { runId });
    if (Object.values(state.commands).filter(({ status }) => status === 'running').length === ${FLOODS}) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  location.hash = '#/terminal/' + runId + '/c1';
  return runId;
})()`;

const endFloods = (runId) => `(async () => {
  await muster.call('run.cancel', { runId: ${runId} });
  location.hash = '#/settings';
  for (;;) {
    const reply = await muster.call('run.get', { runId: ${runId} });
    if (reply.ok && reply.value.state.status === 'finished') return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
})()`;

/**
 * In the page: redraws a screen of lines sixty times a second, as a terminal does, without a program; or
 * stops that.
 */
const drawLines = (on) => `(() => {
  clearInterval(window.benchDrawing);
  document.getElementById('bench-lines')?.remove();
  if (!${on}) return;
  const lines = document.createElement('pre');
  lines.id = 'bench-lines';
  lines.style.cssText = 'position: fixed; inset: 100px 0 0 300px; overflow: hidden; z-index: 9; background: #000';
  document.body.append(lines);
  let line = 0;
  const screen = () => Array.from({ length: 35 }, () => 'flood of terminal ' + (line += 1)).join('\\n');
  window.benchDrawing = setInterval(() => { lines.textContent = screen(); }, 16);
})()`;

export const terminalsLoop = {
  name: 'terminals-loop',
  async run({ quick }) {
    const row = {
      what: "main's loop under 20 floods, one of them on screen, against idle, p99",
      goal: { atMost: 1.25 },
    };
    if (!existsSync(join(root, 'out', 'main', 'startup', 'main.cjs')))
      return [{ ...row, missing: 'the app is not built: npm run build' }];
    return inFolder(async (home) => {
      const project = join(home, 'project');
      mkdirSync(join(project, '.muster', 'workflows'), { recursive: true });
      writeFileSync(join(project, '.muster', 'workflows', 'floods.yaml'), floods);
      const app = await startElectron([root, '--data-dir', join(home, 'data'), 'muster://settings'], {
        selector: 'section',
      });
      await app.painted;
      await wait(3_000);
      const rows = [];
      for (let round = 0; round <= (quick ? 2 : 4); round += 1) {
        const before = await app.ask('loop', { ms: LOOP_MS });
        await app.ask('page', { code: drawLines(true) });
        const drawing = await app.ask('loop', { ms: LOOP_MS });
        await app.ask('page', { code: drawLines(false) });
        const runId = await app.ask('page', { code: beginFloods(project) });
        await wait(1_000);
        const loaded = await app.ask('loop', { ms: LOOP_MS });
        await app.ask('page', { code: endFloods(runId) });
        await wait(1_000);
        const after = await app.ask('loop', { ms: LOOP_MS });
        // The first round has warmed everything up.
        if (round > 0)
          rows.push({ idle: (before.p99 + after.p99) / 2, drawing: drawing.p99, loaded: loaded.p99 });
      }
      await app.end();
      const ratio = rows.map(({ idle, loaded }) => loaded / idle);
      return [
        {
          ...row,
          ours: `${spread(rows.map(({ loaded }) => loaded))} ms`,
          limit: `${spread(rows.map(({ idle }) => idle))} ms`,
          ratio: median(ratio),
          ratios: spread(ratio),
          note: `the delay of the event loop of Electron's main process; ${FLOODS} programs, the terminal process, the core and the window share ${cpus().length} processors with it; the floods are read in turns. While the window only draws as many lines, with no program, it is ${spread(rows.map(({ drawing }) => drawing))} ms.`,
        },
      ];
    });
  },
};

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
