import { statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { projectFolder } from '@areas/projects/node/project-folder';
import { fail, ok, type Result } from '@contract/result';
import { ulids } from '@main/adapters/system/ids';
import { ask } from '@main/api/core-service';
import { minuteCount, numberFlag, wholeNumber } from '@main/cli/arguments/flag-values';
import { type Context, command } from '@main/cli/command';
import type { Link } from '@main/cli/link/link';
import { type Begun, beginIn, exitOfNone, tellProblems } from '@main/cli/running/begin-run';
import { defaultAgent } from '@main/cli/running/chosen-agent';
import { waitForRun } from '@main/cli/running/wait';
import { withCore } from '@main/cli/running/with-core';

const BY = 'command line';

export const ralphFlags = {
  worker: { value: 'ID', help: 'the agent profile of the workers (default: the default profile)' },
  model: { value: 'NAME', help: 'the model of the workers' },
  iterations: { value: 'N', help: 'the maximum number of iterations, without retries (default 10)' },
  branch: { value: 'NAME', help: 'the branch, instead of the one the plan names' },
  prompt: { value: 'TEXT', help: 'the prompt of the workers; - reads standard input' },
  verify: {
    value: 'COMMAND',
    help: 'the check of the project, such as "npm test": a story is done only if it succeeds after the attempt',
  },
  'retry-worker': { value: 'ID', help: 'another agent profile for the retry of an iteration' },
  'retry-model': { value: 'NAME', help: 'another model for the retry of an iteration' },
  'attempt-minutes': { value: 'N', help: 'minutes until an attempt is ended' },
  minutes: { value: 'N', help: 'minutes until you are asked before another attempt' },
  tokens: { value: 'N', help: 'the limit of all attempts before you are asked' },
  watch: { help: 'run nothing: watch a ralph.sh that runs in FOLDER, and print the same updates' },
  pid: {
    value: 'N',
    help: 'with --watch: the process id of the script, if several run in FOLDER',
  },
  here: { help: 'work in the checkout itself' },
  'no-wait': { help: 'exit with code 6 when only gates remain, instead of waiting for answers' },
} as const;

export const ralphCommand = command({
  name: 'ralph',
  summary:
    'Works through the stories of a prd.json, with a fresh worker for each attempt, and prints their updates.',
  words: 'FOLDER',
  least: 1,
  most: 1,
  heedsStop: true,
  more: [
    'FOLDER holds prd.json, progress.txt and logs/. The loop works in a worktree of the project, on the branch that the',
    'plan names; --here works in the checkout itself and asks you before each write. A worktree has no uncommitted',
    'files. A blocked worker stops the loop: answer its gate in the app or with `muster approve` and',
    '`muster reject` in another terminal. Ctrl-C parks the run, and `muster resume RUN` continues it.',
  ].join('\n'),
  flags: ralphFlags,
  async run(context, { words, flags }) {
    const folder = resolve(context.cwd, words[0] ?? '');
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
      return fail('input.invalid', `there is no folder ${words[0] ?? ''}`);
    const iterations = numberFlag('iterations', flags.iterations, wholeNumber(1, 1_000));
    if (!iterations.ok) return iterations;
    const minutes = numberFlag('minutes', flags.minutes, minuteCount);
    if (!minutes.ok) return minutes;
    const attemptMinutes = numberFlag('attempt-minutes', flags['attempt-minutes'], minuteCount);
    if (!attemptMinutes.ok) return attemptMinutes;
    const prompt = flags.prompt === '-' ? await context.readInput() : flags.prompt;
    if (prompt?.trim() === '') return fail('input.invalid', '--prompt needs a text');
    const tokens = numberFlag('tokens', flags.tokens, wholeNumber());
    if (!tokens.ok) return tokens;
    const pid = numberFlag('pid', flags.pid, wholeNumber());
    if (!pid.ok) return pid;
    const request = { uid: ulids.ulid(), folder, iterations: iterations.value ?? null };
    const watching = { ...request, pid: pid.value ?? null };
    const limits = {
      minutes: minutes.value ?? null,
      attemptMinutes: attemptMinutes.value ?? null,
      tokens: tokens.value ?? null,
    };
    const wish = { ...request, ...limits, prompt: prompt ?? null, flags };
    const begun = await withCore(context, { mode: 'working' }, (link, again) => {
      const about = { link, again, stop: context.stop, context };
      return flags.watch ? watchLoop(about, watching) : startLoop(about, wish);
    });
    if (!begun.ok) return begun;
    const { link, value } = begun.value;
    tellProblems(context, value);
    if (value.runId === null) return ok(exitOfNone(context));
    return waitForRun(context, { link, runId: value.runId, throughGates: !flags['no-wait'], afterSeq: 0 });
  },
});

interface About {
  readonly link: Link;
  /** An earlier core was asked already, and may have started it. */
  readonly again: boolean;
  readonly stop: AbortSignal;
  readonly context: Context;
}

interface RalphCall {
  readonly uid: string;
  readonly folder: string;
  readonly iterations: number | null;
}

interface Wish extends RalphCall {
  readonly minutes: number | null;
  readonly attemptMinutes: number | null;
  readonly tokens: number | null;
  readonly prompt: string | null;
  readonly flags: {
    readonly verify: string | undefined;
    readonly 'retry-worker': string | undefined;
    readonly 'retry-model': string | undefined;
    readonly worker: string | undefined;
    readonly model: string | undefined;
    readonly branch: string | undefined;
    readonly here: boolean;
  };
}

/** Checks everything and starts the loop: once, however often it is requested. */
async function startLoop({ link, again, stop, context }: About, wish: Wish): Promise<Result<Begun>> {
  const { folder, flags } = wish;
  const worker =
    flags.worker === undefined
      ? await defaultAgent(link, context, {
          flag: '--worker',
          folder: projectFolder(join(folder, 'prd.json')),
        })
      : ok(flags.worker);
  if (!worker.ok) return worker;
  return beginAt(link, wish.folder, (place) =>
    startAt({ link, again, stop }, wish, { ...place, worker: worker.value }),
  );
}

interface LoopPlace {
  readonly projectId: number;
  /** Relative to the project. */
  readonly folder: string;
}

async function startAt(
  { link, again, stop }: Pick<About, 'link' | 'again' | 'stop'>,
  { uid, iterations, minutes, attemptMinutes, tokens, prompt, flags }: Wish,
  place: LoopPlace & { readonly worker: string },
): Promise<Result<Begun>> {
  const wanted = {
    ...place,
    branch: flags.branch ?? null,
    workspace: flags.here ? ('project' as const) : ('worktree' as const),
  };
  // Its own earlier start may be the obstacle now.
  const there = again && (await ask(link, 'run.find', { name: uid })).ok;
  const looked = { ...wanted, ownPrompt: prompt !== null };
  const seen = there ? null : await ask(link, 'loop.preview', looked);
  if (seen !== null && !seen.ok) return seen;
  const { problems, file } = seen?.value ?? { problems: [], file: '' };
  const sound = problems.every(({ severity }) => severity !== 'error');
  if (!there && (!sound || stop.aborted)) return ok({ runId: null, file, problems });
  const started = await ask(link, 'loop.start', {
    uid,
    ...wanted,
    model: flags.model ?? null,
    ...(iterations === null ? {} : { iterations }),
    minutes,
    attemptMinutes,
    prompt,
    verify: flags.verify ?? null,
    retryProfile: flags['retry-worker'] ?? null,
    retryModel: flags['retry-model'] ?? null,
    budget: tokens === null ? null : { tokens },
    startedBy: BY,
  });
  return started.ok ? ok({ runId: started.value.runId, file, problems }) : started;
}

const beginAt = (link: Link, folder: string, begin: (place: LoopPlace) => Promise<Result<Begun>>) =>
  beginIn(link, projectFolder(join(folder, 'prd.json')), ({ id: projectId, path }) => {
    const inside = relative(path, folder).replaceAll('\\', '/');
    return begin({ projectId, folder: inside === '' ? '.' : inside });
  });

async function watchLoop(
  { link }: About,
  { uid, folder, pid, iterations }: RalphCall & { readonly pid: number | null },
): Promise<Result<Begun>> {
  const cap = iterations === null ? {} : { iterations };
  return beginAt(link, folder, async (place) => {
    const started = await ask(link, 'loop.watch', { uid, ...place, ...cap, pid, startedBy: BY });
    return started.ok ? ok({ runId: started.value.runId, file: '', problems: [] }) : started;
  });
}
