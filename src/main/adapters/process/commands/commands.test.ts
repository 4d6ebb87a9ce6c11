import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CommandSpec, TerminalCommandPort } from '../../../core/ports/ports';
import { findMarked } from '../table/process-table';
import { guards } from '../testing/guards';
import { makeProcesses, scratchFolder } from '../testing/make';
import { PipeCommands } from './commands';

const scratch = scratchFolder('commands');
let count = 0;

function command(script: string, more: Partial<CommandSpec> = {}): CommandSpec {
  count += 1;
  return {
    runId: 1,
    commandId: count,
    script,
    cwd: scratch,
    env: {},
    terminal: false,
    timeoutSeconds: null,
    outputPath: join(scratch, 'out', `${count}.log`),
    ...more,
  };
}

const run = (spec: CommandSpec) => new PipeCommands(makeProcesses(scratch)).run(spec);
const mine = () => findMarked('MUSTER_LAUNCH', (value) => value.includes(`test-${process.pid}-`));

describe('commands through pipes', () => {
  test('a command keeps no more output on disk than allowed, with the end of what was printed', async () => {
    const spec = command('seq 1 20000');
    const commands = new PipeCommands(makeProcesses(scratch), { fileBytes: 1000 });
    const result = await commands.run(spec).done;
    const kept = readFileSync(spec.outputPath, 'utf8');
    expect(kept.startsWith('1\n2\n3\n')).toBe(true);
    expect(kept).toContain('more was printed than is kept');
    expect(kept.endsWith('19999\n20000\n')).toBe(true);
    expect(kept.length).toBeLessThan(1000 + 65_536 + 100);
    expect(result).toMatchObject({ exitCode: 0, error: null });
    expect(result.outputBytes).toBeGreaterThan(100_000);
    expect(result.output).toMatch(/^1\n2\n[\s\S]*\n20000\n$/);
  });

  test.each([
    ['DATA_IN', { env: { A: 'a', DATA_IN: `x\0${'y'.repeat(200_000)}` } }],
    ['the script', { script: 'echo "\0"', terminal: true }],
  ])('a NUL character in %s is an error that names the value without its text', async (name, more) => {
    const { outcome, error } = await run(command('echo', more)).done;
    expect(outcome).toBe('failed_to_start');
    expect(error).toMatchObject({
      code: 'reference.nul',
      message: `${name} has a NUL character, which commands cannot take`,
      mend: 'remove the NUL characters, in the step that outputs the text or where it is typed',
    });
  });

  test('a command with a time limit longer than any timer does not end at once', async () => {
    const result = await run(command('sleep 0.2; echo done', { timeoutSeconds: 9_999_999 })).done;
    expect(result).toMatchObject({ outcome: 'exited', output: 'done\n' });
  });

  test('a command whose guard is killed is interrupted, and has no result', async () => {
    if (process.platform !== 'linux') return;
    const running = run(command('echo begun; sleep 4717'));
    while (guards()[0] === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
    process.kill(guards()[0] ?? 0, 'SIGKILL');
    const result = await running.done;
    expect(result).toMatchObject({ outcome: 'signalled', error: { code: 'unavailable' } });
    expect(result.interrupted).toMatch(/died/);
    await expect.poll(mine).toEqual([]);
  });

  test('a program whose guard is killed is not said to have exited while it lives', async () => {
    if (process.platform !== 'linux') return;
    const file = join(scratch, 'beats');
    const script = `trap "" TERM; while :; do date +%s%N > ${file}; sleep 0.05; done`;
    const output = { kind: 'merged', chunk: () => undefined } as const;
    const started = await makeProcesses(scratch).launch({
      command: '/bin/sh',
      args: ['-c', script],
      cwd: scratch,
      env: {},
      owner: 'test',
      stdin: 'none',
      output,
    });
    if (!started.ok) throw new Error(started.error.message);
    await expect.poll(() => existsSync(file)).toBe(true);
    process.kill(started.value.pid, 'SIGKILL');
    expect(await started.value.exited).toMatchObject({ host: 'guard' });
    const last = readFileSync(file, 'utf8');
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(readFileSync(file, 'utf8')).toBe(last);
  });

  test('a command gives both streams in the order they were written, also by their path', async () => {
    const spec = command(
      'echo one; echo two >&2; echo three > /dev/stderr; echo $WORD | tee /dev/stderr; exit 4',
      {
        env: { WORD: 'four' },
        joinsErrors: true,
      },
    );
    const output = 'one\ntwo\nthree\nfour\nfour\n';
    expect(await run(spec).done).toEqual({
      outcome: 'exited',
      exitCode: 4,
      output,
      outputPath: spec.outputPath,
      outputBytes: output.length,
      error: null,
    });
    expect(readFileSync(spec.outputPath, 'utf8')).toBe(output);
  });

  test('standard output alone is the output, and standard error is beside it, also by its path', async () => {
    const spec = command(
      'echo one; echo two >&2; echo three > /dev/stderr; echo four > /dev/stdout; sleep 0.1; ls /no/such; echo $WORD | tee /dev/stderr; exit 4',
      { env: { WORD: 'five' } },
    );
    const result = await run(spec).done;
    expect(result).toMatchObject({
      outcome: 'exited',
      exitCode: 4,
      output: 'one\nfour\nfive\n',
      error: null,
    });
    expect(result.errorOutput).toMatch(/^two\nthree\n.*\/no\/such.*\nfive\n$/);
    const printed = readFileSync(spec.outputPath, 'utf8');
    expect(printed.length).toBe(result.outputBytes);
    for (const word of ['one', 'two', 'three', 'four']) expect(printed).toContain(`${word}\n`);
  });

  test('a command without standard error has none', async () => {
    expect('errorOutput' in (await run(command('echo one')).done)).toBe(false);
  });

  test('a command keeps all its output, to the last line of a program that exits at once', async () => {
    const spec = command('seq 1 200000; echo übrig');
    const result = await run(spec).done;
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 0 });
    expect(result.output).toBe(readFileSync(spec.outputPath, 'utf8'));
    expect(result.output).toMatch(/^1\n2\n[\s\S]*\n200000\nübrig\n$/);
    expect(statSync(spec.outputPath).size).toBe(result.outputBytes);
    expect(readFileSync(spec.outputPath, 'utf8').startsWith('1\n2\n3\n')).toBe(true);
  });

  test('a command waits for the last words of a pipe that the script did not wait for', async () => {
    const result = await run(command('exec > >(sleep 0.2; cat); echo late')).done;
    expect(result.output).toBe('late\n');
  });

  test('cancelling a command ends its whole group', async () => {
    const running = run(command('sleep 81 & echo started; trap "" TERM; while :; do sleep 82; done'));
    setTimeout(() => running.kill('cancelled'), 150);
    expect(await running.done).toMatchObject({ outcome: 'cancelled', exitCode: null, output: 'started\n' });
    expect(await mine()).toEqual([]);
  });

  test('the time limit of a command ends its whole group', async () => {
    const result = await run(command('echo a; sleep 83', { timeoutSeconds: 0.2 })).done;
    expect(result).toMatchObject({ outcome: 'timed_out', exitCode: null, output: 'a\n' });
  });

  test('a finished command leaves no process running', async () => {
    const result = await run(command('sleep 84 & echo done')).done;
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 0, output: 'done\n' });
    expect(await mine()).toEqual([]);
  });

  test('a command can be cancelled before it has started', async () => {
    const running = run(command('sleep 85'));
    running.kill('cancelled');
    expect(await running.done).toMatchObject({ outcome: 'cancelled' });
  });

  test('a command that a signal ended says so', async () => {
    expect(await run(command('kill -KILL $$')).done).toMatchObject({ outcome: 'signalled', exitCode: null });
  });

  test('a command fails to start without a folder, or without a place for its output', async () => {
    expect(await run(command('true', { cwd: join(scratch, 'gone') })).done).toMatchObject({
      outcome: 'failed_to_start',
      error: { code: 'not_found' },
    });
    expect(await run(command('true', { outputPath: '/dev/null/no/such.log' })).done).toMatchObject({
      outcome: 'failed_to_start',
      outputPath: null,
      error: { code: 'command.failed' },
    });
  });

  test('a command goes on when the disk is full, and says that output is missing', async () => {
    const result = await run(command('seq 1 100000; echo end', { outputPath: '/dev/full' })).done;
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 0, error: { code: 'store.disk_full' } });
    expect(result.output).toMatch(/^1\n[\s\S]*\nend\n$/);
  });

  test('a command for a terminal is handed to the other port', async () => {
    const asked: CommandSpec[] = [];
    const terminal: TerminalCommandPort = {
      reattach: async () => null,
      run: (spec) => {
        asked.push(spec);
        return { done: new Promise(() => {}), kill: () => {} };
      },
    };
    const spec = command('true', { terminal: true });
    new PipeCommands(makeProcesses(scratch), { terminal }).run(spec);
    expect(asked).toEqual([spec]);
  });

  test('a command gives a value that no environment takes through a file, and the script has it all the same', async () => {
    const long = `${'ünïcode $HOME `x` "\n'.repeat(100_000)}\n\n`;
    const script = [
      'printf %s "$DATA_IN" | cmp - "$DATA_IN_FILE" && printf %s "$DATA_IN" | wc -c',
      'env | grep -c "^DATA_IN=" || echo "$WORD $LINENO"; head -c 3 "$OTHER_FILE"; exit 3',
    ].join('\n');
    const spec = command(script, { env: { DATA_IN: long, OTHER: 'y'.repeat(300_000), WORD: 'short' } });
    const result = await run(spec).done;
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 3, error: null });
    expect(result.output).toBe(`${Buffer.byteLength(long)}\n0\nshort 2\nyyy`);
    expect(readFileSync(`${spec.outputPath}.DATA_IN`, 'utf8')).toBe(long);
    expect(statSync(`${spec.outputPath}.DATA_IN`).mode & 0o777).toBe(0o600);
  });

  test('a command takes the longest value that still fits as a variable, and a script of any length', async () => {
    const fits = 'z'.repeat(120 * 1024 - 8);
    const env = { DATA_IN: fits };
    expect(await run(command('env | grep -c "^DATA_IN=z"', { env })).done).toMatchObject({ output: '1\n' });
    const script = `# ${'x'.repeat(200_000)}\nprintf %s "$DATA_IN" | wc -c`;
    const more = { env: { DATA_IN: `${fits}${fits}` } };
    expect((await run(command(script, more)).done).output).toMatch(new RegExp(`^ *${2 * fits.length}\n$`));
  });

  test('a command gives long values to a terminal in the same way, and says so where no file can be made', async () => {
    const asked: CommandSpec[] = [];
    const run = (spec: CommandSpec) => {
      asked.push(spec);
      return { done: new Promise<never>(() => {}), kill: () => {} };
    };
    const commands = new PipeCommands(makeProcesses(scratch), {
      terminal: { run, reattach: async () => null },
    });
    const env = { DATA_IN: 'x'.repeat(200_000) };
    const spec = command('echo', { terminal: true, env });
    commands.run(spec);
    expect(asked[0]?.env).toEqual({ DATA_IN_FILE: `${spec.outputPath}.DATA_IN` });
    const nowhere = command('echo', { terminal: true, env, outputPath: '/dev/null/x.log' });
    expect(await commands.run(nowhere).done).toMatchObject({
      outcome: 'failed_to_start',
      error: { code: 'command.failed' },
    });
    expect(asked).toHaveLength(1);
  });
});
