import { turnsByLane } from '@contract/run/lane/lane-turns';
import type { RunState } from '@contract/run/state';
import { useHandlers, useOutgoing, useSending, type WriteDraft } from '@renderer/client/hooks';
import { call } from '@renderer/client/rpc';
import { putBack } from '@renderer/client/sending/outgoing';
import { attempt } from '@renderer/client/toasts';
import { sendCaps, useCaps } from '@renderer/parts/controls/act';
import { Button } from '@renderer/ui/controls/button';
import { CircleStop, SendHorizontal } from 'lucide-react';
import { type RefObject, useState } from 'react';
import { LEAD } from '../../contract/events';
import { LEAD_LANE } from '../../contract/lanes/lanes';
import { releasesIn } from '../../contract/messages/release';
import type { Meant, ReleaseAsk } from '../../contract/procedures';
import type { TeamState } from '../../contract/state';
import { leadProfileOf, type MemberRow, teamIsLive } from '../../contract/summary';
import { type ThreadPlace, threadOf } from '../place';
import { addresseeOf, type Happens, whatHappens, withoutAddress } from './addressee';
import styles from './composer.module.css';
import { MentionArea } from './mention-area';
import { Queue } from './queue';
import { ReleaseQuestion } from './release-question';

interface ComposerProps {
  readonly at: ThreadPlace & { readonly activationId: number };
  readonly state: RunState;
  readonly team: TeamState;
  readonly members: readonly MemberRow[];
  readonly draft: readonly [string, WriteDraft];
  readonly area: RefObject<HTMLTextAreaElement | null>;
  readonly onSent: () => void;
}

/** The operator's next message: text, addressee, and the effect of sending it. */
export function Composer({ at, state, team, members, draft, area, onSent }: ComposerProps) {
  const [text, setText] = draft;
  const { runId, activationId } = at;
  const lead = leadProfileOf(state, activationId) !== null;
  const live = teamIsLive(state, activationId);
  const leadTurn = turnsByLane(state, state.activations[activationId]).get(LEAD_LANE)?.at(-1);
  const all = members.map(({ name }) => name);
  const to = addresseeOf(text, threadOf(at.thread), all);
  const said = withoutAddress(text, all);
  const releases = releasesIn(team, { to: to.to, text: said });
  const leadWorks = leadTurn?.status === 'in_flight';
  const happens = whatHappens({ live, lead, leadWorks, members, releases }, to);
  const { pending, setPending, deliver } = useSpeaking({
    at,
    text,
    said,
    setText,
    area,
    onSent,
    to: to.to ?? LEAD,
  });
  const ready = happens.can && said !== '';
  const say = () => ready && deliver('say');
  const cut = happens.busy ? () => deliver('interrupt') : null;
  useHandlers({
    'team.write': live ? () => area.current?.focus() : null,
    'team.interrupt': cut,
  });
  const names = members.filter((member) => !member.ended).map(({ name }) => name);
  const answer = (meant: Meant) => {
    if (pending === null) return;
    const { next, release } = afterAnswer(pending, meant);
    setPending(next);
    if (next !== null) return;
    // A turn that has ended meanwhile needs no interruption.
    if (ready) deliver(pending.how === 'interrupt' && cut !== null ? 'interrupt' : 'say', release);
    area.current?.focus();
  };
  return (
    <section className={styles.composer} data-part="composer" aria-label="Your message">
      <Queue
        runId={runId}
        team={team}
        thread={threadOf(at.thread)}
        members={members}
        onCutOff={(text) => setText(putBack(text))}
      />
      {pending !== null && (
        <ReleaseQuestion
          key={pending.asks[0]?.member}
          asks={pending.asks}
          takesFocus={pending.takesFocus}
          onAnswer={answer}
          onClose={() => {
            setPending(null);
            area.current?.focus();
          }}
        />
      )}
      <MentionArea
        area={area}
        text={text}
        setText={setText}
        names={lead ? [LEAD, ...names] : names}
        placeholder={placeholder(at.thread, lead)}
        disabled={!live}
        onSend={say}
      />
      <ComposerFoot happens={happens} empty={text.trim() === ''} onCut={cut} onSend={ready ? say : null} />
    </section>
  );
}

