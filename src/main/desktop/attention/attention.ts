import { attentionCount, isSnoozed } from '@areas/attention/contract/count';
import type { BesidesDecisions } from '@areas/attention/contract/procedures';
import type { GateRow } from '@areas/gates/contract/procedures';
import { gateOrigin } from '@areas/gates/contract/requester';
import type { Push } from '@contract/ipc';
import type { RunRow } from '@contract/run/procedures';
import { asSentence, withinSentence } from '@contract/system/detail';
import type { Settings, SystemStatus, Unsteady } from '@contract/system/procedures';
import { HOUR_MS, MINUTE_MS } from '@contract/time-units';
import { CORE_SILENT_MS } from '../../limits/main';

/** An action offered in the notice, if the system supports it. */
export interface NoticeAct {
  readonly label: string;
  readonly procedure: 'gate.snooze' | 'attention.markSeen';
  readonly input: unknown;
}

export interface Notice {
  readonly kind: 'needs you' | 'failed' | 'finished';
  readonly title: string;
  readonly body: string;
  /** The place in the window that a click opens. */
  readonly place: string;
  readonly acts?: readonly NoticeAct[];
  /** It was reported before, and still waits. */
  readonly isReminder?: boolean;
}

interface AttentionOptions {
  settings(): Settings;
  /** True while the operator looks at the window, which then shows all of this itself. */
  watched(): boolean;
  now(): number;
  notify(notice: Notice): void;
  /** How many items need the operator. */
  waiting(count: number): void;
}

const MOST_TOLD_AT_ONCE = 3;

/**
 * Notifies the operator outside of the window: new gates, gates whose snooze has ended, members waiting for a
 * reply, ended runs, failing processes, and how many items need the operator.
 */
export class Attention {
  readonly #open = new Map<string, GateRow>();
  /** What the core lists beside the gates. */
  #besides: BesidesDecisions = { replies: [], failures: [], pulls: [], waits: [] };
  /** Open gates that are snoozed. */
  readonly #putOff = new Set<string>();
  /** Since when a gate or a reply waits without a reminder, with its text. */
  readonly #unreminded = new Map<
    string,
    { readonly since: number; readonly title: string; readonly place: string }
  >();
  readonly #ended = new Map<number, RunRow['outcome']>();
  /** What changed since a core was queried: its answer may be older. */
  readonly #heard = new Set<string>();
  readonly #troubles = new Set<string>();
  /** Since when the core is running but silent, with the message. */
  #silent: { readonly since: number; readonly detail: string } | null = null;
  /** The items beside the gates changed since the query: the answer may be older. */
  #heardBesides = false;
  #begun = false;

  constructor(private readonly options: AttentionOptions) {}

  /** A core is being queried. */
  restart(): void {
    this.#heard.clear();
    this.#heardBesides = false;
  }

