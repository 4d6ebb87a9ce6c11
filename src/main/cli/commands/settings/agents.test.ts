import { expect, test } from 'vitest';
import { FakeCore } from '../../../api/testing/fake-core';
import { FakeLink } from '../../testing/fake-link';
import { program } from '../../testing/program';

test('a value that looks like a secret is not stored with a profile, and the error says how to give it', async () => {
  const core = new FakeCore({ 'agent.save': ({ profile }: { profile: object }) => ({ profile }) });
  const line = 'agents add mine --command agent --env ANTHROPIC_API_KEY=sk-ant-0123456789';
  const said = await program(line, new FakeLink(core));
  expect(said).toMatchObject({ code: 2, err: expect.stringContaining('--secret ANTHROPIC_API_KEY') });
  expect(said.err).not.toContain('sk-ant');
  expect(core.calls.filter(({ name }) => name === 'agent.save')).toEqual([]);
});
