import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoredEvent } from '@contract/run/events';
import { replay } from '@contract/run/reduce';
import type { RunState } from '@contract/run/state';
import { double } from '@contract/testing/double';
import { LoopHarness } from '@features/loop/core/testing/loop';
import { member, TeamHarness } from '@features/team/core/testing/team';
import { Place } from '@main/adapters/sqlite/testing/place';
import { gate, Harness, task } from '@main/core/engine/testing/harness';
import { MemoryTextFiles } from '@main/core/engine/testing/memory-texts';
import type { Store } from '@main/core/ports/store/store';
import { beforeEach, describe, expect, test } from 'vitest';
import { RunService, type RunServiceParts } from '../run-service';
import { type ArchiveParts, exportRun } from './run-archive';
import { RunImports } from './run-imports';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muster-archive-'));
  file = join(folder, 'run.jsonl');
});

const request = { tool: 'edit', title: 'Edit notes.md', kind: 'edit', diffs: [], hash: 'h1' };

/** The parts of a store that an archive needs, over a harness's log. */
function archiveOf({ log, textFiles }: Harness): ArchiveParts {
  const store = double<Store>({
    log,
    run: (runId: number) => ({ id: runId, uid: 'U', name: 'test' }),
    runByUid: (uid: string) =>
      log.rows.some(({ event }) => event.type === 'run.started' && event.uid === uid) ? { id: 1 } : null,
    projects: () => [{ id: 1, path: '/project', name: 'project', addedAt: 0 }],
    importRun: (events: readonly StoredEvent[]) => {
      const runId = log.nextRunId();
      log.rows.push(...structuredClone(events).map((row) => ({ ...row, runId })));
      return { ok: true, value: runId };
    },
  });
  return partsOf(store, textFiles);
}

const partsOf = (store: Store, textFiles: MemoryTextFiles): ArchiveParts => ({
  ...{ store, textFiles, now: () => 5 },
  ...{ artifactsRoot: folder, worktreesDir: join(folder, 'worktrees') },
});

const importRun = (parts: ArchiveParts, path: string) => new RunImports(parts).begin({ path });

const serviceOf = (harness: Harness): RunService =>
  new RunService(double<RunServiceParts>({ engine: harness.engine }));

/** The harness's run as imported on another machine without other runs. */
async function movedTo<H extends Harness>(there: H, from: Harness): Promise<RunState> {
  expect(await exportRun(archiveOf(from), { runId: 1, path: file })).toMatchObject({ ok: true });
  expect(await importRun(archiveOf(there), file)).toEqual({ ok: true, value: { runId: 1 } });
  return there.state();
}

const midTurn = async (harness: Harness, steps: readonly unknown[]): Promise<Harness> => {
  harness.agents.answer = () => null;
  harness.commands.answer = () => null;
  await harness.run({ steps });
  return harness;
};

const inFlight = (state: RunState): unknown[] => [
  ...Object.values(state.turns).filter(({ status }) => status === 'in_flight'),
  ...Object.values(state.commands).filter(({ status }) => status === 'running'),
  ...Object.values(state.gates).filter(({ status }) => status === 'open'),
  ...Object.values(state.activations).filter(({ status }) => status === 'running'),
  ...Object.values(state.sessions).filter(({ status }) => ['starting', 'resuming', 'ready'].includes(status)),
];

