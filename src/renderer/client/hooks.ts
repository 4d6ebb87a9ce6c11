import type { ProcedureInput, ProcedureName, ProcedureOutput, Push } from '@contract/ipc';
import { ownValue } from '@contract/own';
import type { RunState } from '@contract/run/state';
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { ActionId, Handlers } from './actions';
import { type WorkflowFile, type WorkflowFileView, workflowFile } from './files/workflow-file';
import { parseRoute, type Route } from './route';
import { call } from './rpc';
import { heldMoment, momentOf } from './runs/moment';
import type { ReplicaView } from './runs/replica';
import { calmReplica, runAt, runReplica, turnTranscript } from './runs/runs';
import { Selection } from './runs/selection';
import type { TranscriptView } from './runs/transcript-follower';
import { Drafts } from './sending/drafts';
import { outgoing } from './sending/outgoing';
import { type Sending, SendKeys } from './sending/send-keys';
import { StartOnce } from './sending/start-once';
import { layout, saveLayout } from './settings';
import { Cell, type Readable } from './store';
import { clock } from './time';
import { loading, query, type Reading } from './wire/query';
import { registry } from './wire/window';

export function useReadable<T>(readable: Readable<T>): T {
  return useSyncExternalStore(readable.subscribe, readable.get);
}

/** A text or number that depends on the time; rendered again only when it changes. */
export function useClock<T extends string | number | boolean>(of: (now: number) => T): T {
  return useSyncExternalStore(clock.subscribe, () => of(clock.get()));
}

const idle: Readable<Reading<never>> = new Cell(loading);

/** A procedure's answer, read again when it is stale. Without an input nothing is requested. */
export function useQuery<N extends ProcedureName>(
  name: N,
  input: ProcedureInput<N> | null,
  staleOn?: readonly Push['topic'][],
): Reading<ProcedureOutput<N>> {
  const key = JSON.stringify(input);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the input is compared by value
  const readable = useMemo(() => (input === null ? idle : query(name, input, staleOn)), [name, key]);
  return useReadable<Reading<ProcedureOutput<N>>>(readable);
}

/**
 * A part of a run's state; null until it is loaded. `seq`: the state right after that event. The component
 * renders again when the part is another object, or a list or record with other parts.
 */
