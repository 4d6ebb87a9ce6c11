import { own } from '@contract/own';
import type { RunEvent } from '@contract/run/events';
import type { ActivationState, RunState } from '@contract/run/state';
import type { InCable, Plan, PlannedStep } from './plan';

export interface InputRef {
  readonly port: string;
  readonly activationId: number;
  readonly fromPort: string;
}

/**
 * `settled`: its newest activation has ended and nothing before it is to run again. `ready`: may start now, with
 * these inputs. `closed`: cannot start any more, because what it depends on ended without firing.
 */
export type StepPlace =
  | { readonly place: 'settled'; readonly last: ActivationState }
  | { readonly place: 'running' }
  | { readonly place: 'ready'; readonly inputs: readonly InputRef[] }
  | { readonly place: 'waiting' }
  | { readonly place: 'closed'; readonly because: string };

export interface Placed {
  readonly step: PlannedStep;
  readonly place: StepPlace;
}

/** A step in the plan's order, and what has to be looked at again when it changes. */
interface Slot extends Placed {
  place: StepPlace;
  stale: boolean;
  /** Those that wait for it. */
  readonly next: number[];
  /** Those that a cable of it leads back to. */
  readonly back: number[];
}

/**
 * Where every step of a run stands. A step runs when all that it depends on is settled and fired; it runs again when
 * one of its sources has a newer activation than the one it used, or a gate led back to it. Working through the plan
 * in order makes sure that nothing runs on a mixture of old and new inputs.
 *
 * It follows from plan and state alone. Told of each event that the state has folded, it looks again only at the
 * steps that the event can have moved, so that an event of a large run costs no more than one of a small run.
 */
export class Schedule {
  /** Activations that run. */
  readonly running = new Set<number>();
  /** Those of them of which no turn and no command is in flight: nothing else can have something to decide. */
  private readonly still = new Set<number>();
  rejected = false;
  private readonly slots: Slot[];
  private readonly slotOf = new Map<string, number>();
  private ready = 0;

  constructor(
    plan: Plan,
    private readonly state: RunState,
  ) {
    this.slots = plan.order.flatMap((id) => {
      const step = plan.steps.get(id);
      return step ? [{ step, place: WAITING, stale: true, next: [], back: [] }] : [];
    });
    this.slots.forEach(({ step }, index) => void this.slotOf.set(step.definition.id, index));
    this.slots.forEach(({ step }, index) => {
      for (const { fromStep, back } of step.cables)
        this.slotAt(fromStep)?.[back ? 'back' : 'next'].push(index);
    });
    this.placeAll();
  }

  /** Takes in an event that the state has just folded. */
  follow(event: RunEvent): void {
    switch (event.type) {
      case 'activation.started':
        this.running.add(event.activationId);
        this.still.add(event.activationId);
        return this.moved(event.stepId);
      case 'turn.dispatched':
        // Beside a lane that works another may have something to decide; a prompt of the operator's holds nothing up.
        if (event.lane === undefined && event.promptId === undefined) this.still.delete(event.activationId);
        return;
      case 'command.started':
        return void this.still.delete(event.activationId);
      case 'turn.finished':
      case 'turn.interrupted':
        return this.stilled(this.state.turns[event.turnId]?.activationId);
      case 'command.finished':
      case 'command.interrupted':
        return this.stilled(this.state.commands[event.commandId]?.activationId);
      case 'activation.finished':
        this.running.delete(event.activationId);
        this.still.delete(event.activationId);
        this.rejected ||= event.outcome === 'rejected';
        return this.moved(this.state.activations[event.activationId]?.stepId);
      case 'timer.set':
      case 'gate.opened': {
        // A step that has ended can leave a question behind, and a prompt of the operator's there can ask leave or wait.
        const asked = this.state.activations[event.activationId ?? 0];
        return asked?.status === 'finished' ? this.moved(asked.stepId) : undefined;
      }
      case 'run.resumed':
        return this.placeAll();
      default:
        return;
    }
  }

  /** Activations that may have something to decide, oldest first. */
  get deciding(): readonly number[] {
    return this.still.size < 2 ? [...this.still] : [...this.still].sort((a, b) => a - b);
  }

  get hasReady(): boolean {
    return this.ready > 0;
  }

  /** Every step with its place, in the plan's order. */
  get places(): readonly Placed[] {
    return this.slots;
  }

  private slotAt(stepId: string): Slot | undefined {
    return this.slots[this.slotOf.get(stepId) ?? -1];
  }

  private placeAll(): void {
    this.running.clear();
    this.still.clear();
    this.rejected = false;
    for (const activation of Object.values(this.state.activations)) {
      if (activation.status === 'running') this.running.add(activation.id);
      if (activation.status === 'running' && !inFlight(this.state, activation)) this.still.add(activation.id);
      this.rejected ||= activation.outcome === 'rejected';
    }
    for (const slot of this.slots) slot.stale = true;
    this.placeFrom(0);
  }

  private stilled(activationId: number | undefined): void {
    const activation = this.state.activations[activationId ?? 0];
    if (activation?.status === 'running' && !inFlight(this.state, activation)) this.still.add(activation.id);
  }

