import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { type AgentProfile, agentProfileSchema } from '@areas/agents/contract/profile';
import { onTestFinished } from 'vitest';
import { allProcesses, findMarked } from '../../../src/main/adapters/process/table/process-table';
import { type ModelServer, startModelServer } from '../../fixtures/model-server';
import { makeProject } from '../../fixtures/project';
import type { StagedAgent } from './agents';
import { RealCore } from './core';
import { until } from './until';
import { tapped } from './wire';

/** In the environment of an agent and of all its child processes. */
const MARK = 'TEST_STAGE';
const WORKFLOW = join('.muster', 'workflows', 'job.yaml');

export interface StageOptions {
  readonly workflow: string;
  /** The agent asks before it writes, and the operator answers. Otherwise neither asks anything. */
  readonly asks?: boolean;
  /** The agent has the permissions of its detected installation, whatever `asks` says. */
  readonly asFound?: boolean;
  /** The permissions of its profile, in the mode that Muster chooses for them. */
  readonly policy?: Pick<AgentProfile, 'permissions' | 'read_only'>;
  /** A file that records all messages between Muster and the agents. */
  readonly wireFile?: string;
  /** Additional environment variables of the core. */
  readonly env?: Readonly<Record<string, string>>;
  /** Other agents that the workflow also names, in the same home. */
  readonly beside?: readonly StagedAgent[];
}

/** One real agent, a model server, a project with one workflow and a core, all only for this test. */
export class Stage {
  readonly models: ModelServer;
  readonly project: string;
  readonly profile: AgentProfile;
  readonly #folder: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #filesByMinute: boolean;
  #core: RealCore;

