import type { AgentProfile } from '@contract/catalog/profile';
import type { StepDefinition, TriggerRule, WorkflowDefinition } from '@contract/workflow/definition';
import type { Condition } from '../../reference/condition/condition';
import type { TextPlace } from '../../reference/preview';
import type { ScopedVariable } from '../../reference/reference';
import type { AnyStepModule, BoundStep, StepRegistry } from '../../step/module';
import type { OutputFormat } from '../../step/output-format';
import type { NamesAround } from './references';

export interface InCable {
  readonly port: string;
  readonly fromStep: string;
  readonly fromPort: string;
  /** Leads back to a step that its source depends on: it re-activates, it is nothing to wait for. */
  readonly back: boolean;
  /** A signal only orders, it carries no bundle. */
  readonly signal: boolean;
  /** It began at an output that is gone: the step still waits for its source, and nothing comes over it. */
  readonly dangling: boolean;
}

export interface PlannedStep {
  readonly definition: StepDefinition;
  readonly module: AnyStepModule;
  readonly bound: BoundStep;
  readonly cables: readonly InCable[];
  readonly triggerRule: TriggerRule;
  /** Its `when`; null where it has none. */
  readonly condition: Condition | null;
  /** What its `output_format` asks for; null where it has none. */
  readonly format: OutputFormat | null;
  readonly connected: ReadonlySet<string>;
  /** The plan of its body; null where it has none. */
  readonly inner: Inner | null;
  /** All steps that lead here, in the order in which they run. */
  readonly ancestors: readonly string[];
  readonly title: string;
}

/** A definition made ready to decide on. Depends on nothing but the definition, the registry and the default profile. */
export interface Plan {
  readonly definition: WorkflowDefinition;
  readonly steps: ReadonlyMap<string, PlannedStep>;
  /** Every step after those that it depends on. */
  readonly order: readonly string[];
  /** Those that no other step comes after. */
  readonly lasts: readonly string[];
  /** Those that continue in the session of another step. */
  readonly continuing: readonly string[];
  /** The profile of agents that name none; null where none is set. */
  readonly defaultProfile: string | null;
  /** The workflow files that its steps call, and those that these call. */
  readonly called: Readonly<Record<string, WorkflowDefinition>>;
}

export interface PlanContext {
  readonly registry: StepRegistry;
  readonly profiles: Readonly<Record<string, AgentProfile>>;
  readonly defaultProfile: string | null;
  /** It was found good when its run began, perhaps by an earlier Muster: its steps are not checked again. */
  readonly begun?: boolean;
  /** Workflow files that steps may call, by the path that they are named with. */
  readonly called?: Readonly<Record<string, WorkflowDefinition>>;
  /** The bodies around the definition: the files that were called, and an empty text for each body that is no file. */
  readonly within?: readonly string[];
  /** Where the run works, which a called file does not change; left out where the definition says it. */
  readonly workspace?: WorkflowDefinition['workspace'];
  /** What references in a body may read from around it. */
  readonly around?: NamesAround;
  /** Told the texts that steps may have, those of inline bodies by the paths at which they are written. */
  readonly tellTexts?: ((places: readonly TextPlace[]) => void) | undefined;
}

/** The plan of a step's body. */
export interface Inner {
  readonly plan: Plan;
  /** Those of its scopes, in their order, where each scope has a plan of its own; `plan` is the first. */
  readonly variants?: readonly Plan[];
  /** A called file: its steps see its own inputs, and no step or variable from around the call. */
  readonly isolated: boolean;
  readonly variables: readonly ScopedVariable[];
  /** The updates of the body's own turns are not posted: its owner posts one for each scope. */
  readonly quiet: boolean;
}
