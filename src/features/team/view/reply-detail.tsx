import type { Reply } from '@areas/attention/contract/procedures';
import { useDecide } from '@areas/attention/view/parts/use-decide';
import { Changes } from '@areas/changes/view/parts/changes';
import { onFormKey } from '@areas/gates/view/parts/answer/form-key';
import { OptionRow } from '@areas/gates/view/parts/answer/option-row';
import { taskResultParts } from '@areas/sessions/contract/task-result';
import { ownValue } from '@contract/own';
import { spend } from '@renderer/client/format';
import { useDraft, useHandlers, useRun, wholeRun } from '@renderer/client/hooks';
import { navigate } from '@renderer/client/route';
import { newUid } from '@renderer/client/sending/uid';
import { ActButton, sendCaps, useCaps } from '@renderer/parts/controls/act';
import { AgentText } from '@renderer/parts/text/agent-text';
import { Elapsed } from '@renderer/parts/text/ago';
import { Button } from '@renderer/ui/controls/button';
import { TextArea } from '@renderer/ui/controls/field';
import { inPlainSight } from '@renderer/ui/invisible-characters';
import { Fold } from '@renderer/ui/layout/fold';
import { MessagesSquare } from 'lucide-react';
import { useState } from 'react';
import { textFor } from '../contract/messages/thread';
import type { MemberState, RoundState, TeamState } from '../contract/state';
import { spentIn } from '../contract/summary';
import { ALL, hashOfThread } from './place';
import styles from './reply-detail.module.css';

interface ReplyDetailProps {
  readonly itemKey: string;
  readonly reply: Reply;
}

/** A member that waits for the operator: its last round, its changes, and the reply. */
export function ReplyDetail({ itemKey, reply }: ReplyDetailProps) {
  const { runId, activationId, runName, projectName, member: name, since } = reply;
  const state = useRun(runId, wholeRun);
  const team = state?.teams[activationId] ?? null;
  const member = name === null ? null : (ownValue(team?.members, name) ?? null);
  const round = member?.rounds.at(-1) ?? null;
  const thread = hashOfThread(runId, activationId, name ?? ALL);
  const used = state === null ? '' : spentOf(spentIn(state, round?.turnIds ?? []));
  useHandlers({ 'item.open': () => navigate(thread) });
  return (
    <article className={`pane ${styles.reply}`} aria-label={titleOf(reply)}>
      <header className="detail-head">
        <div className="detail-line">
          <span className="faint">{name === null ? 'Idle team' : 'Waits for your reply'}</span>
          <span className="grow" />
          <ActButton action="item.open" tone="ghost" icon={MessagesSquare}>
            Open the team
          </ActButton>
        </div>
        <h1 className="reads">{inPlainSight(titleOf(reply))}</h1>
        <p className={`quiet ${styles.facts}`}>
          <a href={thread}>{runName}</a>
          {projectName !== null && <span>{projectName}</span>}
          <span>
            waits <Elapsed from={since} to={null} />
          </span>
          {round !== null && (
            <span>
              took <Elapsed from={round.startedAt} to={round.finishedAt ?? since} />
            </span>
          )}
          {used !== '' && <span>{used}</span>}
        </p>
      </header>
      <div className={`scroll ${styles.body}`} data-focus tabIndex={-1}>
        {team !== null && member !== null && round !== null && (
          <Round runId={runId} team={team} member={member} round={round} />
        )}
        {name === null && (
          <p>Every member has delivered its work. Give the team more work, or end it in its chat.</p>
        )}
      </div>
      {member === null ? (
        name === null && (
          <section className="gate-answer" aria-label="Your answer">
            <ActButton action="item.open" tone="primary" icon={MessagesSquare}>
              Open the team
            </ActButton>
          </section>
        )
      ) : (
        <ReplyAnswer itemKey={itemKey} reply={reply} member={member} />
      )}
    </article>
  );
}

const titleOf = ({ member, round, runName }: Reply): string =>
  member === null ? `${runName} has nothing left to do` : `${member} delivered round ${round}`;

