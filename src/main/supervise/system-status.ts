import type { SystemStatus } from '@contract/system/procedures';

/** What main itself observes, and the core cannot know, or report while it is away. */
interface SeenByMain {
  readonly core: SystemStatus['core'];
  readonly ptyHost: SystemStatus['ptyHost'];
  readonly notices: SystemStatus['notices'];
}

/**
 * The core's last status, overlaid with main's observations. While the core is away the rest stays as last
 * known.
 */
export function overlaid(last: SystemStatus | null, seen: SeenByMain, dbPath: string): SystemStatus {
  const base = last ?? unknownYet(seen.core.since, dbPath);
  // An attached core has its own terminals.
  const ptyHost = seen.core.state === 'attached' ? base.ptyHost : seen.ptyHost;
  return { ...base, core: seen.core, ptyHost, notices: [...seen.notices, ...base.notices] };
}

function unknownYet(since: number, path: string): SystemStatus {
  return {
    core: { state: 'starting', since, detail: null, pid: null, restarts: 0, unsteady: null },
    ptyHost: { state: 'starting', since, detail: null, unsteady: null },
    store: { state: 'opening', since, detail: null, path, bytes: 0, freeBytes: 0 },
    live: { runs: 0, sessions: 0, turns: 0, commands: 0, gates: 0, steps: 0, limitEndsAt: null },
    spendToday: { tokens: 0, costUsd: 0, untoldTurns: 0, costUnreported: 0 },
    next: null,
    notices: [],
  };
}
