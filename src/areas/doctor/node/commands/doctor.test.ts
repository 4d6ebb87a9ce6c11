import { FakeCore } from '@main/api/testing/fake-core';
import { FakeLink } from '@main/cli/testing/fake-link';
import { program } from '@main/cli/testing/program';
import { expect, test } from 'vitest';
import { type Check, type CheckState, verdictOf } from '../../contract/procedures';

const git: Check = {
  id: 'git',
  group: 'needed',
  title: 'git',
  state: 'ok',
  detail: 'git 2.43 is installed.',
  command: null,
  agent: null,
};
const agents = (state: CheckState): Check => ({
  ...git,
  id: 'any-agent',
  title: 'Agents',
  state,
  detail: 'None is ready.',
  command: state === 'ok' ? null : 'claude auth login',
});
const free: Check = {
  ...git,
  id: 'agent-free',
  group: 'available',
  title: 'Free',
  state: 'missing',
  detail: 'Not installed.',
  command: 'get free',
  agent: 'free',
};

const doctor = (line: string, state: CheckState) => {
  const core = new FakeCore({ 'doctor.get': () => ({ checks: [git, agents(state), free] }) });
  return program(line, new FakeLink(core)).then((said) => ({ ...said, calls: core.calls }));
};

test('the exit code of muster doctor says whether something needed is missing, or could not be found out', async () => {
  expect(await doctor('doctor', 'ok')).toMatchObject({ code: 0 });
  expect(await doctor('doctor', 'missing')).toMatchObject({ code: 1 });
  expect(await doctor('doctor', 'unknown')).toMatchObject({ code: 8 });
  const checks = [agents('unknown'), { ...git, state: 'missing' as const }];
  expect(verdictOf({ checks })).toBe('missing');
});

test('muster doctor prints each check with its state, and the command that mends it below', async () => {
  const { out, calls } = await doctor('doctor', 'missing');
  expect(out.split('\n')).toEqual([
    'Needed',
    '  ok       git     git 2.43 is installed.',
    '  missing  Agents  None is ready.',
    '      claude auth login',
    '',
    'Agents that can be installed',
    '  Free  get free',
    '',
  ]);
  expect(calls.filter(({ name }) => name === 'doctor.get')).toMatchObject([{ input: { thorough: true } }]);
});

test('muster doctor --json prints the verdict and all checks, and --quick starts no sandbox', async () => {
  const { out, calls } = await doctor('doctor --json --quick', 'unknown');
  expect(JSON.parse(out)).toEqual({ verdict: 'unknown', checks: [git, agents('unknown'), free] });
  expect(calls.filter(({ name }) => name === 'doctor.get')).toMatchObject([{ input: { thorough: false } }]);
});
