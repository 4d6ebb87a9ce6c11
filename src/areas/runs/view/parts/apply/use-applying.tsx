import type { Applied, ApplyOutcome, ShownResult } from '@contract/run/results/results';
import { shownResults } from '@contract/run/results/shown-results';
import type { RunState } from '@contract/run/state';
import { plural } from '@renderer/client/format';
import { useHandlers } from '@renderer/client/hooks';
import { call } from '@renderer/client/rpc';
import { attempt, offer, say } from '@renderer/client/toasts';
import { refresh } from '@renderer/client/wire/query';
import { type ReactNode, useState } from 'react';
import { ApplyResult } from './apply-result';

export const canApply = ({ state, unsettled }: ShownResult): boolean =>
  state === 'to_apply' && unsettled === null;

interface Applying {
  readonly apply: (result: ShownResult) => void;
  readonly undo: (result: ShownResult) => void;
  readonly dialog: ReactNode;
}

/** Applying the results of a run and undoing it: the actions with their keys, and the dialog. */
export function useApplying(runId: number, state: RunState | null): Applying {
  const results = state?.status === 'finished' && !state.binned ? shownResults(state) : [];
  const open = results.filter(canApply);
  const [first] = open;
  const last = results
    .flatMap(({ applied }) => applied ?? [])
    .reduce<Applied | null>((latest, one) => (latest === null || one.at >= latest.at ? one : latest), null);
  const [asked, setAsked] = useState<ShownResult | null>(null);
  const ofLast = results.find(({ applied }) => applied === last);
  useHandlers({
    'run.apply': first === undefined ? null : () => setAsked(first),
    'run.undo': last?.change && ofLast ? () => void undo(runId, ofLast.address) : null,
  });
  return {
    apply: setAsked,
    undo: ({ address }) => void undo(runId, address),
    dialog: asked !== null && (
      <ApplyResult
        runId={runId}
        results={open.some(({ address }) => address === asked.address) ? open : [asked]}
        first={asked}
        onApplied={(outcome) => report(runId, outcome)}
        onClose={() => setAsked(null)}
      />
    ),
  };
}

function report(runId: number, { kind, target, files, how, result }: ApplyOutcome): void {
  if (kind === 'already') return say(`${target} already has this result`);
  const where = how === 'files' ? `your checkout of ${target}` : target;
  const text = `Applied to ${where}: ${plural(files, 'file')} changed`;
  if (result.applied?.change == null) return say(text);
  offer(text, { verb: 'Undo', run: () => void undo(runId, result.address) });
}

async function undo(runId: number, address: string | null): Promise<void> {
  const step = address === null ? {} : { step: address };
  const done = await attempt(call('run.undo', { runId, ...step }));
  if (done !== null) say(`Undone: ${done.target} is as before, ${plural(done.files, 'file')} changed back`);
  await refresh('run.undoable');
}
