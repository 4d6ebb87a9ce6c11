import type { GateState } from '@contract/run/state';
import { runStatus } from '@contract/run/status';
import { describe, expect, test } from 'vitest';
import { member, openTeam, type TeamHarness } from '../testing/team';

const MINUTE = 60_000;
const led = { lead: { agent: 'leader' }, instruction: 'Lead them.', idle_minutes: 60 };

const open = (team: TeamHarness): GateState[] =>
  Object.values(team.state().gates).filter((gate) => gate.status === 'open');
const titles = (team: TeamHarness): string[] => open(team).map((gate) => gate.title);
const word = (team: TeamHarness): string => runStatus(team.state());

async function pass(team: TeamHarness, minutes: number): Promise<void> {
  team.clock.advance(minutes * MINUTE + 1);
  await team.idle();
}

describe('teams at rest', () => {
  test('a team at rest with a lead that did the work alone is asked about at once, and ended', async () => {
    const team = await openTeam(led);
    expect(word(team)).toBe('running');
    await team.deliver('lead', 'I did it myself.');
    expect(open(team)).toMatchObject([
      { kind: 'team_stalled', title: 'The team is at rest', evidence: 'I did it myself.' },
    ]);
    expect(word(team)).toBe('waiting');
    await team.answer('end');
    expect(team.state()).toMatchObject({ status: 'finished', outcome: 'succeeded' });
    expect(team.team.cleanedUp?.by).toBe('operator');
  });

  test('a team at rest is kept, goes on with a message, and is asked about again after that turn', async () => {
    const team = await openTeam(led);
    await team.deliver('lead', 'What shall I do?');
    await team.answer('keep');
    expect(titles(team)).toEqual([]);
    expect(word(team)).toBe('waiting');
    await pass(team, 600);
    expect(titles(team)).toEqual([]);
    await team.say('lead', 'Count to three.');
    expect(word(team)).toBe('running');
    await pass(team, 1);
    await team.deliver('lead', 'One, two, three.');
    expect(titles(team)).toEqual(['The team is at rest']);
  });

  test('a team at rest has its question taken back where someone has work again', async () => {
    const team = await openTeam(led);
    await team.deliver('lead', 'What shall I do?');
    await team.say('lead', 'Count to three.');
    expect(titles(team)).toEqual([]);
    await team.deliver('lead', 'One, two, three.');
    expect(titles(team)).toEqual(['The team is at rest']);
  });

  test('a team at rest is asked about as soon as all one-shot members have delivered and the lead that is an agent has ended', async () => {
    const team = await openTeam({ ...led, members: [member('ada'), member('ben')] });
    await team.deliver('lead', 'Begun.');
    await team.deliver('ada', 'one');
    await team.deliver('lead', 'Ada has it.');
    expect(word(team)).toBe('running');
    await team.deliver('ben', 'two');
    expect(titles(team)).toEqual([]);
    await team.deliver('lead', 'Ben too.');
    expect(word(team)).toBe('waiting');
    expect(titles(team)).toEqual(['The team is at rest']);
    await team.answer('end');
    expect(team.state().outcome).toBe('succeeded');
    expect(team.word('ada')).toBe('stopped');
  });

  test('a team that the operator leads rests in the same way', async () => {
    const team = await openTeam({ members: [member('ada')], idle_minutes: 60 });
    await team.deliver('ada', 'one');
    expect(word(team)).toBe('waiting');
    await pass(team, 59);
    expect(titles(team)).toEqual([]);
    await team.say('ada', 'thanks');
    expect(word(team)).toBe('waiting');
    await pass(team, 1);
    expect(titles(team)).toEqual(['The team is at rest']);
  });

  test('a team is not at rest while another question is open: a lead that failed and is left is not waited for', async () => {
    const team = await openTeam({ ...led, lead: { agent: 'leader' } });
    team.waiting('lead')?.end({ outcome: 'failed', stopReason: 'crashed' });
    await team.idle();
    expect(titles(team)).toEqual(['The lead failed']);
    await team.answer('leave');
    expect(open(team)).toMatchObject([
      { title: 'The team is at rest', message: 'The lead failed, and no one is working.' },
    ]);
  });

  test('a team is not at rest with an iterative member that waits for the operator, nor one that ends by itself', async () => {
    const team = await openTeam({
      members: [member('ada'), member('S1', { iterative: true })],
      idle_minutes: 60,
    });
    await team.deliver('ada', 'one');
    await team.deliver('S1', 'draft');
    // Its run waits for the operator all the same.
    expect(word(team)).toBe('waiting');
    await pass(team, 60);
    expect(titles(team)).toEqual(['S1 waits for an answer']);
  });

  test('a team at rest waits for the same after a restart', async () => {
    const team = await openTeam({ members: [member('ada')], idle_minutes: 60 });
    await team.deliver('ada', 'one');
    await team.restart();
    await pass(team, 60);
    expect(titles(team)).toEqual(['The team is at rest']);
  });
});