describe('a run that was exported before it had ended', () => {
  const steps = [
    task('a', { re_prompts: ['more'] }),
    { id: 'c', type: 'step.command', config: { script: 'build' } },
    gate('g'),
  ];

  test('a run exported in progress is imported with nothing under way: turns and commands cut off, questions withdrawn, cancelled', async () => {
    const here = await midTurn(new Harness(), steps);
    void here.agents.sent[0]?.ask(request);
    await here.idle();
    const state = await movedTo(new Harness(), here);
    expect(inFlight(state)).toEqual([]);
    expect(state).toMatchObject({ status: 'finished', outcome: 'cancelled' });
    expect(state.turns[1]).toMatchObject({
      status: 'interrupted',
      stopReason: 'it was in flight when the run was exported',
    });
    expect(state.commands[1]?.status).toBe('interrupted');
    expect(Object.values(state.gates).map(({ status }) => status)).toEqual(['withdrawn', 'withdrawn']);
    expect(here.state().turns[1]?.status).toBe('in_flight');
  });

  test('an imported run is resumed: what was cut off is sent and asked again, and it comes to its end', async () => {
    const there = new Harness();
    await movedTo(there, await midTurn(new Harness(), steps));
    expect(await serviceOf(there).resume({ runId: 1, by: 'test' })).toEqual({ ok: true, value: {} });
    await there.idle();
    expect(there.agents.sent.map(({ request: { prompt } }) => prompt)).toEqual(['do a', 'more']);
    await there.answer('approve');
    expect(there.state()).toMatchObject({ status: 'finished', outcome: 'succeeded' });
  });

  test('an imported run is cancelled after it was resumed', async () => {
    const there = new Harness();
    await movedTo(there, await midTurn(new Harness(), steps));
    expect(await serviceOf(there).cancel(1, 'test')).toMatchObject({ error: { code: 'run.finished' } });
    there.agents.answer = () => null;
    await serviceOf(there).resume({ runId: 1, by: 'test' });
    await there.idle();
    await serviceOf(there).cancel(1, 'test');
    await there.idle();
    expect(there.state()).toMatchObject({ status: 'finished', outcome: 'cancelled' });
  });

  test('an imported run of an earlier Muster, which only said that it ended, is resumed all the same', async () => {
    const here = await midTurn(new Harness(), steps);
    const end: StoredEvent['event'] = { type: 'run.finished', outcome: 'cancelled', reason: 'imported' };
    here.log.rows.push({ id: 99, runId: 1, seq: here.state().seq + 1, at: 1, event: end });
    const there = new Harness();
    there.log.rows.push(...structuredClone(here.log.rows));
    expect(await serviceOf(there).resume({ runId: 1, by: 'test' })).toEqual({ ok: true, value: {} });
    await there.idle();
    await there.answer('approve');
    expect(there.state()).toMatchObject({ status: 'finished', outcome: 'succeeded' });
  });

  test('an imported run in a team goes on with the member that was cut off', async () => {
    const here = new TeamHarness();
    here.agents.answer = () => null;
    await here.open({ members: [member('ada'), member('ben')] });
    await here.deliver('ben', 'done');
    const there = new TeamHarness();
    expect(inFlight(await movedTo(there, here))).toEqual([]);
    there.agents.answer = () => null;
    await serviceOf(there).resume({ runId: 1, by: 'test' });
    await there.idle();
    expect(there.word('ada')).toBe('working');
    expect(there.agents.sent).toHaveLength(1);
  });

  test('an imported run in a loop has a verdict for its attempt, and goes on with the next', async () => {
    const here = new LoopHarness(['A']);
    here.deeds = [{ hang: true }];
    await here.loop();
    const there = new LoopHarness(['A']);
    expect(inFlight(await movedTo(there, here))).toEqual([]);
    expect(there.results()).toEqual(['1 failed A']);
    there.deeds = [{ pass: ['A'], commit: ['feat: [A] - x'], say: 'Did A.\nResult: completed' }];
    await serviceOf(there).resume({ runId: 1, by: 'test' });
    await there.idle();
    expect(there.results()).toEqual(['1 failed A', '1 r1 completed A']);
    expect(there.state().outcome).toBe('succeeded');
  });

  test('an imported run of any moment has nothing under way, and its store lists no question of it', async () => {
    const here = new Harness();
    here.agents.answer = (turn) => ({ response: turn.request.prompt });
    await here.run({ steps: [task('a'), gate('g')], cables: [{ from: 'a.data_out', to: 'g.data_in' }] });
    const { rows } = here.log;
    for (let seq = 1; seq <= rows.length; seq += 1) {
      const place = new Place();
      const store = place.open();
      const cut = new Harness();
      cut.log.rows.push(...rows.slice(0, seq));
      file = join(folder, `${seq}.jsonl`);
      await exportRun(archiveOf(cut), { runId: 1, path: file });
      const taken = await importRun(partsOf(store, new MemoryTextFiles()), file);
      expect(taken).toMatchObject({ ok: true });
      expect(store.gates({ status: 'open', limit: 10 })).toEqual([]);
      const state = replay(store.log.read(1));
      expect([seq, state && inFlight(state), state?.status]).toEqual([seq, [], 'finished']);
      place.remove();
    }
  });
});

