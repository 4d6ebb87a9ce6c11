import { call } from '../rpc';
import { Cell, type Readable } from '../store';
import { bus } from '../wire/window';
import { emptyReplica, Replica, type ReplicaView } from './replica';
import { RunHistory } from './run-history';
import { emptyView, TranscriptFollower, type TranscriptView } from './transcript-follower';

const replicas = new Map<number, Cell<ReplicaView>>();

/** A run, kept up to date while it has readers. */
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

const pasts = new Map<number, RunHistory>();

/** The past of a run, kept while it has readers. */
export function runPast(runId: number): RunHistory {
  const known = pasts.get(runId);
  if (known) return known;
  const fetch = (afterSeq: number, limit: number) => call('run.events', { runId, afterSeq, limit });
  const past = new RunHistory(fetch, (self) => {
    const read = () => void self.read();
    const ends = [bus.on('run', runId, read), bus.onLost(read)];
    read();
    return () => {
      for (const end of ends) end();
      pasts.delete(runId);
    };
  });
  pasts.set(runId, past);
  return past;
}

/** A run now, or right after an event. */
export const runAt = (runId: number, seq: number | null): Readable<ReplicaView> =>
  seq === null ? runReplica(runId) : runPast(runId).at(seq);

const calm = new Map<number, Cell<ReplicaView>>();

/**
 * The same, updated at most once a frame and within it: for the parts beside the main text. The main text is
 * drawn first, and both appear in the same frame.
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
      // The first value is not delayed.
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

const transcripts = new Map<string, Cell<TranscriptView>>();

/** Finished turns do not change: the last ones shown are kept, so that scrolling back costs nothing. */
const kept = new Map<string, TranscriptView>();
const MOST_KEPT = 200;

/** The transcript of a turn, updated while it streams. */
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
  const follower = new TranscriptFollower({
    fetch: () => call('run.transcript', { runId, turnId }),
    show: (view) => cell.set(view),
    whole: (view) => keep(`${runId}/${turnId}`, view),
  });
  const ends = [
    bus.on('stream', runId, (push) => {
      if (push.turnId === turnId) follower.receive(push.from, push.items);
    }),
    bus.onLost(() => void follower.lost()),
  ];
  void follower.read();
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
