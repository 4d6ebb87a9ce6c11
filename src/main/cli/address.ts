import { allGates } from '@areas/gates/contract/pages';
import type { GateRow } from '@areas/gates/contract/procedures';
import { appError } from '@contract/errors';
import { err, fail, ok, type Result } from '@contract/result';
import type { RunRow } from '@contract/run/procedures';
import { ask, type CoreCalls } from '../api/core-service';
import type { Link } from './link/link';

/** The seq of a run's last event. A hosted core returns its own live state, so the number is read at once. */
export async function seqOf(core: CoreCalls, runId: number): Promise<Result<number>> {
  const run = await ask(core, 'run.get', { runId });
  return run.ok ? ok(run.value.state.seq) : run;
}

export const findRun = (core: CoreCalls, name: string): Promise<Result<RunRow>> =>
  ask(core, 'run.find', { name });

/**
 * Runs that a core is actually working on. A core started for a single command has loaded no others. A core
 * of an earlier version cannot say, so the rows are trusted.
 */
export async function liveRuns(link: Pick<Link, 'call' | 'kind'>): Promise<(runId: number) => boolean> {
  if (link.kind === 'hosted') return () => false;
  const live = await ask(link, 'run.live', {});
  if (!live.ok) return () => true;
  const known = new Set(live.value);
  return (runId) => known.has(runId);
}

/** `RUN/GATE`, or `RUN` if only one of its gates is open. */
export async function findGate(
  core: CoreCalls,
  address: string,
): Promise<Result<{ run: RunRow; gate: GateRow }>> {
  const [name = '', number] = address.split('/');
  if (number !== undefined && !/^\d+$/.test(number)) {
    return fail('input.invalid', `"${address}" does not name a gate`, {
      mend: 'write RUN/GATE, for example 12/1',
    });
  }
  const run = await findRun(core, name);
  if (!run.ok) return run;
  const rows = await gatesOf(core, run.value.id);
  if (!rows.ok) return rows;
  const open = rows.value.filter((row) => row.status === 'open');
  const fit = number === undefined ? open : rows.value.filter((row) => row.gateId === Number(number));
  const [gate, ...others] = fit;
  if (gate === undefined) return err(noGate(run.value.id, number, open));
  if (others.length === 0) return ok({ run: run.value, gate });
  const which = fit.map((row) => `${row.runId}/${row.gateId} (${row.title})`).join(', ');
  return fail('input.invalid', `run ${run.value.id} has ${fit.length} open gates`, {
    mend: `name one: ${which}`,
  });
}

async function gatesOf(core: CoreCalls, runId: number): Promise<Result<GateRow[]>> {
  const found: GateRow[] = [];
  for (const status of ['open', 'closed'] as const) {
    const listed = await allGates((page) => ask(core, 'gate.list', { status, runId, ...page }));
    if (!listed.ok) return listed;
    // A core of an earlier version returns the gates of all runs.
    found.push(...listed.value.filter((row) => row.runId === runId));
  }
  return ok(found);
}

function noGate(runId: number, number: string | undefined, open: readonly GateRow[]) {
  if (number === undefined) return appError('not_found', `no gate of run ${runId} is open`);
  const mend =
    open.length === 0
      ? 'none is open'
      : `open gates: ${open.map((row) => `${row.runId}/${row.gateId}`).join(', ')}`;
  return appError('not_found', `there is no gate ${number} in run ${runId}`, { mend });
}