export function useRun<T>(
  runId: number,
  select: (state: RunState) => T,
  seq: number | null = null,
): T | null {
  const run = useMemo(() => runAt(runId, seq), [runId, seq]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another run shares nothing with this one
  const selection = useMemo(() => new Selection<T>(), [runId]);
  return useSyncExternalStore(run.subscribe, () => selection.of(run.get(), select));
}

/** Selects the whole state: for a page that shows rows of everything. */
export const wholeRun = (state: RunState): RunState => state;

/** Whether a run, or its past, could be read; and its row in the list. */
export function useRunStatus(
  runId: number,
  seq: number | null = null,
): Pick<ReplicaView, 'status' | 'row' | 'error'> {
  const now = useMemo(() => runReplica(runId), [runId]);
  const then = useMemo(() => runAt(runId, seq), [runId, seq]);
  const status = useSyncExternalStore(then.subscribe, () => then.get().status);
  const error = useSyncExternalStore(then.subscribe, () => then.get().error);
  const row = useSyncExternalStore(now.subscribe, () => now.get().row);
  return { status, error, row };
}

/** The state of a run, updated at most once a frame: for the parts beside the main text. */
export function useRunCalmly(runId: number, seq: number | null): ReplicaView {
  return useReadable(useMemo(() => (seq === null ? calmReplica(runId) : runAt(runId, seq)), [runId, seq]));
}

export function useTranscript(runId: number, turnId: number): TranscriptView {
  return useReadable(useMemo(() => turnTranscript(runId, turnId), [runId, turnId]));
}

const route = new Cell<Route>(parseRoute(window.location.hash), () => {
  const read = () => route.set(parseRoute(window.location.hash));
  read();
  window.addEventListener('hashchange', read);
  return () => window.removeEventListener('hashchange', read);
});

export const useRoute = (): Route => useReadable(route);

/** The event after which this view shows its run; null: the current state. */
export const useMoment = (): number | null => momentOf(useRoute(), useReadable(heldMoment));

/**
 * The first item, if the address names none. It stays selected when others come before it later: the page
 * must not change while someone writes in it. `keys` are the items to choose from.
 */
export function useFirst(keys: readonly string[], named: boolean): string | null {
  const kept = useRef<string | null>(null);
  if (named) kept.current = null;
  else if (kept.current === null || !keys.includes(kept.current)) kept.current = keys[0] ?? null;
  return kept.current;
}

/**
 * Registers the handlers of a view while it is shown. Null: the action is not available. `focused`: they go before
 * those of the page around them, whose keys they may share.
 */
export function useHandlers(
  handlers: Handlers<ActionId>,
  within: (() => boolean) | null = null,
  rank: 'page' | 'focused' = 'page',
): void {
  const layer = useRef<ReturnType<typeof registry.add> | null>(null);
  const inside = useRef(within);
  inside.current = within;
  useLayoutEffect(() => {
    const added = registry.add({}, () => inside.current?.() ?? true, rank);
    layer.current = added;
    return () => added.remove();
  }, [rank]);
  const able = Object.keys(handlers)
    .filter((id) => ownValue(handlers, id))
    .join(' ');
  useLayoutEffect(() => {
    if (layer.current) layer.current.handlers = handlers;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of what is available matters
  useEffect(() => registry.touch(), [able]);
}

/** Writes a text, or the result of a function of the current one. */
export type WriteDraft = (next: string | ((now: string) => string)) => void;

const drafts = new Drafts(
  () => window.localStorage,
  () => void call('app.flushStorage', {}),
);

/** An unsent text, saved under its key. */
export function useDraft(key: string): [string, WriteDraft] {
  const cell = useMemo(() => drafts.cell(key), [key]);
  const write = useCallback<WriteDraft>((next) => drafts.write(key, next), [key]);
  return [useReadable(cell), write];
}

const sendKeys = new SendKeys(drafts);

/**
 * Begins to send the draft of a place, with everything sent along. The sending keeps its key until the draft
 * changes.
 */
export function useSending(place: string, draft: string): () => Sending {
  useEffect(() => sendKeys.drafted(place, draft), [place, draft]);
  return () => sendKeys.begin(place, draft);
}

/**
 * Starts what a form describes, under a uid that is kept while no answer arrived. A changed or reopened form,
 * and a press after an answer, mean a new start.
 */
export function useStart(form: string): <T>(start: (uid: string) => Promise<T>) => Promise<T> {
  const [once] = useState(() => new StartOnce());
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form is compared by value
  useEffect(() => once.forget(), [form, once]);
  return useCallback((start) => once.begin(start), [once]);
}

/** Sends the texts of this view in order, while it is shown. */
export const useOutgoing = (): ReturnType<typeof outgoing> => useMemo(outgoing, []);

/** A size or a collapsed part of the window's layout. */
export function useWidth(key: string, initial: number): [number, (value: number) => void] {
  const value = ownValue(useReadable(layout), key);
  const save = useCallback((next: number) => saveLayout(key, next), [key]);
  return [typeof value === 'number' ? value : initial, save];
}

export function useSwitch(key: string, initial: boolean): [boolean, (value: boolean) => void] {
  const value = ownValue(useReadable(layout), key);
  const save = useCallback((next: boolean) => saveLayout(key, next), [key]);
  return [typeof value === 'boolean' ? value : initial, save];
}

/** A workflow file to show and change. */
export function useWorkflowFile(
  projectId: number,
  file: string,
): { readonly open: WorkflowFile; readonly view: WorkflowFileView } {
  const open = useMemo(() => workflowFile(projectId, file), [projectId, file]);
  return { open, view: useReadable(open.view) };
}
