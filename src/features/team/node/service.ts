import type { Attention } from '@areas/attention/contract/procedures';
import { answered, KeyedCommands } from '@areas/gates/node/keyed-commands';
import type { LastRuns } from '@areas/runs/node/history/last-runs';
import type { RunService } from '@areas/runs/node/run-service';
import { workflowDefinitionSchema } from '@areas/workflows/contract/definition';
import { appError } from '@contract/errors';
import type { ParsedInput, ProcedureOutput } from '@contract/ipc';
import { err, fail, ok, type Result } from '@contract/result';
import type { RunRow } from '@contract/run/procedures';
import { stepDefinition } from '@contract/run/scope/path';
import type { RunState } from '@contract/run/state';
import type { Engine } from '@main/core/engine/engine';
import { OPERATOR } from '../contract/events';
import { threadPage } from '../contract/messages/thread';
import { type TeamRow, teamIsLive, teamRow } from '../contract/summary';
import { teamConfigSchema } from '../core/config';
import {
  confirmMerge,
  declineMerge,
  editMessage,
  freeTask,
  restore,
  withdrawMessage,
} from '../core/operator/amend';
import { interrupt, type Spoken, speak } from '../core/operator/operator-message';
import { satisfied, type ToolContext, type ToolReply, toolOf } from '../core/tools';
import { keyed } from './keyed-events';
import { type TeamTemplates, teamStep } from './templates';

interface TeamServiceParts {
  readonly engine: Pick<Engine, 'command'>;
  readonly runs: Pick<RunService, 'startDefinition'>;
  readonly templates: Pick<TeamTemplates, 'list' | 'save'>;
  /** The latest runs, newest first. */
  rows(limit: number): LastRuns;
  /** The current state of a run, live or from the log; null if there is none. */
  state(runId: number): RunState | null;
  /** The same, possibly with only the last messages. */
  stateWithoutHistory(runId: number): RunState | null;
  /** Milliseconds since 1970. */
  now(): number;
}

type TeamPlace = {
  readonly runId: number;
  readonly activationId: number;
  /** Idempotency key: with the same key a message is sent once, and gets the same answer. */
  readonly key?: string | undefined;
};
type TextReply = Result<{ text: string }>;
type Nothing = Record<string, never>;

/** The operator's access to teams: lists, threads, messages, and by button what agents do by tool. */
export class TeamService {
  /** Ended runs no longer change: their rows stay valid until the run's own row changes. */
  readonly #ended = new Map<number, { at: number; rows: TeamRow[] }>();

  readonly #keyed = new KeyedCommands();

  constructor(private readonly parts: TeamServiceParts) {}

