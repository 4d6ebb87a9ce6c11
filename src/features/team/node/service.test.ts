import { expect, test } from 'vitest';
import { member } from '../core/testing/team';
import type { TeamService } from './service';

import { at, byAgent, cancel, code, iterative, open, serve, texts } from './testing/team-service';

test('a text with @name reaches that member, and a lead agent reads it along without being woken', async () => {
  const { team, say } = await open({ ...byAgent, members: [iterative('S1')] });
  await team.deliver('lead', 'They are at work.');
  await team.deliver('S1', 'draft');
  await team.deliver('lead', 'S1 has a draft.');
  await say(null, '@s1 more terminology');
  expect(team.waiting('S1')?.request.prompt).toBe('The operator says:\nmore terminology');
  expect(team.waiting('lead')).toBeUndefined();
  await team.deliver('S1', 'second');
  expect(team.waiting('lead')?.request.prompt).toContain('To S1, directly: more terminology');
});

test('words that release a member release it, are kept as they were said, and the last round follows', async () => {
  const { team, say } = await open({ members: [iterative('S1'), iterative('S2')] });
  await team.deliver('S1', 'draft');
  await team.deliver('S2', 'draft');
  expect(await say(null, "Perfect. I'm satisfied with S1.")).toMatchObject({ value: { asks: [] } });
  expect(team.waiting('S1')?.request.prompt).toContain(
    "Note from The operator:\nPerfect. I'm satisfied with S1.",
  );
  expect(team.waiting('S1')?.request.prompt).toContain('Lead is satisfied.');
  await say('S2', "you're done");
  await team.deliver('S1', 'final one');
  await team.deliver('S2', 'final two');
  expect(team.state().outcome).toBe('succeeded');
  const released = team.events().flatMap((event) => (event.type === 'team.released' ? [event.words] : []));
  expect(released).toEqual(["Perfect. I'm satisfied with S1.", "you're done"]);
});

test('ambiguous words ask first, do nothing, and then do what was meant', async () => {
  const { team, say } = await open({ members: [iterative('S1')] });
  await team.deliver('S1', 'draft');
  const before = team.events().length;
  const doubtful = "I'm not satisfied with S1 yet";
  expect(await say('S1', doubtful)).toEqual({
    ok: true,
    value: { asks: [{ member: 'S1', how: 'satisfied' }], text: '' },
  });
  expect(team.events()).toHaveLength(before);
  await say('S1', doubtful, 'message');
  expect(team.waiting('S1')?.request.prompt).toBe(`The operator says:\n${doubtful}`);
  await team.deliver('S1', 'again');
  await say('S1', 'Are we satisfied?', 'release');
  expect(team.word('S1')).toBe('stopping');
});

test('a lead agent is told of a release in words once, with the words themselves', async () => {
  const { team, say } = await open({ ...byAgent, members: [iterative('S1'), iterative('S2')] });
  await team.deliver('lead', 'ok');
  await team.deliver('S1', 'draft');
  await team.deliver('lead', 'S1 has a draft.');
  await say('lead', "I'm satisfied with S1. And please hurry S2.");
  const prompt = team.waiting('lead')?.request.prompt ?? '';
  expect(prompt).toContain("The user says:\nI'm satisfied with S1. And please hurry S2.");
  expect(prompt).toContain('The user is satisfied with S1.');
  expect(new Set(Object.keys(team.team.messages)).size).toBe(team.team.last.message);
});

test('a text to no one in a team without a lead agent is a note to all, which wakes no one', async () => {
  const { team, say } = await open({ members: [iterative('S1'), iterative('S2')] });
  await team.deliver('S1', 'draft');
  expect(await say(null, 'lunch at one')).toMatchObject({ ok: true });
  expect(team.waiting('S1')).toBeUndefined();
  expect(code(await say('lead', 'hello'))).toBe('team.not_allowed');
  expect(code(await say(null, '@S9 hello'))).toBe('team.unknown_member');
});

test('a message that waits is edited or withdrawn, and delivered once; afterwards neither is possible', async () => {
  const { team, service, say } = await open({ members: [iterative('S1')] });
  await say('S1', 'blue');
  await say('S1', 'and round');
  const [blue, round] = team.team.members.S1?.queue ?? [];
  expect(await service.edit({ ...at, messageId: blue ?? 0, text: 'green' })).toEqual({ ok: true, value: {} });
  expect(await service.withdraw({ ...at, messageId: round ?? 0 })).toEqual({ ok: true, value: {} });
  await team.deliver('S1', 'draft');
  expect(team.waiting('S1')?.request.prompt).toBe('The operator says:\ngreen');
  expect(code(await service.edit({ ...at, messageId: blue ?? 0, text: 'red' }))).toBe('conflict');
  await team.deliver('S1', 'green draft');
  expect(team.waiting('S1')).toBeUndefined();
});

