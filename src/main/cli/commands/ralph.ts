import { statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { appError } from '@contract/errors';
import type { ProcedureInput } from '@contract/ipc';
import { err, ok, type Result } from '@contract/result';
import { ask } from '../../api/core-service';
import { projectFolder } from '../../services/project-folder';
import { type Context, command } from '../command';
import { EXIT, type ExitCode } from '../exit';
import type { Link } from '../link/link';
import { problemLines } from '../output/error-lines';
import { waitForRun } from '../wait';

const BY = 'command line';

export const ralphCommand = command({
  name: 'ralph',
  summary:
    'Works through the stories of a prd.json, one fresh worker after the other, and prints their updates.',
  words: 'FOLDER',
  least: 1,
  most: 1,
  heedsStop: true,
  more: [
    'FOLDER holds prd.json, progress.txt and logs/. The loop works in a worktree of the project, on the branch that the',
    'plan names; --here works in the checkout itself, where each write of a worker is asked for. What is not committed',
    'is not in a worktree. A blocked worker stops the loop: answer its gate in the app or with `muster approve` and',
    '`muster reject` in another terminal. Ctrl-C parks the run: `muster resume RUN` goes on with it.',
  ].join('\n'),
  flags: {
    worker: { value: 'ID', help: 'the agent profile of the workers; else the default one' },
    model: { value: 'NAME', help: 'the model of the workers' },
    iterations: { value: 'N', help: 'the most iterations, a retry not counted; 10 where it is left out' },
    branch: { value: 'NAME', help: 'another branch than the one that the plan names' },
    minutes: { value: 'N', help: 'after so many minutes no attempt begins before you are asked' },
    tokens: { value: 'N', help: 'what all attempts together may use before you are asked' },
    watch: { help: 'run nothing: watch a ralph.sh that works in FOLDER, and print the same updates' },
    pid: {
      value: 'N',
      help: 'with --watch: the process of that script, where more than one works in FOLDER; else it is looked for',
    },
    here: { help: 'work in the checkout itself' },
    'no-wait': { help: 'end with code 6 when only gates are left, instead of waiting for their answers' },
  },
  async run(context, { words, flags }) {
    const folder = resolve(context.cwd, words[0] ?? '');
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
      return err(appError('input.invalid', `there is no folder ${words[0] ?? ''}`));
    const iterations = numberOf(flags.iterations, 'iterations', true);
    if (!iterations.ok) return iterations;
    const minutes = numberOf(flags.minutes, 'minutes', false);
    if (!minutes.ok) return minutes;
    const tokens = numberOf(flags.tokens, 'tokens', true);
    if (!tokens.ok) return tokens;
    const pid = numberOf(flags.pid, 'pid', true);
    if (!pid.ok) return pid;
    const link = await context.open({ mode: 'working' });
    if (!link.ok) return link;
    if (flags.watch)
      return watchLoop(context, link.value, {
        folder,
        pid: pid.value,
        iterations: iterations.value,
        wait: !flags['no-wait'],
      });
    const worker = await workerOf(link.value, flags.worker);
    if (!worker.ok) return worker;
    const place = await placeOf(link.value, folder);
    if (!place.ok) return place;
    const wanted: ProcedureInput<'loop.start'> = {
      ...place.value,
      branch: flags.branch ?? null,
      workspace: flags.here ? 'project' : 'worktree',
      worker: worker.value,
      model: flags.model ?? null,
      ...(iterations.value === null ? {} : { iterations: iterations.value }),
      minutes: minutes.value,
      budget: tokens.value === null ? null : { tokens: tokens.value },
      startedBy: BY,
    };
    const sound = await checkLoop(context, link.value, wanted);
    if (!sound.ok) return sound;
    if (!sound.value) return ok(EXIT.invalid);
    const started = await ask(link.value, 'loop.start', wanted);
    if (!started.ok) return started;
    const { runId } = started.value;
    return waitForRun(context, { link: link.value, runId, throughGates: !flags['no-wait'], afterSeq: 0 });
  },
});

async function placeOf(link: Link, folder: string): Promise<Result<{ projectId: number; folder: string }>> {
  const project = await ask(link, 'project.add', { path: projectFolder(join(folder, 'prd.json')) });
  if (!project.ok) return project;
  const { id: projectId, path } = project.value;
  const inside = relative(path, folder).replaceAll('\\', '/');
  return ok({ projectId, folder: inside === '' ? '.' : inside });
}

interface Watching {
  readonly folder: string;
  readonly pid: number | null;
  readonly iterations: number | null;
  readonly wait: boolean;
}

async function watchLoop(
  context: Context,
  link: Link,
  { folder, pid, iterations, wait }: Watching,
): Promise<Result<ExitCode>> {
  const place = await placeOf(link, folder);
  if (!place.ok) return place;
  const cap = iterations === null ? {} : { iterations };
  const started = await ask(link, 'loop.watch', { ...place.value, ...cap, pid, startedBy: BY });
  if (!started.ok) return started;
  return waitForRun(context, { link, runId: started.value.runId, throughGates: wait, afterSeq: 0 });
}

/** All that is wrong with it, not only the first; false where it cannot begin. */
async function checkLoop(
  { out }: Context,
  link: Link,
  wanted: ProcedureInput<'loop.start'>,
): Promise<Result<boolean>> {
  const { projectId, folder, branch, workspace, worker } = wanted;
  const seen = await ask(link, 'loop.preview', { projectId, folder, branch, workspace, worker });
  if (!seen.ok) return seen;
  const { problems, file } = seen.value;
  const sound = problems.every(({ severity }) => severity !== 'error');
  if (!sound && out.json) out.record({ kind: 'invalid', file, problems }, () => []);
  else for (const problem of problems) for (const text of problemLines(problem, file)) out.note(text);
  return ok(sound);
}

function numberOf(text: string | undefined, flag: string, whole: boolean): Result<number | null> {
  if (text === undefined) return ok(null);
  const value = Number(text);
  if (text.trim() !== '' && value > 0 && (!whole || Number.isInteger(value))) return ok(value);
  return err(
    appError('input.invalid', `--${flag} takes a ${whole ? 'whole ' : ''}number above 0, not "${text}"`),
  );
}

async function workerOf(link: Link, named: string | undefined): Promise<Result<string>> {
  if (named !== undefined) return ok(named);
  const settings = await ask(link, 'settings.get', {});
  if (!settings.ok) return settings;
  const { defaultProfile } = settings.value;
  if (defaultProfile !== null) return ok(defaultProfile);
  return err(
    appError('input.invalid', 'no worker is named, and there is no default agent profile', {
      mend: 'name one with --worker ID; `muster agents` lists them',
    }),
  );
}
