import { ownValue } from '@contract/own';
import type { RunEvent } from '@contract/run/events';
import { keyIn } from '@contract/run/scope/path';
import type { ActivationState, RunState } from '@contract/run/state';
import { referredSteps } from '../plan/condition-check';
import type { InCable, Plan, PlannedStep } from '../plan/plan';
import { planOfScope } from '../plan/tree';
import { IndexHeap } from './index-heap';
import { type InEdge, placeOfClosed, placeStep, type StepPlace, standingOf, WAITING } from './placement';
import { noStandings } from './trigger-rule';

interface Placed {
  readonly step: PlannedStep;
  readonly place: StepPlace;
}

/** A step in the plan's order. */
interface Slot extends Placed {
  place: StepPlace;
  /** Its own cables and references, in order, and those of its dependents. */
  readonly into: InEdge[];
  readonly out: InEdge[];
  /** The state of its incoming edges. */
  readonly standings: ReturnType<typeof noStandings>;
  /** The slots to which its cables lead back. */
  readonly back: number[];
  /** Null: a step of the run itself. */
  readonly scope: SlotsOfScope | null;
}

interface SlotsOfScope {
  readonly path: string;
  readonly slots: number[];
  /** Number of its undecided steps, and of those that run. */
  undecided: number;
  running: number;
}

/**
 * Tracks the place of every step of a run. A step runs when all its dependencies are settled and fired; it
 * runs again when a source has a newer activation than the one it used, or a gate led back to it. Processing
 * in plan order ensures that nothing runs on a mixture of old and new inputs.
 *
 * Derived from plan and state alone. After each folded event, only the affected steps are re-evaluated, so an
 * event costs the same in large and small runs.
 */
export class Schedule {
  /** Running activations. */
  readonly running = new Set<number>();
  /** Running activations without a turn or command in flight: only these can have something to decide. */
  private readonly still = new Set<number>();
  /** Running activations with a time limit. */
  readonly limited = new Set<number>();
  rejected = false;
  private readonly slots: Slot[] = [];
  private readonly slotOf = new Map<string, number>();
  /** Slots to re-evaluate, lowest first, because a step depends only on earlier ones. */
  private readonly stale = new IndexHeap();
  private readonly readySlots = new IndexHeap();
  private readonly unrecordedSlots = new Set<number>();
  private readonly scopes = new Map<string, SlotsOfScope>();
  /** Open scopes, and those of them with nothing left to do. */
  private readonly openScopes = new Set<string>();
  private readonly doneScopes = new Set<string>();
  private ready = 0;
  private retrying = 0;

  constructor(
    private readonly plan: Plan,
    private readonly state: RunState,
  ) {
    this.addSlots(plan.order, null);
    for (const path of Object.keys(state.scopes)) this.addScope(path);
    this.placeAll();
  }