interface ComposerFootProps {
  readonly happens: Happens;
  readonly empty: boolean;
  readonly onCut: (() => void) | null;
  /** Null while there is nothing to send. */
  readonly onSend: (() => void) | null;
}

/** The effect and the actions, below the text so that its width never changes. */
function ComposerFoot({ happens, empty, onCut, onSend }: ComposerFootProps) {
  const interruptCaps = useCaps('team.interrupt');
  return (
    <footer className={styles.line}>
      <p id="composer-happens" className={`note grow ${happens.can ? 'faint' : 'waits-text'}`} role="status">
        {happens.text}
      </p>
      {happens.busy && onCut !== null && (
        <Button icon={CircleStop} caps={interruptCaps} onClick={onCut}>
          {empty ? 'Interrupt' : 'Interrupt and send'}
        </Button>
      )}
      <Button
        tone="primary"
        icon={SendHorizontal}
        caps={sendCaps}
        disabled={onSend === null}
        onClick={onSend ?? undefined}
      >
        Send
      </Button>
    </footer>
  );
}

function placeholder(thread: string, lead: boolean): string {
  if (thread === LEAD) return 'Write to the lead';
  if (thread !== 'all') return `Write to ${thread}`;
  return lead ? 'Write to the lead, or @name to a member' : '@name to write to a member';
}

const answered = (release: readonly string[] | undefined) =>
  release === undefined ? {} : { meant: 'release' as const, release: [...release] };

type How = 'say' | 'interrupt';

interface PendingRelease {
  /** The members still to be asked about, current one first. */
  readonly asks: readonly ReleaseAsk[];
  /** The members confirmed so far. */
  readonly release: readonly string[];
  /** The requested action, performed after the answer. */
  readonly how: How;
  readonly takesFocus: boolean;
}

/** Each member is asked about separately: returns the next question, and the members confirmed so far. */
function afterAnswer(
  pending: PendingRelease,
  meant: Meant,
): { next: PendingRelease | null; release: readonly string[] } {
  const [one, ...asks] = pending.asks;
  const release =
    one !== undefined && meant === 'release' ? [...pending.release, one.member] : pending.release;
  return { next: asks.length === 0 ? null : { ...pending, asks, release, takesFocus: true }, release };
}

interface Speaking extends Pick<ComposerProps, 'at' | 'area' | 'onSent'> {
  readonly text: string;
  readonly setText: WriteDraft;
  /** The text without its address. */
  readonly said: string;
  /** Whose turn an interruption ends. */
  readonly to: string;
}

/**
 * Clears the field at once; a rejected message is put back. If its words may release someone, nothing has
 * happened yet, and the requested action follows the answer.
 */
function useSpeaking({ at, text, said, setText, to, area, onSent }: Speaking) {
  const [pending, setPending] = useState<PendingRelease | null>(null);
  const send = useOutgoing();
  const { runId, activationId, thread } = at;
  const begin = useSending(`team/${runId}/${activationId}/${thread}`, text);
  const deliver = (how: How, release?: readonly string[]) => {
    const sending = begin();
    setText('');
    const place = { runId, activationId, key: sending.key, ...answered(release) };
    const tell = () =>
      how === 'say'
        ? call('team.say', { ...place, to: threadOf(thread), text })
        : call('team.interrupt', { ...place, member: to, text: said });
    const work = async () => {
      const reply = await attempt(tell());
      if (reply === null) return false;
      const { asks } = reply;
      setPending(
        asks.length === 0 ? null : { asks, release: [], how, takesFocus: area.current?.value === '' },
      );
      if (asks.length > 0) return false;
      sending.answered();
      onSent();
      return true;
    };
    void send(work, () => {
      setText(putBack(text));
      sending.unanswered();
    });
  };
  return { pending, setPending, deliver };
}
