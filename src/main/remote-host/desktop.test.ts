import { ok, type Result } from '@contract/result';
import { expect, test, vi } from 'vitest';
import type { ManagedProcess, Processes } from '../core/ports/programs/process';
import { Desktop } from './desktop';
import { HostWorkspaces } from './workspaces';

interface Opened<T> {
  readonly promise: Promise<T>;
  open(value: T): void;
}
function gate<T>(): Opened<T> {
  let open: (value: T) => void = () => undefined;
  const promise = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { promise, open };
}

/** A program that starts and ends when it is told so. */
function heldProgram() {
  const launch = gate<Result<ManagedProcess>>();
  const over = gate<void>();
  const end = vi.fn(() => over.promise);
  const nothing = (): void => undefined;
  const program: ManagedProcess = {
    pid: 7,
    exited: over.promise.then(() => ({ code: 0, signal: null })),
    gone: over.promise,
    write: async () => undefined,
    hold: nothing,
    release: nothing,
    stderrTail: () => '',
    end,
  };
  const processes: Processes = { find: async () => null, launch: () => launch.promise };
  const workspaces = new HostWorkspaces('core', async () => ({}));
  const put = vi.spyOn(workspaces, 'put').mockResolvedValue(ok({ path: '/work' }));
  return { desktop: new Desktop(processes, workspaces), launch, program, end, over, put };
}

const spec = {
  stream: 'run/1',
  command: 'agent',
  args: [],
  cwd: '/',
  env: {},
  owner: 'run',
  stdin: 'none',
  input: null,
  output: 'merged',
} as const;
const state = { project: 'p', folder: 'f', commit: 'c', head: 'h', branch: null };
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('a folder gets its state only after the programs that a newer core ends have ended', async () => {
  const { desktop, launch, program, over, put } = heldProgram();
  launch.open(ok(program));
  await desktop.start({ ...spec, args: [] }, () => undefined);
  const ended = desktop.end({ stream: 'run/1' });
  const given = desktop.put(state);
  await turn();
  expect(put).not.toHaveBeenCalled();
  over.open();
  expect([await ended, await given]).toEqual([ok({}), ok({ path: '/work' })]);
});

test('a program that is ended while it starts is ended as soon as it runs', async () => {
  const { desktop, launch, program, end, over } = heldProgram();
  const started = desktop.start({ ...spec, args: [] }, () => undefined);
  const ended = desktop.end({ stream: 'run/1' });
  await turn();
  launch.open(ok(program));
  await vi.waitFor(() => expect(end).toHaveBeenCalled());
  over.open();
  expect([await started, await ended]).toEqual([ok({ pid: 7 }), ok({})]);
});