  /** Updates the schedule for an event that the state has just folded. */
  follow(event: RunEvent): void {
    switch (event.type) {
      case 'activation.started':
        this.running.add(event.activationId);
        this.still.add(event.activationId);
        this.limit(event.activationId, event.stepId);
        return this.moved(event.stepId);
      case 'turn.dispatched':
        // Another lane may have something to decide beside one that works; a prompt of the operator's blocks
        // nothing.
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
      case 'activation.adopted':
        return this.moved(event.stepId);
      case 'activation.finished':
        this.running.delete(event.activationId);
        this.still.delete(event.activationId);
        this.limited.delete(event.activationId);
        this.rejected ||= event.outcome === 'rejected';
        return this.moved(this.state.activations[event.activationId]?.stepId);
      case 'timer.fired': {
        const waited = this.state.activations[this.state.timers[event.timerId]?.activationId ?? 0];
        return waited?.retryTimer === event.timerId ? this.moved(waited.stepId) : undefined;
      }
      case 'timer.set':
      case 'gate.opened': {
        // An ended step can leave a question behind, and a prompt's turn there can ask for permission or
        // wait.
        const activation = this.state.activations[event.activationId ?? 0];
        return activation?.status === 'finished' ? this.moved(activation.stepId) : undefined;
      }
      case 'step.skipped':
      case 'step.skip-withdrawn': {
        const index = this.slotOf.get(event.stepId);
        return index === undefined ? undefined : this.checkRecord(index);
      }
      case 'scope.opened':
        for (const index of this.addScope(event.scope)?.slots ?? []) this.stale.add(index);
        return this.placeStale();
      case 'scope.stop-requested':
      case 'scope.ended':
        return this.closed(event.scope);
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

  /** A step waits for its next attempt. */
  get hasRetrying(): boolean {
    return this.retrying > 0;
  }

  /** Every step with its place: in plan order, then those of scopes. */
  get places(): readonly Placed[] {
    return this.slots;
  }

  /** The steps of the run itself. */
  get ownPlaces(): readonly Placed[] {
    return this.slots.slice(0, this.plan.order.length);
  }

  /**
   * The scopes to end: those with nothing left to do, or, if the run starts nothing more, with nothing
   * running. A scope with a running inner scope does not count.
   */
  endingScopes(beginsNothing: boolean): readonly string[] {
    if (!beginsNothing) return [...this.doneScopes];
    return [...this.openScopes].filter((path) => this.scopes.get(path)?.running === 0);
  }

  /** The first ready steps, in plan order. */
  firstReady(count: number): Placed[] {
    const found: Slot[] = [];
    const taken: number[] = [];
    while (found.length < count) {
      const index = this.readySlots.take();
      if (index === undefined) break;
      const slot = this.slots[index];
      if (slot?.place.place !== 'ready') continue;
      found.push(slot);
      taken.push(index);
    }
    for (const index of taken) this.readySlots.add(index);
    return found;
  }

  /** Steps whose skip is missing from the state, or recorded although it no longer applies; in plan order. */
  get unrecorded(): Placed[] {
    return [...this.unrecordedSlots].sort((a, b) => a - b).flatMap((index) => this.slots[index] ?? []);
  }

  private addScope(path: string): SlotsOfScope | undefined {
    const order = planOfScope(this.plan, path)?.order;
    if (order === undefined || this.scopes.has(path)) return undefined;
    const scope: SlotsOfScope = { path, slots: [], undecided: 0, running: 0 };
    this.scopes.set(path, scope);
    this.addSlots(order, scope);
    scope.undecided = scope.slots.length;
    this.countScope(scope);
    return scope;
  }

  private addSlots(order: readonly string[], scope: SlotsOfScope | null): void {
    const first = this.slots.length;
    for (const id of order) {
      const step = this.plan.steps.get(keyIn(scope?.path ?? null, id));
      if (step === undefined) continue;
      this.slotOf.set(step.definition.id, this.slots.length);
      scope?.slots.push(this.slots.length);
      this.slots.push({ step, place: WAITING, into: [], out: [], standings: noStandings(), back: [], scope });
    }
    for (let target = first; target < this.slots.length; target += 1) this.joinAll(target);
  }

  private joinAll(target: number): void {
    const slot = this.slots[target];
    if (slot === undefined) return;
    for (const cable of slot.step.cables) {
      const source = this.slotOf.get(cable.fromStep);
      if (source === undefined) continue;
      if (cable.back) this.slots[source]?.back.push(target);
      else this.join(cable, { source, target });
    }
    for (const id of referredSteps(slot.step)) {
      // What it reads from outside its scope had ended before the scope opened.
      const source = this.slotOf.get(keyIn(slot.scope?.path ?? null, id));
      if (source !== undefined) this.join(null, { source, target });
    }
  }

  /** Nothing more starts in the scope. */
  private closed(path: string): void {
    const scope = this.scopes.get(path);
    if (scope === undefined) return;
    for (const index of scope.slots) this.stale.add(index);
    this.placeStale();
    this.countScope(scope);
  }

  private isOpen({ scope }: Slot): boolean {
    return scope === null || ownValue(this.state.scopes, scope.path)?.status === 'open';
  }

  private countScope(scope: SlotsOfScope): void {
    const status = ownValue(this.state.scopes, scope.path)?.status;
    const remaining = status === 'open' ? scope.undecided : scope.running;
    if (status === undefined || status === 'ended') this.openScopes.delete(scope.path);
    else this.openScopes.add(scope.path);
    if (this.openScopes.has(scope.path) && remaining === 0) this.doneScopes.add(scope.path);
    else this.doneScopes.delete(scope.path);
  }

  private join(cable: InCable | null, { source, target }: { source: number; target: number }): void {
    const edge: InEdge = { cable, source, target, standing: 'open' };
    const waits = this.slots[target];
    if (waits === undefined) return;
    waits.into.push(edge);
    waits.standings.open += 1;
    this.slots[source]?.out.push(edge);
  }

  private placeAll(): void {
    this.running.clear();
    this.still.clear();
    this.limited.clear();
    this.rejected = false;
    for (const activation of Object.values(this.state.activations)) {
      if (activation.status === 'running') {
        this.running.add(activation.id);
        this.limit(activation.id, activation.stepId);
      }
      if (activation.status === 'running' && !inFlight(this.state, activation)) this.still.add(activation.id);
      this.rejected ||= activation.outcome === 'rejected';
    }
    for (let index = 0; index < this.slots.length; index += 1) this.stale.add(index);
    this.placeStale();
    for (const scope of this.scopes.values()) this.countScope(scope);
  }

  private limit(activationId: number, stepId: string): void {
    const step = this.plan.steps.get(stepId);
    if (step?.definition.timeout_minutes !== undefined) this.limited.add(activationId);
  }

  private stilled(activationId: number | undefined): void {
    const activation = this.state.activations[activationId ?? 0];
    if (activation?.status === 'running' && !inFlight(this.state, activation)) this.still.add(activation.id);
  }

  /** A step's newest activation changed or ended. */
  private moved(stepId: string | undefined): void {
    const index = stepId === undefined ? undefined : this.slotOf.get(stepId);
    const slot = index === undefined ? undefined : this.slots[index];
    if (index === undefined || slot === undefined) return;
    this.stale.add(index);
    for (const target of slot.back) this.stale.add(target);
    this.placeStale();
  }

  private placeStale(): void {
    for (let index = this.stale.take(); index !== undefined; index = this.stale.take()) {
      const slot = this.slots[index];
      if (slot === undefined) continue;
      const before = slot.place;
      slot.place = this.placeOf(slot);
      this.ready += Number(slot.place.place === 'ready') - Number(before.place === 'ready');
      this.retrying += Number(slot.place.place === 'retrying') - Number(before.place === 'retrying');
      if (slot.place.place === 'ready') this.readySlots.add(index);
      this.checkRecord(index);
      this.count(slot, before);
      if (differ(before, slot.place)) for (const edge of slot.out) this.tell(edge, slot.place);
    }
  }

  private count({ scope, place }: Slot, before: StepPlace): void {
    if (scope === null || place.place === before.place) return;
    scope.undecided += Number(isUndecided(place)) - Number(isUndecided(before));
    scope.running += Number(place.place === 'running') - Number(before.place === 'running');
    this.countScope(scope);
  }

  /** Notifies a dependent step of another step's new place. */
  private tell(edge: InEdge, place: StepPlace): void {
    const { standings } = this.slots[edge.target] ?? {};
    const standing = standingOf(place, edge.cable);
    if (standings !== undefined) {
      if (edge.standing !== 'known') standings[edge.standing] -= 1;
      if (standing !== 'known') standings[standing] += 1;
    }
    edge.standing = standing;
    this.stale.add(edge.target);
  }

  private placeOf(slot: Slot): StepPlace {
    const { state } = this;
    const { step, into, standings } = slot;
    if (!this.isOpen(slot)) return placeOfClosed(step, state);
    const placeOf = ({ source }: InEdge) => this.slots[source]?.place ?? WAITING;
    return placeStep(step, { plan: this.plan, state, edges: into, standings, placeOf });
  }

  /** Notes whether the recorded skip of a step, with its reason, matches its place. */
  private checkRecord(index: number): void {
    const slot = this.slots[index];
    if (slot === undefined) return;
    if (!this.isOpen(slot)) return void this.unrecordedSlots.delete(index);
    const { skipped = null, skipCause = null } = ownValue(this.state.steps, slot.step.definition.id) ?? {};
    const { place } = slot;
    const recorded =
      place.place === 'closed' ? skipped !== null && skipCause === place.cause : skipped === null;
    if (recorded) this.unrecordedSlots.delete(index);
    else this.unrecordedSlots.add(index);
  }
}

const isUndecided = ({ place }: StepPlace): boolean => place !== 'settled' && place !== 'closed';

function inFlight(state: RunState, { turnIds, commandIds }: ActivationState): boolean {
  const command = state.commands[commandIds.at(-1) ?? 0];
  const turn = state.turns[turnIds.at(-1) ?? 0];
  return (turn?.status === 'in_flight' && turn.lane === null) || command?.status === 'running';
}

/** Whether a step's dependents can distinguish its two places. */
function differ(before: StepPlace, after: StepPlace): boolean {
  if (before.place === 'settled' && after.place === 'settled') return before.last !== after.last;
  if (before.place === 'closed' && after.place === 'closed')
    return (
      before.because !== after.because || before.failed !== after.failed || before.inputs !== after.inputs
    );
  return before.place !== after.place;
}
