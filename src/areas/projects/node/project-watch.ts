import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import type { ProjectRow } from '@areas/agents/contract/procedures';
import { promptSets } from '@areas/prompts/contract/sets';
import { FILES_SETTLE_MS } from '@main/limits/core';
import { isOwnWrite, isTemporary } from './own-writes';

const PROMPT_SETS = promptSets.map(({ id }) => id);
/** Watched folders inside `.muster` and its `prompts`, if they exist. */
const INNER = ['workflows', 'prompts', ...PROMPT_SETS];

interface Pending {
  readonly timer: NodeJS.Timeout;
  /** What changed meanwhile; null where the system did not say. */
  readonly paths: ReadonlySet<string | null>;
}

/** Watches the projects' `.muster` folders, and reports which project changed. */
export class ProjectWatch {
  private readonly watchers = new Map<number, FSWatcher[]>();
  private readonly pending = new Map<number, Pending>();

  constructor(private readonly changed: (projectId: number) => void) {}

  /** Watches exactly these projects. Call again when a project's folders may have changed. */
  follow(projects: readonly ProjectRow[]): void {
    for (const [id, watchers] of this.watchers) {
      for (const watcher of watchers) watcher.close();
      this.watchers.delete(id);
    }
    for (const project of projects) {
      const folders = [
        project.path,
        join(project.path, '.muster'),
        join(project.path, '.muster', 'workflows'),
        join(project.path, '.muster', 'prompts'),
        ...PROMPT_SETS.map((set) => join(project.path, '.muster', 'prompts', set)),
      ];
      this.watchers.set(
        project.id,
        folders.flatMap((folder) => this.watchFolder(project, folder, projects)),
      );
    }
  }

  private watchFolder(project: ProjectRow, folder: string, projects: readonly ProjectRow[]): FSWatcher[] {
    try {
      const watcher = watch(folder, (_kind, name) => {
        if (folder === project.path && name !== '.muster') return;
        if (name !== null && isTemporary(name)) return;
        this.settle(project.id, name === null ? null : join(folder, name), () => {
          // An added or removed folder needs new watchers.
          if (name === '.muster' || INNER.includes(name ?? '')) this.follow(projects);
          this.changed(project.id);
        });
      });
      watcher.on('error', () => watcher.close());
      return [watcher];
    } catch {
      return [];
    }
  }

  private settle(projectId: number, path: string | null, run: () => void): void {
    const before = this.pending.get(projectId);
    clearTimeout(before?.timer);
    const paths = new Set(before?.paths).add(path);
    const timer = setTimeout(() => {
      this.pending.delete(projectId);
      void areOwnWrites(paths).then((own) => {
        // What this process wrote is told of already.
        if (!own && this.watchers.has(projectId)) run();
      });
    }, FILES_SETTLE_MS);
    this.pending.set(projectId, { timer, paths });
  }

  close(): void {
    for (const { timer } of this.pending.values()) clearTimeout(timer);
    for (const watchers of this.watchers.values()) for (const watcher of watchers) watcher.close();
    this.watchers.clear();
  }
}

async function areOwnWrites(paths: ReadonlySet<string | null>): Promise<boolean> {
  const all = await Promise.all([...paths].map((path) => path !== null && isOwnWrite(path)));
  return all.every((own) => own);
}
