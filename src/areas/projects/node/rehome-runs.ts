import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { Attachment } from '@areas/sessions/contract/session';
import type { StoredEvent } from '@contract/run/events';
import { movedByFeatures } from '@contract/run/features/feature-answers';
import { isInside } from '@main/guarded-files/paths';

/**
 * Muster's run names. Other names could match folders of the operator, and deleting a run deletes its folder.
 */
const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/;

/** Where this Muster keeps what it creates for runs. */
export interface Homes {
  readonly artifactsRoot: string;
  readonly worktreesDir: string;
}

/**
 * Maps all paths of a run's own files and folders to this Muster's locations. A history may come from
 * anywhere: a path that leads elsewhere would be read, or worked in, as if Muster had created it for the run.
 */
export function rehome(events: readonly StoredEvent[], homes: Homes): StoredEvent[] {
  const first = events[0]?.event;
  if (first?.type !== 'run.started') return [...events];
  const { uid, artifactsDir: from } = first;
  // Another Muster of this machine may have created it.
  const stays = basename(from) === uid && ULID.test(uid) && existsSync(from);
  const to = stays ? from : join(homes.artifactsRoot, uid);
  const worktreesDir = stays ? join(dirname(dirname(from)), 'worktrees') : homes.worktreesDir;
  const elsewhere = (path: string): string => join(to, 'elsewhere', basename(path));
  const home = (path: string): string =>
    isInside(from, path) ? join(to, relative(from, path)) : elsewhere(path);
  const folder = (path: string): string =>
    isInside(from, path) ? home(path) : (ownWorktree(path, { uid, worktreesDir }) ?? elsewhere(path));
  const move = { to, home, folder, inProject: folderOfProject(first) };
  return events.map((stored) => ({ ...stored, event: rehomed(stored.event, move) }));
}

/**
 * This machine's path of a worktree named like those of this run; null for any other folder. A resumed run
 * recreates its worktrees under these names.
 */
function ownWorktree(
  path: string,
  { uid, worktreesDir }: { readonly uid: string; readonly worktreesDir: string },
): string | null {
  const named = new RegExp(`^(?:[a-z0-9-]+-)?${uid.slice(-8).toLowerCase()}(?:-[A-Za-z0-9-]+)?$`);
  const steps = path.split(/[\\/]/);
  const at = steps.findIndex((step) => named.test(step));
  if (at < 0) return null;
  const root = join(worktreesDir, steps[at] ?? '');
  const found = join(root, ...steps.slice(at + 1));
  const real = realOr(root, root);
  return isInside(root, found) && isInside(real, realOr(found, real)) ? found : null;
}

/**
 * Project folders that a run may have worked in: those of a run in the operator's checkout, where every write
 * needs permission, and the project's own folder, which identifies such a session.
 */
function folderOfProject(run: Extract<StoredEvent['event'], { type: 'run.started' }>) {
  const { projectPath, workspaceMode } = run;
  return (path: string): boolean => {
    if (path === projectPath) return true;
    if (workspaceMode !== 'project' || !isInside(projectPath, resolve(path))) return false;
    const real = realOr(projectPath, projectPath);
    return isInside(real, realOr(path, real));
  };
}

/** An existing path with links resolved; `otherwise` for a missing one. */
function realOr(path: string, otherwise: string): string {
  try {
    return realpathSync(path);
  } catch {
    return otherwise;
  }
}

interface Move {
  readonly to: string;
  home(path: string): string;
  /** The path of a folder that Muster created for the run. */
  folder(path: string): string;
  inProject(path: string): boolean;
}

function rehomed(event: StoredEvent['event'], move: Move): StoredEvent['event'] {
  const { to, home } = move;
  const file = (one: Attachment): Attachment => ({ ...one, path: home(one.path) });
  switch (event.type) {
    case 'run.started':
      return {
        ...event,
        artifactsDir: to,
        attachments: event.attachments.map(file),
        files: Object.fromEntries(Object.entries(event.files).map(([name, one]) => [name, file(one)])),
      };
    case 'command.finished':
      return event.outputPath === null ? event : { ...event, outputPath: home(event.outputPath) };
    case 'run.workspace-ready':
    case 'workspace.ready':
      return { ...event, path: workFolder(event.path, move) };
    case 'session.ready':
      return { ...event, cwd: workFolder(event.cwd, move) };
    case 'turn.dispatched':
    case 'prompt.queued':
      return { ...event, attachments: event.attachments.map(file) };
    default:
      return movedByFeatures(event, home);
  }
}

const workFolder = (path: string, { inProject, folder }: Move): string =>
  inProject(path) ? path : folder(path);