  private constructor(parts: Pick<Stage, 'models' | 'project' | 'profile' | 'core'> & Ground) {
    this.models = parts.models;
    this.project = parts.project;
    this.profile = parts.profile;
    this.#folder = parts.folder;
    this.#env = parts.env;
    this.#filesByMinute = parts.filesByMinute;
    this.#core = parts.core;
    onTestFinished(() => this.#clear());
  }

  static async set(agent: StagedAgent, options: StageOptions): Promise<Stage> {
    const bare = breakGround([agent, ...(options.beside ?? [])]);
    const ground = { ...bare, env: { ...bare.env, ...options.env } };
    const models = await startModelServer();
    const asks = options.asks === true;
    const core = await RealCore.start({ dataDir: join(ground.folder, 'data'), env: ground.env });
    const saveProfile = async (one: StagedAgent): Promise<AgentProfile> => {
      if (asks) one.coach?.(models);
      const settings = one.prepare({ ...ground, origin: models.origin }, asks);
      const env = { ...settings, [MARK]: ground.folder };
      const found = await profileOf(core, one, { env, asks });
      const { policy } = options;
      const held = policy === undefined ? found : { ...withoutMode(found), ...policy };
      const made = options.asFound === true ? await asFound(core, held) : held;
      const saved = options.wireFile === undefined ? made : tapped(made, options.wireFile);
      await core.call('agent.save', { profile: saved });
      return made;
    };
    const profile = await saveProfile(agent);
    for (const other of options.beside ?? []) await saveProfile(other);
    const project = makeProject({ [WORKFLOW]: options.workflow });
    return new Stage({ models, project, profile, core, ...ground });
  }

  get core(): RealCore {
    return this.#core;
  }

  /** The environment of an operator's shell, without access to the network. */
  get env(): Readonly<Record<string, string>> {
    return this.#env;
  }

  async startRun(): Promise<number> {
    const { id: projectId } = await this.core.call('project.add', { path: this.project });
    return (await this.core.call('run.start', { projectId, file: WORKFLOW })).runId;
  }

  /** Kills the core with -9. */
  crash(): Promise<void> {
    return this.core.kill();
  }

  async restart(): Promise<void> {
    const minute = new Date().getMinutes();
    const isNext = async () => new Date().getMinutes() !== minute;
    if (this.#filesByMinute) await until('the next minute', isNext, 61_000);
    this.#core = await RealCore.start({ dataDir: join(this.#folder, 'data'), env: this.#env });
  }

  /** Contains the core's data and the agent's home. */
  get folder(): string {
    return this.#folder;
  }

  /** Processes of the agent: itself, its guard, and all their children. */
  async living(): Promise<number[]> {
    const marked = await findMarked(MARK, (value) => value === this.#folder);
    const rows = (await allProcesses()).filter((row) => !row.zombie).map((row) => row.pid);
    return marked.map((entry) => entry.pid).filter((pid) => rows.includes(pid));
  }

  /** Resolves when no process of the agent is left. */
  async gone(): Promise<void> {
    await until('the end of all its processes', async () => (await this.living()).length === 0);
  }

  async #clear(): Promise<void> {
    await this.core.stop();
    await this.models.close();
    const gone = { recursive: true, force: true, maxRetries: 10 };
    for (const path of [this.#folder, this.project]) rmSync(path, gone);
  }
}

/** The command lines of processes. */
export function commandsOf(pids: readonly number[]): string {
  // ps fails if one of them has ended meanwhile.
  return spawnSync('ps', ['-o', 'args=', '-p', pids.join()], { encoding: 'utf8' }).stdout;
}

interface Ground {
  readonly filesByMinute: boolean;
  readonly folder: string;
  readonly home: string;
  readonly programs: string;
  /** The environment of an operator's shell, without access to the network. */
  readonly env: Readonly<Record<string, string>>;
}

function breakGround(agents: readonly StagedAgent[]): Ground {
  const programs = process.env.MUSTER_AGENTS_BIN ?? '';
  const folder = mkdtempSync(join(tmpdir(), `muster-${agents[0]?.id}-`));
  const home = join(folder, 'home');
  mkdirSync(home);
  const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'];
  const direct = ['NO_PROXY', 'no_proxy'];
  const env = {
    PATH: [programs, dirname(process.execPath), process.env.PATH ?? ''].join(delimiter),
    HOME: home,
    LANG: 'C.UTF-8',
    // As in many containers.
    IS_SANDBOX: 'yes',
    ...Object.fromEntries(agents.flatMap(({ secrets }) => secrets).map((name) => [name, 'key-for-loopback'])),
    ...Object.fromEntries(proxies.map((name) => [name, 'http://127.0.0.1:9'])),
    ...Object.fromEntries(direct.map((name) => [name, '127.0.0.1,localhost'])),
  };
  const filesByMinute = agents.some((agent) => agent.filesByMinute === true);
  return { folder, home, programs, env, filesByMinute };
}

function withoutMode({ mode: _mode, ...profile }: AgentProfile): AgentProfile {
  return profile as AgentProfile;
}

async function asFound(core: RealCore, profile: AgentProfile): Promise<AgentProfile> {
  const found = (await core.call('agent.detect', {})).find(({ id }) => id === profile.id);
  return { ...profile, permissions: found?.profile.permissions ?? profile.permissions };
}

/** The profile that Muster's own preset makes of the agent found on PATH. */
async function profileOf(
  core: RealCore,
  agent: StagedAgent,
  { env, asks }: { readonly env: Readonly<Record<string, string>>; readonly asks: boolean },
): Promise<AgentProfile> {
  const found = (await core.call('agent.detect', {})).find(({ id }) => id === agent.id);
  if (!found?.found) throw new Error(`Muster does not find ${agent.id} on PATH`);
  const mode = agent.mode(asks);
  return agentProfileSchema.parse({
    ...found.profile,
    ...agent.profile,
    ...(mode === null ? {} : { mode }),
    env: { ...found.profile.env, ...env },
    secrets: [...agent.secrets],
    permissions: asks ? 'ask' : 'allow_all',
  });
}
