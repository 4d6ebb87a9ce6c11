import type { AppError } from '@contract/errors';
import type { ProcedureInput, ProcedureName, ProcedureOutput, Push } from '@contract/ipc';
import { call } from '../rpc';
import { oneAfterAnother } from '../sending/one-after-another';
import { Cell, type Readable } from '../store';
import { bus } from './window';

type Topic = Push['topic'];

/** An answer of the core. While it is read again, the last one stays. */
export interface Reading<T> {
  readonly status: 'loading' | 'ready' | 'failed';
  readonly value: T | null;
  readonly error: AppError | null;
}

export const loading: Reading<never> = { status: 'loading', value: null, error: null };

/** The pushes that make an answer stale. A feature names those of its own procedures when it subscribes. */
const STALE_ON: Partial<Record<ProcedureName, readonly Topic[]>> = {
  'run.find': ['runs'],
  'run.undoable': ['runs'],
  'spend.list': ['runs'],
  'home.get': ['runs', 'attention', 'gates'],
  'session.list': ['runs'],
  'workflow.list': ['workflows', 'profiles', 'settings'],
  'workflow.get': ['workflows', 'profiles', 'settings'],
  'workflow.deleted': ['workflows'],
  'workflow.source': ['workflows'],
  'workflow.check': ['workflows', 'profiles', 'settings'],
  'workflow.templates': ['workflows'],
  'workflow.migrate': ['workflows'],
  'prompt.list': ['workflows'],
  'prompt.get': ['workflows'],
  'prompt.check': ['workflows'],
  'project.list': ['workflows'],
  'project.settings': ['workflows'],
  'agent.list': ['workflows', 'profiles'],
  'agent.detect': ['profiles'],
  'doctor.get': ['profiles'],
  'rule.list': ['gates', 'rules'],
  'feed.sources': ['feed'],
  'delivery.targets': ['deliveries'],
  'delivery.list': ['deliveries'],
  'pull.record': ['pulls'],
  'host.list': ['hosts'],
  'workspace.marks': ['runs'],
};

interface Query {
  readonly name: ProcedureName;
  readonly cell: Cell<Reading<unknown>>;
  read(): Promise<void>;
}

const queries = new Map<string, Query>();

/** A procedure's answer as an observable: read for the first reader, and whenever it is stale. */
export function query<N extends ProcedureName>(
  name: N,
  input: ProcedureInput<N>,
  staleOn: readonly Topic[] = STALE_ON[name] ?? [],
): Readable<Reading<ProcedureOutput<N>>> {
  const key = `${name} ${JSON.stringify(input)}`;
  const known = queries.get(key);
  if (known) return known.cell as Readable<Reading<ProcedureOutput<N>>>;
  const made = makeQuery({ name, input, staleOn }, () => queries.delete(key));
  queries.set(key, made);
  return made.cell as Readable<Reading<ProcedureOutput<N>>>;
}

interface QueryCall<N extends ProcedureName> {
  readonly name: N;
  readonly input: ProcedureInput<N>;
  readonly staleOn: readonly Topic[];
}

function makeQuery<N extends ProcedureName>(
  { name, input, staleOn }: QueryCall<N>,
  ended: () => void,
): Query {
  const ask = async () => {
    const result = await call(name, input);
    // An equal answer causes no rendering.
    const isNews = ({ status, value }: Reading<unknown>) =>
      status !== 'ready' || !result.ok || !Object.is(value, result.value);
    if (result.ok)
      cell.update((last) => (isNews(last) ? { status: 'ready', value: result.value, error: null } : last));
    else cell.update((last) => ({ ...last, status: 'failed', error: result.error }));
  };
  const read = oneAfterAnother(ask);
  const cell: Cell<Reading<unknown>> = new Cell<Reading<unknown>>(loading, () => {
    const again = () => void read();
    const ends = [bus.onLost(again), ...staleOn.map((topic) => bus.on(topic, null, again))];
    // Reads after the bus has sent the subscriptions to the core: later changes then arrive as pushes.
    queueMicrotask(again);
    return () => {
      for (const end of ends) end();
      ended();
    };
  });
  return { name, cell, read };
}

/**
 * Reads again what the operator just changed, including data that is not shown now but would be stale later.
 */
export async function refresh(...names: ProcedureName[]): Promise<void> {
  const old = [...queries.values()].filter((query) => names.includes(query.name));
  await Promise.all(old.map((query) => query.read()));
}
