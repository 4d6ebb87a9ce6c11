import { LEAD_LANE } from '@contract/run/reduce/team';
import type { RunState } from '@contract/run/state';
import { LEAD } from '@contract/team/events';
import type { ReleaseAsk } from '@contract/team/procedures';
import type { TeamState } from '@contract/team/state';
import { leadProfileOf, type MemberRow, teamIsLive, turnsByLane } from '@contract/team/summary';
import { CircleStop, SendHorizontal } from 'lucide-react';
import { type RefObject, useState } from 'react';
import { useHandlers, useOutgoing, type WriteDraft } from '../../../client/hooks';
import { putBack } from '../../../client/outgoing';
import { call } from '../../../client/rpc';
import { attempt } from '../../../client/toasts';
import { useCaps } from '../../../parts/act';
import { Button } from '../../../ui/button';
import { type Place, threadOf } from '../place';
import { type Addressee, addresseeOf, type Happens, whatHappens } from './addressee';
import { MentionArea } from './mention-area';
import { Queue } from './queue';
import { ReleaseQuestion } from './release-question';

export interface ComposerProps {
  readonly at: Place & { readonly activationId: number };
  readonly state: RunState;
  readonly team: TeamState;
  readonly members: readonly MemberRow[];
  readonly draft: readonly [string, WriteDraft];
  readonly area: RefObject<HTMLTextAreaElement | null>;
  readonly onSent: () => void;
}

/** What the operator says next, to whom, and what becomes of it. */
export function Composer({ at, state, team, members, draft, area, onSent }: ComposerProps) {
  const [text, setText] = draft;
  const [asks, setAsks] = useState<readonly ReleaseAsk[]>([]);
  const { runId, activationId } = at;
  const lead = leadProfileOf(state, activationId) !== null;
  const live = teamIsLive(state, activationId);
  const leadTurn = turnsByLane(state, state.activations[activationId]).get(LEAD_LANE)?.at(-1);
  const to = addresseeOf(
    text,
    threadOf(at.thread),
    members.map(({ name }) => name),
  );
  const happens = whatHappens({ live, lead, leadWorks: leadTurn?.status === 'in_flight', members }, to);
  const sending = { at, text, setText, send: useOutgoing(), happens, onSent };
  const { ready, say } = useSay(sending, setAsks);
  const cut = useInterrupt(sending, to, setAsks);
  useHandlers({
    'team.write': live ? () => area.current?.focus() : null,
    'team.interrupt': cut,
  });
  const interruptCaps = useCaps('team.interrupt');
  const names = members.filter((member) => !member.ended).map(({ name }) => name);
  const answer = (meant: 'release' | 'message') => {
    setAsks([]);
    void say(meant);
    area.current?.focus();
  };
  return (
    <section className="composer" aria-label="Your message">
      <Queue
        runId={runId}
        team={team}
        thread={threadOf(at.thread)}
        members={members}
        onCutOff={(text) => setText(putBack(text))}
      />
      {asks.length > 0 && (
        <ReleaseQuestion
          asks={asks}
          onAnswer={answer}
          onClose={() => {
            setAsks([]);
            area.current?.focus();
          }}
        />
      )}
      <div className="composer-line">
        <MentionArea
          area={area}
          text={text}
          setText={setText}
          names={lead ? [LEAD, ...names] : names}
          placeholder={placeholder(at.thread, lead)}
          disabled={!live}
          onSend={() => void say()}
        />
        {happens.busy && cut !== null && (
          <Button icon={CircleStop} caps={interruptCaps} onClick={cut}>
            {text.trim() === '' ? 'Interrupt' : 'Interrupt and send'}
          </Button>
        )}
        <Button
          tone="primary"
          icon={SendHorizontal}
          caps={['Ctrl', 'Enter']}
          disabled={!ready}
          onClick={() => void say()}
        >
          Send
        </Button>
      </div>
      <p id="composer-happens" className={`note ${happens.can ? 'faint' : 'waits-text'}`} role="status">
        {happens.text}
      </p>
    </section>
  );
}

function placeholder(thread: string, lead: boolean): string {
  if (thread === LEAD) return 'Write to the lead';
  if (thread !== 'all') return `Write to ${thread}`;
  return lead ? 'Write to the lead, or @name to a member' : '@name to write to a member';
}

interface Sending {
  readonly at: ComposerProps['at'];
  readonly text: string;
  readonly setText: WriteDraft;
  readonly send: ReturnType<typeof useOutgoing>;
  readonly happens: Happens;
  readonly onSent: () => void;
}

/** The line is free for the next message at once; one that is not taken comes back. */
function useSay(
  { at, text, setText, send, happens, onSent }: Sending,
  setAsks: (asks: readonly ReleaseAsk[]) => void,
) {
  const ready = happens.can && text.trim() !== '';
  const { runId, activationId, thread } = at;
  const say = async (meant?: 'release' | 'message') => {
    if (!ready) return;
    setText('');
    const deliver = async () => {
      const input = { runId, activationId, to: threadOf(thread), text, ...(meant && { meant }) };
      const said = await attempt(call('team.say', input));
      if (said === null) return false;
      setAsks(said.asks);
      if (said.asks.length > 0) return false;
      onSent();
      return true;
    };
    await send(deliver, () => setText(putBack(text)));
  };
  return { ready, say };
}

/** Ends the turn of whom the text is for, and sends the text next. Null where nobody's turn is in flight. */
function useInterrupt(
  { at, text, setText, send, happens, onSent }: Sending,
  { to }: Addressee,
  setAsks: (asks: readonly ReleaseAsk[]) => void,
): (() => void) | null {
  if (!happens.busy) return null;
  return () => {
    const { runId, activationId, thread } = at;
    // The address is no part of what is said.
    const said = to === threadOf(thread) ? text : text.replace(/^@[A-Za-z0-9-]+[\s,:;]+/, '');
    const input = { runId, activationId, member: to ?? LEAD, text: said };
    setText('');
    const deliver = async () => {
      const said = await attempt(call('team.interrupt', input));
      if (said === null) return false;
      setAsks(said.asks);
      if (said.asks.length > 0) return false;
      onSent();
      return true;
    };
    void send(deliver, () => setText(putBack(text)));
  };
}
