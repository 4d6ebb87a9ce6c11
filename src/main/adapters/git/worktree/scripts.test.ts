import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { PipeCommands } from '../../process/commands/commands';
import { makeProcesses } from '../../process/testing/make';
import { Kit, must, write } from '../testing/kit';
import { scriptsOver } from './scripts';

let kit: Kit;
beforeEach(() => {
  kit = new Kit();
  kit.init('a.txt');
  write(kit.project, 'seen', 'by the operator');
});

/** As the core does: a real shell under a guard. */
function guarded(instance: string) {
  const processes = makeProcesses(join(kit.root, instance));
  const commands = new PipeCommands(processes);
  const port = kit.port({ runScript: scriptsOver(commands) });
  return { port, processes };
}

test('a real set-up command sees the project and the worktree, and its output is kept', async () => {
  const setup = 'cp "$MUSTER_PROJECT/seen" here; pwd; echo "$MUSTER_RUN" >&2';
  const run = kit.run({ setup });
  const { path } = must(await guarded('one').port.prepare(run));
  expect(readFileSync(join(path, 'here'), 'utf8')).toBe('by the operator');
  const log = readFileSync(join(kit.artifactsDir, 'worktree', 'setup-run.log'), 'utf8');
  expect(log).toBe(`${path}\n${run.uid}\n`);
});

test('a set-up command that ends with Muster in the middle runs again at the next start', async () => {
  const began = join(kit.root, 'began');
  const setup = `[ -e ${began} ] && exec touch done; touch ${began}; sleep 600`;
  const first = guarded('one');
  const preparing = first.port.prepare(kit.run({ setup }));
  await expect.poll(() => existsSync(began), { timeout: 120_000 }).toBe(true);
  await first.processes.endAll();
  expect(await preparing).toMatchObject({ ok: false, error: { code: 'workspace.failed' } });
  const { path } = must(await guarded('two').port.prepare(kit.run({ setup })));
  expect(existsSync(join(path, 'done'))).toBe(true);
});

test('a set-up command that no one wants any more is ended, and runs again later', async () => {
  const began = join(kit.root, 'began');
  const setup = `[ -e ${began} ] && exec touch done; touch ${began}; sleep 600`;
  let giveUp: () => void = () => undefined;
  const unwanted = new Promise<void>((resolve) => {
    giveUp = resolve;
  });
  const { port } = guarded('one');
  const preparing = port.prepare({ ...kit.run({ setup }), unwanted });
  await expect.poll(() => existsSync(began), { timeout: 120_000 }).toBe(true);
  giveUp();
  expect(await preparing).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  const { path } = must(await port.prepare(kit.run({ setup })));
  expect(existsSync(join(path, 'done'))).toBe(true);
});
