import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HostService } from '@areas/hosts/node/host-service';
import { HostWork } from '@areas/hosts/node/host-work';
import { fail, ok, type Result } from '@contract/result';
import type { CoreInit } from '@contract/system/host';
import { Git, GitError, gitMessage } from '../../adapters/git/command/git-command';
import { HostedCommands } from '../../adapters/process/commands/hosted-commands';
import { ulids } from '../../adapters/system/ids';
import { agentPresets } from '../../agents/presets';
import type { CommandPort } from '../../core/ports/ports';
import { UID_END } from '../../core/ports/workspaces/workspace-names';
import type { TopicPublisher } from '../../services/publisher';
import type { Adapters } from '../adapters';

/** The oldest that the build makes scripts for, which a test compares: the host's program uses no native package. */
export const HOST_NODE = '20.18.0';

/** More than can be unfinished at once. */
const MOST_RUNS = 10_000;

export interface Hosts {
  readonly service: HostService;
  readonly work: HostWork;
  /** Those of runs with a host run there. */
  readonly commands: CommandPort;
}

interface HostParts {
  readonly init: CoreInit;
  readonly adapters: Adapters;
  readonly publisher: TopicPublisher;
}

export function createHosts({ init, adapters, publisher }: HostParts): Hosts {
  const { store, clock, processes, workspaces } = adapters;
  const service = new HostService({
    store,
    clock,
    find: (command) => processes.find(command),
    environment: () => processes.environment(),
    program: async () => {
      const bytes = await readFile(join(init.processDir, 'muster-host.mjs'));
      return { bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
    },
    leastNode: HOST_NODE,
    agents: agentPresets.map(({ name, programs }) => ({ name, programs })),
    unfinished: () =>
      store
        .runs({ limit: MOST_RUNS, binned: false, unfinished: true })
        .rows.map(({ uid }) => uid.slice(-UID_END).toLowerCase()),
    newUid: ulids.ulid,
    changed: () => publisher.changed('hosts'),
  });
  const work = new HostWork({
    reach: (name) => service.reach(name),
    gitSsh: () => service.gitSsh(),
    git: gitIn(adapters),
    read: (path, most) => createReadStream(path, { highWaterMark: most }),
    workspaces,
  });
  return { service, work, commands: new HostedCommands(adapters.commands, work) };
}

const gitIn =
  ({ git }: Adapters) =>
  async (
    cwd: string,
    env: Readonly<Record<string, string>>,
    args: readonly string[],
  ): Promise<Result<string>> => {
    try {
      return ok(await new Git(cwd, git, env).text(...args));
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      return fail('workspace.failed', `git ${args[0] ?? ''} failed: ${gitMessage(error)}`, {
        where: { file: cwd },
        mend: 'Resolve what git reports, then resume the run.',
      });
    }
  };
