import type { Attention } from '@contract/attention/procedures';
import type { RunState } from '@contract/run/state';
import type { FeaturePorts } from '@features/contract';
import type { featureProcedures } from '@features/procedures';
import type { CheckoutMoves } from '../adapters/git/moves';
import type { GitRunner } from '../adapters/git/run-git';
import type { Engine } from '../core/engine/engine';
import type { DocumentReader } from '../core/ports/documents';
import type { Logger } from '../core/ports/ports';
import type { ProcessList } from '../core/ports/process';
import type { RunTexts } from '../core/ports/run-texts';
import type { Store } from '../core/ports/store';
import type { Handlers } from '../services/router';
import type { LastRuns } from '../services/runs/last-runs';
import type { RunService } from '../services/runs/run-service';
import type { WorkflowFiles } from '../services/workflows/workflow-files';

/** What the services of features are made of. */
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
  /** Processes of others, which are only looked at. */
  readonly processes: ProcessList;
  readonly logger: Logger;
  /** The output of a git command in a folder; null where it fails. */
  git(cwd: string, ...args: string[]): Promise<string | null>;
  /** The last runs, newest first. */
  rows(limit: number): LastRuns;
  /** A run as it stands now, live or from the log; null where there is none. */
  state(runId: number): RunState | null;
  /** Milliseconds since 1970. */
  now(): number;
}

type FeatureProcedure = keyof typeof featureProcedures;

/** The services of a feature at work. */
export interface OpenFeature<P extends FeatureProcedure> {
  readonly handlers: Pick<Handlers, P>;
  /** What waits for the operator's word in the last runs and is no gate. */
  replies?(runs: number): Attention['replies'];
  /** Ends what it does of its own accord. */
  stop?(): void;
}

type OpensFeature = (parts: FeatureParts) => OpenFeature<never>;

/** The procedures that features answer, each by itself. */
type Answered<F extends OpensFeature> = F extends OpensFeature ? keyof ReturnType<F>['handlers'] : never;

/** Opens the services of all features as one. A procedure that none answers does not compile where all are joined. */
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

/** What the ports of features are made of. */
export interface Outside {
  readonly git: GitRunner;
  /** What changes checkouts; loaded when it is first needed. */
  moves(): Promise<CheckoutMoves>;
}
