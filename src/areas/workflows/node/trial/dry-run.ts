import { setImmediate as turn } from 'node:timers/promises';
import { ok, type Result } from '@contract/result';
import type { RunEventOf } from '@contract/run/events';
import { replay } from '@contract/run/reduce';
import { stepDefinition } from '@contract/run/scope/path';
import type { RunState } from '@contract/run/state';
import type { FeaturePorts } from '@features/contract';
import { Effects } from '@main/core/engine/effects/effects';
import { Engine } from '@main/core/engine/engine';
import type { Logger } from '@main/core/ports/ports';
import { INLINE_TEXTS } from '@main/core/ports/whole-texts';
import { type AnyStepModule, defineStep, type StepRegistry } from '@main/core/step/module';
import type { Trial, TrialEntry, TrialValues } from '../../contract/trial';
import {
  InMemoryLog,
  noFolders,
  noneHere,
  type ScriptedAnswer,
  SkippingClock,
  scriptedAgents,
  shownCommands,
} from './dry-run-ports';
import { entryOf } from './entries';
import { answerAt, givenFor, isGivenAsSkipped } from './given-values';
import { sampleAnswer } from './sample-json';

export interface DryRunParts {
  readonly registry: StepRegistry;
  readonly logger: Logger;
  readonly ports: FeaturePorts;
  readonly now: number;
}

/** More than any workflow needs, and still quick. */
const MOST_ENTRIES = 10_000;
const RESTS = 25;

/**
 * Runs a workflow with the real engine over a temporary store: agents answer with the given values or
 * samples, and commands are only shown. Writes nothing to disk and starts no process.
 */
export async function dryRun(
  started: RunEventOf<'run.started'>,
  values: TrialValues,
  parts: DryRunParts,
): Promise<Result<Omit<Trial, 'problems'>>> {
  const log = new InMemoryLog();
  const clock = new SkippingClock(parts.now);
  const engine = engineOver(log, clock, { parts, values });
  const begun = await engine.start(started);
  if (!begun.ok) return begun;
  const state = (): RunState | null => engine.live(begun.value)?.state ?? null;
  const answers = new Map<number, string>();
  for (let entries = 0; entries < MOST_ENTRIES; entries += 1) {
    await atRest(log);
    const now = state();
    if (now === null || now.status === 'finished') break;
    const gate = Object.values(now.gates).find(({ status }) => status === 'open');
    if (gate === undefined) {
      if (!clock.skip()) break;
      continue;
    }
    const answer = answerAt(gate, now.activations[gate.activationId ?? 0]?.stepId ?? '', values);
    answers.set(gate.id, answer.option);
    await engine.command(begun.value, () =>
      ok([{ type: 'gate.resolved', gateId: gate.id, answer, by: 'dry run' }]),
    );
  }
  // The engine unloads an ended run.
  const last = replay(log.rows);
  const finished = log.rows.flatMap(({ event }) => (event.type === 'run.finished' ? [event] : [])).at(-1);
  const outside = (step: string): boolean =>
    last !== null && parts.registry.get(stepDefinition(last, step)?.type ?? '')?.worksOutside === true;
  const skips = (step: string): boolean => isGivenAsSkipped(step, values);
  const entries: TrialEntry[] =
    last === null
      ? []
      : log.rows.flatMap(({ event }) => entryOf(event, { state: last, answers, outside, skips }) ?? []);
  return ok({
    entries,
    outcome: finished?.outcome ?? null,
    reason:
      finished === undefined
        ? 'it did not come to an end: it waits for something from outside'
        : finished.reason,
  });
}

/** Everything possible has happened if nothing was written for several turns of the event loop. */
async function atRest(log: InMemoryLog): Promise<void> {
  for (let quiet = 0, seen = log.rows.length; quiet < RESTS; quiet += 1) {
    await turn();
    if (log.rows.length !== seen) quiet = 0;
    seen = log.rows.length;
  }
}

interface Over {
  readonly parts: DryRunParts;
  readonly values: TrialValues;
}

function engineOver(log: InMemoryLog, clock: SkippingClock, { parts, values }: Over): Engine {
  const { logger, registry, ports } = parts;
  const publisher = { committed: () => undefined, streamed: () => undefined };
  const scripted = {
    state: () => engine.live(1)?.state ?? null,
    answerOf: (stepId: string, prompt: string): ScriptedAnswer => {
      const given = givenFor(stepId, values);
      if (given === undefined) return sampleAnswer(prompt);
      if (given.status !== 'succeeded')
        return { fails: given.status === 'cancelled' ? 'cancelled' : 'failed' };
      return typeof given.output === 'string' ? given.output : JSON.stringify(given.output);
    },
  };
  const engine: Engine = new Engine({
    log,
    clock,
    logger,
    publisher,
    registry: simulated(registry),
    wholeTexts: () => INLINE_TEXTS,
    partialResponse: () => ({ response: '' }),
    breathe: async () => undefined,
    effects: (engine) =>
      new Effects({
        engine,
        publisher,
        clock,
        logger,
        tools: null,
        workspaces: noFolders,
        agents: scriptedAgents(scripted),
        commands: shownCommands(scripted),
        transcripts: { append: () => undefined, turn: () => [] },
        merges: {
          rehearse: async () => noneHere(),
          changes: async () => noneHere(),
          merge: async () => noneHere(),
        },
        sandboxes: { start: async () => noneHere(), stop: async () => undefined },
        completions: {
          complete: async () => ({ ok: false, text: 'a dry run has none', model: '', usage: null }),
        },
        texts: {
          freeze: async () => noneHere(),
          put: async () => noneHere(),
          read: async () => noneHere(),
          async *pieces() {
            yield noneHere();
          },
          find: async () => noneHere(),
          survey: async () => noneHere(),
          hash: (text) => text,
          marker: () => '0'.repeat(32),
        },
        ...ports,
        rules: { match: () => null },
        joinPath: (...path) => path.join('/'),
      }),
  });
  return engine;
}

/** A step that works outside of the engine ends at once, so that later steps are shown. */
function simulated(registry: StepRegistry): StepRegistry {
  const modules = [...registry].map(([type, module]): [string, AnyStepModule] => [
    type,
    module.worksOutside ? withoutWork(module) : module,
  ]);
  return new Map(modules);
}

function withoutWork(module: AnyStepModule): AnyStepModule {
  const standIn = defineStep<unknown>({
    type: module.type,
    version: module.version,
    title: module.title,
    description: module.description,
    config: module.config,
    onInterrupt: null,
    templates: module.templates,
    ports: (config) => module.bind(config).ports,
    decide: ({ stepId, activationId, config }) => ({
      kind: 'finish',
      outcome: 'succeeded',
      receipt: {},
      warnings: [],
      error: null,
      outputs: Object.fromEntries(
        module.bind(config).ports.outputs.flatMap(({ name, kind }) =>
          kind === 'signal'
            ? []
            : [
                [
                  name,
                  {
                    content: '(not simulated)',
                    source_session_key: null,
                    metadata: { step_id: stepId, activation_id: activationId, port: name },
                  },
                ],
              ],
        ),
      ),
      signals: module
        .bind(config)
        .ports.outputs.flatMap(({ name, leadsBack }) => (leadsBack === true ? [] : [name])),
    }),
  });
  return standIn;
}