test('an interrupt ends a turn and sends the text next, in the same round', async () => {
  const { team, service } = await open({ members: [iterative('S1')] });
  await service.interrupt({ ...at, member: 'S1', text: 'rather blue' });
  await team.idle();
  expect(team.waiting('S1')?.request.prompt).toBe('The operator says:\nrather blue');
  await team.deliver('S1', 'blue');
  expect(team.team.members.S1?.rounds).toMatchObject([{ round: 1, result: { text: 'blue' } }]);
  expect(code(await service.interrupt({ ...at, member: 'S1', text: '' }))).toBe('conflict');
});

test('words that release a member release it with an interrupt as well, and doubtful ones are asked about first', async () => {
  const { team, service } = await open({ members: [iterative('S1')] });
  const doubtful = { ...at, member: 'S1', text: "I'm not satisfied yet" };
  expect(await service.interrupt(doubtful)).toMatchObject({ value: { asks: [{ member: 'S1' }] } });
  expect(team.waiting('S1')?.request.turnId).toBe(1);
  expect(await service.interrupt({ ...at, member: 'S1', text: "I'm satisfied" })).toMatchObject({
    value: { asks: [] },
  });
  await team.idle();
  expect(team.team.members.S1?.released).toMatchObject({ how: 'satisfied' });
  expect(team.waiting('S1')?.request.prompt).toContain('is your last one');
});

test('an interruption that was asked about is one with the answer too', async () => {
  const { team, service } = await open({ members: [iterative('S1')] });
  const stop = { ...at, member: 'S1', text: "Stop: you're done with the wrong file" };
  expect(await service.interrupt(stop)).toMatchObject({ value: { asks: [{ member: 'S1' }] } });
  expect(await service.interrupt({ ...stop, meant: 'message' })).toMatchObject({ value: { asks: [] } });
  await team.idle();
  expect(team.waiting('S1')?.request).toMatchObject({
    turnId: 2,
    prompt: `The operator says:\n${stop.text}`,
  });
  expect(team.team.members.S1?.released).toBeNull();
});

test('a command with words is done once under its key, by the next core too, and gets the same reply', async () => {
  const { team, service } = await open({ members: [iterative('S1')] });
  await team.deliver('S1', 'draft');
  const said = { ...at, to: 'S1', text: 'rounder', key: 'K1' };
  const spawned = {
    ...at,
    name: 'S2',
    agent: 'Fake',
    prompt: 'help',
    iterative: true,
    readOnly: true,
    key: 'K4',
    worktree: true,
    planApproval: false,
    model: null,
    idleMinutes: null,
  };
  const all = async (by: TeamService) => [
    await by.say(said),
    await by.changes({ ...at, member: 'S1', text: 'and blue', key: 'K2' }),
    await by.interrupt({ ...at, member: 'S1', text: 'stop', key: 'K3' }),
    await by.spawn(spawned),
    await by.taskAdd({ ...at, content: 'one', priority: 'high', dependsOn: [], key: 'K5' }),
    await by.say({ ...at, to: 'S1', text: "I'm satisfied with S1", key: 'K6' }),
  ];
  const first = await all(service);
  expect(first.map(({ ok }) => ok)).toEqual(Array(6).fill(true));
  await team.idle();
  const told = team.events().length;
  expect(await all(service)).toEqual(first);
  expect(team.events()).toHaveLength(told);
  await team.restart();
  const before = texts(team);
  expect(await all(serve(team))).toEqual(first);
  expect(texts(team)).toEqual(before);
  expect(before.filter((text) => text.endsWith(': rounder'))).toHaveLength(1);
  await serve(team).say({ ...said, key: 'K7' });
  expect(texts(team).filter((text) => text.endsWith(': rounder'))).toHaveLength(2);
});

test('a question does not use up the key of the words that it is about', async () => {
  const { team, service } = await open({ members: [iterative('S1')] });
  await team.deliver('S1', 'draft');
  const doubtful = { ...at, to: 'S1', text: "I'm not satisfied with S1 yet", key: 'K1' };
  expect(await service.say(doubtful)).toMatchObject({ value: { asks: [{ member: 'S1' }] } });
  expect(await service.say({ ...doubtful, meant: 'message' })).toMatchObject({ value: { asks: [] } });
  await team.idle();
  expect(team.waiting('S1')?.request.prompt).toContain(doubtful.text);
});

