import { taskResultParts } from '@areas/sessions/contract/task-result';
import type { RunState } from '@contract/run/state';
import { plural, spend } from '@renderer/client/format';
import { useCaps } from '@renderer/parts/controls/act';
import { AgentText } from '@renderer/parts/text/agent-text';
import { Ago, Elapsed } from '@renderer/parts/text/ago';
import { LineCounts } from '@renderer/parts/text/line-counts';
import { Button } from '@renderer/ui/controls/button';
import { Glyph } from '@renderer/ui/controls/icon';
import { FileDiff, MessageSquareReply, ThumbsUp } from 'lucide-react';
import { memo, useState } from 'react';
import type { MemberState, RoundState, TeamMessage } from '../../contract/state';
import { hasReported } from '../../contract/status';
import { spentIn } from '../../contract/summary';
import type { MemberActs } from '../acts';
import teamsStyles from '../teams.module.css';
import chatStyles from './chat.module.css';
import styles from './result-card.module.css';
import { RoundDiff } from './round-diff';

interface ResultCardProps {
  readonly runId: number;
  readonly state: RunState;
  readonly message: TeamMessage;
  readonly member: MemberState;
  readonly round: RoundState | null;
  readonly open: boolean;
  readonly acts: MemberActs;
  /** Whether keys apply to this member. */
  readonly keys: boolean;
}

/** A member's claim about its task. Its status comes from Muster only. */
const CLAIMS = {
  completed: 'claims: completed',
  in_progress: 'claims: in progress',
  blocked: 'claims: blocked',
  failed: 'claims: failed',
  none: null,
};

/** A delivered round: member, number, cost, text, changes, and actions. */
export const ResultCard = memo(function ResultCard(props: ResultCardProps) {
  const { runId, message, member, round, open, acts, keys } = props;
  const result = round?.result ?? null;
  return (
    <article
      className={`${teamsStyles.resultCard} ${open ? 'open' : ''}`}
      aria-label={`Result of ${member.name}, round ${round?.round ?? ''}`}
    >
      <ResultHead {...props} />
      <div className="result-text">
        <AgentText text={wholeOf(message.text)} />
      </div>
      {result?.changes != null && result.changes.files > 0 && (
        <RoundChanges runId={runId} state={props.state} result={result} />
      )}
      {open && <ResultActs member={member} acts={acts} keys={keys} />}
    </article>
  );
});

/** The result and the text around it, without the tags. */
const wholeOf = (text: string): string =>
  taskResultParts(text)
    .map((part) => part.text)
    .join('\n\n');

function ResultHead({ state, message, member, round }: ResultCardProps) {
  const claim = CLAIMS[round?.result?.claim ?? 'none'];
  const { tokens, costUsd } = spentIn(state, round?.turnIds ?? []);
  const used = spend(tokens, costUsd);
  return (
    <header className={teamsStyles.chatHead}>
      <strong>{member.name}</strong>
      {round !== null && (
        <span className={chatStyles.resultRound}>
          {round.final ? `Round ${round.round}, final` : `Round ${round.round}`}
        </span>
      )}
      {claim !== null && (
        <span className="faint note" title="Agent’s own claim">
          {claim}
        </span>
      )}
      <span className="grow" />
      {used !== '' && (
        <span className="faint note" title="Of this round">
          {used}
        </span>
      )}
      {round !== null && (
        <span className="faint note">
          <Elapsed from={round.startedAt} to={round.finishedAt ?? message.at} />
        </span>
      )}
      <span className="faint note">
        <Ago at={message.at} />
      </span>
    </header>
  );
}

function RoundChanges({
  runId,
  state,
  result,
}: Pick<ResultCardProps, 'runId' | 'state'> & { readonly result: NonNullable<RoundState['result']> }) {
  const [shown, setShown] = useState(false);
  const { changes, turnId } = result;
  const sessionId = state.turns[turnId]?.sessionId ?? null;
  if (changes === null) return null;
  return (
    <div className={styles.resultChanges}>
      <button type="button" className="turn-lead" aria-expanded={shown} onClick={() => setShown(!shown)}>
        <Glyph of={FileDiff} size={13} />
        <span className="hidden-text">Changes of this round: </span>
        <LineCounts added={changes.added} removed={changes.removed} />
        <span>
          in {plural(changes.files, 'file')}
          {result.round > 1 && ' since the last round'}
        </span>
      </button>
      {shown && <RoundDiff runId={runId} turnId={turnId} sessionId={sessionId} />}
    </div>
  );
}

function ResultActs({ member, acts, keys }: Pick<ResultCardProps, 'member' | 'acts' | 'keys'>) {
  const changes = useCaps('team.changes');
  const satisfied = useCaps('team.satisfied');
  const shutdown = useCaps('team.shutdown');
  const { name } = member;
  return (
    <footer className={chatStyles.resultActs}>
      {!hasReported(member) && (
        <Button icon={MessageSquareReply} caps={keys ? changes : []} onClick={() => acts.changes(name)}>
          {member.iterative ? 'Ask for changes' : 'Answer'}
        </Button>
      )}
      <span className={teamsStyles.resultGap} />
      {member.iterative ? (
        <Button
          tone={keys ? 'primary' : 'plain'}
          icon={ThumbsUp}
          caps={keys ? satisfied : []}
          tip={`${name} has one last round, then stops, and its merge is offered`}
          onClick={() => acts.satisfied(name)}
        >
          Satisfied
        </Button>
      ) : (
        <Button caps={keys ? shutdown : []} onClick={() => acts.shutdown(name, false)}>
          Shut down
        </Button>
      )}
    </footer>
  );
}
