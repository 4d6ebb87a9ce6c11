import { describe, expect, test } from 'vitest';
import { failing, LoopHarness, passed } from './testing/loop';

const started = (harness: LoopHarness) => harness.agents.opened.map(({ key }) => key);

describe('the sequence (seed 004, US-002)', () => {
  test('a loop works through the stories, each attempt in a session of its own that ends before the next begins', async () => {
    const harness = new LoopHarness();
    harness.deeds = [passed('US-001'), passed('US-002'), passed('US-003')];
    await harness.loop();
    expect(harness.results()).toEqual(['1 completed US-001', '2 completed US-002', '3 completed US-003']);
    expect(harness.state().outcome).toBe('succeeded');
    expect(new Set(started(harness)).size).toBe(3);
    const order = harness
      .events()
      .flatMap((event) =>
        event.type === 'session.starting' ? ['open'] : event.type === 'session.closed' ? ['close'] : [],
      );
    expect(order).toEqual(['open', 'close', 'open', 'close', 'open', 'close']);
    expect(harness.state().activations[1]?.receipt).toMatchObject({ complete: true, attempts: 3, open: [] });
  });

  test('a loop posts the five lines, exactly', async () => {
    const harness = new LoopHarness(['US-001']);
    harness.deeds = [
      {
        ...passed('US-001'),
        say: '## Done\n- **Added** `login`\n\n```\nResult: failed\n```\nAll green.\nResult: completed',
      },
    ];
    await harness.loop();
    expect(harness.updates().map(({ text }) => text)).toEqual([
      'Iteration 1/5\nStory: US-001 - Title US-001\nResult: completed\nCommit: c1\nSummary: Added login\nAll green.',
    ]);
  });

  test('a loop hands the story to the worker, by priority and then by order', async () => {
    const harness = new LoopHarness(['A', 'B', 'C']);
    harness.checkout.stories.forEach((story, index) => {
      story.priority = [2, 1, 1][index] ?? 0;
    });
    harness.deeds = [passed('B'), passed('C'), passed('A')];
    await harness.loop();
    expect(harness.state1.attempts.map(({ story }) => story?.id)).toEqual(['B', 'C', 'A']);
    expect(harness.agents.sent[0]?.request.prompt).toContain('Your story: B - Title B');
  });

  test('a loop has no update of an attempt in a commit without its verdict, and none before the next attempt begins', async () => {
    const harness = new LoopHarness(['A', 'B']);
    harness.deeds = [passed('A'), passed('B')];
    await harness.loop();
    const types = harness.events().map(({ type }) => type);
    const at = (type: string, from = 0) => types.indexOf(type as (typeof types)[number], from);
    expect(types[at('loop.attempt-judged') - 1]).toBe('loop.attempt-examined');
    expect(types[at('loop.attempt-judged') + 1]).toBe('update.posted');
    expect(at('update.posted')).toBeLessThan(at('loop.attempt-started', at('loop.attempt-started') + 1));
  });

  test('a loop does nothing where every story passes already', async () => {
    const harness = new LoopHarness(['A']);
    for (const story of harness.checkout.stories) story.passes = true;
    await harness.loop();
    expect([harness.state().outcome, harness.results(), started(harness)]).toEqual(['succeeded', [], []]);
  });

  test('a loop ends as failed at N, and goes on for as many again when it is resumed', async () => {
    const harness = new LoopHarness(['A', 'B', 'C']);
    harness.deeds = [passed('A'), passed('B'), passed('C')];
    await harness.loop({ iterations: 2 });
    expect(harness.state().activations[1]?.error).toMatchObject({
      code: 'step.max_iterations',
      message: 'all 2 iterations are used; still open: C',
    });
    await harness.resume();
    expect(harness.results().at(-1)).toBe('3 completed C');
    expect(harness.updates().at(-1)?.update.of).toBe(4);
    expect(harness.state().outcome).toBe('succeeded');
  });

  test('a loop names every problem of a plan that is not valid, and starts nothing', async () => {
    const harness = new LoopHarness();
    harness.checkout.plan = JSON.stringify({
      userStories: [{ id: 'A', title: 'x', priority: '1', passes: 0 }, 7],
    });
    await harness.loop();
    const error = harness.state().activations[1]?.error;
    expect(error?.code).toBe('validation.failed');
    expect(error?.message).toContain('userStories[0].priority is not a number');
    expect(error?.message).toContain(
      'userStories[0].passes is not true or false; userStories[1] is not a story',
    );
    expect(started(harness)).toEqual([]);
  });
});

