import { ok } from '@contract/result';
import { ask } from '../../../api/core-service';
import { findRun } from '../../address';
import { command } from '../../command';
import { EXIT } from '../../exit';
import { counted } from '../../output/columns';
import { withCore } from '../../running/with-core';

export const applyCommand = command({
  name: 'apply',
  summary: 'Brings the result of a finished run into your checkout.',
  words: 'RUN',
  least: 1,
  most: 1,
  more: [
    'The merge is tried first. If it conflicts, or would change files that you have changed, nothing happens and the',
    'files are listed. `muster show RUN` lists the results of a run with their folders, branches and commits.',
  ].join('\n'),
  flags: {
    step: { value: 'STEP[/AGENT]', help: 'the result, if the run has several' },
  },
  async run(context, { words, flags }) {
    const done = await withCore(context, { mode: 'working' }, async (link) => {
      const row = await findRun(link, words[0] ?? '');
      if (!row.ok) return row;
      return ask(link, 'run.apply', { runId: row.value.id, step: flags.step, by: 'command line' });
    });
    if (!done.ok) return done;
    const { kind, target, commit, files } = done.value.value;
    context.out.document(done.value.value, () => [
      kind === 'already'
        ? `${target} already has this result${commit === null ? '' : `, as ${commit.slice(0, 12)}`}.`
        : `Applied to ${target} as ${(commit ?? '').slice(0, 12)}: ${counted(files, 'file')} changed.`,
    ]);
    return ok(EXIT.ok);
  },
});
