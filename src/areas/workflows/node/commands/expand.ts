import { resolve } from 'node:path';
import { ok } from '@contract/result';
import { ask } from '@main/api/core-service';
import { readTrialValues } from '@main/cli/arguments/trial-values';
import { command } from '@main/cli/command';
import { EXIT } from '@main/cli/exit';
import { problemLines } from '@main/cli/output/error-lines';
import type { Style } from '@main/cli/output/style';
import type { ExpandedTemplate } from '../../contract/trial';

export const expandCommand = command({
  name: 'expand',
  summary: 'Shows how the templates and conditions of a workflow expand.',
  words: 'FILE',
  least: 1,
  most: 1,
  more: [
    'The file of --values is JSON and stands in for a run:',
    '{"steps": {"ID": {"status": "succeeded", "output": "..."}}, "inputs": {}, "variables": {"ARGUMENTS": "..."}}.',
    'A step that it does not name has not run. The code is 1 where something cannot be expanded.',
  ].join('\n'),
  flags: {
    values: { value: 'FILE', help: 'outputs and states of steps, inputs and variables' },
    step: { value: 'ID', help: 'only the templates of this step' },
  },
  onlyAsks: true,
  async run(context, { words, flags }) {
    const values = await readTrialValues(context.cwd, flags.values);
    if (!values.ok) return values;
    const link = await context.open({ mode: 'reading' });
    if (!link.ok) return link;
    const path = resolve(context.cwd, words[0] ?? '');
    const step = flags.step === undefined ? {} : { step: flags.step };
    const expanded = await ask(link.value, 'workflow.expand', { path, values: values.value, ...step });
    if (!expanded.ok) return expanded;
    const { problems, templates } = expanded.value;
    const { out } = context;
    out.document(expanded.value, () => [
      ...problems.flatMap((problem) => problemLines(problem, path)),
      ...templates.flatMap((one) => templateLines(one, out.style)),
      ...(templates.some(lacksValue) ? [out.style.dim(LACKING)] : []),
    ]);
    if (problems.some(({ severity }) => severity === 'error')) return ok(EXIT.invalid);
    return ok(templates.some(({ error }) => error !== null) ? EXIT.failed : EXIT.ok);
  },
});

const LACKING =
  'Values that are missing can be given with --values VALUES.json: outputs under "steps", others under "variables".';

const lacksValue = ({ error }: ExpandedTemplate): boolean =>
  error?.code === 'reference.not_run' || error?.code === 'reference.no_value';

function templateLines(
  { step, path, text, env = {}, warnings, error }: ExpandedTemplate,
  style: Style,
): string[] {
  return [
    style.bold(`${step} ${path}`),
    ...(text === null ? [] : [text]),
    ...Object.entries(env).map(([name, value]) => style.dim(`${name}=${value}`)),
    ...warnings.map((warning) => style.waits(`warning: ${warning}`)),
    ...(error === null ? [] : [style.bad(`${error.code}: ${error.message}`)]),
    '',
  ];
}
