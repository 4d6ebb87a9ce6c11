import { double } from '@contract/testing/double';
import { expect, test } from 'vitest';
import type { ProfileRow } from '../contract/procedures';
import type { DetectedAgent } from '../contract/profile';
import { agentRows } from './rows';

const profile = (id: string, name: string) =>
  double<ProfileRow>({ source: 'operator', profile: { id, name, kind: 'acp' } });
const detected = (id: string, found: boolean) =>
  double<DetectedAgent>({ id, found, profile: { id, name: id, kind: 'cli' } });

const keys = (text: string) =>
  agentRows(
    [profile('mine', 'Careful Writer'), profile('other', 'Reviewer')],
    [detected('codex', true), detected('gemini', false)],
    text,
  ).map(({ key }) => key);

test('agents are found by id, name and kind, and a section without matches has no heading', () => {
  expect(keys(' WRITER ')).toEqual(['heading/Profiles', 'agent/mine']);
  expect(keys('gem')).toEqual(['heading/Not installed', 'detected/gemini']);
  expect(keys('acp')).toEqual(['heading/Profiles', 'agent/mine', 'agent/other']);
  expect(keys('keychain')).toEqual(['heading/Keychain', 'secrets']);
  expect(keys('nothing')).toEqual([]);
  expect(keys('')).toHaveLength(9);
});
