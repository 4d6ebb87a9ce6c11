import type { AgentProfile } from '@areas/agents/contract/profile';
import type { PermissionRules } from '@areas/permissions/node/permission-rules';
import type { StatusService } from '@areas/runs/node/status-service';
import type { SettingsService } from '@areas/settings/node/settings-service';
import type { CoreInit } from '@contract/system/host';
import type { Engine } from '../../core/engine/engine';
import type { AgentPort } from '../../core/ports/ports';
import type { TopicPublisher } from '../../services/publisher';
import type { Adapters } from '../adapters';
import type { AnswerPlace } from './answers';
import type { Hosts } from './hosts';

export type Agents = ReadonlyMap<AgentProfile['kind'], AgentPort>;

/** What the services are built from. */
export interface ServiceParts {
  readonly init: CoreInit;
  readonly adapters: Adapters;
  readonly agents: Agents;
  readonly secret: (name: string) => string | null;
  /** Profiles of installed agents. */
  readonly detected: () => Promise<readonly AgentProfile[]>;
  readonly engine: Engine;
  readonly rules: PermissionRules;
  readonly publisher: TopicPublisher;
  readonly settings: SettingsService;
  readonly status: StatusService;
  readonly answers: AnswerPlace;
  readonly hosts: Hosts;
  /** Resumes all unfinished runs. */
  readonly takeUp: () => Promise<void>;
  /** Releases what parked sessions kept that can no longer be resumed. */
  readonly tidy: () => Promise<void>;
}
