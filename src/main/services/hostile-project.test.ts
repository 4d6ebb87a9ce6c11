import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ProjectRow } from '@areas/agents/contract/procedures';
import { PromptLibrary } from '@areas/prompts/node/prompt-library';
import { freezeFiles } from '@areas/runs/node/run-files';
import { WorkflowFiles } from '@areas/workflows/node/workflow-files';
import { double } from '@contract/testing/double';
import { stepRegistry } from '@features/core';
import { previewLoop } from '@features/loop/node/preview';
import { TeamTemplates } from '@features/team/node/templates';
import { expect, onTestFinished, test } from 'vitest';
import { yamlReader } from '../adapters/yaml/document';
import { yamlText } from '../adapters/yaml/write';
import type { Plan, PlannedStep } from '../core/engine/plan/plan';
import { fakeProfile } from '../core/engine/testing/harness';

const files = new WorkflowFiles({
  reader: yamlReader,
  registry: stepRegistry,
  profiles: () => ({ fake: fakeProfile }),
  defaultProfile: () => null,
});

const HOSTILE = ['/dev/ptmx', '/dev/zero', 'pipe', '/etc/passwd', '/dev/tty'];
const NAMES = HOSTILE.map((_, index) => `w${index}.yaml`);

/** A repository that has a pipe, a device or an outside link in place of each file that Muster reads. */
function hostileProject(): string {
  const root = mkdtempSync(join(tmpdir(), 'muster-hostile-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const put = (file: string, target: string): void => {
    const path = join(root, file);
    mkdirSync(dirname(path), { recursive: true });
    if (target === 'pipe') execFileSync('mkfifo', [path]);
    else symlinkSync(target, path);
  };
  for (const folder of ['workflows', 'teams'])
    for (const [index, target] of HOSTILE.entries()) put(`.muster/${folder}/${NAMES[index]}`, target);
  put('.muster/agents.yaml', 'pipe');
  put('.muster/context.md', '/dev/zero');
  put('prd.json', 'pipe');
  put('.muster/prompts/team/iterative-teammate.md', 'pipe');
  put('secret.md', '/etc/passwd');
  return root;
}

const rowOf = (id: number, path: string): ProjectRow => ({
  id,
  path,
  name: `p${id}`,
  addedAt: 0,
  trouble: null,
});

const WORKFLOW = `name: Fine
steps:
  - id: a
    type: step.agent_task
    config: {instruction: do it, acp_profile_id: fake}
`;

function fineProject(): string {
  const root = mkdtempSync(join(tmpdir(), 'muster-fine-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, '.muster', 'workflows'), { recursive: true });
  writeFileSync(join(root, '.muster', 'workflows', 'w.yaml'), WORKFLOW);
  return root;
}

const TROUBLE = / is not read: (it is a named pipe|the file is a link to outside)/;

test.skipIf(process.platform === 'win32')(
  'a repository of pipes and devices keeps no other project waiting, and each of its files is reported',
  async () => {
    const hostile = hostileProject();
    const listed = files.list(rowOf(1, hostile));
    // More calls than Node has threads for files.
    const more = Array.from({ length: 8 }, () => files.list(rowOf(1, hostile)));
    const fine = await files.list(rowOf(2, fineProject()));
    expect(fine).toMatchObject([{ name: 'Fine', runnable: true, problems: [] }]);
    const rows = await listed;
    await Promise.all(more);
    expect(rows.map(({ file }) => file.replace(/.*[\\/]/, ''))).toEqual(NAMES);
    for (const { runnable, problems } of rows) {
      expect(runnable).toBe(false);
      expect(problems).toMatchObject([{ message: expect.stringMatching(TROUBLE), mend: expect.any(String) }]);
    }
  },
);

test.skipIf(process.platform === 'win32')(
  'teams, agents, context, plan and prompts are guarded alike',
  async () => {
    const hostile = hostileProject();
    const templates = new TeamTemplates({
      reader: yamlReader,
      files,
      yaml: yamlText,
      projects: () => [rowOf(1, hostile)],
    });
    const teams = await templates.list();
    expect(teams).toHaveLength(NAMES.length);
    for (const { config, problems } of teams) {
      expect(config).toBeNull();
      expect(problems).toMatchObject([{ message: expect.stringMatching(TROUBLE) }]);
    }
    const { problems } = await files.profilesOf(hostile);
    expect(problems).toMatchObject([{ message: expect.stringMatching(TROUBLE) }]);
    expect(await files.contextOf(hostile)).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(TROUBLE), mend: expect.any(String) },
    });
    const preview = await previewLoop({ git: async () => null, profiles: {} }, {
      projectPath: hostile,
      folder: '.',
      branch: null,
      workspace: 'project',
      worker: null,
      ownPrompt: false,
    } as Parameters<typeof previewLoop>[1]);
    expect(preview.problems).toContainEqual(
      expect.objectContaining({ message: expect.stringMatching(TROUBLE) }),
    );
    const library = new PromptLibrary({
      builtinDir: join(import.meta.dirname, '../../../resources/prompts'),
    });
    expect(await library.loadAll(hostile)).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('named pipe') },
    });
  },
);

test.skipIf(process.platform === 'win32')(
  'a step takes no file along that leads out of the project',
  async () => {
    const hostile = hostileProject();
    const from = { attachments: [], projectPath: hostile, artifactsDir: join(hostile, 'artifacts') };
    for (const file of ['secret.md', '../outside.md', '/etc/passwd', 'prd.json']) {
      const step = double<PlannedStep>({ inner: null, bound: { files: [{ file, path: 'files[0]' }] } });
      const plan = double<Plan>({ steps: new Map([['a', step]]) });
      expect(await freezeFiles(plan, from)).toMatchObject({
        ok: false,
        error: { code: 'validation.file_missing' },
      });
    }
  },
);