describe('an export of a run that goes on', () => {
  test('an export of a run that goes on holds the events from before it began', async () => {
    const here = await midTurn(new Harness(), [task('a')]);
    const { log } = here;
    const before = log.rows.length;
    const read = log.read.bind(log);
    let asked = 0;
    log.read = (runId, afterSeq = 0) => {
      asked += 1;
      const found = read(runId, afterSeq);
      const more = { ...found.at(-1), seq: found.length + 1, event: { type: 'run.workspace-requested' } };
      return asked === 1 ? found : [...found, more as StoredEvent];
    };
    expect(await exportRun(archiveOf(here), { runId: 1, path: file })).toMatchObject({
      value: { events: before },
    });
    log.read = read;
    expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(before + 1);
    expect(await importRun(archiveOf(new Harness()), file)).toMatchObject({ ok: true });
  });
});

test('a run that is here already is refused, and its project is not listed again', async () => {
  const place = new Place();
  const store = place.open();
  const parts = partsOf(store, new MemoryTextFiles());
  await exportRun(archiveOf(await midTurn(new Harness(), [task('a')])), { runId: 1, path: file });
  expect(await importRun(parts, file)).toMatchObject({ ok: true });
  store.removeProject(1);
  expect(await importRun(parts, file)).toMatchObject({ error: { code: 'conflict' } });
  expect(store.projects()).toEqual([]);
  place.remove();
});

test('an export with a byte order mark and CRLF, as some programs save it, is taken in', async () => {
  const here = await midTurn(new Harness(), [task('a')]);
  await exportRun(archiveOf(here), { runId: 1, path: file });
  writeFileSync(file, `\uFEFF${readFileSync(file, 'utf8').replaceAll('\n', '\r\n')}`);
  expect(await importRun(archiveOf(new Harness()), file)).toMatchObject({ ok: true });
});

describe('files that are no export', () => {
  test('a folder, a text and a truncated export are refused with what they are', async () => {
    const parts = archiveOf(new Harness());
    mkdirSync(file);
    expect(await importRun(parts, file)).toMatchObject({
      error: { code: 'import.invalid', message: expect.stringContaining('it is a folder'), where: { file } },
    });
    const other = join(folder, 'other');
    writeFileSync(other, 'hello\n');
    expect(await importRun(parts, other)).toMatchObject({
      error: { code: 'import.invalid', message: 'other, line 1: it is not JSON' },
    });
    const here = await midTurn(new Harness(), [task('a')]);
    const whole = join(folder, 'whole');
    await exportRun(archiveOf(here), { runId: 1, path: whole });
    writeFileSync(other, readFileSync(whole, 'utf8').split('\n').slice(0, -2).join('\r\n'));
    expect(await importRun(parts, other)).toMatchObject({
      error: { message: expect.stringContaining('the header promises') },
    });
  });
});

test.skipIf(process.platform === 'win32')(
  'a named pipe, a device and a text without line ends are refused, and never read without an end',
  async () => {
    const parts = archiveOf(new Harness());
    execFileSync('mkfifo', [file]);
    const refused = (why: string) => ({
      error: { code: 'import.invalid', message: expect.stringContaining(why) },
    });
    // More than Node has file threads: a read that hung would hold up everything.
    const pipes = await Promise.all(Array.from({ length: 6 }, () => importRun(parts, file)));
    for (const pipe of pipes) expect(pipe).toMatchObject(refused('named pipe'));
    expect(await importRun(parts, '/dev/zero')).toMatchObject(refused('a device'));
    symlinkSync('/dev/zero', join(folder, 'link'));
    expect(await importRun(parts, join(folder, 'link'))).toMatchObject(refused('a device'));
    const huge = join(folder, 'huge');
    writeFileSync(huge, '');
    truncateSync(huge, 2 ** 31);
    expect(await importRun(parts, huge)).toMatchObject(refused('larger than'));
  },
);

