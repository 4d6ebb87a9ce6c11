import type { ProfileRow } from '@areas/agents/contract/procedures';
import { agentProfileSchema } from '@areas/agents/contract/profile';
import type { Check } from '@areas/doctor/contract/procedures';
import { FakeCore } from '@main/api/testing/fake-core';
import { expect, test } from 'vitest';
import { FakeLink } from '../testing/fake-link';
import { program } from '../testing/program';

const row = (source: ProfileRow['source'], profile: object): ProfileRow => ({
  profile: agentProfileSchema.parse(profile),
  source,
  projectId: null,
  trouble: null,
});
const scripted = row('builtin', { kind: 'scripted', id: 'scripted', name: 'Rehearsal', script: 'default' });
const real = (id: string) => row('detected', { kind: 'acp', id, name: id, command: id });
const missing = (agent: string): Check => ({
  id: `agent-${agent}`,
  group: 'agents',
  title: agent,
  state: 'missing',
  detail: 'Installed, but not logged in.',
  command: null,
  agent,
});

function machine(
  agents: readonly ProfileRow[],
  checks: readonly Check[],
  defaultProfile: string | null = null,
) {
  return new FakeCore({
    'settings.get': () => ({ defaultProfile }),
    'agent.list': () => agents,
    'doctor.get': () => ({ checks }),
    'project.list': () => [{ id: 1, path: '/work', name: 'work', addedAt: 0, trouble: null }],
    'project.add': () => ({ id: 1, path: '/work', name: 'work', addedAt: 0, trouble: null }),
  });
}
const asked = async (core: FakeCore) => {
  const { code, err } = await program('do Hello', new FakeLink(core));
  return { code, err, started: core.calls.filter(({ name }) => name === 'run.startTask').length };
};

test('without an agent and a default the command line starts nothing, and names the agents that are ready', async () => {
  const refused = await asked(machine([scripted, real('one'), real('two'), real('out')], [missing('out')]));
  expect(refused).toMatchObject({ code: 2, started: 0 });
  expect(refused.err).toContain('--agent one, or --agent two');
  expect(refused.err).not.toContain('--agent out');
});

test('where no agent is ready the command line names the doctor, and the rehearsal by its flag', async () => {
  const refused = await asked(machine([scripted, real('out')], [missing('out')]));
  expect(refused).toMatchObject({ code: 2, started: 0 });
  expect(refused.err).toContain('no agent is ready on this machine');
  expect(refused.err).toMatch(/muster doctor says what is missing; --agent scripted rehearses/);
});

test('the default profile of the settings is used, also if it is a rehearsal', async () => {
  const core = machine([scripted], [], 'scripted');
  expect(await asked(core)).toMatchObject({ started: 1 });
  expect(core.calls.find(({ name }) => name === 'run.startTask')?.input).toMatchObject({ agent: 'scripted' });
});
