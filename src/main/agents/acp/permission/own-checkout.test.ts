import { expect, test } from 'vitest';
import { prompt, World } from '../../scripted/testing/world';
import { fakeAgent } from '../testing/fake-agent';

/** The questions of an agent that does this in the operator's own checkout, all of which are allowed. */
async function asked(steps: string, handlers = '') {
  const world = new World();
  const prompted = `async () => {
    const leave = (toolCall) => ask('session/request_permission', {
      toolCall: { toolCallId: 'c', title: 'T', ...toolCall },
      options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
    });
    const write = (path) => ask('fs/write_text_file', { path, content: 'x' });
    const run = (command, ...args) => ask('terminal/create', { command, args });
    const at = '${world.project}';
    ${steps}
    return { stopReason: 'end_turn' };
  }`;
  const opened = await world.tryCommand(
    process.execPath,
    fakeAgent(`{ ${handlers} 'session/prompt': ${prompted} }`),
    { spec: { cwd: world.project } },
  );
  if (!opened.ok) throw new Error(opened.error.message);
  const result = await opened.value.turn(prompt('x'));
  expect(result.error).toBeNull();
  return world.listener.asked.map(({ kind, title }) => `${kind}: ${title.replace(world.project, '')}`);
}

test('permission to read a file is none to write it', async () => {
  const steps = `await leave({ kind: 'read', locations: [{ path: at + '/a.ts' }] }); await write(at + '/a.ts');`;
  expect(await asked(steps)).toEqual(['read: T', 'edit: Write /a.ts']);
});

test('permission to edit a file is for one write of it', async () => {
  const steps = `const path = at + '/a.ts';
    await leave({ kind: 'edit', locations: [{ path }], content: [{ type: 'diff', path, newText: 'x' }] });
    await write(path); await write(path); await write(at + '/b.ts');`;
  expect(await asked(steps)).toEqual(['edit: T', 'edit: Write /a.ts', 'edit: Write /b.ts']);
});

test('a request that comes after the action grants no permission', async () => {
  const steps = `await write(at + '/a.ts'); await write(at + '/a.ts');`;
  expect(await asked(steps)).toEqual(['edit: Write /a.ts', 'edit: Write /a.ts']);
});

test('permission for a command is for the whole of it, once, in the same folder', async () => {
  const steps = `const test = { kind: 'execute', rawInput: { command: 'echo test' } };
    await leave(test); await run('sh', '-c', 'echo evil', 'echo test'); await run('bash', '-lc', 'echo test');
    await run('bash', '-lc', 'echo test');
    await leave(test); await ask('terminal/create', { command: 'echo', args: ['test'], cwd: at + '/..' });`;
  expect(await asked(steps)).toEqual([
    'execute: T',
    'execute: sh -c echo evil echo test',
    'execute: bash -lc echo test',
    'execute: T',
    'execute: echo test',
  ]);
});

test("permission for one command is for that one only, in the operator's own checkout", async () => {
  const world = new World();
  const script = `{ default: { do: [
    { run: { command: echo one, via: terminal, ask: true } },
    { run: { command: echo two, via: terminal } } ] } }`;
  const session = await world.open(script, { spec: { cwd: world.project } });
  await session.turn(prompt('x'));
  expect(world.listener.asked.map((request) => [request.tool, request.command])).toEqual([
    ['execute', 'echo one'],
    ['terminal/create', 'echo two'],
  ]);
});
