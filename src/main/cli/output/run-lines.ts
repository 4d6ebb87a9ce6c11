import { requesterWords } from '@areas/gates/contract/requester';
import type { AppError } from '@contract/errors';
import type { RunEvent, RunEventOf, StoredEvent } from '@contract/run/events';
import { timerWords } from '@contract/run/keys';
import type { ScopeCounts } from '@contract/run/platform-state';
import type { RunState } from '@contract/run/state';
import { featureEventLines } from '@features/event-lines';
import { counted, shownName } from './columns';
import type { EventContext, Said, Tell, Telling } from './event-line';
import { oneLine } from './evidence-lines';
import { gateLines } from './gate-lines';
import type { Style } from './style';
import { clockTime, dayAndTime } from './time';

const RUN = 'run';
const quiet = (): null => null;
const run = (what: string): Said => ({ who: RUN, what });

const stepOf = (state: RunState, activationId: number | null | undefined): string =>
  state.activations[activationId ?? 0]?.stepId ?? RUN;
const ofSession = (state: RunState, sessionId: number): string =>
  stepOf(state, state.sessions[sessionId]?.activationIds.at(-1));
const because = (error: AppError | null): string =>
  error === null ? '' : `: ${error.message}${error.mend === undefined ? '' : ` (${error.mend})`}`;
/** A step of which some items failed is not called succeeded. */
function endOf(
  outcome: RunEventOf<'activation.finished'>['outcome'],
  scopes: ScopeCounts | undefined,
  { good, bad }: Style,
): string {
  if (outcome !== 'succeeded') return bad(outcome);
  return scopes !== undefined && scopes.failed > 0
    ? bad(`${scopes.failed} of ${scopes.opened} failed`)
    : good(outcome);
}
const firstLine = (text: string): string => text.trim().split('\n')[0] ?? '';

const ofRun = {
  'run.started': (event, { runId, style }) =>
    run(
      `${style.bold(shownName(event.name))} started as run ${runId}, ${counted(event.definition.steps.length, 'step')}`,
    ),
  'run.workspace-requested': quiet,
  'run.workspace-ready': ({ path, branch }) =>
    run(`works in ${path}${branch === null ? '' : ` on ${branch}`}`),
  'run.workspace-failed': ({ error }, { style }) => run(style.bad(`no workspace${because(error)}`)),
  'run.cancel-requested': ({ by, reason }) =>
    run(`cancel requested by ${by}${reason === undefined ? '' : `: ${oneLine(reason)}`}`),
  'run.resumed': ({ by, text }) => run(`resumed by ${by}${text === undefined ? '' : `: ${oneLine(text)}`}`),
  'run.reopened': ({ by }) => run(`reopened by ${by}`),
  'run.finished': ({ outcome, reason }, { style }) =>
    run(
      `${outcome === 'succeeded' ? style.good(outcome) : style.bad(outcome)}${reason === null ? '' : `: ${reason}`}`,
    ),
  'run.released': ({ results }) => {
    const branches = results.flatMap(({ branch, files }) => (branch === null || files === 0 ? [] : branch));
    return branches.length === 0 ? null : run(`left its work on ${branches.join(', ')}`);
  },
  'run.apply-requested': quiet,
  'run.applied': ({ target, commit, signed, change }) =>
    run(
      change?.how === 'files'
        ? `applied to ${target}, staged and not committed`
        : commit === null
          ? `${target} has its work already`
          : `applied to ${target} as ${commit.slice(0, 12)}${signed ? ', signed' : ''}`,
    ),
  'run.undo-requested': quiet,
  'run.undone': ({ target }) => run(`taken back from ${target}`),
  'run.undo-refused': ({ error }, { style }) => run(style.bad(`not taken back${because(error)}`)),
  'run.apply-refused': ({ error }, { style }) => run(style.bad(`not applied${because(error)}`)),
  'run.again-requested': ({ step, uid }) => run(`run again from ${step}, as ${uid.slice(-8)}`),
  'run.binned': quiet,
  'run.restored': quiet,
  'run.renamed': (_, { state }) => run(`named ${shownName(state.name)}`),
} satisfies Partial<Tell>;

