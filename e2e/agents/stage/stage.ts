import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { type AgentProfile, agentProfileSchema } from '@contract/catalog/profile';
import { onTestFinished } from 'vitest';
import { allProcesses, findMarked } from '../../../src/main/adapters/process/process-table';
import { type ModelServer, startModelServer } from '../../fixtures/model-server';
import { makeProject } from '../../fixtures/project';
import type { RealAgent } from './agents';
import { RealCore } from './core';
import { tapped } from './wire';

/** In the environment of an agent and of all that it starts. */
const STAGE_MARK = 'TEST_STAGE';

export interface StageOptions {
  /** The agent asks before it writes or runs anything, and the operator answers. */
  readonly asks?: boolean;
  readonly workflow: string;
}

/** One real agent, a model server, a project with one workflow and a core, all of them of this test alone. */
export interface Stage {
  readonly models: ModelServer;
  readonly project: string;
  readonly home: string;
  readonly dataDir: string;
  readonly wireFile: string;
  core: RealCore;
  /** Processes of the agent: itself, its guard, what it started. */
  living(): Promise<number[]>;
  /** Kills the core as a machine dies, and starts it again on the same data. */
  crash(): Promise<void>;
  restart(): Promise<void>;
  startRun(): Promise<number>;
}

export async function setStage(agent: RealAgent, options: StageOptions): Promise<Stage> {
  const programs = process.env.MUSTER_AGENTS_BIN ?? '';
  const folder = mkdtempSync(join(tmpdir(), `muster-${agent.id}-`));
  const [home, dataDir] = [join(folder, 'home'), join(folder, 'data')];
  for (const path of [home, dataDir]) mkdirSync(path);
  const models = await startModelServer();
  const asks = options.asks === true;
  const wireFile = join(folder, 'wire.jsonl');
  const project = makeProject({ '.muster/workflows/job.yaml': options.workflow });
  const env = coreEnvironment(agent, { home, programs });
  const extra = agent.prepare({ home, programs, origin: models.origin }, asks);
  const stage = {
    ...{ models, project, home, dataDir, wireFile },
    core: await RealCore.start({ dataDir, env }),
    living: async () => {
      const marked = await findMarked(STAGE_MARK, (value) => value === folder);
      const rows = (await allProcesses()).filter((row) => !row.zombie).map((row) => row.pid);
      return marked.map((entry) => entry.pid).filter((pid) => rows.includes(pid));
    },
    crash: () => stage.core.kill(),
    restart: async () => {
      stage.core = await RealCore.start({ dataDir, env });
    },
    startRun: async () => {
      const { id: projectId } = await stage.core.call('project.add', { path: project });
      const file = join('.muster', 'workflows', 'job.yaml');
      return (await stage.core.call('run.start', { projectId, file })).runId;
    },
  };
  onTestFinished(async () => {
    await stage.core.stop();
    await models.close();
    if (process.env.MUSTER_AGENTS_KEEP) return;
    for (const path of [folder, project]) rmSync(path, { recursive: true, force: true, maxRetries: 10 });
  });
  const profile = await profileOf(stage.core, agent, { env: extra, asks, mark: folder });
  await stage.core.call('agent.save', { profile: tapped(profile, wireFile) });
  return stage;
}

/** What an operator's shell has, and no way to the network. */
function coreEnvironment(
  agent: RealAgent,
  place: { home: string; programs: string },
): Record<string, string> {
  const nowhere = 'http://127.0.0.1:9';
  const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'].map((name) => [name, nowhere]);
  return {
    PATH: [place.programs, dirname(process.execPath), process.env.PATH ?? ''].join(delimiter),
    HOME: place.home,
    LANG: 'C.UTF-8',
    ...Object.fromEntries(agent.secrets.map((name) => [name, 'key-for-loopback'])),
    ...Object.fromEntries(proxies),
    NO_PROXY: '127.0.0.1,localhost',
    no_proxy: '127.0.0.1,localhost',
  };
}

/** The profile as Muster's own preset makes it of the agent that it finds on PATH. */
async function profileOf(
  core: RealCore,
  agent: RealAgent,
  how: { readonly env: Readonly<Record<string, string>>; readonly asks: boolean; readonly mark: string },
): Promise<AgentProfile> {
  const found = (await core.call('agent.detect', {})).find(({ id }) => id === agent.id);
  if (!found?.found) throw new Error(`Muster does not find ${agent.id} on PATH`);
  const mode = agent.mode(how.asks);
  return agentProfileSchema.parse({
    ...found.profile,
    ...(mode === null ? {} : { mode }),
    env: { ...how.env, [STAGE_MARK]: how.mark },
    secrets: [...agent.secrets],
    permissions: how.asks ? 'ask' : 'allow_all',
  });
}
