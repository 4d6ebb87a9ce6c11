import type { AgentProfile } from '@areas/agents/contract/profile';
import type { StepDefinition, TriggerRule, WorkflowDefinition } from '@areas/workflows/contract/definition';
import type { Condition } from '@areas/workflows/core/reference/condition/condition';
import type { TextPlace } from '@areas/workflows/core/reference/preview';
import type { ScopedVariable } from '@areas/workflows/core/reference/reference';
import type { WholeTexts } from '../../ports/whole-texts';
import type { AnyStepModule, BoundStep, StepRegistry } from '../../step/module';
import type { OutputFormat } from '../../step/output/output-format';
import type { NamesAround } from './references';

export interface InCable {
  readonly port: string;
  readonly fromStep: string;
  readonly fromPort: string;
  /** Leads back to a step that the source depends on: it re-activates that step and is not waited for. */
  readonly back: boolean;
  /** A signal only determines the order; it carries no bundle. */
  readonly signal: boolean;
  /** Its output no longer exists: the step still waits for the source, but receives nothing. */
  readonly dangling: boolean;
  /** Counts as fired also if its source is skipped by its own condition. */
  readonly firesWhenSkipped: boolean;
}

export interface PlannedStep {
  readonly definition: StepDefinition;
  readonly module: AnyStepModule;
  readonly bound: BoundStep;
  readonly cables: readonly InCable[];
  readonly triggerRule: TriggerRule;
  /** Its `when`; null if it has none. */
  readonly condition: Condition | null;
  /** The required `output_format`; null if it has none. */
  readonly format: OutputFormat | null;
  readonly connected: ReadonlySet<string>;
  /** The plan of its body; null if it has none. */
  readonly inner: Inner | null;
  /** All its predecessors, in execution order. */
  readonly ancestors: readonly string[];
  readonly title: string;
}

/**
 * A checked definition, ready for decisions. Depends only on the definition, the registry and the default
 * profile, and reads the large texts of its run.
 */
export interface Plan {
  readonly definition: WorkflowDefinition;
  readonly steps: ReadonlyMap<string, PlannedStep>;
  /** Steps in dependency order. */
  readonly order: readonly string[];
  /** Steps without successors. */
  readonly lasts: readonly string[];
  /** Steps that continue another step's session. */
  readonly continuing: readonly string[];
  /** The profile for agents that name none; null if not set. */
  readonly defaultProfile: string | null;
  /** The workflow files called by its steps, directly or indirectly. */
  readonly called: Readonly<Record<string, WorkflowDefinition>>;
  readonly texts: WholeTexts;
}

export interface PlanContext {
  readonly registry: StepRegistry;
  readonly profiles: Readonly<Record<string, AgentProfile>>;
  readonly defaultProfile: string | null;
  /** The large texts of the run; absent if nothing is run. */
  readonly texts?: WholeTexts;
  /** The run already began, perhaps in an earlier Muster: its steps are not checked again. */
  readonly begun?: boolean;
  /** Workflow files that steps may call, by the path they are named with. */
  readonly called?: Readonly<Record<string, WorkflowDefinition>>;
  /** The enclosing bodies: the path of each called file, and an empty text for each inline body. */
  readonly within?: readonly string[];
  /** Where the run works, which a called file cannot change; default: from the definition. */
  readonly workspace?: WorkflowDefinition['workspace'];
  /** What references in a body may read from outside of it. */
  readonly around?: NamesAround;
  /**
   * Receives the texts that steps may have, those of inline bodies with the paths at which they are written.
   */
  readonly onTexts?: ((places: readonly TextPlace[]) => void) | undefined;
}

/** The plan of a step's body. */
export interface Inner {
  readonly plan: Plan;
  /** If each scope has its own plan: these plans, in order; `plan` is the first. */
  readonly variants?: readonly Plan[];
  /** A called file: its steps see its own inputs, and no step or variable from outside the call. */
  readonly isolated: boolean;
  readonly variables: readonly ScopedVariable[];
  /** Updates of the body's own turns are not posted: its owner posts one per scope. */
  readonly quiet: boolean;
}
