import { statSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { projectFolder } from '@areas/projects/node/project-folder';
import type { PromptFolder } from '@areas/prompts/contract/folders';
import type { AppError } from '@contract/errors';
import { setOwnValue } from '@contract/own';
import { fail, ok, type Result } from '@contract/result';
import { ulids } from '@main/adapters/system/ids';
import { ask } from '@main/api/core-service';
import { promptFolders as foldersOfPrompts, promptsFlag } from '@main/cli/arguments/prompt-folders';
import { type Context, command } from '@main/cli/command';
import { EXIT, type ExitCode } from '@main/cli/exit';
import type { Link } from '@main/cli/link/link';
import { type Begun, beginIn, exitOfNone, tellProblems } from '@main/cli/running/begin-run';
import { showDryRun } from '@main/cli/running/dry-run';
import { waitForRun } from '@main/cli/running/wait';
import { withCore } from '@main/cli/running/with-core';

const BY = 'command line';

export const runCommand = command({
  name: 'run',
  summary: 'Runs a workflow file and waits for its end.',
  words: 'FILE',
  least: 1,
  most: 1,
  heedsStop: true,
  more: [
    'The project is the folder with the file’s .muster folder or git repository; Muster remembers it. Gates wait until',
    'you answer them in the app, or with `muster approve` and `muster reject` in another terminal; no flag answers them in',
    'advance. Ctrl-C parks the run, and `muster resume RUN` continues it. If another Muster works on the run, Ctrl-C only',
    'stops watching it.',
  ].join('\n'),
  flags: {
    instruction: { value: 'TEXT', help: 'the instruction of the run; - reads standard input' },
    input: { value: 'NAME=VALUE', many: true, help: 'the value of an input of the workflow' },
    attach: { value: 'FILE', many: true, help: 'a file for the first prompt' },
    project: { value: 'DIR', help: 'the project, if it cannot be found from the file' },
    detach: { help: 'start it and return; the running Muster works on it, or one in the background' },
    'dry-run': { help: 'show prompts, commands, questions and skips; nothing is started or kept' },
    values: { value: 'FILE', help: 'with --dry-run: the outputs of steps, as for `muster expand`' },
    ...promptsFlag,
    'no-wait': { help: 'exit with code 6 when only gates remain, instead of waiting for answers' },
  },
  async run(context, { words, flags }) {
    const file = resolve(context.cwd, words[0] ?? '');
    if (!statSync(file, { throwIfNoEntry: false })?.isFile())
      return fail('input.invalid', `there is no file ${words[0] ?? ''}`);
    const instruction = flags.instruction === '-' ? await context.readInput() : (flags.instruction ?? '');
    const attachments = flags.attach.map((path) => resolve(context.cwd, path));
    const folder = flags.project === undefined ? projectFolder(file) : resolve(context.cwd, flags.project);
    const inputs = inputsOf(flags.input);
    if (!inputs.ok) return inputs;
    const promptFolders = foldersOfPrompts(context, flags.prompts);
    const wanted = { instruction, inputs: inputs.value, promptFolders };
    if (flags['dry-run']) return showDryRun(context, { path: file, ...wanted, values: flags.values });
    if (flags.values !== undefined)
      return fail('input.invalid', '--values is only for a dry run', { mend: 'add --dry-run' });
    const wish = { uid: ulids.ulid(), file, folder, attachments, ...wanted };
    const mode = flags.detach ? 'background' : 'working';
    const begun = await withCore(context, { mode }, (link, again) =>
      begin(link, { ...wish, again, stop: context.stop }),
    );
    if (!begun.ok) return begun;
    const { link, value } = begun.value;
    tellProblems(context, value);
    if (value.runId === null) return ok(exitOfNone(context));
    if (flags.detach) return detached(context, link, value.runId);
    return waitForRun(context, { link, runId: value.runId, throughGates: !flags['no-wait'], afterSeq: 0 });
  },
});

interface Wish {
  readonly uid: string;
  /** An earlier core was asked, and may have started it. */
  readonly again: boolean;
  readonly stop: AbortSignal;
  readonly file: string;
  readonly folder: string;
  readonly instruction: string;
  readonly attachments: string[];
  readonly inputs: Record<string, string>;
  readonly promptFolders: PromptFolder[];
}

/** `name=value`; the value may contain any character, and the last of several counts. */
export function inputsOf(given: readonly string[]): Result<Record<string, string>> {
  const inputs: Record<string, string> = {};
  for (const one of given) {
    const at = one.indexOf('=');
    if (at < 1) return fail('input.invalid', `--input ${one} is not written as NAME=VALUE`);
    setOwnValue(inputs, one.slice(0, at), one.slice(at + 1));
  }
  return ok(inputs);
}

/** Checks everything and starts it: once, however often it is requested. */
async function begin(link: Link, wish: Wish): Promise<Result<Begun>> {
  const { uid, instruction, attachments, inputs, promptFolders, stop } = wish;
  const there = wish.again && (await ask(link, 'run.find', { name: uid })).ok;
  return beginIn(link, wish.folder, async ({ id: projectId, path }) => {
    const inside = relative(path, wish.file);
    const file = inside.startsWith(`..${sep}`) || isAbsolute(inside) ? wish.file : inside;
    const detail = await ask(link, 'workflow.get', { projectId, file });
    if (!detail.ok) return detail;
    const { problems, runnable } = detail.value;
    if (!there && (!runnable || stop.aborted)) return ok({ runId: null, file, problems });
    const start = { uid, projectId, file, instruction, attachments, inputs, promptFolders, startedBy: BY };
    const started = await ask(link, 'run.start', start);
    return started.ok ? ok({ runId: started.value.runId, file, problems }) : started;
  });
}

export async function detached(
  { out, again }: Context,
  link: Link,
  runId: number,
): Promise<Result<ExitCode, AppError>> {
  const row = await ask(link, 'run.find', { name: String(runId) });
  if (!row.ok) return row;
  out.document({ runId, uid: row.value.uid, status: row.value.status, hostedBy: link.pid }, () => [
    `Run ${runId} (${row.value.name}) started in process ${link.pid}.`,
    `  ${again('show', String(runId))}`,
  ]);
  return ok(EXIT.ok);
}
