// biome-ignore lint/style/noRestrictedImports: terminals are in the run's own folder.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { holdsUp } from '@areas/gates/contract/gate';
import { lostHostOf } from '@areas/hosts/contract/reduce';
import type { LastRuns } from '@areas/runs/node/history/last-runs';
import { fail, ok, type Result } from '@contract/result';
import { featureProgress } from '@contract/run/features/feature-answers';
import { laneRole } from '@contract/run/lane/lane-role';
import type { RunRow } from '@contract/run/procedures';
import { profileName } from '@contract/run/profile-name';
import { stepTitle } from '@contract/run/scope/path';
import type { ActivationState, CommandState, RunState, SessionState, TurnState } from '@contract/run/state';
import type { SessionRow, TerminalRow, Workplace } from '../contract/procedures';
import { observedNow } from '../contract/reduce';
import { sessionStanding } from '../contract/standing';
import { commandLog } from './command-log';

interface SessionServiceParts {
  rows(limit: number): LastRuns;
  state(runId: number): RunState | null;
  /** Output files of the open terminals. */
  openTerminals(): ReadonlySet<string>;
}

/** Sessions and terminals of all runs, for the operator. */
export class SessionService {
  /** Ended runs no longer change: their rows stay valid until the run's own row changes. */
  readonly #ended = new Map<number, { at: number; place: Workplace }>();

  constructor(private readonly parts: SessionServiceParts) {}

  list(limit: number): Workplace[] {
    const places = this.parts.rows(limit).rows.map((row) => this.#place(row));
    return places.filter(
      (place) => place !== null && place.sessions.length + place.terminals.length > 0,
    ) as Workplace[];
  }

  terminal(runId: number, name: string): Result<{ outputPath: string }> {
    const state = this.parts.state(runId);
    const outputPath = state && pathOf(state, name);
    const known =
      outputPath !== null && (existsSync(outputPath) || this.parts.openTerminals().has(outputPath));
    if (known) return ok({ outputPath });
    return fail('not_found', `There is no terminal ${name} in run ${runId}, or its file is gone.`);
  }

  #place(row: RunRow): Workplace | null {
    const known = this.#ended.get(row.id);
    if (known?.at === row.at) return known.place;
    const state = this.parts.state(row.id);
    if (state === null) return null;
    const place = {
      runId: row.id,
      runUid: row.uid,
      runName: row.name,
      at: row.at,
      sessions: Object.values(state.sessions).map((session) => sessionRow(state, session)),
      terminals: terminalRows(state, this.parts.openTerminals()),
    };
    // A session's shell may outlive its run for a moment.
    const over = row.finishedAt !== null && place.terminals.every((one) => one.state !== 'running');
    if (over) this.#ended.set(row.id, { at: row.at, place });
    return place;
  }
}

function sessionRow(state: RunState, session: SessionState): SessionRow {
  const { id, profileId, agent, model, since, cwd } = session;
  const turns = session.turnIds.flatMap((turnId) => state.turns[turnId] ?? []);
  const last = turns.at(-1) ?? null;
  const working = last?.status === 'in_flight';
  const seen = observedNow(state, session);
  const activation = state.activations[session.activationIds.at(-1) ?? 0];
  return {
    sessionId: id,
    profileId,
    profileName: profileName(state, profileId),
    agent,
    model,
    cwd,
    working,
    status: sessionStanding(session),
    since: working ? last.startedAt : since,
    observed: seen && { state: seen.state, since: seen.since, reason: seen.reason },
    lostHost: last && lostHostOf(state, last),
    reason: session.error?.message ?? session.reason,
    turnIds: [...session.turnIds],
    lastTurn: last && { turnId: last.id, kind: last.kind, ordinal: last.ordinal, of: last.of },
    stepId: activation?.stepId ?? null,
    stepTitle: activation === undefined ? null : stepTitle(state, activation.stepId),
    role: roleOf(state, activation, id),
    awaits: awaits(state, activation, id),
    branch: branchOf(state, session),
    // The observed state already says that the agent is silent.
    openGates: Object.values(state.gates).filter(
      ({ kind, sessionId, status: now }) => sessionId === id && now === 'open' && holdsUp(kind),
    ).length,
    queued: Object.values(state.prompts).filter(
      (prompt) => prompt.sessionId === id && prompt.status === 'queued',
    ).length,
    ...spent(turns),
  };
}

