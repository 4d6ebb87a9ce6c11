import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { allProcesses } from '../../adapters/process/table/process-table';
import { PipeTerminals } from '../../adapters/process/terminals';
import { guards } from '../../adapters/process/testing/guards';
import { ForkedPtyHost } from '../../adapters/pty-client/channels';
import { PtyClient } from '../../adapters/pty-client/client';
import { ShellTerminals } from '../../adapters/pty-client/shells/shell-terminals';
import { bundlePtyHost } from '../../pty-host/testing/bundle';
import { prompt, until, World } from '../scripted/testing/world';
import { fake } from './testing/fake-agent';

const onLinux = test.skipIf(process.platform !== 'linux');
const GUARD = "Muster's guard process of the agent died";

const slow = `default:
  do: [{ run: { command: 'echo begun > begun; sleep 60; echo ended > ended', via: terminal } }]
  text: Done.
`;
/** Ignores the signal to end. */
const waiting = `{ 'session/prompt': () => {
  process.on('SIGTERM', () => undefined);
  text('Half of it.');
  return new Promise(() => setInterval(() => undefined, 1000));
} }`;

onLinux(
  'a turn whose guard is killed is interrupted, and the agent is ended before that is told',
  async () => {
    const world = new World();
    const session = await fake(world, waiting);
    const [guard = 0] = guards();
    const running = session.turn(prompt('x'));
    await until(() => world.listener.text('text').includes('Half'));
    process.kill(guard, 'SIGKILL');
    expect(await running).toMatchObject({
      outcome: 'failed',
      interrupted: GUARD,
      response: 'Half of it.',
      error: { code: 'unavailable' },
    });
    expect((await allProcesses()).filter(({ group, zombie }) => group === guard && !zombie)).toEqual([]);
    await until(() => world.listener.losses.length > 0);
    expect(await session.turn(prompt('y'))).toMatchObject({ interrupted: GUARD });
  },
  30_000,
);

onLinux(
  "a turn is interrupted where the guard of the agent's command is killed, and the agent is told to stop",
  async () => {
    const world = new World();
    const session = await world.open(slow);
    const running = session.turn(prompt('x'));
    await until(() => guards().length === 2);
    process.kill(guards()[1] ?? 0, 'SIGKILL');
    expect(await running).toMatchObject({ outcome: 'failed', interrupted: GUARD });
    await session.close();
  },
  30_000,
);

onLinux(
  'a turn is interrupted where the terminal host is killed under a command of the agent',
  async () => {
    const world = new World();
    const { client, host } = await terminalHost(world);
    const instead = new PipeTerminals(world.processes);
    const environment = async () => ({ PATH: process.env.PATH ?? '', HOME: world.root });
    const terminals = new ShellTerminals({ client, environment, instead });
    const session = await world.open(slow, { acp: { terminals } });
    const running = session.turn(prompt('x'));
    await until(() => existsIn(world, 'begun'), 20_000);
    process.kill(host.pid ?? 0, 'SIGKILL');
    expect(await running).toMatchObject({ interrupted: "Muster's terminal host died" });
    expect(existsIn(world, 'ended')).toBe(false);
    await session.close();
  },
  60_000,
);

test('a command of the agent that is killed by itself interrupts nothing', async () => {
  const world = new World();
  const session = await world.open(`default:
  do: [{ run: { command: 'kill -9 $$', via: terminal } }]
  text: Done.
`);
  expect(await session.turn(prompt('x'))).toMatchObject({ outcome: 'completed', response: 'Done.' });
  await session.close();
});

function existsIn(world: World, name: string): boolean {
  try {
    return world.read(name) !== null;
  } catch {
    return false;
  }
}

async function terminalHost(world: World): Promise<{ client: PtyClient; host: ForkedPtyHost }> {
  const entry = await bundlePtyHost();
  const dataDir = join(world.root, 'terminals-data');
  mkdirSync(dataDir);
  const client = new PtyClient();
  const host = new ForkedPtyHost({ entry, dataDir }, client);
  host.start();
  onTestFinished(async () => {
    await host.stop();
    rmSync(dirname(entry), { recursive: true, force: true });
  });
  return { client, host };
}
