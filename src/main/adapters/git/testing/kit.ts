import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Result } from '@contract/result';
import { afterAll, onTestFinished } from 'vitest';
import type { WorkspaceRun } from '../../../core/ports/workspaces/workspaces';
import { GitWorkspaces, type WorkspacesOptions } from '../index';
import { CheckoutMoves } from '../moves';
import type { RunScript } from '../worktree/scripts';

export const uid = '01JD0000000000000ABCDEFGHJ';

/** With a journal below a folder that is deleted with the test. */
export const movesBelow = (root: string): CheckoutMoves => new CheckoutMoves({ dir: join(root, 'moves') });

/** For a whole test file. */
export function movesOfFile(): CheckoutMoves {
  const root = mkdtempSync(join(tmpdir(), 'muster-moves-'));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  return movesBelow(root);
}

/** A project in a temporary folder. */
export class Kit {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'muster-git-')));
  readonly project = join(this.root, 'project');
  readonly artifactsDir = join(this.root, 'artifacts');
  readonly worktreesDir = join(this.root, 'worktrees');
  /** The scripts that were run, and their result. */
  readonly scripts: Parameters<RunScript>[0][] = [];
  scriptEnd: () => Awaited<ReturnType<RunScript>> = () => ({
    outcome: 'exited',
    exitCode: 0,
    output: '',
    error: null,
  });

  constructor() {
    mkdirSync(this.project);
    onTestFinished(() => rmSync(this.root, { recursive: true, force: true }));
  }

  port(more: Partial<WorkspacesOptions> = {}): GitWorkspaces {
    const runScript: RunScript = async (spec) => {
      this.scripts.push(spec);
      return this.scriptEnd();
    };
    const moves = movesBelow(this.root);
    return new GitWorkspaces({ worktreesDir: this.worktreesDir, runScript, moves, ...more });
  }

  run(more: Partial<WorkspaceRun> = {}): WorkspaceRun {
    const { project: projectPath, artifactsDir } = this;
    return {
      uid,
      name: 'Fix it',
      mode: 'worktree',
      projectPath,
      artifactsDir,
      copy: [],
      setup: null,
      ...more,
    };
  }

  init(...files: string[]): void {
    git(this.project, 'init', '-q', '-b', 'main');
    for (const file of files) write(this.project, file, `${file}\n`);
    if (files.length > 0) commitAll(this.project);
  }
}

function gitBytes(folder: string, ...args: string[]): Buffer {
  return execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.org', ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, LC_ALL: 'C' },
  });
}

export const git = (folder: string, ...args: string[]): string =>
  gitBytes(folder, ...args)
    .toString('utf8')
    .trimEnd();

export function commitAll(folder: string, message = 'more'): string {
  git(folder, 'add', '-A');
  git(folder, 'commit', '-qm', message);
  return git(folder, 'rev-parse', 'HEAD');
}

export function write(folder: string, file: string, content: string | Buffer): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), content);
}

/** Without incomplete worktrees. */
export const removing = (teardown: string | null = null) => ({ unfinished: [], teardown });

/** An executable file. */
export function writeTool(folder: string, file: string, content: string): void {
  write(folder, file, content);
  chmodSync(join(folder, file), 0o755);
}

export const numbered = (
  count: number,
  change: (line: number) => string = (line) => `line ${line}`,
): string => Array.from({ length: count }, (_, index) => `${change(index + 1)}\n`).join('');

export function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
  return result.value;
}

const FAKE_GPG = `#!/bin/sh
case "$*" in
  *--verify*) echo '[GNUPG:] GOODSIG 1 T'; echo 'gpg: Signature made today' >&2 ;;
  *)
    cat > /dev/null
    printf -- '-----BEGIN PGP SIGNATURE-----\\n\\nx\\n-----END PGP SIGNATURE-----\\n'
    echo '[GNUPG:] SIG_CREATED ' >&2 ;;
esac
`;

/** From here on the project's commits are signed, and git shows each signature. */
export function signed(kit: Kit): void {
  writeTool(kit.root, 'gpg', FAKE_GPG);
  const settings = { 'gpg.program': join(kit.root, 'gpg'), 'user.signingKey': 'T', 'commit.gpgSign': 'true' };
  for (const [name, value] of Object.entries({ ...settings, 'log.showSignature': 'true' }))
    git(kit.project, 'config', name, value);
}
