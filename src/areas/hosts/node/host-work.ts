import { createHash, randomUUID } from 'node:crypto';
import { basename, join } from 'node:path';
import { messageOf } from '@contract/error-message';
import { fail, ok, type Result } from '@contract/result';
import type { HostedFolder, HostedWork } from '@main/core/ports/programs/hosted';
import type { Processes } from '@main/core/ports/programs/process';
import type { HostedPlace } from '@main/core/ports/workspaces/hosted-place';
import type { Workspaces } from '@main/core/ports/workspaces/workspaces';
import type { Host } from '../contract/host';
import { HOST_PIECE_BYTES } from '../contract/limits';
import type { HostLink } from './link';
import { type LocalGit, unfitRepository } from './unfit-repository';

interface WorkParts {
  /** The host, connected or to be connected. */
  reach(name: string): Promise<Result<{ readonly host: Host; readonly link: HostLink }>>;
  /** `GIT_SSH_COMMAND` for the same connection. */
  gitSsh(): Promise<Result<string>>;
  git(cwd: string, env: Readonly<Record<string, string>>, args: readonly string[]): Promise<Result<string>>;
  /** A file of a run, in pieces of at most `most` bytes. */
  read(path: string, most: number): AsyncIterable<Buffer>;
  readonly workspaces: Pick<Workspaces, 'snapshot'>;
}

/** The state of a folder, as a commit on top of HEAD. */
interface FolderState {
  readonly commit: string;
  readonly head: string;
}

interface Mirror {
  readonly wanted: HostedPlace;
  readonly host: Host;
  readonly link: HostLink;
  /** The top of the worktree; `prefix` is the run's folder in it. */
  readonly root: string;
  readonly prefix: string;
  readonly folder: string;
  readonly project: string;
  readonly address: string;
  readonly path: string;
  readonly git: LocalGit;
  /** What both sides had last. */
  base: FolderState;
}

const GIVEN_UP = fail('host.lost', 'The work on the host was given up.');

/** A fetch that fails so often while the host can be reached has failed. */
const FETCHES = 3;

