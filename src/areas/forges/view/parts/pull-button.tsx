import { resultToApply, shownResults } from '@contract/run/results/shown-results';
import type { RunState } from '@contract/run/state';
import { useHandlers, useQuery, useRoute } from '@renderer/client/hooks';
import { hashOf, navigate, setQuery } from '@renderer/client/route';
import { ActButton } from '@renderer/parts/controls/act';
import { GitPullRequest } from 'lucide-react';
import { standing } from '../../contract/verdict';
import { standingWords } from './pull-words';

interface PullButtonProps {
  readonly runId: number;
  readonly state: RunState;
}

/** The value of `side` in the address of a run that shows its pull request. */
export const PULL_SIDE = 'pull';

/** Leads to the pull request of a run: its state, or the form that opens it. */
export function PullButton({ runId, state }: PullButtonProps) {
  const { path, query } = useRoute();
  const record = useQuery('pull.record', { runId }).value?.record ?? null;
  const canOpen = state.status === 'finished' && !state.binned && hasCommit(state);
  const isShown = record !== null || canOpen;
  const inRun = path[0] === 'run' || path[0] === 'runs';
  const show = () => {
    if (inRun) setQuery({ side: query.side === PULL_SIDE ? '' : PULL_SIDE });
    else navigate(`${hashOf('run', state.uid)}?side=${PULL_SIDE}`);
  };
  useHandlers({ 'pull.show': isShown ? show : null });
  if (!isShown) return null;
  const word = record === null ? null : standingWords[standing(record)];
  return (
    <ActButton action="pull.show" tone="ghost" icon={word?.icon ?? GitPullRequest}>
      {record === null ? 'Pull request' : `${numbered(record.number)}${word?.word ?? ''}`}
    </ActButton>
  );
}

const numbered = (number: number | null): string => (number === null ? '' : `#${number} `);

function hasCommit(state: RunState): boolean {
  const chosen = resultToApply(shownResults(state), undefined);
  return chosen.ok && chosen.value.commit !== null;
}
