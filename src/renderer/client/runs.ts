import type { AppError } from '@contract/errors';
import { emptyReplica, Replica, type ReplicaView } from './replica';
import { call } from './rpc';
import { Cell, type Readable } from './store';
import { addItems, emptyTranscript, receiveItems, type Transcript } from './transcript';
import { bus } from './window';

const replicas = new Map<number, Cell<ReplicaView>>();

/** A run, followed as long as somebody looks. */
export function runReplica(runId: number): Readable<ReplicaView> {
  const known = replicas.get(runId);
  if (known) return known;
  const cell: Cell<ReplicaView> = new Cell(emptyReplica, () => {
    const replica = new Replica(
      () => call('run.get', { runId }),
      (view) => cell.set(view),
    );
    const ends = [
      bus.on('run', runId, (push) => replica.receive(push.events)),
      bus.on('runs', null, (push) => {
        for (const row of push.rows) replica.receiveRow(row);
      }),
      bus.onLost(() => void replica.read()),
    ];
    void replica.read();
    return () => {
      for (const end of ends) end();
      replicas.delete(runId);
    };
  });
  replicas.set(runId, cell);
  return cell;
}

const calm = new Map<number, Cell<ReplicaView>>();

/**
 * The same, told at most once a frame and within it: for what stands beside that which is read. That is drawn first,
 * and both are seen together.
 */
export function calmReplica(runId: number): Readable<ReplicaView> {
  const known = calm.get(runId);
  if (known) return known;
  const run = runReplica(runId);
  const cell: Cell<ReplicaView> = new Cell(run.get(), () => {
    let frame: number | null = null;
    const tell = () => {
      frame = null;
      cell.set(run.get());
    };
    const end = run.subscribe(() => {
      // What is shown first is not waited for.
      if (cell.get().status === 'loading') tell();
      else frame ??= requestAnimationFrame(tell);
    });
    tell();
    return () => {
      end();
      if (frame !== null) cancelAnimationFrame(frame);
      calm.delete(runId);
    };
  });
  calm.set(runId, cell);
  return cell;
}

export interface TranscriptView {
  readonly status: 'loading' | 'ready' | 'failed';
  readonly transcript: Transcript;
  readonly error: AppError | null;
}

const emptyView: TranscriptView = { status: 'loading', transcript: emptyTranscript, error: null };
const transcripts = new Map<string, Cell<TranscriptView>>();

/** Turns that are over do not change: the last ones looked at are kept, so that scrolling back costs nothing. */
const kept = new Map<string, TranscriptView>();
const MOST_KEPT = 200;

/** What an agent said and did in a turn, followed while it streams. */
export function turnTranscript(runId: number, turnId: number): Readable<TranscriptView> {
  const key = `${runId}/${turnId}`;
  const known = transcripts.get(key);
  if (known) return known;
  const cell = new Cell<TranscriptView>(kept.get(key) ?? emptyView, () => {
    const end = kept.has(key) ? () => {} : follow(cell, runId, turnId);
    return () => {
      end();
      transcripts.delete(key);
    };
  });
  transcripts.set(key, cell);
  return cell;
}

function follow(cell: Cell<TranscriptView>, runId: number, turnId: number): () => void {
  let reading = false;
  const read = async () => {
    if (reading) return;
    reading = true;
    const result = await call('run.transcript', { runId, turnId });
    reading = false;
    if (!result.ok) return cell.update((view) => ({ ...view, status: 'failed', error: result.error }));
    const { live, items } = result.value;
    const shown = cell.get().transcript;
    // Pieces that came while it was read may be ahead of it.
    const transcript = shown.length > items.length ? shown : addItems(emptyTranscript, items);
    cell.set({ status: 'ready', transcript, error: null });
    if (!live) keep(`${runId}/${turnId}`, cell.get());
  };
  const ends = [
    bus.on('stream', runId, (push) => {
      if (push.turnId !== turnId) return;
      const next = receiveItems(cell.get().transcript, push.from, push.items);
      if (next === null) void read();
      else cell.update((view) => ({ ...view, transcript: next }));
    }),
    bus.onLost(() => void read()),
  ];
  void read();
  return () => {
    for (const end of ends) end();
  };
}

function keep(key: string, view: TranscriptView): void {
  kept.delete(key);
  kept.set(key, view);
  const oldest = kept.keys().next().value;
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
}
