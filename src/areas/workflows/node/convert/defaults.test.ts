import { expect, test } from 'vitest';
import { converted, wrap } from './testing/converted';

const config = (id: string, { step }: Awaited<ReturnType<typeof converted>>) => step(id)?.config;

test('A prompt after another one continues its conversation, through commands in between', async () => {
  const found = await converted(
    wrap(`  - {id: plan, prompt: Plan it., model: big}
  - {id: check, bash: make, depends_on: [plan]}
  - {id: build, prompt: Build it., model: big, depends_on: [check]}
  - {id: review, prompt: Look at it., context: fresh, depends_on: [build]}
  - {id: polish, prompt: Polish it., model: small-1, depends_on: [review]}
`),
  );
  expect(found.problems).toEqual([]);
  expect(config('build', found)).toMatchObject({ session_mode: 'continue' });
  expect(config('review', found)?.session_mode).toBeUndefined();
  expect(config('polish', found)).toMatchObject({ session_mode: 'continue' });
  expect(found.definition?.cables).toEqual([
    { from: 'plan.signal_out', to: 'check.signal_in' },
    { from: 'check.signal_out', to: 'build.signal_in' },
    { from: 'plan.data_out', to: 'build.data_in' },
    { from: 'build.signal_out', to: 'review.signal_in' },
    { from: 'review.data_out', to: 'polish.data_in' },
  ]);
  expect(found.told('build', 'context')).toEqual([
    ['changed', 'session_mode: continue, with the session of plan'],
  ]);
  expect(found.told('build', 'model')).toEqual([]);
  expect(found.told('polish', 'model')).toEqual([
    ['not_carried_over', 'the session of review keeps its model'],
  ]);
});

test('A conversation ends at another agent and at nodes beside each other', async () => {
  const found = await converted(
    wrap(`  - {id: a, prompt: x}
  - {id: b, prompt: x, provider: codex, depends_on: [a]}
  - {id: c, prompt: x, provider: codex, depends_on: [b]}
  - {id: d, prompt: x, provider: codex, depends_on: [b]}
  - {id: e, prompt: x, provider: codex, depends_on: [c, d]}
  - {id: f, prompt: x, provider: codex, depends_on: [e]}
`),
  );
  expect(found.errors).toEqual([]);
  const continuing = ['a', 'b', 'c', 'd', 'e', 'f'].filter((id) => config(id, found)?.session_mode);
  expect(continuing).toEqual(['f']);
});

test('Where it depends on the run which conversation goes on, a new one begins, and the report says so', async () => {
  const found = await converted(
    wrap(`  - {id: a, prompt: x}
  - {id: b, prompt: x, depends_on: [a], when: "$a.output == 'y'"}
  - {id: c, prompt: x, depends_on: [b], trigger_rule: all_done}
  - {id: d, loop: {prompt: x, until: DONE, max_iterations: 2}, depends_on: [c]}
  - {id: e, prompt: x, depends_on: [d]}
  - {id: f, prompt: x, depends_on: [e], context: {resume: c}}
`),
  );
  expect(found.errors).toEqual([]);
  expect(config('c', found)?.session_mode).toBeUndefined();
  expect(found.told('c', 'context')).toEqual([
    ['not_carried_over', 'it continues the session of b if that ran; here it is a new one'],
  ]);
  expect(found.told('e', 'context')).toEqual([
    ['not_carried_over', 'it continues the session of the loop d; here it is a new one'],
  ]);
  expect(config('f', found)).toMatchObject({ session_mode: 'continue' });
  const forked = await converted(
    wrap(`  - {id: a, prompt: x}
  - {id: b, prompt: x, depends_on: [a]}
  - {id: c, prompt: x, depends_on: [b], context: {resume: a}}
`),
  );
  expect(forked.told('c', 'context')).toEqual([
    ['not_carried_over', 'it forks the session of a, which another node continues as well'],
  ]);
});

