import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { allProcesses, findMarked } from '../../../adapters/process/table/process-table';
import { prompt, World } from '../../scripted/testing/world';
import { fake } from '../testing/fake-agent';

async function living(pids: readonly number[]): Promise<number[]> {
  const rows = (await allProcesses()).filter((row) => !row.zombie);
  return rows.map((row) => row.pid).filter((pid) => pids.includes(pid));
}

describe('terminals by way of Muster', () => {
  test('terminals by way of Muster run in the workspace, and their output is the result of the tool that names them', async () => {
    const world = new World();
    const session = await fake(
      world,
      `{ 'session/prompt': async () => {
      const { terminalId } = await ask('terminal/create', { command: 'pwd; echo $WORD $ARTIFACTS_DIR', env: [{ name: 'WORD', value: 'owl' }] });
      const content = [{ type: 'terminal', terminalId }];
      tell({ sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Run', kind: 'execute', status: 'in_progress', content });
      const exit = await ask('terminal/wait_for_exit', { terminalId });
      const printed = await ask('terminal/output', { terminalId });
      await ask('terminal/release', { terminalId });
      const gone = await ask('terminal/output', { terminalId }).catch((error) => error.message);
      tell({ sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'completed' });
      text(JSON.stringify([exit, printed, gone]));
      return { stopReason: 'end_turn' };
    } }`,
      { spec: { env: { ARTIFACTS_DIR: '/run/files' } } },
    );
    const { response } = await session.turn(prompt('x'));
    const output = `${world.cwd}\nowl /run/files\n`;
    const exit = { exitCode: 0, signal: null };
    expect(JSON.parse(response)).toEqual([
      exit,
      { output, truncated: false, exitStatus: exit },
      expect.stringContaining('Resource not found'),
    ]);
    expect(world.listener.tools).toMatchObject([{ status: 'completed', output }]);
  });

  test('terminals by way of Muster are asked about outside of the session, links resolved, and refused with it', async () => {
    const world = new World();
    symlinkSync(world.project, `${world.cwd}/way-out`);
    mkdirSync(`${world.cwd}/src`);
    world.listener.answer = async () => ({ allow: false, always: false, reason: 'not there' });
    const session = await fake(
      world,
      `{ 'session/prompt': async () => {
      const at = ${JSON.stringify(world.cwd)};
      const tried = [];
      for (const cwd of [${JSON.stringify(world.project)}, at + '/way-out', at + '/src/../..', '/', at + '/src/', at]) {
        const made = await ask('terminal/create', { command: 'touch made-here', cwd }).catch((error) => error.message);
        if (made.terminalId) await ask('terminal/wait_for_exit', made);
        tried.push(made.terminalId ? 'ran' : made);
      }
      text(JSON.stringify(tried));
      return { stopReason: 'end_turn' };
    } }`,
    );
    const { response } = await session.turn(prompt('x'));
    const refused = expect.stringContaining('not there');
    expect(JSON.parse(response)).toEqual([refused, refused, refused, refused, 'ran', 'ran']);
    expect(world.listener.asked.map(({ tool, command }) => [tool, command])).toEqual(
      Array(4).fill(['terminal/create', 'touch made-here']),
    );
    expect(existsSync(`${world.project}/made-here`)).toBe(false);
    expect(existsSync(`${world.cwd}/src/made-here`)).toBe(true);
  });

  test('terminals by way of Muster end with the session', async () => {
    const world = new World();
    const session = await fake(
      world,
      `{ 'session/prompt': async () => {
      const { terminalId } = await ask('terminal/create', { command: 'echo up; sleep 92' });
      while (!(await ask('terminal/output', { terminalId })).output) await new Promise((go) => setTimeout(go, 10));
      text(terminalId);
      return { stopReason: 'end_turn' };
    } }`,
    );
    await session.turn(prompt('x'));
    await session.close();
    const mine = (await findMarked('MUSTER_INSTANCE', (value) => value.includes(`world-${process.pid}`))).map(
      (entry) => entry.pid,
    );
    expect(await living(mine)).toEqual([]);
  });
});

describe('files by way of Muster', () => {
  test('files by way of Muster stay inside the workspace, links resolved, and attachments of the operator may be read', async () => {
    const world = new World();
    writeFileSync(`${world.project}/secret.txt`, 'the secret');
    symlinkSync(world.project, `${world.cwd}/link`);
    const session = await world.open(`{ default: { do: [
      { read: { path: ${world.project}/secret.txt } },
      { read: { path: link/secret.txt } },
      { write: { path: link/made.txt, content: x } },
      { read: { path: none.txt } },
      { write: { path: ${world.artifacts}/artifacts/report.txt, content: kept } } ] } }`);
    await session.turn(prompt('x'));
    expect(world.listener.tools).toMatchObject([
      { status: 'failed', output: expect.stringContaining("outside the session's workspace") },
      { status: 'failed', output: expect.stringContaining("outside the session's workspace") },
      { status: 'failed', output: expect.stringContaining("outside the session's workspace") },
      { status: 'failed', output: expect.stringContaining('Resource not found') },
      { status: 'completed' },
    ]);
    const path = `${world.project}/secret.txt`;
    const attachments = [{ path, name: 'secret.txt', mime: 'application/zip', bytes: 10 }];
    await session.turn(prompt('y', { attachments }));
    expect(world.listener.tools[5]).toMatchObject({ status: 'completed', output: 'the secret' });
  });

  test("The run's folder for files may be written to without asking, Muster's own logs beside it never", async () => {
    const world = new World();
    const log = `${world.artifacts}/commands/c1.log`;
    mkdirSync(`${world.artifacts}/commands`);
    writeFileSync(log, 'what was said');
    const session = await world.open(`{ default: { do: [
      { write: { path: ${world.artifacts}/artifacts/report.txt, content: kept } },
      { read: { path: ${log} } },
      { write: { path: ${log}, content: other } }, ] } }`);
    await session.turn(prompt('x'));
    expect(world.listener.tools).toMatchObject([
      { status: 'completed' },
      { status: 'completed', output: 'what was said' },
      { status: 'failed', output: expect.stringContaining("outside the session's workspace") },
    ]);
    expect(readFileSync(`${world.artifacts}/artifacts/report.txt`, 'utf8')).toBe('kept');
    expect(readFileSync(log, 'utf8')).toBe('what was said');
  });

  test.each([
    ['ask', []],
    ['deny', ['the profile does not allow it']],
  ])(
    "An agent that asks first is answered for the run's folder for files, with permissions: %s",
    async (permissions, refusals) => {
      const world = new World();
      world.listener.answer = async () => ({ allow: false, always: false, reason: 'asked' });
      const report = `${world.artifacts}/artifacts/report.txt`;
      const session = await world.open(
        `{ default: { do: [
        { write: { path: ${report}, content: kept, ask: true } },
        { write: { path: here.txt, content: x, ask: true } } ] } }`,
        { profile: { permissions } },
      );
      await session.turn(prompt('x'));
      expect(existsSync(report)).toBe(refusals.length === 0);
      expect(existsSync(`${world.cwd}/here.txt`)).toBe(false);
      expect(world.listener.asked.map(({ paths }) => paths)).toEqual(
        refusals.length === 0 ? [[`${world.cwd}/here.txt`]] : [],
      );
    },
  );
});
