import { ok } from '@contract/result';
import { ask } from '@main/api/core-service';
import { findRun } from '@main/cli/address';
import { type Context, command } from '@main/cli/command';
import { EXIT } from '@main/cli/exit';
import { wholeDiff } from '@main/cli/link/whole-diff';
import { counted } from '@main/cli/output/columns';
import { diffLines } from '@main/cli/output/diff-lines';
import { withCore } from '@main/cli/running/with-core';

export const applyCommand = command({
  name: 'apply',
  summary: 'Brings the result of a finished run into your checkout.',
  words: 'RUN',
  least: 1,
  most: 1,
  more: [
    'The merge is tried first. If it conflicts, or would change files that you have changed, nothing happens and the',
    'files are listed. `muster show RUN` lists the results of a run with their folders, branches and commits.',
    '`--dry-run` shows the changes, and the command that applies exactly these or nothing.',
  ].join('\n'),
  flags: {
    step: { value: 'STEP[/AGENT]', help: 'the result, if the run has several' },
    'dry-run': { help: 'show what would change in your checkout, and change nothing' },
    shown: { value: 'ID', help: 'apply only if nothing has changed since a dry run, which prints this' },
  },
  async run(context, { words, flags }) {
    const wanted = { run: words[0] ?? '', step: flags.step };
    if (flags['dry-run'] === true) return show(context, wanted);
    const done = await withCore(context, { mode: 'working' }, async (link) => {
      const row = await findRun(link, wanted.run);
      if (!row.ok) return row;
      const { step, shown } = flags;
      return ask(link, 'run.apply', { runId: row.value.id, step, shown, by: 'command line' });
    });
    if (!done.ok) return done;
    const { kind, target, commit, files, signed } = done.value.value;
    context.out.document(done.value.value, () => [
      kind === 'already'
        ? `${target} already has this result${commit === null ? '' : `, as ${commit.slice(0, 12)}`}.`
        : `Applied to ${target} as ${(commit ?? '').slice(0, 12)}${signed ? ', signed' : ''}: ${counted(files, 'file')} changed.`,
    ]);
    return ok(EXIT.ok);
  },
});

async function show(
  context: Context,
  { run, step }: { readonly run: string; readonly step: string | undefined },
) {
  const done = await withCore(context, { mode: 'working' }, async (link) => {
    const row = await findRun(link, run);
    if (!row.ok) return row;
    const of = { kind: 'result' as const, ...(step === undefined ? {} : { step }) };
    return wholeDiff(link, row.value.id, of);
  });
  if (!done.ok) return done;
  const diff = done.value.value;
  const named = step === undefined ? [] : ['--step', step];
  context.out.document(diff, () => [
    ...diffLines(diff.files),
    '',
    `Apply exactly this:  ${context.again('apply', run, ...named, '--shown', diff.shown)}`,
  ]);
  return ok(EXIT.ok);
}
