import type { AgentPort, Clock } from '@main/core/ports/ports';
import type { Processes } from '@main/core/ports/programs/process';
import type { AgentProfile } from '../contract/profile';

/** A well-known agent: how it is found, and its profile. */
export interface FinderPreset {
  readonly id: string;
  readonly name: string;
  /** Programs to look for, the current name first. */
  readonly programs: readonly string[];
  readonly versionArgs: readonly string[];
  /**
   * Set if the program is only an adapter: the arguments that make it print the agent's own version, if it
   * can.
   */
  readonly adapts?: { readonly versionArgs: readonly string[] | null };
  readonly install: string;
  profile(program: string): AgentProfile;
}

export interface AgentFinderParts {
  readonly presets: readonly FinderPreset[];
  readonly processes: Pick<Processes, 'find' | 'launch'>;
  readonly agents: ReadonlyMap<AgentProfile['kind'], AgentPort>;
  readonly clock: Clock;
  /** The parent of the folder created for a tested agent. */
  readonly tempDir: string;
  readonly secret: (name: string) => string | null;
  readonly fetch?: typeof globalThis.fetch;
}
