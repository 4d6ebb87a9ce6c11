import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PromptLibrary } from '@areas/prompts/node/prompt-library';
import { WorkflowFiles } from '@areas/workflows/node/workflow-files';
import type { ParsedInput } from '@contract/ipc';
import { ok } from '@contract/result';
import { double } from '@contract/testing/double';
import { stepRegistry } from '@features/core';
import { ulids } from '@main/adapters/system/ids';
import { yamlReader } from '@main/adapters/yaml/document';
import { fakeProfile, Harness } from '@main/core/engine/testing/harness';
import type { Store } from '@main/core/ports/store/store';
import type { WorkspaceEdits } from '@main/core/ports/workspaces/workspace-edits';
import type { Workspaces } from '@main/core/ports/workspaces/workspaces';
import { RunService } from '../run-service';

function keptOf(asked: unknown[], name: string, commit: string | null) {
  asked.push(['keptSnapshot', name]);
  return commit === null ? null : { commit, head: 'head' };
}

const usual = {
  projectId: 1,
  file: '.muster/workflows/w.yaml',
  instruction: '',
  attachments: [],
  inputs: {},
  startedBy: 'test',
};
type Start = Partial<
  Pick<ParsedInput<'run.start'>, 'uid' | 'projectId' | 'file' | 'instruction' | 'attachments'>
>;

/** The service over a harness's engine, with one project and one workflow; other calls are recorded. */
export function runService(
  artifactsRoot: string,
  defaultProfile: () => string | null = () => null,
  harness = new Harness(),
) {
  const path = mkdtempSync(join(tmpdir(), 'muster-runs-'));
  mkdirSync(join(path, '.muster', 'workflows'), { recursive: true });
  const flow =
    'name: W\nworktree: {teardown: down}\nsteps:\n  - id: a\n    type: step.agent_task\n    config: {instruction: Go., acp_profile_id: fake}\n';
  writeFileSync(join(path, '.muster', 'workflows', 'w.yaml'), flow);
  const project = { id: 1, path, name: 'p', addedAt: 0, trouble: null };
  const purged: number[] = [];
  const uids = new Map<string, number>();
  // Only the parts of the store used here.
  const store = double<Store>({
    project: (id: number) => (id === 1 ? project : null),
    run: (id: number) => (purged.includes(id) || harness.log.rows.length === 0 ? null : { id, uid: 'U' }),
    runByUid: (uid: string) => (uids.has(uid) ? { id: uids.get(uid) } : null),
    log: harness.log,
    eventsWithoutHistory: () => null,
    purgeRun: (runId: number) => purged.push(runId),
    setRunBytes: () => undefined,
    binUnread: (runId: number, binned: boolean, at: number) => ({ runId, binned, at }),
  });
  const logged: unknown[] = [];
  const told: string[] = [];
  const asked: unknown[] = [];
  const kept = { commit: 'kept' as string | null };
  const folders: Pick<WorkspaceEdits, 'remove'> & Pick<Workspaces, 'revive' | 'keptSnapshot'> = {
    keptSnapshot: async (_place, name) => keptOf(asked, name, kept.commit),
    remove: async (run, what) => {
      asked.push(['remove', run.projectPath, what]);
      return ok({ notes: ['a worktree stays'], kept: ['refs/muster/kept/w'] });
    },
    revive: async (_run, branches) => {
      asked.push(['revive', branches]);
      return ok(branches);
    },
  };
  const files = new WorkflowFiles({
    reader: yamlReader,
    registry: stepRegistry,
    profiles: () => ({ fake: fakeProfile }),
    defaultProfile,
  });
  const transcripts = { append: () => undefined, turn: () => [], lines: () => [], release: () => undefined };
  const runs = new RunService({
    engine: harness.engine,
    store,
    files,
    transcripts,
    ids: ulids,
    workspaces: folders,
    textFiles: harness.textFiles,
    prompts: new PromptLibrary({ builtinDir: join(import.meta.dirname, '../../../../../resources/prompts') }),
    logger: { info: (...said) => logged.push(said), warn: (...said) => logged.push(said) },
    notice: (text) => told.push(text),
    clock: harness.clock,
    appended: (stored) => logged.push(stored),
    artifactsRoot,
  });
  const start = (more: Start = {}) => runs.start({ ...usual, ...more });
  return { harness, kept, uids, start, runs, folders, asked, purged, logged, told, path };
}
