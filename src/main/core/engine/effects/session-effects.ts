import type { AgentProfile } from '@areas/agents/contract/profile';
import type { AppError } from '@contract/errors';
import { ownValue } from '@contract/own';
import { fail, type Result } from '@contract/result';
import type { RunEvent } from '@contract/run/events';
import type { RunState, SessionState, TurnState } from '@contract/run/state';
import { mayOnlyRead } from '@contract/run/status';
import type {
  AgentPort,
  Seen,
  Session,
  SessionListener,
  SessionSpec,
  SessionsPast,
  TurnRequest,
} from '../../ports/ports';
import type { ToolEndpoint } from '../../ports/tools';
import { wholeOf } from '../../ports/whole-texts';
import type { EffectParts } from '../base/effect-parts';
import type { LiveRun } from '../base/live-run';
import { findGate } from '../gates/gates';
import { isOwnTool } from '../permissions/own-tool';
import { hasOwnTools, sessionTools } from '../permissions/own-tools';
import { askPermission } from '../permissions/permission';
import type { FoundSession } from '../recovery/recover';
import { runEnvironment } from '../schedule/run-variables';
import { observe } from './agent-observations';
import { folderAgain, folderOf, isFolderGone, workplaceOf } from './workspace-effects';

/** How many times a session is started when its host dies each time. */
const MOST_STARTS = 3;

/** Opens, resumes and ends agents' sessions. */
export class SessionEffects {
  /** Sessions that ended by themselves before their turn's result was in the log. */
  private readonly ended = new Map<string, Session>();
  /** Released sessions whose process has not exited yet, by the same key. */
  private readonly leaving = new Map<string, Promise<void>>();

  constructor(
    private readonly parts: EffectParts,
    private readonly guarded: (run: LiveRun, work: Promise<void>) => void,
  ) {}

  async open(run: LiveRun, sessionId: number): Promise<void> {
    const unwanted = new Promise<void>((resolve) => void run.starting.set(sessionId, resolve));
    const workspaceId = run.state.sessions[sessionId]?.workspaceId ?? null;
    const folder = await folderAgain(this.parts, run, workspaceId);
    const start = folder.ok ? this.startedIn(run, sessionId, unwanted) : Promise.resolve(folder);
    const opened = await start.finally(() => run.starting.delete(sessionId));
    if (!opened.ok) {
      await this.parts.engine.report(run, [{ type: 'session.failed', sessionId, error: opened.error }]);
      return;
    }
    run.sessions.set(sessionId, opened.value);
    const { notice: said, ...ready } = opened.value.ready;
    const notices = [folder.ok ? folder.value : null, said].filter((one) => one !== null);
    const notice = notices.length === 0 ? null : notices.join(' ');
    const cwd = folderOf(run.state, run.state.sessions[sessionId]?.workspaceId ?? null);
    await this.parts.engine.report(run, [{ type: 'session.ready', sessionId, ...ready, cwd, notice }]);
  }

  /**
   * For sessions that the log has as ready: whether their program survived the core, and the state of their
   * turn. They report nothing before `release`.
   */
  async surviving(run: LiveRun): Promise<ReadonlyMap<number, FoundSession>> {
    const ready = Object.values(run.state.sessions).filter(
      ({ id, status }) => status === 'ready' && !run.sessions.has(id),
    );
    const found = ready.map(async (session): Promise<[number, FoundSession][]> => {
      const one = await this.takeUp(run, session);
      return one === null ? [] : [[session.id, one]];
    });
    return new Map((await Promise.all(found)).flat());
  }

  async end(run: LiveRun, sessionId: number, how: 'close' | 'park'): Promise<void> {
    const session = run.sessions.get(sessionId);
    run.sessions.delete(sessionId);
    const key = run.state.sessions[sessionId]?.key;
    if (key !== undefined) this.parts.tools?.end(key);
    if (session === undefined) return;
    await this.leave(run, sessionId, session[how]());
  }

  /**
   * The session's host died during a turn: session and turn are lost, and `told` records the interruption. A
   * resume waits until its last process is gone.
   */
  cutOff(
    run: LiveRun,
    sessionId: number,
    { reason, reported }: { reason: string; reported: Promise<void> },
  ): RunEvent[] {
    const session = run.sessions.get(sessionId);
    run.sessions.delete(sessionId);
    if (session !== undefined)
      this.guarded(
        run,
        this.leave(
          run,
          sessionId,
          reported.then(() => session.park()),
        ),
      );
    const ready = run.state.sessions[sessionId]?.status === 'ready';
    return ready ? [{ type: 'session.lost', sessionId, reason }] : [];
  }

