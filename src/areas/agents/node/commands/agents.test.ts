import { FakeCore } from '@main/api/testing/fake-core';
import { FakeLink } from '@main/cli/testing/fake-link';
import { program } from '@main/cli/testing/program';
import { expect, test } from 'vitest';
import { agentProfileSchema } from '../../contract/profile';

test('a value in plain text of a project is shown as such, not as a secret by name', async () => {
  const env = { ANTHROPIC_API_KEY: 'sk-ant-0123456789', HOST: 'here' };
  const profile = agentProfileSchema.parse({ kind: 'acp', id: 'mine', name: 'M', command: 'agent', env });
  const row = { profile, source: 'project', projectId: 1, trouble: null };
  const said = await program('agents show mine', new FakeLink(new FakeCore({ 'agent.list': () => [row] })));
  expect(said.out).toContain('env: {"ANTHROPIC_API_KEY":"***","HOST":"here"}');
  expect(said.out).toContain('secrets: []');
  expect(said.out).toContain('# ANTHROPIC_API_KEY: plain text in env.');
});

test('a value that looks like a secret is not stored with a profile, and the error says how to give it', async () => {
  const core = new FakeCore({ 'agent.save': ({ profile }: { profile: object }) => ({ profile }) });
  const line = 'agents add mine --command agent --env ANTHROPIC_API_KEY=sk-ant-0123456789';
  const said = await program(line, new FakeLink(core));
  expect(said).toMatchObject({ code: 2, err: expect.stringContaining('--secret ANTHROPIC_API_KEY') });
  expect(said.err).not.toContain('sk-ant');
  expect(core.calls.filter(({ name }) => name === 'agent.save')).toEqual([]);
});