test('An agent node without a retry gets the two attempts more that Archon makes, and other nodes none', async () => {
  const found = await converted(wrap('  - {id: a, prompt: x}\n  - {id: b, bash: make}\n'));
  expect(found.step('a')?.retry).toEqual({ max_attempts: 2, delay_seconds: 3, on: 'transient' });
  expect(found.told('a', 'retry')[0]?.[0]).toBe('changed');
  expect(found.step('b')?.retry).toBeUndefined();
});

test('As many steps may run at the same time as the widest layer has nodes', async () => {
  const wide = Array.from({ length: 6 }, (_, at) => `  - {id: n${at}, bash: make}\n`).join('');
  const group = `  - id: g
    depends_on: [n0]
    loop_group: {until: X, max_iterations: 2, nodes: [{id: x, bash: a}, {id: y, bash: b}]}
`;
  expect((await converted(wrap(wide + group))).definition?.max_parallel).toBe(6);
  const one = await converted(wrap('  - {id: a, bash: make}\n'));
  expect([one.definition?.max_parallel, one.keys.some(({ key }) => key === 'nodes')]).toEqual([4, false]);
});

test('A node that Muster may start earlier than Archon is named, as is a dependency on nothing', async () => {
  const found = await converted(
    wrap(`  - {id: a, bash: x}
  - {id: b, bash: x}
  - {id: c, bash: x, depends_on: [a, gone]}
`),
  );
  expect(found.told('c', 'depends_on')).toEqual([
    ['not_carried_over', 'there is no node gone'],
    ['changed', 'cables; unlike in Archon it does not wait for b'],
  ]);
});

test('What is invented is in the report: names, passes, a reason, an order and a time limit', async () => {
  const found = await converted(`nodes:
  - {prompt: "Say $b.output"}
  - {id: b, bash: make, timeout: 0}
  - {id: c, bash: make, timeout: 20}
  - {id: d, cancel: ""}
  - {id: e, loop: {prompt: x, until: X}}
`);
  expect(found.errors).toEqual([]);
  const told = found.keys.flatMap(({ node, key, how }) => (how === null ? [] : [`${node}.${key}: ${how}`]));
  expect(told).toEqual(
    expect.arrayContaining([
      'null.name: Converted workflow, because the file has no name',
      'node-1.id: node-1, because the node has no id',
      'b.timeout: no timeout_seconds: the step has no time limit',
      'c.timeout: timeout_seconds: 1',
      'd.cancel: a reason, because the file states none',
      'e.loop.max_iterations: 1, because the file states no number',
    ]),
  );
  expect(told.find((one) => one.startsWith('node-1.prompt'))).toContain('it waits for b');
  expect(config('b', found)?.timeout_seconds).toBeUndefined();
});

test('A script that names $STATE_DIR fails with the reason until it is set', async () => {
  const found = await converted(wrap(`  - {id: a, bash: 'cat "$STATE_DIR/x"'}\n`));
  expect(found.errors).toEqual([]);
  expect(config('a', found)?.script).toMatch(
    /^: "\$\{STATE_DIR:\?has no counterpart in Muster; .*\}"\ncat "\$STATE_DIR\/x"$/,
  );
});

test('A program that names $ARGUMENTS in its code stays as it is, with the variables that it reads', async () => {
  const found = await converted(
    wrap(`  - {id: a, script: 'console.log("$ARGUMENTS", process.env.USER_MESSAGE)', runtime: bun}
  - {id: b, script: "console.log('$a.output')", runtime: bun, timeout: 5, retry: {max_attempts: 2}, depends_on: [a]}
`),
  );
  expect(found.errors).toEqual([]);
  expect(config('a', found)?.script).toBe(
    `USER_MESSAGE="$ARGUMENTS" bun -e 'console.log("'\\$ARGUMENTS'", process.env.USER_MESSAGE)'\n`,
  );
  expect(config('b', found)?.script).toMatch(/^echo 'This step was not carried over/);
  const dropped = found.keys.filter(({ node, result }) => node === 'b' && result === 'not_carried_over');
  expect(dropped.map(({ key }) => key)).toEqual(['script', 'timeout', 'runtime', 'retry']);
});
