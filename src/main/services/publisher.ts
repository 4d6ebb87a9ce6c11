import type { BesidesDecisions } from '@areas/attention/contract/procedures';
import type { TranscriptItem } from '@areas/sessions/contract/session';
import type { Push, Topic } from '@contract/ipc';
import type { StoredEvent } from '@contract/run/events';
import { maskedEvent } from '@contract/run/masked-event';
import type { RunState } from '@contract/run/state';
import type { Settings } from '@contract/system/procedures';
import type { Publisher } from '../core/ports/ports';
import type { StoreReader } from '../core/ports/store/store';
import { LIST_PAUSE_MS, LIST_SOON_MS } from '../limits/core';

type AskedTopic = 'deliveries' | 'hosts' | 'profiles' | 'pulls' | 'rules';

/** What needs the operator beside the gates; null if unchanged since last published. */
type Besides = () => BesidesDecisions | null;

interface PublishTarget {
  send(push: Push): void;
  later(ms: number, run: () => void): void;
}

/**
 * Publishes committed changes to windows and clients, by topic. List rows are read from the projections at
 * publishing time, so that many events of a run in one moment cost one row.
 */
export class TopicPublisher implements Publisher {
  private topics: ReadonlySet<Topic> = new Set();
  private readonly listeners = new Set<
    (runId: number, events: readonly StoredEvent[], state: RunState) => void
  >();
  private listsWait = false;
  private listsStale = false;
  private readonly runs = new Set<number>();
  private readonly gates = new Map<string, { runId: number; gateId: number }>();
  private updates: number[] = [];
  private statusStale = false;
  /** Topics to publish without content. */
  private readonly stale = new Set<AskedTopic | 'attention'>();
  private besides: Besides = () => null;

  constructor(
    private readonly reader: Pick<StoreReader, 'run' | 'gate' | 'updates'>,
    private readonly target: PublishTarget,
    private readonly status: () => Push | null,
  ) {}

  /** The topics that clients follow; replaces the previous ones. */
  follow(topics: Iterable<Topic>): void {
    this.topics = new Set(topics);
  }

  /** Sets the source of what needs the operator. */
  attend(besides: Besides): void {
    this.besides = besides;
  }

  /** For parts of the core that react to commits, such as notifications and the event stream. */
  onCommitted(
    listener: (runId: number, events: readonly StoredEvent[], state: RunState) => void,
  ): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  committed(runId: number, events: readonly StoredEvent[], state: RunState): void {
    if (this.topics.has(`run:${runId}`))
      this.target.send({ topic: 'run', runId, events: events.map(maskedEvent) });
    this.runs.add(runId);
    for (const { id, event } of events) {
      if (event.type === 'update.posted') this.updates.push(id);
      else if (event.type.startsWith('gate.') && 'gateId' in event) {
        this.gates.set(`${runId}/${event.gateId}`, { runId, gateId: event.gateId });
      }
    }
    this.touchLists();
    for (const listener of this.listeners) listener(runId, events, state);
  }

  /** An event that was not folded, of an unreadable run. */
  appended(stored: StoredEvent): void {
    const { runId } = stored;
    if (this.topics.has(`run:${runId}`)) this.target.send({ topic: 'run', runId, events: [stored] });
    this.runs.add(runId);
    this.touchLists();
  }

  streamed(runId: number, what: { turnId: number; from: number; items: readonly TranscriptItem[] }): void {
    if (this.topics.has(`stream:${runId}`))
      this.target.send({ topic: 'stream', runId, ...what, items: [...what.items] });
  }

  workflowsChanged(projectId: number): void {
    if (this.topics.has('workflows')) this.target.send({ topic: 'workflows', projectId });
  }

  /** A gate's row changed without an event. */
  gateChanged(runId: number, gateId: number): void {
    this.gates.set(`${runId}/${gateId}`, { runId, gateId });
    this.touchLists();
  }

  statusChanged(): void {
    this.statusStale = true;
    this.touchLists();
  }

  settingsChanged(settings: Settings): void {
    if (this.topics.has('settings')) this.target.send({ topic: 'settings', settings });
  }

  /** Publishes a topic without content; followers query for the details. */
  changed(topic: AskedTopic | 'attention'): void {
    this.stale.add(topic);
    this.touchLists();
  }

  private touchLists(): void {
    this.listsStale = true;
    if (!this.listsWait) this.waitLists(LIST_SOON_MS);
  }

  private waitLists(ms: number): void {
    this.listsWait = true;
    this.target.later(ms, () => {
      this.listsWait = false;
      if (!this.listsStale) return;
      this.listsStale = false;
      try {
        this.tellLists();
      } catch (cause) {
        // An unreadable store reports that through its health. Followers of a list read it again when it
        // recovers.
        if (!(cause instanceof Error && 'appError' in cause)) throw cause;
      }
      this.waitLists(LIST_PAUSE_MS);
    });
  }

  private tellLists(): void {
    const runIds = [...this.runs];
    const gateIds = [...this.gates.values()];
    const updateIds = this.updates;
    this.runs.clear();
    this.gates.clear();
    this.updates = [];
    if (runIds.length > 0 && this.topics.has('runs')) {
      const rows = runIds.flatMap((id) => this.reader.run(id) ?? []);
      this.target.send({ topic: 'runs', rows });
    }
    if (gateIds.length > 0 && this.topics.has('gates')) {
      const rows = gateIds.flatMap(({ runId, gateId }) => this.reader.gate(runId, gateId) ?? []);
      this.target.send({ topic: 'gates', rows });
    }
    if (updateIds.length > 0 && this.topics.has('feed')) {
      this.target.send({ topic: 'feed', rows: this.reader.updates(updateIds) });
    }
    const attends = runIds.length > 0 || this.stale.delete('attention');
    const besides = attends && this.topics.has('attention') ? this.besides() : null;
    if (besides !== null) this.target.send({ topic: 'attention', besides });
    for (const topic of this.stale)
      if (topic !== 'attention' && this.topics.has(topic)) this.target.send({ topic });
    this.stale.clear();
    const status = runIds.length > 0 || this.statusStale ? this.status() : null;
    this.statusStale = false;
    if (status !== null && this.topics.has('system')) this.target.send(status);
  }
}
