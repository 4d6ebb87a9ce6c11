import type { Attention } from '@areas/attention/contract/procedures';
import type { LastRuns } from '@areas/runs/node/history/last-runs';
import type { RunService } from '@areas/runs/node/run-service';
import type { WorkflowFiles } from '@areas/workflows/node/workflow-files';
import type { RunState } from '@contract/run/state';
import type { FeaturePorts } from '@features/contract';
import type { featureProcedures } from '@features/procedures';
import type { GitRunner } from '../adapters/git/command/run-git';
import type { CheckoutMoves } from '../adapters/git/moves';
import type { Engine } from '../core/engine/engine';
import type { DocumentReader } from '../core/ports/documents';
import type { Logger } from '../core/ports/ports';
import type { ProcessList } from '../core/ports/programs/process';
import type { RunTexts } from '../core/ports/run-texts';
import type { Store } from '../core/ports/store/store';
import type { Handlers } from '../services/router';

/** What features' services are built from. */
export interface FeatureParts {
  readonly engine: Engine;
  readonly runs: RunService;
  readonly files: WorkflowFiles;
  readonly store: Store;
  readonly ports: FeaturePorts;
  readonly reader: DocumentReader;
  /** A new YAML document. */
  yaml(value: unknown): string;
  readonly texts: RunTexts;
  /** Other programs' processes, read-only. */
  readonly processes: ProcessList;
  readonly logger: Logger;
  /** The output of a git command in a folder; null if it fails. */
  git(cwd: string, ...args: string[]): Promise<string | null>;
  /** The latest runs, newest first. */
  rows(limit: number): LastRuns;
  /** The current state of a run, live or from the log; null if there is none. */
  state(runId: number): RunState | null;
  /** Milliseconds since 1970. */
  now(): number;
}

type FeatureProcedure = keyof typeof featureProcedures;

/** A feature's running services. */
export interface OpenFeature<P extends FeatureProcedure> {
  readonly handlers: Pick<Handlers, P>;
  /** What waits for a message of the operator in the latest runs and is not a gate. */
  replies?(runs: number): Attention['replies'];
  /** Stops its background work. */
  stop?(): void;
}

type OpensFeature = (parts: FeatureParts) => OpenFeature<never>;

/** Procedures answered by features, each by exactly one. */
type Answered<F extends OpensFeature> = F extends OpensFeature ? keyof ReturnType<F>['handlers'] : never;

/** Combines the services of all features. A procedure that no feature answers does not compile. */
export function openFeatures<F extends OpensFeature>(
  registered: readonly F[],
  parts: FeatureParts,
): Required<OpenFeature<Extract<Answered<F>, FeatureProcedure>>> {
  const opened = registered.map((open): OpenFeature<never> => open(parts));
  const handlers = Object.assign({}, ...opened.map((one) => one.handlers));
  return {
    handlers: handlers as Pick<Handlers, Extract<Answered<F>, FeatureProcedure>>,
    replies: (runs) => opened.flatMap((one) => one.replies?.(runs) ?? []),
    stop: () => {
      for (const one of opened) one.stop?.();
    },
  };
}

/** What features' ports are built from. */
export interface Outside {
  readonly git: GitRunner;
  /** Changes checkouts; loaded on first use. */
  moves(): Promise<CheckoutMoves>;
}