/** Whether the operator has given the work up, and an end to waiting for it. */
class GivingUp {
  isOver = false;
  #end: () => void = () => undefined;
  readonly #ended = new Promise<typeof GIVEN_UP>((resolve) => {
    this.#end = () => resolve(GIVEN_UP);
  });

  giveUp(): void {
    this.isOver = true;
    this.#end();
  }

  unless<T>(work: Promise<Result<T>>): Promise<Result<T>> {
    return Promise.race([this.#ended, work]);
  }
}

/** Runs programs of a run on its host, in a folder with the state of the one here, which gets the result. */
export class HostWork implements HostedWork {
  /** Programs that work in a folder, which then has its state on the host. */
  readonly #users = new Map<string, { count: number; readonly mirror: Promise<Result<Mirror>> }>();
  readonly #queues = new Map<string, Promise<unknown>>();

  constructor(private readonly parts: WorkParts) {}

  async begin(wanted: HostedPlace): Promise<Result<HostedFolder>> {
    const { path } = wanted.place;
    const user = this.#users.get(path) ?? {
      count: 0,
      mirror: this.#inOrder(path, () => this.#bring(wanted)),
    };
    this.#users.set(path, user);
    user.count += 1;
    const mirror = await user.mirror;
    if (!mirror.ok) {
      this.#leave(path);
      return mirror;
    }
    return ok(this.#folder(mirror.value));
  }

  #folder(mirror: Mirror): HostedFolder {
    const { link, wanted } = mirror;
    const streams: string[] = [];
    let left = false;
    const leave = (): void => {
      // A program that begins from now on waits for the fetch, and then for the state here.
      if (!left) this.#leave(wanted.place.path);
      left = true;
    };
    const release = link.hold();
    const giving = new GivingUp();
    return {
      path: join(mirror.path, mirror.prefix),
      processes: processesOn(link, streams),
      watch: (hear) => link.watch(hear),
      copy: (file) => copyTo(mirror, file, this.parts.read),
      giveUp: () => {
        giving.giveUp();
        for (const stream of streams) link.giveUp(stream);
        release();
        leave();
      },
      end: async () => {
        if (giving.isOver) return GIVEN_UP;
        const fetched = this.#inOrder(wanted.place.path, () => this.#fetch(mirror, giving));
        leave();
        return fetched.finally(release);
      },
    };
  }

  #leave(path: string): void {
    const user = this.#users.get(path);
    if (user === undefined) return;
    user.count -= 1;
    if (user.count === 0) this.#users.delete(path);
  }

  #inOrder<T>(path: string, work: () => Promise<T>): Promise<T> {
    const done = (this.#queues.get(path) ?? Promise.resolve()).then(work, work);
    this.#queues.set(path, done);
    return done;
  }

  /** Gives the host's folder the state of the one here. */
  async #bring(wanted: HostedPlace): Promise<Result<Mirror>> {
    const { place, setup, host: name } = wanted;
    if (setup !== null)
      return fail('host.unfit', `The setup command of worktrees does not run on ${name} yet.`, {
        mend: 'Remove "setup", or let the command do it.',
      });
    const git: LocalGit = (...args) => this.parts.git(place.path, {}, args);
    const where = await git('rev-parse', '--show-toplevel', '--show-prefix', 'HEAD');
    if (!where.ok) return where;
    const [root = '', prefix = '', head = ''] = where.value.split('\n');
    const folder = basename(root);
    const base = await this.#state(wanted, folder, head);
    if (!base.ok) return base;
    const fit = await unfitRepository(git, base.value.commit);
    if (!fit.ok) return fit;
    const reached = await this.parts.reach(name);
    if (!reached.ok) return reached;
    const { host, link } = reached.value;
    const project = createHash('sha256').update(place.run.projectPath).digest('hex').slice(0, 16);
    const opened = await link.request('workspace.open', { project });
    if (!opened.ok) return opened;
    const address = `${host.ssh}:${opened.value.repository}`;
    const ref = `refs/muster/${wanted.uid}/base`;
    const pushed = await this.#remote(
      place.path,
      'push',
      '--quiet',
      '--no-verify',
      '--force',
      address,
      `${base.value.commit}:${ref}`,
    );
    if (!pushed.ok) return pushed;
    const branch = await git('symbolic-ref', '--quiet', '--short', 'HEAD');
    const put = await link.request('workspace.put', {
      ...{ project, folder, ...base.value },
      branch: branch.ok ? branch.value : null,
    });
    if (!put.ok) return put;
    return ok({
      ...{ wanted, host, link, root, prefix, folder, project, address, git },
      path: put.value.path,
      base: base.value,
    });
  }

  /** Fetches the state of the host's folder, and gives it to the folder here. */
  async #fetch(mirror: Mirror, giving: GivingUp): Promise<Result<void>> {
    const { wanted, link, folder, project, git, base } = mirror;
    const ref = `refs/muster/${wanted.uid}/host-${folder}`;
    const taken = await giving.unless(link.request('workspace.take', { project, folder, ref }));
    if (!taken.ok) return taken;
    const { commit, head } = taken.value;
    const fetched = await this.#fetchRef(mirror, ref, giving);
    if (!fetched.ok) return fetched;
    const now = await git('rev-parse', 'HEAD');
    if (!now.ok) return now;
    const present = await this.#state(wanted, folder, now.value);
    if (!present.ok) return present;
    const trees = await git(
      'rev-parse',
      ...[present.value, base, { commit }].map((state) => `${state.commit}^{tree}`),
    );
    if (!trees.ok) return trees;
    const [here, before, there] = trees.value.split('\n');
    if (here === there && now.value === head) return ok(undefined);
    if (here !== before || now.value !== base.head)
      return fail('conflict', `The folder changed here while the command ran on ${wanted.host}.`, {
        where: { file: wanted.place.path },
        mend: `What it made there is kept as ${ref}: git diff ${base.commit.slice(0, 12)} ${ref}`,
      });
    if (giving.isOver) return GIVEN_UP;
    const applied = await this.#apply(mirror, { commit, head });
    if (applied.ok) mirror.base = { commit, head };
    return applied;
  }

  /** A cut ends git's own connection too: the fetch is repeated once the host is reached again. */
  async #fetchRef(
    { wanted, link, address }: Mirror,
    ref: string,
    giving: GivingUp,
  ): Promise<Result<unknown>> {
    for (let failures = 0; ; ) {
      const { hello } = link;
      const fetched = await this.#remote(
        wanted.place.path,
        'fetch',
        '--quiet',
        '--no-tags',
        '--no-write-fetch-head',
        address,
        `+${ref}:${ref}`,
      );
      if (fetched.ok || giving.isOver) return fetched;
      // Answered at once, or when the connection is back.
      const reached = await giving.unless(link.request('stats', {}));
      if (!reached.ok) return reached;
      // A failure without a cut is git's own.
      if (link.hello === hello) failures += 1;
      if (failures === FETCHES) return fetched;
    }
  }

  /** The folder gets exactly what the commit has; what is on no branch stays uncommitted. */
  async #apply({ git, root }: Mirror, { commit, head }: FolderState): Promise<Result<void>> {
    const inRoot: LocalGit = (...args) => this.parts.git(root, {}, args);
    for (const step of [
      ['add', '--all'],
      ['read-tree', '--reset', '-u', commit],
      ['update-ref', 'HEAD', head],
      ['read-tree', head],
    ]) {
      const done = await inRoot(...step);
      if (!done.ok) return done;
    }
    // Without this every file would look changed until the next `git status` of the operator.
    await git('update-index', '-q', '--refresh');
    return ok(undefined);
  }

  async #state({ place, uid }: HostedPlace, folder: string, head: string): Promise<Result<FolderState>> {
    const taken = await this.parts.workspaces.snapshot(place, `${uid}/here-${folder}`);
    if (!taken.ok) return taken;
    return taken.value === null
      ? fail('host.unfit', 'Only a folder in a repository can be worked on by a host.', {
          mend: "Run 'git init' in the project.",
        })
      : ok({ commit: taken.value, head });
  }

  async #remote(cwd: string, ...args: string[]): Promise<Result<string>> {
    const ssh = await this.parts.gitSsh();
    return ssh.ok ? this.parts.git(cwd, { GIT_SSH_COMMAND: ssh.value, GIT_SSH_VARIANT: 'ssh' }, args) : ssh;
  }
}

