import type { ProcedureName } from '@contract/ipc';
import { ADDRESS_SETTLES_MS } from '../../limits';
import { parseRoute, type Route, setQuery, withQuery } from '../route';
import { Cell } from '../store';

interface Held {
  readonly path: string;
  /** The address at the time the scrubber moved. */
  readonly written: string;
  readonly seq: number;
}

/** The scrubber's position before the address has it. */
export const heldMoment = new Cell<Held | null>(null);
let writing: ReturnType<typeof setTimeout> | null = null;

const pathOf = ({ path }: Pick<Route, 'path'>): string => path.slice(0, 2).join('/');

/** The event after which a view shows the run; null: the current state. */
export function momentOf(route: Route, held: Held | null): number | null {
  const written = route.query.at ?? '';
  if (held !== null && held.path === pathOf(route) && held.written === written) return held.seq;
  return /^[1-9]\d{0,14}$/.test(written) ? Number(written) : null;
}

export const momentNow = (): number | null =>
  momentOf(parseRoute(globalThis.location?.hash ?? ''), heldMoment.get());

/** Shows this run as it was right after an event; null: the current state. */
export function lookAt(seq: number | null): void {
  if (writing !== null) clearTimeout(writing);
  writing = null;
  if (seq === null) {
    heldMoment.set(null);
    setQuery({ at: '' });
    return;
  }
  const route = parseRoute(window.location.hash);
  heldMoment.set({ path: pathOf(route), written: route.query.at ?? '', seq });
  writing = setTimeout(() => {
    writing = null;
    const held = heldMoment.get();
    if (held !== null && held.path === pathOf(parseRoute(window.location.hash)))
      setQuery({ at: String(held.seq) });
    heldMoment.set(null);
  }, ADDRESS_SETTLES_MS);
}

/** An address within the same run, at the shown moment. */
export function atMoment(hash: string): string {
  const seq = momentNow();
  return seq === null ? hash : withQuery(hash, { at: String(seq) });
}

/** Procedures about a run that change nothing in it. */
const READING = [
  'attention.markSeen',
  'feed.list',
  'feed.markRead',
  'gate.before',
  'gate.list',
  'loop.log',
  'rlm.excerpt',
  'rlm.text',
  'rule.suggest',
  'run.commandOutput',
  'run.events',
  'run.export',
  'run.get',
  'run.output',
  'run.results',
  'run.sessionLog',
  'run.transcript',
  'session.list',
  'team.messages',
  'terminal.get',
  'terminal.open',
  'workspace.diff',
  'workspace.file',
  'workspace.marks',
  'workspace.search',
] as const satisfies readonly ProcedureName[];

/**
 * Whether a call would act on a run while its past is shown: the operator would decide on outdated
 * information.
 */
export const actsOnThePast = (name: ProcedureName, input: unknown, moment: number | null): boolean =>
  moment !== null &&
  typeof input === 'object' &&
  input !== null &&
  (Object.hasOwn(input, 'runId') || Object.hasOwn(input, 'gateId')) &&
  !(READING as readonly string[]).includes(name);