test('a failed member is taken up again by answering the question about it', async () => {
  const { team, service } = await open({ members: [iterative('S1')] });
  team.waiting('S1')?.end({ outcome: 'failed', stopReason: 'crashed' });
  await team.idle();
  expect(team.word('S1')).toBe('failed');
  await service.restore({ ...at, member: 'S1' });
  await team.idle();
  expect(team.waiting('S1')?.request.prompt).toContain('work of S1');
  expect(Object.values(team.state().gates).filter((gate) => gate.status === 'open')).toEqual([]);
});

test('a request for changes takes any words, and the operator spawns, keeps the board, and cleans up', async () => {
  const { team, service } = await open({ members: [iterative('S1')] });
  await team.deliver('S1', 'draft');
  await service.changes({ ...at, member: 'S1', text: "you're done when it rhymes" });
  await team.idle();
  expect(team.word('S1')).toBe('working');
  const spawned = await service.spawn({
    ...at,
    name: 'S2',
    agent: 'Fake',
    prompt: 'help',
    iterative: false,
    readOnly: true,
    worktree: true,
    planApproval: false,
    model: null,
    idleMinutes: null,
  });
  expect(spawned).toMatchObject({ ok: true });
  await service.taskAdd({ ...at, content: 'one', priority: 'high', dependsOn: [] });
  await service.taskAdd({ ...at, content: 'two', priority: 'low', dependsOn: [1] });
  expect(code(await service.taskComplete({ ...at, taskId: 2 }))).toBe('team.task_blocked');
  await service.taskComplete({ ...at, taskId: 1 });
  expect(team.team.tasks[2]?.status).toBe('pending');
  expect(code(await service.taskFree({ ...at, taskId: 2 }))).toBe('conflict');
  expect(code(await service.cleanup(at))).toBe('team.cleanup_refused');
  await service.satisfied({ ...at, member: 'S1' });
  await service.shutdown({ ...at, member: 'S2', force: true });
  await team.idle();
  await team.deliver('S1', 'rhymed');
  await team.deliver('S1', 'final');
  expect(team.state().outcome).toBe('succeeded');
  expect(code(await service.cleanup(at))).toBe('run.finished');
});

test('a team starts under the uid that was chosen for it', async () => {
  const { service, started } = await open({ members: [iterative('S1')] });
  await service.start({ uid: 'U1', projectId: 1, name: 'Case', config: {}, startedBy: 'operator' });
  expect(started.map(({ uid }) => uid)).toEqual(['U1']);
});

test('the budget that a team is started with is that of its run', async () => {
  const { service, started } = await open({ members: [iterative('S1')] });
  const wanted = { projectId: 1, name: 'Case', config: {}, startedBy: 'operator' };
  await service.start({ ...wanted, uid: 'U1', budget: { tokens: 5_000 } });
  await service.start({ ...wanted, uid: 'U2' });
  expect(started.map(({ definition }) => definition.budget)).toEqual([{ tokens: 5_000 }, undefined]);
});

test('the list of teams shows the state of each member, and keeps the ended runs that were read', async () => {
  const { team, service } = await open({ members: [iterative('S1'), member('two')] });
  await team.deliver('S1', '<task-result>draft\nwith more</task-result>');
  const {
    rows: [row],
    more,
  } = service.list(10);
  expect(more).toBe(true);
  expect(row).toMatchObject({ runId: 1, live: true, leadProfile: null, waiting: 1, status: 'running' });
  expect(row?.members).toMatchObject([
    { name: 'S1', word: 'awaiting_operator', round: 1, delivered: true, lastWords: 'draft\nwith more' },
    { name: 'two', word: 'working', round: 1, delivered: false, lastWords: null },
  ]);
  await service.satisfied({ ...at, member: 'S1' });
  await team.deliver('two', 'done');
  await service.shutdown({ ...at, member: 'two', force: true });
  await team.idle();
  await team.deliver('S1', 'final');
  const ended = service.list(10).rows;
  expect(ended[0]).toMatchObject({ live: false, status: 'succeeded', waiting: 0 });
  expect(service.list(10).rows[0]).toBe(ended[0]);
});

test('a thread is paged from its end', async () => {
  const { team, service, say } = await open({ members: [iterative('S1'), iterative('S2')] });
  for (let index = 1; index <= 5; index += 1) await say('S1', `one ${index}`);
  await say('S2', 'other');
  const page = (input: { thread: string | null; before?: number; limit: number }) => {
    const found = service.messages({ ...at, ...input });
    return found.ok ? { ids: found.value.messages.map(({ id }) => id), more: found.value.more } : found;
  };
  expect(page({ thread: null, limit: 3 })).toEqual({ ids: [6, 7, 8], more: true });
  expect(page({ thread: 'S1', limit: 3 })).toEqual({ ids: [5, 6, 7], more: true });
  expect(page({ thread: 'S1', before: 5, limit: 3 })).toEqual({ ids: [1, 3, 4], more: false });
  expect(page({ thread: 'lead', limit: 3 })).toEqual({ ids: [], more: false });
  expect(texts(team)[7]).toBe('operator instruction: other');
});

