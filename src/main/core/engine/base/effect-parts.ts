import type { AgentProfile } from '@areas/agents/contract/profile';
import type { Result } from '@contract/result';
import type { RunEvent } from '@contract/run/events';
import type { FeaturePorts } from '@features/contract';
import type { Completions } from '../../ports/completions';
import type { TranscriptStore } from '../../ports/documents';
import type { AgentPort, Clock, CommandPort, Logger, Publisher } from '../../ports/ports';
import type { Sandboxes } from '../../ports/programs/sandbox';
import type { Rules } from '../../ports/rules';
import type { RunTexts } from '../../ports/run-texts';
import type { ToolServer } from '../../ports/tools';
import type { Merges } from '../../ports/workspaces/merges';
import type { Workspaces } from '../../ports/workspaces/workspaces';
import type { BegunCommand, ReattachedWork } from '../recovery/recover';
import type { LiveRun } from './live-run';

/** Accepts the result of an effect. Resolves when it is durable. */
export interface Reporter {
  report(run: LiveRun, news: readonly RunEvent[] | (() => readonly RunEvent[])): Promise<void>;
}

/** Runs the effects of committed events. */
export interface EffectRunner {
  start(run: LiveRun, event: RunEvent): void;
  /** After a restart: finds what survived the core. Survivors report nothing before `recovered`. */
  surviving(run: LiveRun, begun: readonly BegunCommand[]): Promise<ReattachedWork>;
  /** After a restart: repeats effects that are safe to repeat, and continues with what survived the core. */
  recovered(run: LiveRun, reattached: ReattachedWork): void;
}

export interface EffectParts extends FeaturePorts {
  readonly engine: Reporter & {
    /** See `Engine.command`. */
    command(runId: number, make: (run: LiveRun) => Result<readonly RunEvent[]>): Promise<Result<void>>;
  };
  readonly agents: ReadonlyMap<AgentProfile['kind'], AgentPort>;
  readonly commands: CommandPort;
  readonly workspaces: Workspaces;
  readonly transcripts: Pick<TranscriptStore, 'append' | 'turn'>;
  readonly publisher: Publisher;
  readonly clock: Clock;
  readonly rules: Rules;
  readonly merges: Merges;
  readonly sandboxes: Sandboxes;
  readonly completions: Completions;
  readonly texts: RunTexts;
  /** Gives agents Muster's own tools; null if they cannot be served. */
  readonly tools: ToolServer | null;
  readonly logger: Logger;
  readonly joinPath: (...parts: string[]) => string;
}
