import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentLogin } from '@areas/agents/contract/login';
import type { AgentProfile } from '@areas/agents/contract/profile';
import { askProgram } from '@areas/agents/node/asked-program';
import { ownValue } from '@contract/own';
import type { DoctorParts } from '../parts';

/** `yes` and `no` are what the machine shows; nothing asks the provider. */
interface LoginFinding {
  readonly is: 'yes' | 'no' | 'unknown';
  /** What shows it, for a sentence. */
  readonly by: string | null;
}

const unknown: LoginFinding = { is: 'unknown', by: null };

/** Whether the program at `path` is logged in, as far as the machine shows it. */
export async function loginOf(
  parts: DoctorParts,
  login: AgentLogin | undefined,
  path: string,
): Promise<LoginFinding> {
  if (login === undefined) return unknown;
  const environment = await parts.environment();
  const key = login.variables?.find((name) => parts.secret(name) || ownValue(environment, name));
  if (key !== undefined) return { is: 'yes', by: `its key is in ${key}` };
  const { folder, files = [], statusArgs } = login;
  if (folder !== undefined) {
    const own = folder.variable === undefined ? undefined : ownValue(environment, folder.variable);
    for (const file of files)
      if (await exists(join(own || join(parts.home, folder.inHome), file)))
        return { is: 'yes', by: 'logged in' };
  }
  if (statusArgs === undefined) return unknown;
  const asked = await askProgram(parts, path, statusArgs);
  if (asked?.code === 0) return { is: 'yes', by: 'logged in' };
  return asked?.code === 1 ? { is: 'no', by: null } : unknown;
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Programs without a command of their own for it ask at their start. */
export const loginCommand = (profile: AgentProfile): string | null => {
  const known = 'login_command' in profile ? profile.login_command : undefined;
  return known ?? ('command' in profile ? profile.command : null);
};