  /**
   * The turn was not sent because its folder's state could not be saved. If the folder is gone the program
   * ends too: it could not continue in the folder made for the next turn.
   */
  async unsent(
    run: LiveRun,
    { sessionId, why }: { readonly sessionId: number; readonly why: AppError },
    reported: Promise<void>,
  ): Promise<void> {
    if (!isFolderGone(why)) return reported;
    const lost = this.cutOff(run, sessionId, { reason: 'its folder is gone', reported });
    await reported;
    await this.parts.engine.report(run, () =>
      run.state.sessions[sessionId]?.status === 'ready' ? lost : [],
    );
  }

  private leave(run: LiveRun, sessionId: number, gone: Promise<void>): Promise<void> {
    const name = keyOf(run, sessionId);
    const left = gone.finally(() => {
      if (this.leaving.get(name) === left) this.leaving.delete(name);
    });
    this.leaving.set(name, left);
    return left;
  }

  /** Everything about a session that ended by itself is now in the log. */
  taken(run: LiveRun, sessionId: number): void {
    const key = keyOf(run, sessionId);
    this.ended.get(key)?.taken?.();
    this.ended.delete(key);
  }

  private async takeUp(run: LiveRun, session: SessionState): Promise<FoundSession | null> {
    const { state } = run;
    const profile = ownValue(state.profiles, session.profileId);
    const port = profile === undefined ? undefined : this.parts.agents.get(profile.kind);
    if (profile === undefined || port?.reattach === undefined) return null;
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const turn = turnInFlight(state, session);
    const streamed =
      turn === null ? [] : this.parts.transcripts.turn(state, { sessionId: session.id, turnId: turn.turnId });
    if (turn !== null) run.streamed.set(turn.turnId, streamed.length);
    const past: SessionsPast = { ...session, turn: turn && { ...turn, streamed } };
    const spec = specOf(run, session, profile);
    const found = await port.reattach(spec, past, this.listener(run, session.id, released));
    if (!found.ok)
      return found.error.code === 'not_found' ? null : { kind: 'gone', why: found.error.message };
    run.sessions.set(session.id, found.value.session);
    return { kind: 'lives', release, turnId: turn?.turnId ?? null, left: found.value.turn };
  }

  /**
   * A start that fails because its terminal host or guard died says nothing about the agent, so it is
   * retried.
   */
  private async startedIn(
    run: LiveRun,
    sessionId: number,
    unwanted: Promise<void>,
  ): Promise<Result<Session>> {
    for (let tries = MOST_STARTS; ; tries -= 1) {
      const opened = await this.opened(run, sessionId, unwanted);
      if (opened.ok || opened.error.code !== 'unavailable' || tries <= 1) return opened;
    }
  }

  private async opened(run: LiveRun, sessionId: number, unwanted: Promise<void>): Promise<Result<Session>> {
    const { state } = run;
    const session = state.sessions[sessionId];
    const profile = session === undefined ? undefined : ownValue(state.profiles, session.profileId);
    if (session === undefined || profile === undefined)
      return fail('internal', `session ${sessionId} has no profile`);
    const port: AgentPort | undefined = this.parts.agents.get(profile.kind);
    if (port === undefined)
      return fail('agent.start_failed', `agents of the kind ${profile.kind} cannot be started yet`);
    // Two processes at once would share one conversation and write to the same files.
    const left = this.leaving.get(keyOf(run, sessionId))?.catch(() => undefined);
    await Promise.race([left, unwanted]);
    const tools = await this.serveTools(run, session);
    const spec = { ...specOf(run, session, profile), tools, unwanted };
    return port.open(spec, this.listener(run, sessionId, Promise.resolve()));
  }