  /** The newest activation of a step is another, or has ended. */
  private moved(stepId: string | undefined): void {
    const index = stepId === undefined ? undefined : this.slotOf.get(stepId);
    const slot = index === undefined ? undefined : this.slots[index];
    if (index === undefined || slot === undefined) return;
    slot.stale = true;
    for (const target of slot.back) this.spoil(target);
    this.placeFrom(Math.min(index, ...slot.back));
  }

  private spoil(index: number): void {
    const slot = this.slots[index];
    if (slot) slot.stale = true;
  }

  private placeFrom(first: number): void {
    for (let index = first; index < this.slots.length; index += 1) {
      const slot = this.slots[index];
      if (slot?.stale !== true) continue;
      slot.stale = false;
      const before = slot.place;
      slot.place = this.placeStep(slot.step);
      this.ready += Number(slot.place.place === 'ready') - Number(before.place === 'ready');
      if (differ(before, slot.place)) for (const next of slot.next) this.spoil(next);
    }
  }

  private placeStep(step: PlannedStep): StepPlace {
    const { state } = this;
    const last = lastActivation(state, step.definition.id);
    if (last?.status === 'running') return RUNNING;
    const inputs: InputRef[] = [];
    let stale = last === null;
    for (const cable of step.cables) {
      if (cable.back) continue;
      const source = this.slotAt(cable.fromStep)?.place;
      if (source === undefined || source.place === 'running' || source.place === 'ready') return WAITING;
      if (source.place === 'waiting') return WAITING;
      if (source.place === 'closed') return closedOr(last, source.because);
      if (!fired(source.last, cable)) return closedOr(last, whyNot(state, source.last, cable));
      inputs.push({ port: cable.port, activationId: source.last.id, fromPort: cable.fromPort });
      stale ||= !used(last, cable, source.last);
    }
    const revisions = revisionsOf(step, state);
    if (revisions.some((revision) => !isTaken(revision, state))) {
      inputs.push(...revisions.map(({ input }) => input));
      stale = true;
    }
    if (!stale && last !== null) return { place: 'settled', last };
    return { place: 'ready', inputs };
  }
}

const WAITING: StepPlace = { place: 'waiting' };
const RUNNING: StepPlace = { place: 'running' };

function inFlight(state: RunState, { turnIds, commandIds }: ActivationState): boolean {
  const command = state.commands[commandIds.at(-1) ?? 0];
  const turn = state.turns[turnIds.at(-1) ?? 0];
  return (turn?.status === 'in_flight' && turn.lane === null) || command?.status === 'running';
}

/** Whether those that wait for a step can tell its two places apart. */
function differ(before: StepPlace, after: StepPlace): boolean {
  if (before.place === 'settled' && after.place === 'settled') return before.last !== after.last;
  if (before.place === 'closed' && after.place === 'closed') return before.because !== after.because;
  return before.place !== after.place;
}

export function lastActivation(state: RunState, stepId: string): ActivationState | null {
  const id = own(state.steps, stepId)?.activationIds.at(-1);
  return id === undefined ? null : (state.activations[id] ?? null);
}

/** A step that ran once and whose source then ended otherwise keeps what it has: its result stands in the run. */
function closedOr(last: ActivationState | null, because: string): StepPlace {
  return last === null ? { place: 'closed', because } : { place: 'settled', last };
}

function fired(activation: ActivationState, cable: InCable): boolean {
  return activation.signals.includes(cable.fromPort);
}

function used(last: ActivationState | null, cable: InCable, source: ActivationState): boolean {
  const over = (last?.inputs ?? []).filter(
    ({ port, fromPort }) => port === cable.port && fromPort === cable.fromPort,
  );
  // What ran before such cables were waited for is not run again because of one.
  if (cable.dangling && over.length === 0) return true;
  return over.some(({ activationId }) => activationId === source.id);
}

function whyNot(state: RunState, activation: ActivationState, { fromStep, fromPort }: InCable): string {
  const step = state.definition.steps.find(({ id }) => id === fromStep);
  const name = state.rules === undefined ? fromStep : (step?.title ?? fromStep);
  if (activation.outcome === 'succeeded') return `${name} did not fire ${fromPort}`;
  return `${name} ${activation.outcome ?? 'did not end'}`;
}

interface Revision {
  readonly stepId: string;
  readonly input: InputRef;
}

/**
 * What those ask for that lead back to a step and have not looked again since. Each holds until then: where one asks while
 * the step works on what another asked for, it is given both.
 */
function revisionsOf({ definition, cables }: PlannedStep, state: RunState): Revision[] {
  return cables.flatMap((cable) => {
    const source = cable.back ? lastActivation(state, cable.fromStep) : null;
    if (source === null || source.status !== 'finished' || !fired(source, cable)) return [];
    const input = { port: cable.port, activationId: source.id, fromPort: cable.fromPort };
    return [{ stepId: definition.id, input }];
  });
}

const isTaken = ({ stepId, input }: Revision, state: RunState): boolean =>
  (own(state.steps, stepId)?.activationIds ?? []).some((id) =>
    state.activations[id]?.inputs.some(
      ({ activationId, fromPort }) => activationId === input.activationId && fromPort === input.fromPort,
    ),
  );
