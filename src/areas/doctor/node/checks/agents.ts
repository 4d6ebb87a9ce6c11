import { capabilitiesOf } from '@areas/agents/contract/agent-kinds';
import type { ProfileRow } from '@areas/agents/contract/procedures';
import type { DetectedAgent } from '@areas/agents/contract/profile';
import { ANY_AGENT, type Check } from '../../contract/procedures';
import type { DoctorParts } from '../parts';
import { checkProfile } from './configured';
import { loginCommand, loginOf } from './login';

const isAddress = (install: string): boolean => /^https?:/.test(install);

/** Each known agent, each configured one, and whether any of them can work. */
export async function checkAgents(parts: DoctorParts): Promise<Check[]> {
  const [detected, profiles] = await Promise.all([parts.detect(), parts.profiles()]);
  const configured = configuredOf(profiles);
  const own = new Set(configured.map(({ profile }) => profile.id));
  const unconfigured = detected.filter(({ id }) => !own.has(id));
  const ready = await Promise.all([
    ...configured.map((row) => checkProfile(parts, row)),
    ...unconfigured.filter(({ found }) => found).map((agent) => installed(parts, agent)),
  ]);
  return [summary(parts, ready), ...ready, ...available(parts, unconfigured)];
}

/** What the operator or a project has set up. Scripted agents need nothing. */
const configuredOf = (profiles: readonly ProfileRow[]): readonly ProfileRow[] => {
  const known = new Set<string>();
  return profiles.filter(({ profile, source }) => {
    if (source !== 'operator' && source !== 'project') return false;
    if (capabilitiesOf(profile).rehearsed || known.has(JSON.stringify(profile))) return false;
    known.add(JSON.stringify(profile));
    return true;
  });
};

async function installed(parts: DoctorParts, agent: DetectedAgent): Promise<Check> {
  const { id, name: title, version, path, profile } = agent;
  const about = { id: `agent-${id}`, group: 'agents', title, agent: id } as const;
  const there = version === null ? 'Installed' : `Installed (${version})`;
  if (!capabilitiesOf(profile).worksByName) {
    const detail = `${there}; it needs a profile with a model or a token.`;
    return {
      ...about,
      state: 'unknown',
      detail,
      command: `muster agents add ${id} --from ${id} --model NAME`,
    };
  }
  const preset = parts.presets.find((one) => one.id === id);
  const { is, by } = await loginOf(parts, preset?.login, path ?? '');
  if (is === 'yes') return { ...about, state: 'ok', detail: `${there}; ${by}.`, command: null };
  if (is === 'no')
    return {
      ...about,
      state: 'missing',
      detail: `${there}, but not logged in.`,
      command: loginCommand(profile),
    };
  const detail = `${there}; only a test shows whether it is logged in.`;
  return { ...about, state: 'unknown', detail, command: `muster agents test ${id}` };
}

/** One line for each command that installs something. */
function available({ presets }: DoctorParts, agents: readonly DetectedAgent[]): Check[] {
  const instead = new Set(presets.flatMap((preset) => preset.instead ?? []));
  const seen = new Set<string>();
  return agents.flatMap(({ id, name: title, install, found }): Check[] => {
    const known = seen.has(install);
    seen.add(install);
    if (found || instead.has(id) || known) return [];
    const how = isAddress(install)
      ? { detail: `Not installed; it is at ${install}.`, command: null }
      : { detail: 'Not installed.', command: install };
    return [{ id: `agent-${id}`, group: 'available', title, agent: id, state: 'missing', ...how }];
  });
}

function summary(parts: DoctorParts, agents: readonly Check[]): Check {
  const about = { id: ANY_AGENT, group: 'needed', title: 'Agents', agent: null } as const;
  const named = (state: Check['state']): string[] =>
    agents.filter((one) => one.state === state).map(({ title }) => title);
  const [ready, unknown, missing] = [named('ok'), named('unknown'), agents.filter(isMissing)];
  if (ready.length > 0)
    return { ...about, state: 'ok', detail: `Ready: ${ready.join(', ')}.`, command: null };
  if (unknown.length > 0) {
    const detail = `Installed, but not known to be ready: ${unknown.join(', ')}.`;
    const { command = null } = agents.find(({ state }) => state === 'unknown') ?? {};
    return { ...about, state: 'unknown', detail, command };
  }
  if (missing.length > 0) {
    const { command = null } = missing[0] ?? {};
    const detail = `None is ready: ${missing.map(({ title }) => title).join(', ')} cannot work yet.`;
    return { ...about, state: 'missing', detail, command };
  }
  const install = parts.presets[0]?.install ?? null;
  return { ...about, state: 'missing', detail: 'No agent is installed on this machine.', command: install };
}

const isMissing = ({ state }: Check): boolean => state === 'missing';