  /**
   * The query's answer. At the first time none of it is new; a later core may report something not seen
   * before.
   */
  begin(open: readonly GateRow[], runs: readonly RunRow[], besides?: BesidesDecisions): void {
    const listed = new Set(open.map(keyOf));
    for (const key of [...this.#open.keys()]) if (!listed.has(key) && !this.#heard.has(key)) this.#close(key);
    const gates = open.filter((gate) => !this.#heard.has(keyOf(gate)) && this.#waitsAnew(gate));
    const ended = runs.filter((run) => {
      if (this.#heard.has(runKey(run))) return false;
      const known = this.#ended.has(run.id);
      // A run that was unknown before may have ended long ago.
      return this.#endsAnew(run) && known;
    });
    const waiting = besides === undefined || this.#heardBesides ? [] : this.#newWaiting(besides);
    this.#count();
    if (this.#begun) {
      this.#tellGates(gates);
      this.#tellWaiting(waiting);
      this.#tellRuns(ended);
    }
    this.#begun = true;
  }

  pushed(push: Push): void {
    if (push.topic === 'gates') {
      for (const gate of push.rows) this.#heard.add(keyOf(gate));
      const fresh = push.rows.filter((gate) => this.#waitsAnew(gate));
      this.#count();
      this.#tellGates(fresh);
    } else if (push.topic === 'attention') {
      this.#heardBesides = true;
      const fresh = this.#newWaiting(push.besides);
      this.#count();
      this.#tellWaiting(fresh);
    } else if (push.topic === 'runs') {
      for (const run of push.rows) this.#heard.add(runKey(run));
      this.#tellRuns(push.rows.filter((run) => this.#endsAnew(run)));
    }
  }

  /** Some time has passed: snoozes may have ended, and a core may be silent for too long. */
  look(): void {
    const { since, detail } = this.#silent ?? { since: Number.POSITIVE_INFINITY, detail: null };
    const isLong = this.options.now() - since >= CORE_SILENT_MS;
    this.#trouble('The core does not answer', 'Runs wait until it does.', isLong ? detail : null);
    this.#remind();
    const back = [...this.#putOff].flatMap((key) => this.#open.get(key) ?? []);
    const fresh = back.filter((gate) => this.#waitsAnew(gate));
    if (fresh.length === 0) return;
    this.#count();
    this.#tellGates(fresh);
  }

  /** Status of the processes: reports when one starts to fail, or keeps dying, and when it recovers. */
  status({ core, store, ptyHost }: Pick<SystemStatus, 'core' | 'store' | 'ptyHost'>): void {
    const failed = (what: { state: string; detail: string | null }, word: string): string | null =>
      what.state === word ? (what.detail ?? '') : null;
    this.#trouble('The core does not start', 'Runs wait until it runs.', failed(core, 'failed'));
    this.#trouble(
      'The store is failing',
      'Nothing new starts until it works again.',
      failed(store, 'failing'),
    );
    this.#trouble('Terminals do not start', 'Commands in terminals fail.', failed(ptyHost, 'failed'));
    this.#unsteady('The core', core.unsteady);
    this.#unsteady('The terminal process', ptyHost.unsteady);
    const detail = core.state === 'running' ? core.detail : null;
    this.#silent = detail === null ? null : { since: this.#silent?.since ?? this.options.now(), detail };
  }

  /** Processes a gate's current state. True if it has just started to wait for the operator. */
  #waitsAnew(gate: GateRow): boolean {
    const key = keyOf(gate);
    if (gate.status !== 'open') {
      this.#close(key);
      return false;
    }
    const known = this.#open.has(key);
    this.#open.set(key, gate);
    if (isSnoozed(gate, this.options.now())) {
      this.#putOff.add(key);
      this.#unreminded.delete(key);
      return false;
    }
    const wasOff = this.#putOff.delete(key);
    if (!known || wasOff) this.#waitsFrom(key, gate.title, `/gate/${key}`);
    // Without a time the operator ended the snooze.
    return !known || (wasOff && gate.snoozedUntil !== null);
  }

  /** Processes a run's end. True if that is new. */
  #endsAnew(run: RunRow): boolean {
    const before = this.#ended.get(run.id) ?? null;
    this.#ended.set(run.id, run.outcome);
    return run.outcome !== null && run.outcome !== before;
  }

  #close(key: string): void {
    this.#open.delete(key);
    this.#putOff.delete(key);
    this.#unreminded.delete(key);
  }

  #waitsFrom(key: string, title: string, place: string): void {
    this.#unreminded.set(key, { since: this.options.now(), title, place });
  }

  /** Reminds of items waiting longer than the operator's setting; not while they look at the window. */
  #remind(): void {
    const { remindMinutes, notifyGates } = this.options.settings();
    if (remindMinutes === 0 || !notifyGates || this.options.watched()) return;
    const before = this.options.now() - remindMinutes * MINUTE_MS;
    const late = [...this.#unreminded].filter(([, { since }]) => since <= before);
    const [first] = late;
    if (first === undefined) return;
    for (const [key] of late) this.#unreminded.delete(key);
    const isOne = late.length === 1;
    this.options.notify({
      kind: 'needs you',
      isReminder: true,
      title: isOne ? `Still waiting: ${first[1].title}` : `${late.length} things still wait for you`,
      body: isOne ? `For ${remindMinutes} min and longer` : `${first[1].title} and ${late.length - 1} more`,
      place: isOne ? first[1].place : '/inbox',
    });
  }

  #count(): void {
    const waiting = [...this.#open].filter(([key]) => !this.#putOff.has(key)).map(([, gate]) => gate);
    this.options.waiting(attentionCount(waiting, this.#besides, Number.POSITIVE_INFINITY));
  }

  /** Processes the items beside the gates; returns those that did not wait before. */
  #newWaiting(besides: BesidesDecisions): Waiting[] {
    const known = new Set(waitingOf(this.#besides).map(({ key }) => key));
    this.#besides = besides;
    const waiting = waitingOf(besides);
    const now = new Set(waiting.map(({ key }) => key));
    for (const key of known) if (!now.has(key)) this.#unreminded.delete(key);
    const fresh = waiting.filter(({ key }) => !known.has(key));
    for (const { key, title, place } of fresh) this.#waitsFrom(key, title, place);
    return fresh;
  }

  #tellWaiting(fresh: readonly Waiting[]): void {
    if (!this.options.settings().notifyGates || this.options.watched()) return;
    const [first] = fresh;
    if (first === undefined) return;
    const more = fresh.length > 1 ? ` and ${fresh.length - 1} more` : '';
    const place = fresh.length > 1 ? '/inbox' : first.place;
    this.options.notify({ kind: 'needs you', title: `${first.title}${more}`, body: first.body, place });
  }

  #tellGates(fresh: readonly GateRow[]): void {
    if (!this.options.settings().notifyGates || this.options.watched()) return;
    if (fresh.length > MOST_TOLD_AT_ONCE) {
      const body = `${fresh[0]?.title ?? ''} and ${fresh.length - 1} more`;
      const title = `${fresh.length} questions wait for you`;
      this.options.notify({ kind: 'needs you', title, body, place: '/inbox' });
    } else for (const gate of fresh) this.options.notify(gateNotice(gate, this.options.now()));
  }

  #tellRuns(ended: readonly RunRow[]): void {
    if (this.options.watched()) return;
    const { notifyFailures, notifyFinished } = this.options.settings();
    for (const run of ended) {
      const bad = run.outcome === 'failed';
      if (bad ? !notifyFailures : !notifyFinished) continue;
      const body = run.reason ?? (bad ? 'It failed.' : `${run.stepsDone} of ${run.steps} steps are done.`);
      this.options.notify({
        kind: bad ? 'failed' : 'finished',
        title: `${run.name}: ${run.outcome}`,
        body,
        place: `/run/${run.uid}`,
        ...(bad && { acts: [dismissal(run)] }),
      });
    }
  }

  #trouble(title: string, means: string, detail: string | null): void {
    if (detail === null) this.#troubles.delete(title);
    else if (!this.#troubles.has(title)) {
      this.#troubles.add(title);
      this.#tell(title, detail === '' ? means : `${means} ${asSentence(detail)}`);
    }
  }

  #unsteady(what: string, unsteady: Unsteady | null): void {
    const title = `${what} keeps crashing`;
    const before = this.#troubles.has(title);
    this.#trouble(title, 'It restarts each time.', unsteady && endsWords(unsteady));
    if (before && unsteady === null)
      this.#tell(`${what} is stable again`, 'It has not ended for 10 minutes.');
  }

