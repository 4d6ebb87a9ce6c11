import { servesModels } from '@areas/agents/contract/agent-kinds';
import type { ProfileRow } from '@areas/agents/contract/procedures';
import type { Check } from '../../contract/procedures';
import type { DoctorParts } from '../parts';
import { loginCommand, loginOf } from './login';

type Finding = Pick<Check, 'state' | 'detail' | 'command'>;

/** A profile that the operator or a project has set up. */
export async function checkProfile(parts: DoctorParts, row: ProfileRow): Promise<Check> {
  const { profile, projectId, source } = row;
  const id = source === 'project' ? `profile-${projectId}-${profile.id}` : `profile-${profile.id}`;
  return { id, group: 'agents', title: profile.name, agent: profile.id, ...(await findingOf(parts, row)) };
}

async function findingOf(parts: DoctorParts, { profile, trouble }: ProfileRow): Promise<Finding> {
  if (trouble !== null) return { state: 'missing', detail: trouble, command: null };
  const test = `muster agents test ${profile.id}`;
  if ('base_url' in profile) {
    const { api_key_secret: key } = profile;
    if (servesModels(profile) && !profile.model)
      return { state: 'missing', detail: 'Its profile names no model.', command: test };
    if (key !== undefined && !parts.secret(key))
      return { state: 'missing', detail: `Its key ${key} is not set.`, command: setCommand(key) };
    return key === undefined
      ? { state: 'unknown', detail: 'Only a test shows whether its server runs.', command: test }
      : { state: 'ok', detail: `Its key is in ${key}.`, command: null };
  }
  if (!('command' in profile)) return { state: 'unknown', detail: 'Only a test shows it.', command: test };
  const { command, env } = profile;
  const path = await parts.processes.find(command, env.PATH === undefined ? {} : { path: env.PATH });
  const preset = parts.presets.find(({ programs }) => programs.includes(command));
  if (path === null)
    return { state: 'missing', detail: `${command} is not on PATH.`, command: preset?.install ?? null };
  const { is, by } = await loginOf(parts, preset?.login, path);
  if (is === 'yes') return { state: 'ok', detail: `Its program is ${path}; ${by}.`, command: null };
  if (is === 'no')
    return {
      state: 'missing',
      detail: `Its program is ${path}, but not logged in.`,
      command: loginCommand(profile),
    };
  return {
    state: 'unknown',
    detail: `Its program is ${path}; only a test shows whether it is logged in.`,
    command: test,
  };
}

export const setCommand = (key: string): string => `export ${key}=VALUE`;
