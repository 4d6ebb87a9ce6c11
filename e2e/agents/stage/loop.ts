/** The loop that a real Codex works on: three stories, each a commit that marks it as passing. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ModelServer } from '../../fixtures/model-server';
import { codex } from './agents';
import { Stage, type StageOptions } from './stage';

export const ids = ['US-001', 'US-002', 'US-003'];
const plan = JSON.stringify({
  branchName: 'ralph/real',
  userStories: ids.map((id, index) => ({
    id,
    title: `Story ${id}`,
    priority: index + 1,
    passes: false,
    notes: '',
  })),
});

const workflow = `
name: Loop
steps:
  - id: loop
    type: step.ralph
    config:
      worker: { acp_profile_id: codex-exec }
      iterations: 5
`;

/** The same program without a terminal. */
const codexExec = {
  ...codex,
  id: 'codex-exec' as const,
  mode: () => null,
  // By default its sandbox may write to temporary files, and so to all of a test: these two are excluded.
  profile: {
    args: ['slash_tmp', 'tmpdir_env_var'].flatMap((place) => [
      '-c',
      `sandbox_workspace_write.exclude_${place}=true`,
    ]),
  },
};

export const git = (folder: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.org', ...args], {
    cwd: folder,
    encoding: 'utf8',
  });

/** Whether Codex's own sandbox starts here: it does not in every container. */
export function sandboxStarts(): boolean {
  const home = mkdtempSync(join(tmpdir(), 'muster-sandbox-'));
  try {
    const env = { ...process.env, CODEX_HOME: home };
    const program = join(process.env.MUSTER_AGENTS_BIN ?? '', 'codex');
    return spawnSync(program, ['sandbox', '--', '/bin/true'], { env, timeout: 20_000 }).status === 0;
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 10 });
  }
}

interface LoopOptions extends Omit<StageOptions, 'workflow'> {
  /** An additional command that each worker tries, whatever its result. */
  readonly tries?: (project: string) => string;
  /** The worker's prompt, in place of Muster's own text. */
  readonly prompt?: string;
  /** Rules of the model server that come before those of the worker. */
  readonly before?: (models: ModelServer) => void;
}

/** The stage of a loop whose worker says this at the end of each attempt. */
export async function setLoop(
  said: string,
  { tries, prompt, before, ...options }: LoopOptions = {},
): Promise<Stage> {
  const own = prompt === undefined ? '' : `      prompt: ${JSON.stringify(prompt)}\n`;
  const stage = await Stage.set(codexExec, { workflow: `${workflow}${own}`, ...options });
  writeFileSync(join(stage.project, 'prd.json'), plan);
  git(stage.project, 'add', '-A');
  git(stage.project, 'commit', '-qm', 'plan');
  before?.(stage.models);
  scriptWorker(stage.models, { said, tries: tries?.(stage.project) ?? 'true' });
  return stage;
}

function scriptWorker(models: ModelServer, { said, tries }: { said: string; tries: string }): void {
  models.script({
    when: ({ prompt, results, tools }) =>
      prompt.includes('Your story: ') && results.length === 0 && tools.length > 0,
    answer({ prompt, tools }) {
      const id = /Your story: (US-\d+)/.exec(prompt)?.[1] ?? '';
      const tool = tools.find(({ name }) => name === 'exec_command');
      if (!tool) throw new Error(`Codex has no exec_command, but ${tools.map(({ name }) => name).join()}`);
      const flip = `const f='prd.json',fs=require('fs'),p=JSON.parse(fs.readFileSync(f));p.userStories.find(s=>s.id==='${id}').passes=true;fs.writeFileSync(f,JSON.stringify(p))`;
      const cmd = `{ ${tries}; } ; node -e "${flip}" && git add prd.json && git -c user.name=W -c user.email=w@x.org commit -qm 'feat: [${id}] - Story ${id}'`;
      return { text: 'I will use a tool.', call: { tool, input: { cmd } } };
    },
  });
  models.script({
    when: ({ prompt, results }) => prompt.includes('Your story: ') && results.length > 0,
    answer: { text: said },
  });
}
