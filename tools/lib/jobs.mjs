/**
 * Runs the jobs of a check or a test run: as many at the same time as the machine carries, every one of them even when
 * another has failed. A job's output goes to a log; it is shown where the job fails.
 */
import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, readFileSync } from 'node:fs';
import { availableParallelism, constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { modules, root } from './paths.mjs';

const logs = join(root, '.cache', 'reports', 'logs');
/** Lines of a failed job that are shown. The whole is in its log. */
const SHOWN = 400;
/** The line of an output that sums it up. */
const SUMMARY = /proven by|^\s*Tests |^\s*\d+ passed/;

const inTerminal = process.stdout.isTTY === true;

/**
 * A program as a job. `after`: the jobs it needs. `workers`: how many processors it keeps busy. `background`: it gives
 * way to all others, because tests expect things to happen while static checks only compute.
 */
export const program = (command, args, { after = [], workers = 1, background = false, env = {} } = {}) => ({
  after,
  workers,
  run: (log) =>
    new Promise((resolve) => {
      const colours = inTerminal ? { FORCE_COLOR: '1' } : { NO_COLOR: '1', FORCE_COLOR: undefined };
      const child = spawn(command, args, {
        cwd: root,
        env: { ...process.env, ...colours, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      running.add(child);
      if (background && child.pid !== undefined) lowerPriority(child.pid);
      child.stdout.pipe(log, { end: false });
      child.stderr.pipe(log, { end: false });
      child.on('error', (error) => log.write(`${error.message}\n`));
      child.on('close', (code) => {
        running.delete(child);
        resolve(code === 0);
      });
    }),
});

/** A script of a package, or one of ours, as a job. */
export const script = (file, args = [], options = {}) =>
  program(process.execPath, [modules(...file.split('/')), ...args], options);
export const tool = (file, args = [], options = {}) =>
  program(process.execPath, [join(root, 'tools', file), ...args], options);

/** A function of this process as a job; it returns what it has to say, and throws where it fails. */
export const inProcess = (act) => ({
  after: [],
  workers: 1,
  run: async (log) => {
    try {
      log.write(`${(await act()) ?? ''}\n`);
      return true;
    } catch (error) {
      log.write(`${error.message}\n`);
      return false;
    }
  },
});

const running = new Set();
/** The signal that ended this run; nothing starts after it. */
let endedBy = null;

/**
 * The workers of all running jobs together. Where starting processes is slow, three workers on two processors take 26 %
 * more processor time than two for the same app tests, and end later.
 */
const AT_ONCE = Math.max(2, availableParallelism());

/** Runs jobs (name -> job), those named first before others. Returns the names of those that failed. */
export async function runJobs(jobs) {
  mkdirSync(logs, { recursive: true });
  const state = new Map(Object.keys(jobs).map((name) => [name, 'waiting']));
  const failed = [];
  let busy = 0;
  const share = ({ workers }) => Math.min(workers, AT_ONCE);
  await new Promise((resolve) => {
    const next = () => {
      for (const [name, job] of Object.entries(jobs)) {
        if (state.get(name) !== 'waiting') continue;
        const needs = job.after.map((needed) => state.get(needed) ?? 'done');
        if (endedBy !== null) finish(name, false, { output: `not started: ${endedBy}` });
        else if (needs.includes('failed')) finish(name, false, { output: `needs ${job.after.join(', ')}` });
        else if (needs.every((need) => need === 'done') && busy + share(job) <= AT_ONCE)
          void start(name, job);
      }
      if ([...state.values()].every((one) => one === 'done' || one === 'failed')) resolve();
    };
    const start = async (name, job) => {
      state.set(name, 'running');
      busy += share(job);
      const started = performance.now();
      const file = join(logs, `${name.replace(/[^a-z0-9]+/gi, '-')}.log`);
      const log = createWriteStream(file);
      const succeeded = await job.run(log);
      await new Promise((closed) => log.end(closed));
      busy -= share(job);
      finish(name, succeeded, {
        seconds: (performance.now() - started) / 1000,
        output: readFileSync(file, 'utf8').trim(),
      });
      next();
    };
    const finish = (name, succeeded, { seconds = 0, output }) => {
      state.set(name, succeeded ? 'done' : 'failed');
      const lines = output.split('\n');
      const summary = lines.findLast((line) => SUMMARY.test(line))?.trim() ?? '';
      if (succeeded) return console.log(`ok      ${name} (${seconds.toFixed(1)} s)  ${summary}`);
      failed.push(name);
      console.log(`FAILED  ${name} (${seconds.toFixed(1)} s)\n${lines.slice(-SHOWN).join('\n')}`);
    };
    next();
  });
  return failed;
}

// Ctrl-C reaches the programs from the terminal itself; this process names what had failed until then.
process.on('SIGINT', () => {});
for (const signal of ['SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    endedBy = signal;
    for (const child of running) child.kill(signal);
  });

function lowerPriority(pid) {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch (error) {
    // It has ended already.
    if (error.code !== 'ERR_SYSTEM_ERROR') throw error;
  }
}