describe('failure policy (seed 004, US-003)', () => {
  test('a story that failed and then completed on the retry has both updates', async () => {
    const harness = new LoopHarness(['A', 'B']);
    harness.deeds = [failing, passed('A'), passed('B')];
    await harness.loop();
    expect(harness.results()).toEqual(['1 failed A', '1 r1 completed A', '2 completed B']);
    expect(harness.updates()[1]?.text.split('\n')[0]).toBe('Iteration 1/5 (retry 1)');
    expect(harness.agents.sent[1]?.request.prompt).toContain('second try');
    expect(harness.checkout.asked).toContain('prepare 1 1');
  });

  test('a story that failed twice ends the loop, the second update is the terminal one, and the inbox asks', async () => {
    const harness = new LoopHarness(['A', 'B']);
    harness.deeds = [failing, failing];
    await harness.loop();
    expect(harness.results()).toEqual(['1 failed A', '1 r1 failed A']);
    expect(harness.updates()[1]?.update.summary[0]).toBe(
      'Second failure, loop stopped. The tests still fail.',
    );
    expect(harness.state().activations[1]).toMatchObject({ status: 'finished', outcome: 'failed' });
    expect(harness.openGate()).toMatchObject({ kind: 'iteration_failed' });
    await harness.answer('leave');
    expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'failed' });
    expect(harness.worked).toHaveLength(2);
  });

  test('a loop that failed twice and is resumed from the inbox begins the next iteration', async () => {
    const harness = new LoopHarness(['A', 'B']);
    harness.deeds = [failing, failing];
    await harness.loop();
    harness.deeds = [passed('A'), failing, failing];
    await harness.answer('resume');
    expect(harness.results().slice(2)).toEqual(['2 completed A', '3 failed B', '3 r1 failed B']);
    harness.deeds = [passed('B')];
    await harness.answer('resume');
    expect(harness.state().outcome).toBe('succeeded');
  });

  test('a blocked story stops the loop, and continuing is the next iteration on the same story, with the operator’s text', async () => {
    const harness = new LoopHarness(['A', 'B']);
    harness.deeds = [{ say: 'Which colour?\nResult: blocked' }];
    await harness.loop();
    expect(harness.results()).toEqual(['1 blocked A']);
    expect(harness.openGate()).toMatchObject({ kind: 'iteration_blocked' });
    expect(harness.worked).toHaveLength(1);
    harness.deeds = [passed('A'), passed('B')];
    await harness.answer('continue', { text: 'Blue.' });
    expect(harness.agents.sent[1]?.request.prompt).toContain('## From the operator\nBlue.');
    expect(harness.results().slice(1)).toEqual(['2 completed A', '3 completed B']);
  });

  test('a story can be skipped in Muster only', async () => {
    const harness = new LoopHarness(['A', 'B']);
    harness.deeds = [{ say: 'Blocked: no key' }];
    await harness.loop();
    harness.deeds = [passed('B')];
    await harness.answer('skip');
    expect(harness.results()).toEqual(['1 blocked A', '2 completed B']);
    expect(harness.checkout.stories[0]?.passes).toBe(false);
    expect(harness.state().activations[1]).toMatchObject({
      outcome: 'succeeded',
      warnings: ['skipped, and still open: A'],
      receipt: { complete: false, skipped: ['A'] },
    });
  });

  test('a loop whose last open story is skipped is done, at its last iteration too', async () => {
    for (const iterations of [5, 1]) {
      const harness = new LoopHarness(['A']);
      harness.deeds = [{ say: 'Result: blocked' }];
      await harness.loop({ iterations });
      await harness.answer('skip');
      expect(harness.worked).toHaveLength(1);
      expect(harness.state().activations[1]).toMatchObject({
        outcome: 'succeeded',
        warnings: ['skipped, and still open: A'],
      });
    }
  });

  test('a loop whose last story the operator did by hand is done when it goes on', async () => {
    const harness = new LoopHarness(['A']);
    harness.deeds = [{ say: 'Result: blocked' }];
    await harness.loop();
    for (const story of harness.checkout.stories) story.passes = true;
    await harness.answer('continue');
    expect([harness.worked.length, harness.state().outcome]).toEqual([1, 'succeeded']);
  });

  test('a loop stopped at the gate is cancelled, and resumable', async () => {
    const harness = new LoopHarness(['A']);
    harness.deeds = [{ say: 'Result: blocked' }];
    await harness.loop();
    await harness.answer('stop');
    expect(harness.state().outcome).toBe('cancelled');
    harness.deeds = [passed('A')];
    await harness.resume();
    expect(harness.results()).toEqual(['1 blocked A', '2 completed A']);
  });

  test('an agent that does not start is a failed attempt like any other', async () => {
    const harness = new LoopHarness(['A']);
    harness.agents.refuse = () => ({ code: 'agent.not_installed', message: 'codex is not installed' });
    await harness.loop();
    expect(harness.results()).toEqual(['1 failed A', '1 r1 failed A']);
    expect(harness.updates()[0]?.update.summary).toEqual(['(no final message; codex is not installed)']);
  });

  test('rewritten history stops the loop and asks', async () => {
    const harness = new LoopHarness(['A']);
    harness.deeds = [{ ...passed('A'), rewrite: true }];
    await harness.loop();
    expect(harness.results()).toEqual(['1 failed A']);
    expect(harness.openGate()?.message).toContain('the branch was rewritten');
  });
});