const ofStep = {
  'activation.started': ({ stepId, attempt }) => ({
    who: stepId,
    what: attempt > 1 ? `started, attempt ${attempt}` : 'started',
  }),
  'activation.expanded': ({ activationId, warnings }, { state }) =>
    warnings.length === 0
      ? null
      : {
          who: stepOf(state, activationId),
          what: 'references were replaced',
          under: warnings.map((warning) => `warning: ${warning}`),
        },
  'activation.stop-requested': ({ activationId, error }, { state, style }) => ({
    who: stepOf(state, activationId),
    what: style.bad(`is stopped${because(error)}`),
  }),
  'activation.finished': ({ activationId, outcome, error, warnings }, { state, style }) => ({
    who: stepOf(state, activationId),
    what: `${endOf(outcome, state.activations[activationId]?.scopes, style)}${because(error)}`,
    under: warnings.map((warning) => `warning: ${warning}`),
  }),
  'activation.adopted': ({ stepId, from }) => ({ who: stepId, what: `taken from run ${from.uid.slice(-8)}` }),
  'scope.opened': quiet,
  'scope.stop-requested': ({ scope }, { style }) => ({ who: scope, what: style.bad('is stopped') }),
  'scope.ended': ({ scope, outcome, error }, { style }) => ({
    who: scope,
    what: `${outcome === 'succeeded' ? style.good(outcome) : style.bad(outcome)}${because(error)}`,
  }),
  'step.skipped': ({ stepId, reason }) => ({ who: stepId, what: `skipped: ${reason}` }),
  'step.skip-withdrawn': ({ stepId }) => ({ who: stepId, what: 'no longer skipped' }),
  'task.agent_task.reprompt_dispatched': quiet,
  'task.agent_task.reprompt_response': quiet,
  'task.coding.agent_reprompt_dispatched': quiet,
  'task.coding.agent_reprompt_response': quiet,
  'workspace.requested': quiet,
  'workspace.ready': ({ workspaceId, path, branch }, { state }) => ({
    who: state.workspaces[workspaceId]?.scope ?? stepOf(state, state.workspaces[workspaceId]?.activationId),
    what: `works in ${path}${branch === null ? '' : ` on ${branch}`}`,
  }),
  'workspace.failed': ({ workspaceId, error }, { state, style }) => ({
    who: stepOf(state, state.workspaces[workspaceId]?.activationId),
    what: style.bad(`no workspace${because(error)}`),
  }),
  'capture.started': quiet,
  'capture.finished': ({ captureId, files }, { state }) => ({
    who: stepOf(state, state.captures[captureId]?.activationId),
    what: `${counted(files.length, 'file')} changed`,
  }),
  'capture.failed': ({ captureId, error }, { state, style }) => ({
    who: stepOf(state, state.captures[captureId]?.activationId),
    what: style.bad(`the changes could not be read${because(error)}`),
  }),
  'capture.revised': ({ captureId, files, by }, { state }) => ({
    who: stepOf(state, state.captures[captureId]?.activationId),
    what: `${counted(files.length, 'file')} changed, after edits by ${by}`,
  }),
  'hunk.marked': quiet,
  'files.viewed': quiet,
} satisfies Partial<Tell>;

const observedWords = {
  waits: 'waits for you in its terminal',
  unknown: 'it may have stopped working',
  stalled: 'seems stalled',
};
const observedLine = (seen: keyof typeof observedWords, reason: string): string =>
  `${observedWords[seen]}: ${firstLine(reason)}`;

const ofSessions = {
  'session.starting': quiet,
  'session.assigned': quiet,
  'session.resuming': ({ sessionId }, { state }) => ({
    who: ofSession(state, sessionId),
    what: 'resuming the session',
  }),
  'session.ready': ({ sessionId, agent, notice }, { state }) => ({
    who: ofSession(state, sessionId),
    what: `${agent} is ready${notice === null ? '' : ` (${notice})`}`,
  }),
  'session.failed': ({ sessionId, error }, { state, style }) => ({
    who: ofSession(state, sessionId),
    what: style.bad(`no session${because(error)}`),
  }),
  'session.parked': quiet,
  'session.lost': ({ sessionId, reason }, { state, style }) => ({
    who: ofSession(state, sessionId),
    what: style.bad(`the session is lost: ${reason}`),
  }),
  'session.closed': quiet,
  'session.reattached': ({ sessionId, turnId }, { state }) => ({
    who: ofSession(state, sessionId),
    what: `the core restarted, and its program kept running${turnId === null ? '' : ', with its turn'}`,
  }),
  'session.observed': ({ sessionId, state: seen, reason }, { state, style }) => ({
    who: ofSession(state, sessionId),
    what: seen === 'working' ? `goes on: ${firstLine(reason)}` : style.waits(observedLine(seen, reason)),
  }),
} satisfies Partial<Tell>;