  list(limit: number): ProcedureOutput<'team.list'> {
    const { rows, more } = this.parts.rows(limit);
    return { rows: rows.flatMap((row) => this.#teamsOf(row)), more };
  }

  /** Members that wait for the operator without a gate, and idle teams. */
  replies(runs: number): Attention['replies'] {
    return this.list(runs).rows.flatMap((team): Attention['replies'] => {
      const { runId, runName, projectName, activationId, members, rests, startedAt } = team;
      if (!team.live) return [];
      const place = { runId, runName, projectName, activationId };
      const awaiting = members.filter(({ name }) => team.awaiting?.includes(name));
      // If a gate asks whether an idle team should end, that gate is the row.
      if (awaiting.length > 0 || !rests || team.openGates > 0)
        return awaiting.map(({ name, round, since, lastWords }) => ({
          ...place,
          member: name,
          round,
          since,
          lastWords,
        }));
      const since = Math.max(startedAt, ...members.map((member) => member.since));
      return [{ ...place, member: null, round: 0, since, lastWords: null }];
    });
  }

  #teamsOf(run: RunRow): TeamRow[] {
    const known = this.#ended.get(run.id);
    if (known?.at === run.at) return known.rows;
    const state = this.parts.stateWithoutHistory(run.id);
    if (state === null) return [];
    const { id: runId, uid: runUid, name: runName, projectName, status } = run;
    const rows = Object.values(state.teams)
      .map((team) => teamRow(state, team, { runId, runUid, runName, projectName, status }))
      .reverse();
    if (run.finishedAt !== null) this.#ended.set(run.id, { at: run.at, rows });
    return rows;
  }

  messages(input: ParsedInput<'team.messages'>): Result<ProcedureOutput<'team.messages'>> {
    const team = this.parts.state(input.runId)?.teams[input.activationId];
    return team === undefined ? err(noTeam(input)) : ok(threadPage(team, input));
  }

  say(input: ParsedInput<'team.say'>): Promise<Result<ProcedureOutput<'team.say'>>> {
    return this.#speak(input, (context) => speak(context, input));
  }

  changes({ member, text, ...place }: ParsedInput<'team.changes'>): Promise<TextReply> {
    return this.#act(place, (context) => speak(context, { to: member, text, meant: 'message' }));
  }

  satisfied({ member, ...place }: ParsedInput<'team.satisfied'>): Promise<TextReply> {
    return this.#act(place, (context) => satisfied(context, { member, how: 'satisfied', words: null }));
  }

  interrupt(input: ParsedInput<'team.interrupt'>): Promise<Result<ProcedureOutput<'team.interrupt'>>> {
    return this.#speak(input, (context) => interrupt(context, input));
  }

  async edit(input: ParsedInput<'team.edit'>): Promise<Result<Nothing>> {
    const done = await this.#act(input, (context) => editMessage(context, input));
    return done.ok ? ok({}) : done;
  }

  async withdraw(input: ParsedInput<'team.withdraw'>): Promise<Result<Nothing>> {
    const done = await this.#act(input, (context) => withdrawMessage(context, input.messageId));
    return done.ok ? ok({}) : done;
  }

  spawn(input: ParsedInput<'team.spawn'>): Promise<TextReply> {
    const { name, agent, prompt, iterative, worktree } = input;
    return this.#tool(input, 'team_spawn', {
      name,
      agent,
      prompt,
      iterative,
      worktree,
      read_only: input.readOnly,
      plan_approval: input.planApproval,
      ...(input.model === null ? {} : { model: input.model }),
      ...(input.idleMinutes === null ? {} : { idle_timeout_minutes: input.idleMinutes }),
      ...(input.claimTask === undefined ? {} : { claim_task: input.claimTask }),
    });
  }

  shutdown({ member, force, ...place }: ParsedInput<'team.shutdown'>): Promise<TextReply> {
    return this.#tool(place, 'team_shutdown', { member, force });
  }

  restore({ runId, activationId, ...wish }: ParsedInput<'team.restore'>): Promise<TextReply> {
    return this.#act({ runId, activationId }, (context) => restore(context, wish));
  }

  merge({ member, ...place }: ParsedInput<'team.merge'>): Promise<TextReply> {
    return this.#tool(place, 'team_merge', { member });
  }

  mergeConfirm(input: ParsedInput<'team.mergeConfirm'>): Promise<TextReply> {
    return this.#act(input, (context) => confirmMerge(context, input));
  }

  mergeDecline(input: ParsedInput<'team.mergeDecline'>): Promise<TextReply> {
    return this.#act(input, (context) => declineMerge(context, input.mergeId));
  }

  cleanup(place: ParsedInput<'team.cleanup'>): Promise<TextReply> {
    return this.#tool(place, 'team_cleanup', {});
  }

  taskAdd(input: ParsedInput<'team.taskAdd'>): Promise<TextReply> {
    const { content, priority, dependsOn } = input;
    return this.#tool(input, 'team_tasks_add', { tasks: [{ content, priority, depends_on: dependsOn }] });
  }

  taskComplete(input: ParsedInput<'team.taskComplete'>): Promise<TextReply> {
    return this.#tool(input, 'team_tasks_complete', { task_id: input.taskId });
  }

  taskFree(input: ParsedInput<'team.taskFree'>): Promise<TextReply> {
    return this.#act(input, (context) => freeTask(context, input.taskId));
  }

  /** Builds a workflow with a single step, which is in no file. */
  start(input: ParsedInput<'team.start'>): Promise<Result<{ runId: number }>> {
    const { uid, projectId, name, config, budget, startedBy } = input;
    const definition = workflowDefinitionSchema.parse({ name, budget, steps: [teamStep(name, config)] });
    return this.parts.runs.startDefinition({ uid, projectId, definition, startedBy });
  }

  async templates({ projectId }: ParsedInput<'team.templates'>) {
    return ok(await this.parts.templates.list(projectId));
  }

  saveTemplate(input: ParsedInput<'team.saveTemplate'>): Promise<Result<{ file: string }>> {
    return this.parts.templates.save(input);
  }

  #tool(place: TeamPlace, name: string, input: unknown): Promise<TextReply> {
    return this.#act(place, (context) => {
      const tool = toolOf(name);
      if (tool === undefined) throw new Error(`no tool ${name}`);
      return tool.call(context, input);
    });
  }

  async #speak(
    place: TeamPlace,
    say: (context: ToolContext) => Result<Spoken>,
  ): Promise<Result<ProcedureOutput<'team.say'>>> {
    let asks: Spoken['asks'] = [];
    const reply = await this.#act(place, (context) => {
      const spoken = say(context);
      asks = spoken.ok ? spoken.value.asks : [];
      return spoken;
    });
    if (!reply.ok) return reply;
    return ok({ asks: asks.map(({ member, how }) => ({ member, how })), text: reply.value.text });
  }

  /**
   * Decides on the run's current state and commits in the same turn of the event loop, so that nothing
   * intervenes.
   */
  #act(place: TeamPlace, decide: (context: ToolContext) => Result<ToolReply>): Promise<TextReply> {
    return this.#keyed.inTurn(place, () => this.#decide(place, decide));
  }

  async #decide(place: TeamPlace, decide: (context: ToolContext) => Result<ToolReply>): Promise<TextReply> {
    let text = '';
    const done = await this.parts.engine.command(place.runId, ({ state }) => {
      const before = answered(state, place.key, (answer) => ('text' in answer ? answer.text : null));
      if (!before.ok) return before;
      if (before.value !== null) {
        text = before.value;
        return ok([]);
      }
      const context = contextOf(state, place, this.parts.now());
      if (!context.ok) return context;
      const made = decide(context.value);
      if (!made.ok) return made;
      text = made.value.text.trim();
      return ok(keyed(made.value.events, place.key, { text }));
    });
    return done.ok ? ok({ text }) : done;
  }
}

const noTeam = ({ runId, activationId }: TeamPlace) =>
  appError('not_found', `there is no team in activation ${activationId} of run ${runId}`);

function contextOf(state: RunState, place: TeamPlace, now: number): Result<ToolContext> {
  const team = state.teams[place.activationId];
  const stepId = state.activations[place.activationId]?.stepId;
  const config = stepDefinition(state, stepId ?? '')?.config;
  if (team === undefined || config === undefined) return err(noTeam(place));
  if (!teamIsLive(state, place.activationId)) return fail('run.finished', 'the team has ended');
  const caller = { role: 'operator' as const, name: OPERATOR, turnId: null };
  return ok({ state, team, config: teamConfigSchema.parse(config), caller, now });
}
