import type { AgentLogin } from '@areas/agents/contract/login';
import type { ProfileRow } from '@areas/agents/contract/procedures';
import type { AgentProfile, DetectedAgent } from '@areas/agents/contract/profile';
import type { FinderPreset } from '@areas/agents/node/agent-finder-parts';
import type { Clock } from '@main/core/ports/ports';
import type { Processes } from '@main/core/ports/programs/process';
import type { Sandboxes } from '@main/core/ports/programs/sandbox';

export interface DoctorPreset extends FinderPreset {
  readonly login?: AgentLogin;
  readonly instead?: string;
}

export interface DoctorParts {
  readonly presets: readonly DoctorPreset[];
  readonly processes: Pick<Processes, 'find' | 'launch'>;
  /** Looks for all known agents. */
  detect(): Promise<readonly DetectedAgent[]>;
  /** All profiles, of the operator and of projects. */
  profiles(): Promise<readonly ProfileRow[]>;
  /** Profiles of installed agents, as workflows use them. */
  installed(): Promise<readonly AgentProfile[]>;
  /** Another agent is installed now, or one is gone. */
  profilesChanged(): void;
  readonly secret: (name: string) => string | null;
  readonly environment: () => Promise<Readonly<Record<string, string>>>;
  readonly home: string;
  readonly dataDir: string;
  readonly tempDir: string;
  readonly clock: Clock;
  /** Free bytes of the disk that holds a folder. */
  readonly freeBytes: (folder: string) => Promise<number>;
  readonly terminals: () => Promise<boolean>;
  readonly sandboxes: Pick<Sandboxes, 'start'>;
}
