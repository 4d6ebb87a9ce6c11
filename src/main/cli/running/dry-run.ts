import type { PromptFolder } from '@areas/prompts/contract/folders';
import type { TrialEntry } from '@areas/workflows/contract/trial';
import { ok, type Result } from '@contract/result';
import { ask } from '../../api/core-service';
import { readTrialValues } from '../arguments/trial-values';
import type { Context } from '../command';
import { EXIT, type ExitCode } from '../exit';
import { problemLines } from '../output/error-lines';
import type { Style } from '../output/style';

interface DryRunRequest {
  readonly path: string;
  readonly instruction: string;
  readonly inputs: Record<string, string>;
  readonly promptFolders: PromptFolder[];
  readonly values: string | undefined;
}

/** Shows the order, prompts, commands, questions and skips of a simulated run. */
export async function showDryRun(
  context: Context,
  { values: file, ...wanted }: DryRunRequest,
): Promise<Result<ExitCode>> {
  const values = await readTrialValues(context.cwd, file);
  if (!values.ok) return values;
  const link = await context.open({ mode: 'reading' });
  if (!link.ok) return link;
  const made = await ask(link.value, 'workflow.dry-run', { ...wanted, values: values.value });
  if (!made.ok) return made;
  const { problems, entries, outcome, reason } = made.value;
  const { out } = context;
  const { style } = out;
  const broken = problems.some(({ severity }) => severity === 'error');
  out.document(made.value, () => [
    ...problems.flatMap((problem) => problemLines(problem, wanted.path)),
    ...entries.flatMap((entry) => entryLines(entry, style)),
    ...(outcome === 'failed' && file === undefined ? [style.dim(SAMPLES)] : []),
    ...(broken ? [] : [style.bold(`Dry run: ${outcome ?? 'no end'}${reason === null ? '' : `: ${reason}`}`)]),
  ]);
  if (broken) return ok(EXIT.invalid);
  return ok(outcome === 'succeeded' ? EXIT.ok : outcome === 'rejected' ? EXIT.rejected : EXIT.failed);
}

const SAMPLES =
  'Agents and commands answered with samples. --values VALUES.json gives the outputs that a step needs.';

const indented = (text: string): string[] => text.split('\n').map((line) => `    ${line}`);

function entryLines(
  { kind, step, text, agent, answer, outcome, warnings = [] }: TrialEntry,
  style: Style,
): string[] {
  const head = (what: string, tail = ''): string => `${style.bold(step)}  ${what}${tail}`;
  switch (kind) {
    case 'prompt':
      return [head(`asks ${agent ?? 'an agent'}`), ...indented(text)];
    case 'command':
      return [head('would run'), ...indented(text)];
    case 'gate':
      return [head('asks you', answer === undefined ? '' : `, answered here: ${answer}`), ...indented(text)];
    case 'skip':
      return [head('is skipped: ', text)];
    case 'not_simulated':
      return [head('is not simulated: ', text)];
    case 'end':
      return [
        head(outcome ?? 'ended', text === '' ? '' : `: ${text}`),
        ...warnings.map((warning) => style.waits(`    warning: ${warning}`)),
      ];
  }
}