  private listener(run: LiveRun, sessionId: number, released: Promise<void>): SessionListener {
    const seen = (turnId: number, what: Seen): void =>
      this.guarded(
        run,
        released.then(() => observe(this.parts, run, { sessionId, turnId, seen: what })),
      );
    return {
      items: (turnId, items) => {
        const from = run.streamed.get(turnId) ?? 0;
        run.streamed.set(turnId, from + items.length);
        const now = this.parts.clock.now();
        run.heard.set(turnId, now);
        if (!run.watched.has(sessionId) && run.state.sessions[sessionId]?.observed?.turnId === turnId)
          seen(turnId, { state: 'working', since: now, reason: 'an update came', screen: null });
        this.parts.transcripts.append({ artifactsDir: run.state.artifactsDir }, { sessionId, turnId, items });
        this.parts.publisher.streamed(run.runId, { turnId, from, items });
      },
      permission: (turnId, request) => askPermission(this.parts, run, { sessionId, turnId, request }),
      observed: (turnId, what) => {
        run.watched.add(sessionId);
        seen(turnId, what);
      },
      ownTool: (request) => hasOwnTools(run.state, sessionId) && isOwnTool(request),
      lost: (reason) =>
        this.guarded(
          run,
          released.then(() => this.lost(run, sessionId, reason)),
        ),
    };
  }

  /** Gives a session in a team the team's tools. */
  private async serveTools(run: LiveRun, session: SessionState): Promise<ToolEndpoint | null> {
    const tools = this.parts.tools === null ? null : sessionTools(this.parts, run, session.id);
    return tools === null || this.parts.tools === null ? null : this.parts.tools.serve(session.key, tools);
  }

  private async lost(run: LiveRun, sessionId: number, reason: string): Promise<void> {
    const session = run.sessions.get(sessionId);
    if (session === undefined) return;
    run.sessions.delete(sessionId);
    this.ended.set(keyOf(run, sessionId), session);
    if (run.state.sessions[sessionId]?.status === 'ready') {
      await this.parts.engine.report(run, [{ type: 'session.lost', sessionId, reason }]);
    }
    const { state } = run;
    const known = state.sessions[sessionId];
    if (known === undefined || turnInFlight(state, known) === null) this.taken(run, sessionId);
  }
}

const keyOf = (run: LiveRun, sessionId: number): string => `${run.runId}/${sessionId}`;

function turnInFlight(state: RunState, session: SessionState): TurnRequest | null {
  const turns = session.turnIds.flatMap((id) => state.turns[id] ?? []);
  const turn = turns.find(({ status }) => status === 'in_flight');
  if (turn === undefined) return null;
  const { id: turnId, prompt, messages, attachments } = turn;
  return { turnId, prompt, messages, attachments };
}

function specOf(run: LiveRun, session: SessionState, profile: AgentProfile): SessionSpec {
  const { runId, state } = run;
  // Another agent's conversation is told with the first prompt instead of being resumed.
  const turnIds = session.turnIds.slice(session.agentFrom ?? 0);
  const resumed = session.providerSessionId !== null || turnIds.length > 0;
  const turns = turnIds.flatMap((id) => {
    const turn = state.turns[id];
    if (turn === undefined || (turn.status !== 'completed' && !continues(state, turn))) return [];
    const response = wholeOf(run.plan.texts, turn.response);
    return [{ prompt: turn.prompt, messages: turn.messages, response }];
  });
  return {
    runId,
    sessionId: session.id,
    key: session.key,
    profile: guardedProfile(state, session.id, profile),
    model: session.model,
    mode: session.mode,
    env: { ...runEnvironment(state), ...session.env },
    ...workplaceOf(state, session.workspaceId),
    projectPath: state.projectPath,
    ownCheckout: state.workspaceMode === 'project',
    artifactsDir: state.artifactsDir,
    opening: session.opening,
    resume: resumed ? { providerSessionId: session.providerSessionId, turns } : null,
  };
}

/** The turn was interrupted, and its continuation needs its text and the answers given so far. */
const continues = (state: RunState, { id, status, response }: TurnState): boolean =>
  status === 'interrupted' &&
  response !== '' &&
  findGate(state, 'interrupted_turn', { turnId: id })?.answer?.option === 'continue';

/**
 * In the operator's own checkout every write is a gate, whatever the profile allows; a team member that only
 * reads may not write at all.
 */
function guardedProfile(state: RunState, sessionId: number, profile: AgentProfile): AgentProfile {
  if (mayOnlyRead(state, sessionId)) return { ...profile, read_only: true, permissions: 'deny' };
  const asks = state.workspaceMode === 'project' && profile.permissions !== 'deny';
  return asks ? { ...profile, permissions: 'ask' } : profile;
}
