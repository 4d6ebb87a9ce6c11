import { resolve } from 'node:path';
import { projectFolder } from '@areas/projects/node/project-folder';
import { fail, ok, type Result } from '@contract/result';
import type { RunState } from '@contract/run/state';
import { ulids } from '@main/adapters/system/ids';
import { ask } from '@main/api/core-service';
import { promptFolders, promptsFlag } from '@main/cli/arguments/prompt-folders';
import type { Call, Context } from '@main/cli/command';
import { EXIT, type ExitCode } from '@main/cli/exit';
import { beginIn, exitOfNone, tellProblems } from '@main/cli/running/begin-run';
import { waitForRun } from '@main/cli/running/wait';
import { withCore } from '@main/cli/running/with-core';
import { answerParts } from '../../contract/background';

export const askFlags = {
  docs: { value: 'PATH', many: true, help: 'a file, a folder or a glob (repeatable)' },
  model: { value: 'PROFILE', help: 'the agent profile of the root model, which writes the code' },
  'sub-model': {
    value: 'PROFILE',
    help: 'the agent profile that answers sub-calls (default: the root model)',
  },
  verify: { value: 'PROFILE', help: 'the agent profile that tries to refute the answer (default: none)' },
  iterations: { value: 'N', help: 'the maximum turns of the root model (default 20)' },
  subcalls: { value: 'N', help: 'the maximum number of sub-calls (default 2000)' },
  tokens: { value: 'N', help: 'the limit of root model and sub-calls before you are asked' },
  ...promptsFlag,
  background: { help: 'let the root model add its own knowledge, marked as such' },
  'allow-weak-sandbox': { help: 'run code even if only the browser’s sandbox confines it' },
  'no-wait': { help: 'exit with code 6 when only gates remain, instead of waiting for answers' },
} as const;

/** Starts the question, follows it, and prints the answer. */
export async function askQuestion(
  context: Context,
  question: string,
  flags: Call<typeof askFlags>['flags'],
): Promise<Result<ExitCode>> {
  const wish = wishOf(context, question, flags);
  if (!wish.ok) return wish;
  const begun = await withCore(context, { mode: 'working' }, (link) =>
    beginIn(link, projectFolder(resolve(context.cwd, 'x')), async ({ id: projectId }) => {
      const started = await ask(link, 'rlm.start', { ...wish.value, projectId });
      return started.ok ? ok({ runId: started.value.runId, file: '', problems: [] }) : started;
    }),
  );
  if (!begun.ok) return begun;
  const { link, value } = begun.value;
  tellProblems(context, value);
  const { runId } = value;
  if (runId === null) return ok(exitOfNone(context));
  return waitForRun(
    context,
    { link, runId, throughGates: !flags['no-wait'], afterSeq: 0 },
    ({ state }, exitCode, returned) => {
      if (exitCode === EXIT.ok) return printAnswer(context, { runId, state, text: returned?.text ?? null });
      if (exitCode === EXIT.interrupted || exitCode === EXIT.waiting)
        context.out.note(`Its answer, when there is one: ${context.again('output', String(runId))}`);
      return ok(undefined);
    },
  );
}

function wishOf(context: Context, question: string, flags: Call<typeof askFlags>['flags']) {
  const { cwd } = context;
  const { docs, model, 'sub-model': sub } = flags;
  if (question.trim() === '') return fail('input.invalid', 'The question is empty.');
  if (docs.length === 0)
    return fail('input.invalid', 'No documents are named.', { mend: 'name them with --docs PATH' });
  if (model === undefined)
    return fail('input.invalid', 'No model is named.', {
      mend: 'name the profile of a model with --model ID; `muster agents` lists them, and `muster doctor` says what is missing',
    });
  const numbers = { iterations: numberOf(flags.iterations), subcalls: numberOf(flags.subcalls) };
  const tokens = numberOf(flags.tokens);
  for (const [name, value] of Object.entries({ ...numbers, tokens }))
    if (value !== undefined && Number.isNaN(value))
      return fail('input.invalid', `--${name} takes a whole number above 0.`);
  return ok({
    uid: ulids.ulid(),
    question,
    documents: docs.map((path) => resolve(cwd, path)),
    root: { profile: model },
    sub: sub === undefined ? null : { profile: sub },
    verify: flags.verify === undefined ? null : { profile: flags.verify },
    ...(numbers.iterations === undefined ? {} : { iterations: numbers.iterations }),
    ...(numbers.subcalls === undefined ? {} : { subcalls: numbers.subcalls }),
    tokens: tokens ?? null,
    backgroundKnowledge: flags.background,
    allowWeakSandbox: flags['allow-weak-sandbox'],
    promptFolders: promptFolders(context, flags.prompts),
    startedBy: 'command line',
  });
}

/** NaN if invalid. */
function numberOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isSafeInteger(value) && value > 0 ? value : Number.NaN;
}

const NOT_FROM_DOCUMENTS = '[From the model’s own knowledge, not from the documents:]';

interface Answered {
  readonly runId: number;
  readonly state: RunState;
  readonly text: string | null;
}

function printAnswer({ out }: Context, { runId, state, text }: Answered): Result<void> {
  const ended = Object.values(state.activations).at(-1);
  if (text === null || ended?.outputs.data_out === undefined)
    return fail('internal', `Run ${runId} succeeded without an answer.`);
  const { warnings, receipt } = ended;
  out.record({ kind: 'answer', runId, text, warnings, receipt }, () => [
    '',
    ...answerParts(text).map((part) =>
      part.from === 'background' ? `${NOT_FROM_DOCUMENTS}\n${part.text}` : part.text,
    ),
    ...warnings.map((warning) => `(${warning})`),
  ]);
  return ok(undefined);
}
