import type { RunRow } from '@contract/run/procedures';
import type { Settings, SystemStatus } from '@contract/system/procedures';

/*
 * What each file of the archive says, field by field. Nothing is passed on as a whole: a field that is added
 * elsewhere stays out until it is named here.
 */

/** Texts of the operator become whether there is one. */
export function sharedSettings(settings: Settings): object {
  const { theme, density, notifyGates, notifyFailures, notifyFinished, remindMinutes } = settings;
  const { keepInTray, undoSeconds, terminals, httpApi, deliveries, keys } = settings;
  const targets: Record<string, number> = {};
  for (const { kind } of deliveries.targets) targets[kind] = (targets[kind] ?? 0) + 1;
  return {
    theme,
    density,
    notifyGates,
    notifyFailures,
    notifyFinished,
    remindMinutes,
    keepInTray,
    undoSeconds,
    terminals: { terminalMb: terminals.terminalMb, totalMb: terminals.totalMb },
    httpApi: { enabled: httpApi.enabled, port: httpApi.port },
    deliveries: { targets, giveUpDays: deliveries.giveUpDays },
    changedKeys: Object.keys(keys).length,
    hasEditorCommand: settings.editorCommand !== '',
    hasDefaultProfile: settings.defaultProfile !== null,
  };
}

export function sharedStatus({ core, ptyHost, store, live, notices }: SystemStatus): object {
  const levels: Record<string, number> = {};
  for (const { level } of notices) levels[level] = (levels[level] ?? 0) + 1;
  const seen = ({ state, since }: { readonly state: string; readonly since: number }) => ({ state, since });
  return {
    core: { ...seen(core), restarts: core.restarts },
    terminals: seen(ptyHost),
    store: { ...seen(store), bytes: store.bytes, freeBytes: store.freeBytes },
    live,
    notices: levels,
  };
}

interface RunSize {
  readonly row: RunRow;
  readonly artifactBytes: number;
}

export const sharedRun = ({ row, artifactBytes }: RunSize): object => ({
  run: row.id,
  status: row.status,
  outcome: row.outcome,
  startedAt: row.startedAt,
  finishedAt: row.finishedAt,
  steps: row.steps,
  stepsDone: row.stepsDone,
  openGates: row.openGates,
  inBin: row.binnedAt !== null,
  unreadable: row.unreadable !== undefined,
  artifactBytes,
});

/** Crashpad names a dump by a random number. */
const DUMP = /^[0-9a-f-]{8,40}\.dmp$/;

interface Dump {
  readonly name: string;
  readonly at: number;
  readonly bytes: number;
}

export const sharedCrash = ({ name, at, bytes }: Dump): object => ({
  name: DUMP.test(name) ? name : 'other',
  at,
  bytes,
});