const laneOf = (activation: ActivationState | undefined, id: number): string | undefined =>
  Object.entries(activation?.lanes ?? {}).find(([, sessionId]) => sessionId === id)?.[0];

function awaits(state: RunState, activation: ActivationState | undefined, id: number): boolean {
  const lane = laneOf(activation, id);
  if (activation === undefined || lane === undefined || activation.status === 'finished') return false;
  return featureProgress(state, activation.id)?.waitingLanes.includes(lane) === true;
}

function roleOf(state: RunState, activation: ActivationState | undefined, id: number): string | null {
  const lane = laneOf(activation, id);
  return lane === undefined ? null : laneRole(state, activation?.stepId, lane);
}

/** The branch of its own workspace, else of the run's. */
function branchOf(state: RunState, session: SessionState): string | null {
  if (session.workspaceId === null) return state.workspace?.branch ?? null;
  return state.workspaces[session.workspaceId]?.branch ?? null;
}

function spent(turns: readonly TurnState[]): { tokens: number; costUsd: number } {
  let [tokens, costUsd] = [0, 0];
  for (const { usage } of turns) {
    tokens += usage?.total_tokens ?? (usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0);
    costUsd += usage?.cost_usd ?? 0;
  }
  return { tokens, costUsd };
}

function terminalRows(state: RunState, open: ReadonlySet<string>): TerminalRow[] {
  const commands = Object.values(state.commands).filter((command) => command.terminal);
  return [...commands.map((command) => commandRow(command)), ...shellRows(state, open)];
}

function commandRow(command: CommandState): TerminalRow {
  // The signal that ended it was the operator's wish.
  const cancelled = command.status === 'cancelled';
  const failed =
    !cancelled && (command.error !== null || (command.exitCode !== null && command.exitCode !== 0));
  const states = { running: 'running', interrupted: 'interrupted' } as const;
  const known = command.status === 'running' || command.status === 'interrupted';
  const code = command.exitCode === null || cancelled ? null : `exit ${command.exitCode}`;
  return {
    name: `c${command.id}`,
    title: command.script.trim().split('\n')[0] ?? '',
    state: known ? states[command.status as keyof typeof states] : failed ? 'failed' : 'ended',
    since: command.finishedAt ?? command.startedAt,
    why:
      (cancelled ? null : command.error?.message) ??
      code ??
      (known ? null : command.status.replaceAll('_', ' ')),
    sessionId: null,
    bytes: command.outputBytes,
  };
}

/** Agents' terminals have no events: their files show which existed, the terminal host which are open. */
function shellRows(state: RunState, open: ReadonlySet<string>): TerminalRow[] {
  const folder = join(state.artifactsDir, 'terminals');
  let files: string[] = [];
  try {
    files = readdirSync(folder).filter((file) => /^s\d+-\d+\.log$/.test(file));
  } catch {
    // No agent of this run requested one.
  }
  return files.sort().map((file) => {
    const path = join(folder, file);
    const facts = statSync(path, { throwIfNoEntry: false });
    const sessionId = Number(/^s(\d+)/.exec(file)?.[1]);
    const running = open.has(path);
    const profile = state.sessions[sessionId]?.profileId ?? 'agent';
    return {
      name: file.slice(0, -'.log'.length),
      title: titleOf(path, profile),
      state: running ? 'running' : 'ended',
      since: running ? (facts?.birthtimeMs ?? 0) : (facts?.mtimeMs ?? 0),
      why: running ? null : 'its session or the terminal host was closed',
      sessionId,
      bytes: facts?.size ?? 0,
    };
  });
}

/** An agent that runs as a program in a terminal has its own folder beside its output. */
function titleOf(path: string, profile: string): string {
  if (!path.endsWith('-0.log')) return `Next to the shell of ${profile}`;
  return existsSync(path.replace(/log$/, 'agent')) ? `Terminal of ${profile}` : `Shell of ${profile}`;
}

function pathOf(state: RunState, name: string): string | null {
  if (!name.startsWith('c')) return join(state.artifactsDir, 'terminals', `${name}.log`);
  const id = Number(name.slice(1));
  return state.commands[id] === undefined ? null : commandLog(state, id);
}