  #tell(title: string, body: string): void {
    if (!this.options.settings().notifyFailures || this.options.watched()) return;
    this.options.notify({ kind: 'failed', title, body, place: '/settings/system' });
  }
}

/** How many items need the operator, for the tray and the taskbar. */
export const needsWords = (count: number): string =>
  `${count} ${count === 1 ? 'thing needs' : 'things need'} you`;

const keyOf = (gate: GateRow): string => `${gate.runId}/${gate.gateId}`;
const runKey = (run: RunRow): string => `run ${run.id}`;

const endsWords = ({ times, since, last }: Unsteady): string => {
  const from = new Date(since).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' });
  return `It ended ${times} times since ${from}, the last time: ${withinSentence(last)}`;
};

/** An item beside the gates that waits for the operator. */
interface Waiting {
  readonly key: string;
  readonly title: string;
  readonly body: string;
  readonly place: string;
}

const placeOf = (...parts: (string | number)[]): string =>
  ['/inbox', ...parts.map(encodeURIComponent)].join('/');

const waitingOf = ({ replies, pulls }: BesidesDecisions): Waiting[] => [
  ...replies.map(({ runId, activationId, member, round, runName, lastWords }) => ({
    key: JSON.stringify([runId, activationId, member, round]),
    title: member === null ? `${runName} waits for you` : `${member} delivered round ${round}`,
    body: lastWords ?? runName,
    place: placeOf('reply', runId, activationId, ...(member === null ? [] : [member, round])),
  })),
  ...pulls.map(({ runId, key, number, what, title }) => ({
    key: JSON.stringify(['pull', runId, key]),
    title: number === null ? what : `#${number}: ${what}`,
    body: title,
    place: placeOf('pull', runId, key),
  })),
];

/** Nothing can be approved from a notification, since it does not show what is decided. */
const gateNotice = (gate: GateRow, now: number): Notice => ({
  kind: 'needs you',
  title: gate.title,
  body: gateOrigin(gate),
  place: `/gate/${keyOf(gate)}`,
  acts: [
    {
      label: 'Snooze for 1 hour',
      procedure: 'gate.snooze',
      input: { runId: gate.runId, gateId: gate.gateId, until: now + HOUR_MS },
    },
  ],
});

const dismissal = ({ id: runId, finishedAt, at }: RunRow): NoticeAct => ({
  label: 'Dismiss',
  procedure: 'attention.markSeen',
  input: { upTo: finishedAt ?? at, runId },
});
