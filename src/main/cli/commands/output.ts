import { appError } from '@contract/errors';
import type { Json } from '@contract/ids';
import { own } from '@contract/own';
import { err, ok, type Result } from '@contract/result';
import type { RunState } from '@contract/run/state';
import { ask } from '../../api/core-service';
import { findRun } from '../address';
import { command } from '../command';
import { EXIT } from '../exit';

export const outputCommand = command({
  name: 'output',
  summary: 'Prints one output of a run whole, for a file or another program.',
  words: 'RUN [[STEP.]PORT]',
  least: 1,
  most: 2,
  more: [
    'PORT is a port of the last step that has it, STEP.PORT one of that step; left out, data_out of the step that ended',
    'last. A text is printed as it is, anything else as JSON. `muster show RUN` lists the outputs.',
  ].join('\n'),
  flags: {},
  onlyAsks: true,
  async run(context, { words }) {
    const link = await context.open({ mode: 'reading' });
    if (!link.ok) return link;
    const row = await findRun(link.value, words[0] ?? '');
    if (!row.ok) return row;
    const run = await ask(link.value, 'run.get', { runId: row.value.id });
    if (!run.ok) return run;
    const found = outputOf(run.value.state, words[1]);
    if (!found.ok) return found;
    context.out.whole(found.value);
    return ok(EXIT.ok);
  },
});

function outputOf(state: RunState, name = 'data_out'): Result<Json> {
  const dot = name.lastIndexOf('.');
  const [step, port] = dot < 0 ? [null, name] : [name.slice(0, dot), name.slice(dot + 1)];
  const ended = Object.values(state.activations)
    .filter(({ stepId, finishedAt }) => finishedAt !== null && (step === null || stepId === step))
    .sort((one, other) => (one.finishedAt ?? 0) - (other.finishedAt ?? 0) || one.id - other.id);
  const outputs = ended.flatMap(({ outputs: all }) => own(all, port) ?? []);
  const last = outputs.at(-1);
  if (last !== undefined) return ok(last.content);
  const known = new Set(
    Object.values(state.activations).flatMap(({ stepId, outputs: all }) =>
      Object.keys(all).map((one) => `${stepId}.${one}`),
    ),
  );
  return err(
    appError('not_found', `the run has no output ${name}`, {
      mend: known.size === 0 ? 'no step of it has ended' : `there are: ${[...known].join(', ')}`,
    }),
  );
}