const spentOf = ({ tokens, costUsd }: { tokens: number; costUsd: number }): string => spend(tokens, costUsd);

interface RoundProps {
  readonly runId: number;
  readonly team: TeamState;
  readonly member: MemberState;
  readonly round: RoundState;
}

/** A round's request, delivery and changes. */
function Round({ runId, team, member, round }: RoundProps) {
  const instructions = round.messageIds
    .flatMap((id) => {
      const message = team.messages[id];
      return message === undefined ? [] : [textFor(message, member.name)];
    })
    .join('\n\n');
  const before = member.rounds.at(-2)?.result ?? null;
  const { result } = round;
  return (
    <>
      {instructions.trim() !== '' && (
        <Fold head={round.round === 1 ? 'What you asked' : `What you asked in round ${round.round}`}>
          <AgentText text={instructions} />
        </Fold>
      )}
      {before !== null && (
        <Fold head={`Round ${round.round - 1}`}>
          <AgentText text={wholeOf(before.text)} />
        </Fold>
      )}
      {result === null ? (
        <p className="quiet">The round ended without a result.</p>
      ) : (
        <AgentText text={wholeOf(result.text)} />
      )}
      {result?.changes != null && result.changes.files > 0 && (
        <Changes runId={runId} of={{ kind: 'turn', turnId: result.turnId }} />
      )}
    </>
  );
}

/** The result and the text around it, without the tags. */
const wholeOf = (text: string): string =>
  taskResultParts(text)
    .map((part) => part.text)
    .join('\n\n');

interface ReplyAnswerProps extends ReplyDetailProps {
  readonly member: MemberState;
}

function ReplyAnswer({ itemKey, reply, member }: ReplyAnswerProps) {
  const { runId, activationId } = reply;
  const { name, iterative } = member;
  const place = { runId, activationId, member: name };
  const [writing, setWriting] = useState(!iterative);
  const [text, setText] = useDraft(`reply/${runId}/${activationId}/${name}`);
  const { resting, decide } = useDecide(itemKey, titleOf(reply));
  const satisfied = () => decide({ word: 'Satisfied', sends: { procedure: 'team.satisfied', input: place } });
  const send = () => {
    if (text.trim() === '') return;
    decide({
      word: 'Reply',
      sends: { procedure: 'team.changes', input: { ...place, key: newUid(), text } },
      ended: (taken) => (taken ? setText('') : undefined),
    });
  };
  useHandlers({
    'reply.satisfied': iterative ? satisfied : null,
    'reply.changes': () => setWriting(true),
  });
  const satisfiedCaps = useCaps('reply.satisfied');
  const changesCaps = useCaps('reply.changes');
  const verb = iterative ? 'Ask for changes' : 'Answer';
  return (
    <section className="gate-answer" aria-label="Your answer" data-resting={resting ? '' : undefined}>
      {iterative && (
        <OptionRow
          option={{
            label: 'Satisfied',
            tone: 'approve',
            effect: `${name} has one last round, then stops, and its merge is offered.`,
          }}
          caps={satisfiedCaps}
          disabled={resting}
          onTake={satisfied}
        />
      )}
      {writing || text !== '' ? (
        <div className={styles.form}>
          <TextArea
            aria-label={`Reply to ${name}`}
            placeholder={`What should ${name} do next?`}
            autoFocus={writing}
            rows={3}
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) =>
              onFormKey(event, send, () => {
                event.currentTarget.blur();
                setWriting(false);
              })
            }
          />
          <footer>
            <span className="quiet grow">{`Starts round ${reply.round + 1} of ${name}.`}</span>
            <Button tone="primary" caps={sendCaps} disabled={resting || text.trim() === ''} onClick={send}>
              {verb}
            </Button>
          </footer>
        </div>
      ) : (
        <OptionRow
          option={{ label: verb, effect: `Starts round ${reply.round + 1} of ${name}.`, tone: 'neutral' }}
          caps={changesCaps}
          disabled={resting}
          onTake={() => setWriting(true)}
        />
      )}
    </section>
  );
}
