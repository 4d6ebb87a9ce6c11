import { gateOrigin, requesterWords } from '@areas/gates/contract/requester';
import { timerWords } from '@contract/run/keys';
import { replay } from '@contract/run/reduce';
import { expect, test } from 'vitest';
import { member, openTeam } from './testing/team';

const ask = (hash: string) => ({ title: 'Edit a.ts', tool: 'edit', kind: 'edit', diffs: [], hash });

test('the questions of three members on one profile name the member and its round', async () => {
  const team = await openTeam({
    members: ['ana', 'ben', 'cem'].map((name) => member(name, { iterative: true })),
  });
  await team.deliver('ben', 'Round one is done.');
  await team.say('ben', 'Go on with the tests.');
  for (const name of ['ana', 'ben', 'cem']) void team.waiting(name)?.ask(ask(name));
  await team.idle();
  const gates = Object.values(team.state().gates);
  const agent = 'Fake';
  expect(gates.map(({ asker }) => requesterWords({ asker, agent }))).toEqual([
    'ana, round 1 (Fake)',
    'ben, round 2 (Fake)',
    'cem, round 1 (Fake)',
  ]);
  const place = { stepTitle: 'Build it', stepId: 'team', runName: 'Nightly', projectName: 'shop', agent };
  expect(gateOrigin({ ...place, title: 'Edit a.ts', asker: gates[1]?.asker })).toBe(
    'ben, round 2 (Fake) · Build it · Nightly · shop',
  );
  expect(replay(team.log.read(1))?.gates).toEqual(team.state().gates);
});

test('every timer of a team at work is shown as a sentence', async () => {
  const team = await openTeam({ members: [member('ana', { iterative: true }), member('ben')] });
  await team.deliver('ana', 'Round one is done.');
  await team.deliver('ben', 'Done.');
  const words = Object.values(team.state().timers).map(({ purpose }) => timerWords(purpose));
  expect(words.length).toBeGreaterThan(3);
  expect(words).not.toContain(timerWords('?'));
});