describe('names in an export', () => {
  /** An export with a changed first event. */
  async function changed(more: object): Promise<string> {
    const here = await midTurn(new Harness(), [task('a')]);
    const whole = join(folder, 'whole');
    await exportRun(archiveOf(here), { runId: 1, path: whole });
    const [header = '', first = '', ...others] = readFileSync(whole, 'utf8').split('\n');
    const event = JSON.parse(first) as StoredEvent;
    Object.assign(event.event, more);
    writeFileSync(file, [header, JSON.stringify(event), ...others].join('\n'));
    return file;
  }

  test.each(['../../home', '..', 'a/b', '', 'kept', 'CON', 'lpt1', '.git', 'x'.repeat(65)])(
    'an export with the run name "%s" is refused: folders and refs are deleted by that name',
    async (uid) => {
      const there = archiveOf(new Harness());
      expect(await importRun(there, await changed({ uid }))).toMatchObject({
        error: { code: 'import.invalid', message: expect.stringContaining('cannot name a run') },
      });
    },
  );

  test('a time that no clock shows is refused with its line, so that no list has to draw it', async () => {
    const path = await changed({});
    const lines = readFileSync(path, 'utf8').split('\n');
    const late = { ...(JSON.parse(lines[2] ?? '') as object), at: Number.MAX_SAFE_INTEGER };
    writeFileSync(path, lines.with(2, JSON.stringify(late)).join('\n'));
    expect(await importRun(archiveOf(new Harness()), path)).toMatchObject({
      error: { code: 'import.invalid', message: expect.stringContaining('line 3: it is not an event: at') },
    });
  });

  test('an event that is nested deeper than any real one is refused', async () => {
    const path = await changed({});
    const [header = '', first = ''] = readFileSync(path, 'utf8').split('\n');
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    writeFileSync(
      path,
      [header, first.replace('"definition":', `"values":${deep},"definition":`)].join('\n'),
    );
    expect(await importRun(archiveOf(new Harness()), path)).toMatchObject({
      error: { code: 'import.invalid', message: expect.not.stringContaining('call stack') },
    });
  });

  test('the folder of files in an export is not used here, unless another Muster of this machine keeps them there', async () => {
    const elsewhere = new Harness();
    await importRun(archiveOf(elsewhere), await changed({ artifactsDir: '/' }));
    const uid = elsewhere.state().uid;
    expect(elsewhere.state().artifactsDir).toBe(join(folder, uid));
    const there = new Harness();
    const named = '01M80FVJAKAKZTKEZHTKEYGW0A';
    const beside = join(folder, 'other-data', named);
    mkdirSync(beside, { recursive: true });
    await importRun(archiveOf(there), await changed({ uid: named, artifactsDir: beside }));
    expect(there.state().artifactsDir).toBe(beside);
  });

  test('an import reads only files of the run itself, never by a path that leads elsewhere', async () => {
    const there = new Harness();
    const file = (path: string) => ({ path, name: 'x', mime: 'text/plain', bytes: 1 });
    const artifactsDir = '/old/artifacts/U';
    await importRun(
      archiveOf(there),
      await changed({
        artifactsDir,
        attachments: [file('/etc/passwd'), file(`${artifactsDir}/attachments/1-a.txt`)],
        files: { 'notes.md': file(`${artifactsDir}/../../secret`) },
      }),
    );
    const { artifactsDir: own, attachments, files } = there.state();
    expect(own.startsWith(folder)).toBe(true);
    expect(attachments.map(({ path }) => path)).toEqual([
      join(own, 'elsewhere', 'passwd'),
      join(own, 'attachments', '1-a.txt'),
    ]);
    expect(files['notes.md']?.path).toBe(join(own, 'elsewhere', 'secret'));
  });

  test('an import does not use a folder of the operator that happens to bear the name of the run', async () => {
    const there = new Harness();
    const uid = 'my-project';
    const beside = join(folder, uid, 'data', uid);
    mkdirSync(beside, { recursive: true });
    await importRun(archiveOf(there), await changed({ uid, artifactsDir: beside }));
    expect(there.state().artifactsDir).toBe(join(folder, uid));
  });
});

test('an export has its name only once it is whole', async () => {
  const harness = await midTurn(new Harness(), [task('a')]);
  const archive = archiveOf(harness);
  const seen: boolean[] = [];
  const log = double<Store['log']>({
    read: function* (runId: number) {
      for (const event of harness.log.read(runId)) {
        seen.push(existsSync(file));
        yield event;
      }
    },
  });
  const store = { ...archive.store, log };
  expect(await exportRun({ ...archive, store }, { runId: 1, path: file })).toMatchObject({ ok: true });
  expect(new Set(seen)).toEqual(new Set([false]));
  expect(readdirSync(folder)).toEqual(['run.jsonl']);
  expect(await exportRun(archive, { runId: 1, path: file })).toMatchObject({ error: { code: 'conflict' } });
});

test('a run that cannot be read is not exported, and says why', async () => {
  const harness = new Harness();
  await harness.run({ steps: [task('a')] });
  harness.log.read = () => {
    throw new Error('an event of a kind that is not known');
  };
  const refused = {
    error: { code: 'store.failed', message: expect.stringContaining('run 1 cannot be exported') },
  };
  expect(await exportRun(archiveOf(harness), { runId: 1, path: file })).toMatchObject(refused);
  expect(existsSync(file)).toBe(false);
});
