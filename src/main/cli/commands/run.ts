import { statSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { type AppError, appError } from '@contract/errors';
import { err, ok, type Result } from '@contract/result';
import { ask } from '../../api/core-service';
import { projectFolder } from '../../services/project-folder';
import { type Context, command } from '../command';
import { EXIT, type ExitCode } from '../exit';
import type { Link } from '../link/link';
import { problemLines } from '../output/error-lines';
import { waitForRun } from '../wait';

const BY = 'command line';

export const runCommand = command({
  name: 'run',
  summary: 'Runs a workflow file and waits for its end.',
  words: 'FILE',
  least: 1,
  most: 1,
  heedsStop: true,
  more: [
    "The project is the folder that holds the file's .muster folder or git repository, and becomes known to Muster.",
    'Gates wait until they are answered, in the app or with `muster approve` and `muster reject` in another terminal; no',
    'flag answers them in advance. Ctrl-C parks the run: `muster resume RUN` goes on with it. Where another Muster works',
    'on it, Ctrl-C ends only the watching.',
  ].join('\n'),
  flags: {
    instruction: { value: 'TEXT', help: 'what the run is about; - reads it from the standard input' },
    attach: { value: 'FILE', many: true, help: 'a file for the first prompt' },
    project: { value: 'DIR', help: 'the project, where it is not to be found from the file' },
    detach: { help: 'only start it: the running Muster goes on, else one in the background' },
    'no-wait': { help: 'end with code 6 when only gates are left, instead of waiting for their answers' },
  },
  async run(context, { words, flags }) {
    const file = resolve(context.cwd, words[0] ?? '');
    if (!statSync(file, { throwIfNoEntry: false })?.isFile())
      return err(appError('input.invalid', `there is no file ${words[0] ?? ''}`));
    const instruction = flags.instruction === '-' ? await context.readInput() : (flags.instruction ?? '');
    const attachments = flags.attach.map((path) => resolve(context.cwd, path));
    const link = await context.open({ mode: flags.detach ? 'background' : 'working' });
    if (!link.ok) return link;
    const folder = flags.project === undefined ? projectFolder(file) : resolve(context.cwd, flags.project);
    const project = await ask(link.value, 'project.add', { path: folder });
    if (!project.ok) return project;
    const { id: projectId, path } = project.value;
    const inside = relative(path, file);
    const named = inside.startsWith(`..${sep}`) || isAbsolute(inside) ? file : inside;
    const checked = await checkWorkflow(context, link.value, { projectId, file: named });
    if (!checked.ok) return checked;
    if (!checked.value) return ok(EXIT.invalid);
    const started = await ask(link.value, 'run.start', {
      projectId,
      file: named,
      instruction,
      attachments,
      startedBy: BY,
    });
    if (!started.ok) return started;
    const { runId } = started.value;
    if (flags.detach) return detached(context, link.value, runId);
    return waitForRun(context, { link: link.value, runId, throughGates: !flags['no-wait'], afterSeq: 0 });
  },
});

/** All that is wrong with it, not only the first; false where it cannot run. */
async function checkWorkflow(
  { out }: Context,
  link: Link,
  input: { projectId: number; file: string },
): Promise<Result<boolean>> {
  const detail = await ask(link, 'workflow.get', input);
  if (!detail.ok) return detail;
  const { problems, runnable } = detail.value;
  if (!runnable && out.json) out.record({ kind: 'invalid', file: input.file, problems }, () => []);
  else for (const problem of problems) for (const text of problemLines(problem, input.file)) out.note(text);
  return ok(runnable);
}

async function detached(
  { out, again }: Context,
  link: Link,
  runId: number,
): Promise<Result<ExitCode, AppError>> {
  const row = await ask(link, 'run.find', { name: String(runId) });
  if (!row.ok) return row;
  out.document({ runId, uid: row.value.uid, status: row.value.status, hostedBy: link.pid }, () => [
    `Run ${runId} (${row.value.name}) started; process ${link.pid} works on it.`,
    `  ${again('show', String(runId))}`,
  ]);
  return ok(EXIT.ok);
}
