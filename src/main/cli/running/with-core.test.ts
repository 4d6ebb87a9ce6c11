import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { appError } from '@contract/errors';
import { expect, onTestFinished, test } from 'vitest';
import { FakeCore } from '../../api/testing/fake-core';
import { runProgram } from '../program';
import { FakeLink } from '../testing/fake-link';
import { fakeWorld } from '../testing/fake-world';
import { answered, finished, gate, row, started, working } from '../testing/story';

type Procedures = ConstructorParameters<typeof FakeCore>[0];

/** Two cores that share a store. Each of `lost` executes its request, but its core ends before answering. */
function cores(procedures: NonNullable<Procedures>, ...lost: string[]) {
  const events: Procedures = {
    'run.events': ({ afterSeq }: { afterSeq: number }) => log.log.filter(({ seq }) => seq > afterSeq),
    ...procedures,
  };
  const log: FakeCore = new FakeCore(events);
  const dying = lost.map((name) => {
    const core: FakeCore = new FakeCore({
      ...events,
      [name]: (input: never) => {
        procedures[name]?.(input);
        link.lose();
        return { ok: false, error: appError('unavailable', 'this Muster is shutting down') };
      },
    });
    const link = new FakeLink(core);
    return link;
  });
  return { log, links: [...dying, new FakeLink(log, 'hosted')] };
}

async function program(args: readonly string[], links: readonly FakeLink[]) {
  const { world, said } = fakeWorld(args, links);
  return { code: await runProgram(world), ...said };
}

const project = { id: 1, path: '/p', name: 'p', addedAt: 1, trouble: null };
const workflow = {
  projectId: 1,
  projectName: 'p',
  file: 'w.yaml',
  name: 'w',
  description: null,
  steps: [],
  problems: [],
  runnable: true,
  changedAt: 1,
  text: '',
  absolutePath: '',
  definition: null,
  ports: {},
};

test.each(['project.add', 'workflow.get', 'run.start'])(
  'a run is started once, where the core ends at %s',
  async (name) => {
    const folder = mkdtempSync(join(tmpdir(), 'muster-test-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, 'w.yaml'), '');
    const uids = new Set<string>();
    const { log, links } = cores(
      {
        'project.add': () => ({ ...project, path: folder }),
        'workflow.get': () => workflow,
        'run.find': ({ name: uid }: { name: string }) =>
          uids.has(uid) ? row : { ok: false, error: appError('not_found', 'none') },
        'run.start': ({ uid }: { uid: string }) => {
          if (!uids.has(uid)) log.commit(1, [started, working, ...finished('succeeded')]);
          uids.add(uid);
          return { runId: 1 };
        },
      },
      name,
    );
    const { code, out, err } = await program(['run', `${folder}/w.yaml`], links);
    expect([code, uids.size, log.log.length]).toEqual([0, 1, 4]);
    expect(out).toContain('succeeded');
    expect(err).toBe('The core stopped before it answered; looking for another one.\n');
  },
);

test('Ctrl-C before a run has begun begins none', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'w.yaml'), '');
  const core = new FakeCore({
    'project.add': () => ({ ...project, path: folder }),
    'workflow.get': () => {
      stop.abort();
      return workflow;
    },
    'run.start': () => ({ runId: 1 }),
  });
  const { world, stop } = fakeWorld(['run', `${folder}/w.yaml`, '--detach'], new FakeLink(core));
  expect(await runProgram(world)).toBe(130);
  expect(core.calls.map(({ name }) => name)).toEqual(['project.add', 'workflow.get']);
});

const gateRow = {
  runId: 1,
  runName: 'notes',
  gateId: 1,
  kind: 'approval',
  status: 'open',
  stepId: 'ok',
  stepTitle: null,
  agent: null,
  title: 'Fine?',
  message: 'Look.',
  evidence: null,
  request: null,
  options: gate.type === 'gate.opened' ? gate.options : [],
  why: null,
  openedAt: 1,
  closedAt: null,
  answer: null,
  by: null,
  snoozedUntil: null,
};

test('an answer whose core ended is given to the same gate, and not to the one that it opened', async () => {
  for (const taken of [true, false]) {
    let open: object[] = [gateRow];
    let closed: object[] = [];
    let given = 0;
    const { log, links } = cores(
      {
        'run.find': () => row,
        'run.get': () => ({ row, state: { seq: 3 } }),
        'gate.list': ({ status }: { status: string }) => (status === 'open' ? open : closed),
        'gate.resolve': ({ gateId }: { gateId: number }) => {
          given += 1;
          if (gateId !== 1) throw new Error('the next gate was answered');
          if (given === 1 && !taken) return null;
          closed = [{ ...gateRow, status: 'resolved', answer: { option: 'approve' }, by: 'command line' }];
          open = [{ ...gateRow, gateId: 2 }];
          log.commit(1, [answered, ...finished('succeeded')]);
          return closed[0];
        },
      },
      'gate.resolve',
    );
    log.commit(1, [started, working, gate]);
    const { code } = await program(['approve', '1'], links);
    expect([taken, code, given]).toEqual([taken, 0, taken ? 1 : 2]);
  }
});

test('a cancel whose core ended is done, whether it was accepted or not', async () => {
  for (const taken of [true, false]) {
    let status = 'running';
    let asked = 0;
    const { log, links } = cores(
      {
        'run.find': () => ({ ...row, status }),
        'run.get': () => ({ row, state: { seq: 2 } }),
        'run.cancel': () => {
          asked += 1;
          if (status === 'cancelled') return { ok: false, error: appError('run.finished', 'ended') };
          if (asked === 1 && !taken) return {};
          status = 'cancelled';
          log.commit(1, finished('cancelled'));
          return {};
        },
      },
      'run.cancel',
    );
    log.commit(1, [started, working]);
    expect([taken, (await program(['cancel', '1'], links)).code]).toEqual([taken, 0]);
  }
});

test('a lost call without another core is reported as possibly done', async () => {
  const { links } = cores(
    { 'run.find': () => row, 'run.get': () => ({ row, state: { seq: 2 } }) },
    'run.cancel',
  );
  const { code, err } = await program(['cancel', '1', '--no-wait'], links.slice(0, 1));
  expect(code).toBe(7);
  expect(err).toContain('it may have done it');
});