test('a worker that leaves the branch of the loop is reported, and the next one is on it again', async () => {
  const harness = new LoopHarness(['A', 'B']);
  harness.deeds = [{ ...passed('A'), branch: 'fix/x' }, passed('B')];
  await harness.loop();
  expect(harness.updates()[0]?.update.summary[0]).toBe(
    'Its worker left the branch ralph/x for fix/x. Did A.',
  );
  expect(harness.state1.attempts.map(({ judged }) => judged?.warnings)).toEqual([['left-branch: fix/x'], []]);
  expect(harness.checkout.branch).toBe('ralph/x');
});

describe('stopping and pausing', () => {
  test('a loop asks after three no-ops in a row on one story, and again after three more', async () => {
    const harness = new LoopHarness(['A']);
    await harness.loop({ iterations: 9 });
    expect(harness.results()).toEqual(['1 no-op A', '2 no-op A', '3 no-op A']);
    expect(harness.openGate()?.message).toBe('3 iterations in a row came to nothing.');
    await harness.answer('continue');
    expect(harness.results()).toHaveLength(6);
    expect(harness.openGate()).not.toBeNull();
  });

  test('a loop asks after three commits that left the story open', async () => {
    const harness = new LoopHarness(['A']);
    harness.deeds = [1, 2, 3].map((part) => ({ commit: [`part ${part}`], say: 'Part done.' }));
    await harness.loop({ iterations: 9 });
    expect(harness.results()).toEqual(['1 completed A', '2 completed A', '3 completed A']);
    expect(harness.openGate()?.message).toContain('left the story open');
  });

  test('a loop pauses after the running iteration, its retry included', async () => {
    const harness = new LoopHarness(['A', 'B']);
    harness.deeds = [{ hang: true }, passed('A'), passed('B')];
    await harness.loop();
    await harness.pause();
    harness.agents.sent[0]?.end({ response: 'Result: failed' });
    await harness.idle();
    expect(harness.results()).toEqual(['1 failed A', '1 r1 completed A']);
    expect(harness.openGate()?.title).toContain('paused');
    await harness.answer('continue');
    expect(harness.state().outcome).toBe('succeeded');
  });

  test('a loop asks when its time is over, and does not cut the attempt', async () => {
    const harness = new LoopHarness(['A', 'B']);
    harness.deeds = [{ hang: true }, passed('B')];
    await harness.loop({ minutes: 1 });
    harness.clock.advance(61_000);
    await harness.idle();
    expect(harness.openGate()).toBeNull();
    harness.checkout.do(passed('A'), 1);
    harness.agents.sent[0]?.end({ response: 'Did A.' });
    await harness.idle();
    expect(harness.openGate()?.title).toContain('its time is over');
    await harness.answer('continue');
    expect(harness.state().outcome).toBe('succeeded');
  });

  const lateAndFailed = async (ids: string[]) => {
    const harness = new LoopHarness(ids);
    harness.deeds = [{ hang: true }];
    await harness.loop({ minutes: 1, iterations: 2 });
    harness.clock.advance(61_000);
    harness.agents.sent[0]?.end({ response: 'Result: failed' });
    await harness.idle();
    expect(harness.worked).toHaveLength(1);
    expect(harness.openGate()?.title).toContain('its time is over');
    return harness;
  };

  test('a loop asks when its time is over before a second try as well, which then is begun', async () => {
    const harness = await lateAndFailed(['A', 'B']);
    expect(harness.openGate()?.options[0]?.effect).toContain('Iteration 1/2 is tried again');
    harness.deeds = [passed('A'), passed('B')];
    await harness.answer('continue', { text: 'Use B.' });
    expect(harness.results()).toEqual(['1 failed A', '1 r1 completed A', '2 completed B']);
    expect(harness.agents.sent[1]?.request.prompt).toContain('## From the operator\nUse B.');
  });

  test('a story that is skipped when the time is over has no second try', async () => {
    const harness = await lateAndFailed(['A', 'B']);
    harness.deeds = [passed('B')];
    await harness.answer('skip');
    expect(harness.results()).toEqual(['1 failed A', '2 completed B']);
    expect(harness.state().outcome).toBe('succeeded');
  });

  test('a loop asks before an attempt that its budget does not allow, and goes on when it is raised', async () => {
    const harness = new LoopHarness(['A', 'B']);
    const usage = { input_tokens: 60, output_tokens: 60, total_tokens: 120, cost_usd: null };
    harness.deeds = [
      { ...passed('A'), end: { usage } },
      { ...passed('B'), end: { usage } },
    ];
    await harness.loop({}, {}, { budget: { tokens: 100 } });
    expect(harness.results()).toEqual(['1 completed A']);
    expect(harness.worked).toHaveLength(1);
    expect(harness.openGate()).toMatchObject({
      kind: 'budget',
      message: expect.stringContaining('120 tokens'),
    });
    await harness.answer('raise');
    expect(harness.results()).toEqual(['1 completed A', '2 completed B']);
    expect(harness.state().outcome).toBe('succeeded');
  });

  test('a loop stopped at its budget reports once the attempt that had not begun', async () => {
    const harness = new LoopHarness(['A', 'B']);
    const usage = { input_tokens: 60, output_tokens: 60, total_tokens: 120, cost_usd: null };
    harness.deeds = [{ ...passed('A'), end: { usage } }];
    await harness.loop({}, {}, { budget: { tokens: 100 } });
    await harness.answer('stop');
    expect(harness.state().outcome).toBe('cancelled');
    expect(harness.worked).toHaveLength(1);
    expect(harness.results()).toEqual(['1 completed A', '2 failed B']);
    expect(harness.updates()[1]?.text).toContain('The attempt was stopped.');
    harness.deeds = [passed('B')];
    await harness.resume();
    expect(harness.updates()).toHaveLength(2);
    await harness.answer('raise');
    expect(harness.results().slice(2)).toEqual(['2 r1 completed B']);
    expect(harness.state().outcome).toBe('succeeded');
  });

  test('a loop ends an attempt at its own time limit, as failed', async () => {
    const harness = new LoopHarness(['A']);
    harness.deeds = [{ hang: true }, passed('A')];
    await harness.loop({ attempt_minutes: 2 });
    harness.clock.advance(121_000);
    await harness.idle();
    expect(harness.results()).toEqual(['1 failed A', '1 r1 completed A']);
    expect(harness.updates()[0]?.update.summary[0]).toContain('the limit of an attempt');
  });

  test('a loop stopped now has one update of the attempt that was cut, which is tried again when it is resumed', async () => {
    const harness = new LoopHarness(['A']);
    harness.deeds = [{ hang: true, commit: ['wip'] }];
    await harness.loop();
    await harness.cancel();
    expect(harness.results()).toEqual(['1 failed A']);
    expect(harness.updates()[0]?.text).toContain('Commit: c1\nSummary: The attempt was stopped.');
    expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'cancelled' });
    harness.deeds = [passed('A')];
    await harness.resume();
    expect(harness.results()).toEqual(['1 failed A', '1 r1 completed A']);
    expect(harness.worked).toHaveLength(2);
    expect(harness.state().outcome).toBe('succeeded');
  });
});

