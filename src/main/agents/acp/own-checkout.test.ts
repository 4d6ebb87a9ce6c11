import { expect, it } from 'vitest';
import { prompt, World } from '../scripted/testing/world';

it("leave for one command is leave for that one only, in the operator's own checkout", async () => {
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
