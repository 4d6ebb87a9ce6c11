import { LEAD_LANE } from '@contract/run/reduce/team';
import type { RunState } from '@contract/run/state';
import { LEAD } from '@contract/team/events';
import type { ReleaseAsk } from '@contract/team/procedures';
import type { TeamState } from '@contract/team/state';
import { leadProfileOf, type MemberRow, teamIsLive, turnsByLane } from '@contract/team/summary';
import { CircleStop, SendHorizontal } from 'lucide-react';
import { type RefObject, useRef, useState } from 'react';
import { useHandlers } from '../../../client/hooks';
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
  readonly draft: readonly [string, (text: string) => void];
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
  const said = useSay({ at, text, setText, setAsks, happens, onSent });
  const cut = useInterrupt({ at, text, setText, to, happens, onSent });
  useHandlers({
    'team.write': live ? () => area.current?.focus() : null,
    'team.interrupt': cut,
  });
  const interruptCaps = useCaps('team.interrupt');
  const names = members.filter((member) => !member.ended).map(({ name }) => name);
  const answer = (meant: 'release' | 'message') => {
    setAsks([]);
    void said.send(meant);
    area.current?.focus();
  };
  return (
    <section className="composer" aria-label="Your message">
      <Queue runId={runId} team={team} thread={threadOf(at.thread)} members={members} />
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
          onSend={() => void said.send()}
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
          disabled={!said.ready}
          onClick={() => void said.send()}
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
  readonly setText: (text: string) => void;
  readonly happens: Happens;
  readonly onSent: () => void;
}

function useSay({
  at,
  text,
  setText,
  setAsks,
  happens,
  onSent,
}: Sending & { readonly setAsks: (asks: readonly ReleaseAsk[]) => void }) {
  const [sending, setSending] = useState<string | null>(null);
  const ready = happens.can && text !== sending && text.trim() !== '';
  const written = useRef(text);
  written.current = text;
  const send = async (meant?: 'release' | 'message') => {
    if (!ready) return;
    setSending(text);
    const { runId, activationId, thread } = at;
    const input = { runId, activationId, to: threadOf(thread), text, ...(meant && { meant }) };
    const said = await attempt(call('team.say', input));
    setSending((now) => (now === text ? null : now));
    if (said === null) return;
    setAsks(said.asks);
    if (said.asks.length > 0) return;
    // What was written meanwhile is the next message.
    if (written.current === text) setText('');
    onSent();
  };
  return { ready, send };
}

/** Ends the turn of whom the text is for, and sends the text next. Null where nobody's turn is in flight. */
function useInterrupt({
  at,
  text,
  setText,
  to: { to },
  happens,
  onSent,
}: Sending & { readonly to: Addressee }): (() => void) | null {
  if (!happens.busy) return null;
  return () => {
    const { runId, activationId, thread } = at;
    // The address is no part of what is said.
    const said = to === threadOf(thread) ? text : text.replace(/^@[A-Za-z0-9-]+[\s,:;]+/, '');
    const input = { runId, activationId, member: to ?? LEAD, text: said };
    void attempt(call('team.interrupt', input)).then((done) => {
      if (done === null) return;
      setText('');
      onSent();
    });
  };
}