const ofTurns = {
  'prompt.queued': ({ sessionId, by }, { state }) => ({
    who: ofSession(state, sessionId),
    what: `a prompt of ${by} is queued`,
  }),
  'prompt.withdrawn': ({ promptId, reason }, { state }) => ({
    who: ofSession(state, state.prompts[promptId]?.sessionId ?? 0),
    what: `a prompt is not sent: ${reason}`,
  }),
  'turn.cancel-requested': ({ turnId, by, again }, { state }) => ({
    who: stepOf(state, state.turns[turnId]?.activationId),
    what: `${by} ${again === true ? 'restarts' : 'cancels'} the turn`,
  }),
  'turn.dispatched': ({ activationId, kind, ordinal, of, label }, { state }) => ({
    who: stepOf(state, activationId),
    what:
      label ??
      (kind === 'reprompt' ? `re-prompt ${ordinal}/${of - 1}` : kind === 'primary' ? 'prompt' : kind),
  }),
  'turn.finished': ({ turnId, outcome, error, usage, unkept }, { state, style }) => {
    const tokens = usage?.total_tokens == null ? '' : `, ${usage.total_tokens} tokens`;
    const ended =
      outcome === 'completed' ? `answered${tokens}` : style.bad(`turn ${outcome}${because(error)}`);
    const lost = unkept === undefined ? '' : style.waits('; its changes could not be saved');
    const what = `${ended}${lost}${lost === '' ? '' : because(unkept ?? null)}`;
    return { who: stepOf(state, state.turns[turnId]?.activationId), what };
  },
  'turn.interrupted': ({ turnId, reason }, { state, style }) => ({
    who: stepOf(state, state.turns[turnId]?.activationId),
    what: style.waits(`turn interrupted: ${reason}`),
  }),
} satisfies Partial<Tell>;

const ofCommands = {
  'host.disconnected': ({ host, since }, { style }) =>
    run(style.waits(`connection to ${host} lost at ${clockTime(since)}; work continues there`)),
  'host.reconnected': ({ host }) => run(`connection to ${host} is back`),
  'command.started': ({ activationId, script }, { state }) => ({
    who: stepOf(state, activationId),
    what: `$ ${firstLine(script)}`,
  }),
  'command.finished': ({ commandId, outcome, exitCode, error }, { state }) => ({
    who: stepOf(state, state.commands[commandId]?.activationId),
    what:
      outcome === 'exited'
        ? `exit ${exitCode ?? '?'}`
        : `command ${outcome.replaceAll('_', ' ')}${because(error)}`,
  }),
  'command.interrupted': ({ commandId, reason }, { state, style }) => ({
    who: stepOf(state, state.commands[commandId]?.activationId),
    what: style.waits(`command interrupted: ${reason}`),
  }),
} satisfies Partial<Tell>;

/** In a step with several agents, the one that the question is about. */
function waitsWords({ asker }: RunEventOf<'gate.opened'>): string {
  const who = requesterWords({ asker, agent: null });
  return who === null ? 'waits for you' : `waits for you: ${who}`;
}

const gateName = (state: RunState, gateId: number): string =>
  oneLine(state.gates[gateId]?.title ?? `gate ${gateId}`);

/** The option's name as offered to the operator. */
const optionName = (state: RunState, gateId: number, option: string): string =>
  oneLine(state.gates[gateId]?.options.find(({ id }) => id === option)?.label ?? option);

const ofGates = {
  'gate.opened': (event, { runId, state, style, again }) => ({
    who: stepOf(state, event.activationId),
    what: event.rule === undefined ? style.waits(waitsWords(event)) : `asks: ${oneLine(event.title)}`,
    ...(event.rule === undefined ? { under: gateLines({ ...event, runId }, again) } : {}),
  }),
  'gate.resolved': ({ gateId, answer, by }, { state }) => ({
    who: stepOf(state, state.gates[gateId]?.activationId),
    what: `${gateName(state, gateId)}: ${optionName(state, gateId, answer.option)}, says ${by}${answer.reason === undefined ? '' : `: ${answer.reason}`}`,
  }),
  'gate.delivered': quiet,
  'gate.withdrawn': ({ gateId, reason }, { state }) => ({
    who: stepOf(state, state.gates[gateId]?.activationId),
    what: `${gateName(state, gateId)} is no longer asked: ${reason}`,
  }),
} satisfies Partial<Tell>;

const tell: Tell = {
  ...featureEventLines,
  ...ofRun,
  ...ofStep,
  ...ofSessions,
  ...ofTurns,
  ...ofCommands,
  ...ofGates,
  'timer.set': ({ dueAt, purpose }) => run(`at ${dayAndTime(dueAt)}: ${timerWords(purpose)}`),
  'timer.fired': quiet,
  'update.posted': ({ stepId, text }) => ({ who: stepId, what: 'update', under: text.split('\n') }),
};

const WHO_WIDTH = 14;
const UNDER = ' '.repeat(10);

/**
 * An event as lines for the operator; none if it is irrelevant to people. `state` is the one after the event.
 */
export function eventLines(stored: StoredEvent, state: RunState, telling: Telling): string[] {
  // For each type the table has a function that accepts it.
  const teller = tell[stored.event.type] as (event: RunEvent, at: EventContext) => Said | null;
  const line = teller(stored.event, { ...telling, runId: stored.runId, state });
  if (line === null) return [];
  // A text of an agent or a person may have lines of its own, which must not look like events.
  const [what = '', ...under] = [line.what, ...(line.under ?? [])].flatMap((text) => text.split(/\r?\n/));
  const head = `${telling.style.dim(clockTime(stored.at))}  ${line.who.padEnd(WHO_WIDTH)}  ${what}`;
  return [head, ...under.map((text) => `${UNDER}${text}`.trimEnd())];
}
