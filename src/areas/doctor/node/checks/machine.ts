import { capabilitiesOf } from '@areas/agents/contract/agent-kinds';
import { decimalBytes } from '@contract/size-words';
import { LOW_DISK_BYTES } from '@main/limits/core-sizes';
import type { Check } from '../../contract/procedures';
import type { DoctorParts } from '../parts';
import { setCommand } from './configured';

type Finding = Pick<Check, 'state' | 'detail' | 'command'>;

export async function checkDisk({ freeBytes, dataDir }: DoctorParts): Promise<Check> {
  const about = { id: 'disk', group: 'needed', title: 'Disk space', agent: null } as const;
  const free = await freeBytes(dataDir).catch(() => null);
  if (free === null)
    return {
      ...about,
      state: 'unknown',
      detail: `The free space of ${dataDir} is not known.`,
      command: null,
    };
  const there = `${decimalBytes(free)} are free for runs and worktrees`;
  if (free >= LOW_DISK_BYTES) return { ...about, state: 'ok', detail: `${there}.`, command: null };
  const detail = `Only ${there}; ${decimalBytes(LOW_DISK_BYTES)} are needed.`;
  return { ...about, state: 'missing', detail, command: 'muster clean' };
}

export async function checkTerminals({ terminals }: DoctorParts): Promise<Check> {
  const about = {
    id: 'terminals',
    group: 'machine',
    title: 'Terminals',
    command: null,
    agent: null,
  } as const;
  return (await terminals())
    ? { ...about, state: 'ok', detail: 'Commands and agents run in terminals.' }
    : {
        ...about,
        state: 'unknown',
        detail: 'No terminal process is connected; without a window commands run without a terminal.',
      };
}

/** The keys that profiles of the operator and of projects name. */
export async function checkKeys({ profiles, secret }: DoctorParts): Promise<Check[]> {
  const users = new Map<string, Set<string>>();
  for (const { profile, source } of await profiles()) {
    if ((source !== 'operator' && source !== 'project') || capabilitiesOf(profile).rehearsed) continue;
    const key = 'api_key_secret' in profile ? profile.api_key_secret : undefined;
    for (const name of [...profile.secrets, ...(key === undefined ? [] : [key])])
      users.set(name, (users.get(name) ?? new Set()).add(profile.name));
  }
  const about = (name: string) => ({ id: `key-${name}`, group: 'keys', title: name, agent: null }) as const;
  if (users.size === 0)
    return [
      { ...about('none'), title: 'Keys', state: 'ok', detail: 'No profile names a key.', command: null },
    ];
  return [...users].map(([name, by]): Check => {
    const who = [...by].join(', ');
    return secret(name)
      ? { ...about(name), state: 'ok', detail: `Set, for ${who}.`, command: null }
      : {
          ...about(name),
          state: 'missing',
          detail: `Not set, and ${who} needs it.`,
          command: setCommand(name),
        };
  });
}

const about = { id: 'sandbox', group: 'machine', title: 'Sandbox of questions', agent: null } as const;
const CHECK = 'muster rlm check';

export const untriedSandbox: Check = {
  ...about,
  state: 'unknown',
  detail: 'Not tried yet: trying it starts Python once.',
  command: CHECK,
};

/** Starts Python in the sandbox, as a question over documents would. */
export async function checkSandbox({ sandboxes }: DoctorParts): Promise<Check> {
  return { ...about, ...(await tried(sandboxes)) };
}

async function tried(sandboxes: DoctorParts['sandboxes']): Promise<Finding> {
  const limits = { outputChars: 1_000, subcallChars: 1_000, batchSize: 1, memoryMb: 1_000, allowWeak: false };
  const started = await sandboxes.start(limits);
  if (!started.ok) return { state: 'missing', detail: started.error.message, command: CHECK };
  const { confinement } = started.value;
  await started.value.stop();
  return confinement.osSandbox
    ? { state: 'ok', detail: 'Python starts, confined by the operating system.', command: null }
    : {
        state: 'missing',
        detail: `Only the browser’s sandbox confines it: ${confinement.detail}.`,
        command: CHECK,
      };
}