/** `streams` gets the name of each program that is started. */
function processesOn(link: HostLink, streams: string[]): Processes {
  return {
    // Looked up there when it is started.
    find: async (command) => command,
    launch: (spec) => {
      const stream = `${spec.owner}/${randomUUID()}`;
      streams.push(stream);
      return link.launch(stream, spec);
    },
  };
}

/** In pieces, each of which is a frame. */
async function copyTo(
  { link, folder }: Mirror,
  path: string,
  read: WorkParts['read'],
): Promise<Result<string>> {
  const name = basename(path);
  let first = true;
  let there = '';
  const write = async (bytes: Buffer): Promise<Result<void>> => {
    const data = bytes.toString('base64');
    const written = await link.request('files.write', { folder, name, data, first });
    first = false;
    if (!written.ok) return written;
    there = written.value.path;
    return ok(undefined);
  };
  try {
    for await (const piece of read(path, HOST_PIECE_BYTES)) {
      const written = await write(piece);
      if (!written.ok) return written;
    }
  } catch (error) {
    return fail('not_found', `The file ${path} cannot be read: ${messageOf(error)}`, {
      where: { file: path },
    });
  }
  const written = first ? await write(Buffer.alloc(0)) : ok(undefined);
  return written.ok ? ok(there) : written;
}
