import type { RunState } from '@contract/run/state';
import { useMoment, useRun, wholeRun } from '@renderer/client/hooks';
import { ActIcon } from '@renderer/parts/controls/act';
import { usePast } from '@renderer/parts/text/shown-time';
import { History } from 'lucide-react';
import { Scrubber } from './scrubber';

interface ShownRun {
  /** The run at the moment in the address, or now. */
  readonly state: RunState | null;
  /** The event after which the run is shown; null: the current state. */
  readonly moment: number | null;
  /** The time of that event, for `PastOf`. */
  readonly past: number | null;
}

/** The run of a page, now or at the moment in the address. */
export function useShownRun(runId: number): ShownRun {
  const moment = useMoment();
  const state = useRun(runId, wholeRun, moment);
  return { state, moment, past: moment === null ? null : (state?.at ?? null) };
}

/** The scrubber in the run of a page. */
export function Replay({ runId }: { readonly runId: number }) {
  const last = useRun(runId, ({ seq }) => seq);
  return last === null ? null : <Scrubber runId={runId} last={last} />;
}

/** Opens the scrubber; in the head of a page that shows a run. */
export const LookBack = () =>
  usePast() === null && <ActIcon action="replay.open" icon={History} label="Look back in the run" />;