describe('the promise tag', () => {
  const said = 'All done. <promise>COMPLETE</promise>';

  test('the promise tag with open stories is a warning, and the loop goes on', async () => {
    const harness = new LoopHarness(['A', 'B']);
    harness.deeds = [{ ...passed('A'), say: said }, passed('B')];
    await harness.loop();
    expect(harness.results()).toHaveLength(2);
    expect(harness.state1.attempts[0]?.judged?.warnings).toEqual(['promise-with-open-stories: 1 are open']);
  });

  test('the promise tag ends a loop that has no prd.json', async () => {
    const harness = new LoopHarness([]);
    harness.deeds = [
      { commit: ['a'], say: 'One.' },
      { commit: ['b'], say: said },
    ];
    await harness.loop({ prompt: 'Do the next piece.' });
    expect(harness.updates().map(({ text }) => text.split('\n')[1])).toEqual([
      'Story: unknown',
      'Story: unknown',
    ]);
    expect(harness.state().outcome).toBe('succeeded');
    expect(harness.agents.sent[0]?.request.prompt).toContain('Result: completed | blocked | failed | no-op');
  });

  test('a loop without a plan and without a prompt of its own has nothing to do', async () => {
    const harness = new LoopHarness([]);
    await harness.loop();
    expect(harness.state().activations[1]?.error?.code).toBe('validation.file_missing');
  });
});
