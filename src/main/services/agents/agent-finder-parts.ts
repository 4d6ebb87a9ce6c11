import type { AgentProfile } from '@contract/catalog/profile';
import type { AgentPort, Clock } from '../../core/ports/ports';
import type { Processes } from '../../core/ports/process';

/** A well-known agent: how it is found, and the profile that it becomes. */
export interface FinderPreset {
  readonly id: string;
  readonly name: string;
  /** Programs by which it is found, the present name first. */
  readonly programs: readonly string[];
  readonly versionArgs: readonly string[];
  /** Set where the program only adapts the agent: what makes it print the agent's own version, where it can. */
  readonly adapts?: { readonly versionArgs: readonly string[] | null };
  readonly install: string;
  profile(program: string): AgentProfile;
}

export interface AgentFinderParts {
  readonly presets: readonly FinderPreset[];
  readonly processes: Pick<Processes, 'find' | 'launch'>;
  readonly agents: ReadonlyMap<AgentProfile['kind'], AgentPort>;
  readonly clock: Clock;
  /** Where a tested agent gets a folder of its own. */
  readonly tempDir: string;
  readonly secret: (name: string) => string | null;
  readonly fetch?: typeof globalThis.fetch;
}
