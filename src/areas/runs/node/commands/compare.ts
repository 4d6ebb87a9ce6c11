import { ok } from '@contract/result';
import type { ComparedStep, RunComparison } from '@contract/run/comparison/comparison';
import { ask } from '@main/api/core-service';
import { findRun } from '@main/cli/address';
import { command } from '@main/cli/command';
import { EXIT } from '@main/cli/exit';
import { columns } from '@main/cli/output/columns';
import { withCore } from '@main/cli/running/with-core';

export const compareCommand = command({
  name: 'compare',
  summary: 'Compares two runs step by step: outcome, output, tokens, cost and time.',
  words: 'RUN RUN',
  least: 2,
  most: 2,
  more: 'The values of the first run are left of the arrow. Results taken from an earlier run are not counted.',
  flags: { diff: { help: 'show how the outputs differ' } },
  async run(context, { words, flags }) {
    const done = await withCore(context, { mode: 'reading' }, async (link) => {
      const a = await findRun(link, words[0] ?? '');
      if (!a.ok) return a;
      const b = await findRun(link, words[1] ?? '');
      return b.ok ? ask(link, 'run.compare', { runId: a.value.id, otherId: b.value.id }) : b;
    });
    if (!done.ok) return done;
    const { value } = done.value;
    context.out.document(value, () => [
      ...table(value),
      ...(flags.diff
        ? value.steps.flatMap(({ diff }) => (diff === '' ? [] : ['', ...diff.split('\n')]))
        : []),
    ]);
    return ok(EXIT.ok);
  },
});

function table({ steps }: RunComparison): string[] {
  const rows = steps.map(({ title, depth, a, b, changed, diff }) => [
    `${'  '.repeat(depth)}${title}`,
    both(a, b, ({ outcome, isAdopted }) => (isAdopted ? `${outcome} (taken)` : outcome)),
    diff === '' ? 'same' : 'differs',
    both(a, b, ({ tokens }) => (tokens === null ? '-' : String(tokens))),
    both(a, b, ({ costUsd }) => (costUsd === null ? '-' : `$${costUsd.toFixed(2)}`)),
    both(a, b, ({ ms }) => (ms === null ? '-' : `${(ms / 1000).toFixed(1)} s`)),
    changed ? 'configured differently' : '',
  ]);
  return columns([['Step', 'Outcome', 'Output', 'Tokens', 'Cost', 'Time', ''], ...rows]);
}

function both(a: ComparedStep | null, b: ComparedStep | null, of: (step: ComparedStep) => string): string {
  const [left, right] = [a, b].map((step) => (step === null ? 'none' : of(step)));
  return left === right ? (left ?? '') : `${left} -> ${right}`;
}