/** A stopped member with changes, whose merge rehearsal had conflicts in these files. */
async function rehearsed(paths: string[]) {
  const opened = await open({ members: [iterative('S1'), iterative('S2')] });
  const { team } = opened;
  const conflicts = paths.map((path) => ({
    path,
    ours: 'a',
    theirs: 'b',
    base: null,
    shown: path.endsWith('.bin') ? ('binary' as const) : ('whole' as const),
  }));
  const tried = { target: 'main', targetCommit: 'abc', files: 2, conflicts };
  team.merges.rehearse = async () => ({ ok: true, value: tried });
  const stopped = {
    type: 'team.stopped',
    activationId: 1,
    member: 'S1',
    reason: 'done',
    frozen: 'f',
  } as const;
  await team.engine.command(1, () => ({ ok: true, value: [stopped] }));
  await team.idle();
  return opened;
}

test('a merge is confirmed only when each file in conflict is decided; its question goes', async () => {
  const { team, service } = await rehearsed(['x.md', 'y.md']);
  const confirm = (choices: Parameters<TeamService['mergeConfirm']>[0]['choices']) =>
    service.mergeConfirm({ ...at, mergeId: 1, choices });
  expect(await confirm({ 'x.md': { take: 'ours' } })).toMatchObject({
    error: { code: 'input.invalid', message: 'not resolved yet: y.md' },
  });
  expect(code(await confirm({ 'x.md': { take: 'ours' }, 'y.md': { take: 'by_hand' } }))).toBe(
    'input.invalid',
  );
  expect(await confirm({ 'x.md': { take: 'ours' }, 'y.md': { take: 'both' } })).toMatchObject({ ok: true });
  await team.idle();
  expect(team.team.merges[1]).toMatchObject({ status: 'merged', choices: { 'y.md': { take: 'both' } } });
  expect(Object.values(team.state().gates).map((gate) => gate.status)).toEqual(['withdrawn']);
});

test('a file that is not shown whole is not written by hand', async () => {
  const { service } = await rehearsed(['x.bin']);
  for (const choice of [{ take: 'by_hand' as const, text: 'x' }, { take: 'both' as const }])
    expect(await service.mergeConfirm({ ...at, mergeId: 1, choices: { 'x.bin': choice } })).toMatchObject({
      error: { code: 'input.invalid', mend: 'take one of: ours, theirs' },
    });
  const taken = { 'x.bin': { take: 'theirs' as const } };
  expect(await service.mergeConfirm({ ...at, mergeId: 1, choices: taken })).toMatchObject({ ok: true });
});

test('a clean merge is confirmed or declined through its question', async () => {
  const one = await rehearsed([]);
  await one.service.mergeConfirm({ ...at, mergeId: 1, choices: {} });
  await one.team.idle();
  expect(one.team.word('S1')).toBe('merged');
  const other = await rehearsed([]);
  await other.service.mergeDecline({ ...at, mergeId: 1 });
  await other.team.idle();
  expect(other.team.team.merges[1]?.status).toBe('declined');
  expect(code(await other.service.mergeDecline({ ...at, mergeId: 1 }))).toBe('conflict');
});

test('a team that is cancelled with its run no longer waits for anyone', async () => {
  const { team, service } = await open({ members: [iterative('S1')] });
  await team.deliver('S1', 'draft');
  await cancel(team);
  expect(service.list(10).rows[0]).toMatchObject({
    live: false,
    waiting: 0,
    status: 'cancelled',
    members: [{ name: 'S1', word: 'stopped', why: 'the team has ended', ended: true }],
  });
});

test('two members that ask the same are asked about one by one, and each gets its own answer', async () => {
  const { team } = await open({ members: [iterative('S1'), iterative('S2')] });
  const request = { tool: 'edit', title: 'Write', kind: 'edit', input: {}, diffs: [], hash: 'h' };
  const asked = ['S1', 'S2'].map((name) => team.waiting(name)?.ask(request));
  await team.idle();
  expect(Object.values(team.state().gates).map(({ status }) => status)).toEqual(['open', 'open']);
  await team.answer('deny', { gateId: 1 });
  await team.answer('allow', { gateId: 2 });
  const of = (name: string) => team.waiting(name)?.request.turnId;
  const first = team.state().gates[1]?.turnId === of('S1') ? [false, true] : [true, false];
  expect((await Promise.all(asked)).map((answer) => answer?.allow)).toEqual(first);
});
