import { resolve } from 'node:path';
import type { WorkflowDetail } from '@areas/agents/contract/procedures';
import type { AppError, Problem } from '@contract/errors';
import { ok } from '@contract/result';
import { ask } from '@main/api/core-service';
import { command } from '@main/cli/command';
import { EXIT, type ExitCode, exitOfError } from '@main/cli/exit';
import { counted } from '@main/cli/output/columns';
import { errorLines, problemLines } from '@main/cli/output/error-lines';

type Checked =
  | { file: string; error: AppError }
  | ({ file: string } & Pick<WorkflowDetail, 'runnable' | 'name' | 'problems' | 'steps'>);

export const validateCommand = command({
  name: 'validate',
  summary: 'Checks workflow files without running them.',
  words: 'FILE...',
  least: 1,
  most: 1000,
  more: 'Warnings are shown but do not fail the check.',
  flags: {},
  onlyAsks: true,
  async run(context, { words }) {
    const link = await context.open({ mode: 'reading' });
    if (!link.ok) return link;
    const checked: Checked[] = [];
    for (const file of words) {
      const detail = await ask(link.value, 'workflow.validate', { path: resolve(context.cwd, file) });
      if (!detail.ok && detail.error.code === 'unavailable') return detail;
      if (!detail.ok) checked.push({ file, error: detail.error });
      else {
        const { name, runnable, problems, steps } = detail.value;
        checked.push({ file, name, runnable, problems, steps });
      }
    }
    context.out.document(checked.map(asJson), () => checked.flatMap((one) => asLines(one, context.cwd)));
    return ok(worst(checked));
  },
});

const asJson = (checked: Checked) =>
  'error' in checked
    ? { file: checked.file, valid: false, error: checked.error }
    : { ...checked, valid: checked.runnable };

function asLines(checked: Checked, cwd: string): string[] {
  if ('error' in checked) return errorLines(checked.error);
  const { file, runnable, problems, name, steps } = checked;
  const found = problems.flatMap((problem) =>
    problemLines(shownAt(problem, { file, wanted: resolve(cwd, file) }), file),
  );
  return runnable ? [...found, `${file}: ${name} is valid, ${counted(steps.length, 'step')}`] : found;
}

/** Under the given name, except for problems of another file such as .muster/agents.yaml. */
function shownAt(problem: Problem, { file, wanted }: { file: string; wanted: string }): Problem {
  const its = problem.where?.file;
  return its === undefined || its === wanted ? { ...problem, where: { ...problem.where, file } } : problem;
}

/** A missing file takes precedence over an invalid one. */
function worst(checked: readonly Checked[]): ExitCode {
  for (const one of checked) if ('error' in one) return exitOfError(one.error);
  return checked.every((one) => 'runnable' in one && one.runnable) ? EXIT.ok : EXIT.invalid;
}
