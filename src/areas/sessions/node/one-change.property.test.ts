import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  changeReference,
  diffOfAgent,
  filesContent,
  type RecordedChange,
} from '@areas/changes/contract/change-bundle';
import { turnSnapshot } from '@areas/changes/contract/changes';
import type { DiffScope } from '@areas/changes/contract/diff-scope';
import type { DiffFile } from '@areas/changes/contract/procedures';
import { RecordedChanges } from '@areas/changes/node/recorded-changes';
import { RunResults } from '@areas/runs/node/results/run-results';
import { ok, type Result } from '@contract/result';
import type { RunEvent } from '@contract/run/events';
import { reduce } from '@contract/run/reduce';
import type { RunState } from '@contract/run/state';
import { runStarted, stateAfter, workflow } from '@contract/run/testing/events';
import { double } from '@contract/testing/double';
import { GitWorkspaces } from '@main/adapters/git';
import { GitMerges } from '@main/adapters/git/merge/merge';
import { CheckoutMoves } from '@main/adapters/git/moves';
import type { LiveRun } from '@main/core/engine/base/live-run';
import { runOf } from '@main/core/engine/effects/workspace-effects';
import type { Engine } from '@main/core/engine/engine';
import { MemoryTextFiles } from '@main/core/engine/testing/memory-texts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WorkspaceService } from './workspace-service';

const must = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
  return result.value;
};

const FILES = ['a.txt', 'b.txt', 'new.txt'] as const;
const LINES = Array.from({ length: 30 }, (_, index) => `line ${index}`);

type Act =
  | {
      readonly do: 'edit';
      readonly file: (typeof FILES)[number];
      readonly line: number;
      readonly text: string;
    }
  | { readonly do: 'take back' | 'take back of turn'; readonly pick: number }
  | { readonly do: 'undo' | 'look' | 'answer' | 'end' };

const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({
    do: fc.constant('edit' as const),
    file: fc.constantFrom(...FILES),
    line: fc.nat(29),
    text: fc.constantFrom('by hand', 'again', 'line 3'),
  }),
  fc.record({ do: fc.constantFrom('take back' as const, 'take back of turn' as const), pick: fc.nat(9) }),
  fc.record({ do: fc.constantFrom('undo' as const, 'look' as const, 'answer' as const, 'end' as const) }),
);

/** A run whose agent changed three files, with a gate that shows the change. */
class World {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'muster-one-')));
  readonly project = join(this.root, 'project');
  readonly git = new GitWorkspaces({
    worktreesDir: join(this.root, 'worktrees'),
    moves: new CheckoutMoves({ dir: join(this.root, 'moves') }),
    runScript: () => Promise.reject(new Error('nothing is to be run')),
  });
  readonly service: WorkspaceService;
  readonly #changes: RecordedChanges;
  readonly #results: RunResults;
  folder = '';
  state: RunState;
  #undo: string | null = null;
  /** What the operator saw last. */
  #seen: string | null = null;

  constructor() {
    mkdirSync(this.project);
    for (const file of ['a.txt', 'b.txt']) writeFileSync(join(this.project, file), `${LINES.join('\n')}\n`);
    this.run('init', '-q', '-b', 'main');
    this.run('add', '-A');
    this.run('commit', '-qm', 'a');
    const definition = workflow([{ id: 'a' }]);
    const artifactsDir = join(this.root, 'artifacts');
    this.state = stateAfter([
      runStarted({ uid: 'U1', name: 'U1', projectPath: this.project, artifactsDir, definition }),
    ]);
    const engine: Pick<Engine, 'all' | 'command'> = {
      all: () => [double<LiveRun>({ state: this.state })],
      command: async (_, make) => {
        const events = make(double<LiveRun>({ state: this.state }));
        if (!events.ok) return events;
        this.add(...events.value);
        return ok(undefined);
      },
    };
    const merges = new GitMerges(new CheckoutMoves({ dir: join(this.root, 'moves') }));
    const parts = {
      engine,
      merges,
      workspaces: this.git,
      textFiles: new MemoryTextFiles(),
      state: () => this.state,
    };
    this.#changes = new RecordedChanges(parts);
    const logger = { warn: () => undefined };
    this.#results = new RunResults({ ...parts, logger, store: { runByUid: () => null } });
    this.service = new WorkspaceService({ ...parts, changes: this.#changes, results: this.#results });
  }

  run(...args: string[]): void {
    const who = ['-c', 'user.name=T', '-c', 'user.email=t@example.org'];
    execFileSync('git', [...who, ...args], { cwd: this.project });
  }

  add(...events: readonly object[]): void {
    for (const event of events)
      this.state = reduce(this.state, {
        seq: this.state.seq + 1,
        at: this.state.seq,
        event: event as RunEvent,
      });
  }

  async begin(): Promise<void> {
    const made = must(await this.git.prepare(runOf(this.state)));
    this.folder = made.path;
    const turn = { turnId: 1, sessionId: 1, activationId: 1 };
    const session = { sessionId: 1, activationId: 1, profileId: 'w', model: null, mode: null, env: {} };
    this.add(
      { type: 'run.workspace-ready', ...made },
      { type: 'activation.started', activationId: 1, stepId: 'a', attempt: 1, inputs: [] },
      { type: 'session.starting', ...session },
    );
    const place = { path: this.folder, run: runOf(this.state) };
    must(await this.git.snapshot(place, turnSnapshot('U1', 1, 'before')));
    this.add({
      type: 'turn.dispatched',
      ...turn,
      ordinal: 0,
      kind: 'primary',
      prompt: 'p',
      attachments: [],
      of: 1,
      resendOf: null,
    });
    this.edit('a.txt', 3, 'by the agent');
    this.edit('a.txt', 20, 'by the agent too');
    this.edit('b.txt', 10, 'secret');
    this.edit('new.txt', 1, 'made');
    const after = must(await this.git.snapshot(place, turnSnapshot('U1', 1, 'after')));
    this.add({
      type: 'turn.finished',
      turnId: 1,
      outcome: 'completed',
      stopReason: 'end_turn',
      response: 'ok',
      usage: null,
      commit: null,
      error: null,
      limitResetsAt: null,
    });
    const capture = { captureId: 1, activationId: 1, name: 'all', workspaceId: null, fromTurn: 1, toTurn: 1 };
    this.add({ type: 'capture.started', ...capture });
    const wanted = { place, from: { snapshots: [turnSnapshot('U1', 1, 'before')], commit: null } };
    const to = { snapshots: [turnSnapshot('U1', 1, 'after')] };
    const taken = must(await this.git.diff({ ...wanted, to, file: join(this.root, 'k1.diff') }));
    if (taken === null || after === null) throw new Error('no diff');
    const change: RecordedChange = { captureId: 1, diff: taken.diff, files: taken.files };
    const bundle = (kind: string, content: unknown) => ({
      content,
      kind,
      source_session_key: null,
      metadata: { step_id: 'a', ...changeReference(change) },
    });
    const outputs = {
      diff_out: bundle('diff', diffOfAgent(change)),
      files_out: bundle('files', filesContent(change)),
    };
    this.add(
      { type: 'capture.finished', captureId: 1, ...taken },
      {
        type: 'activation.finished',
        activationId: 1,
        outcome: 'succeeded',
        outputs,
        signals: [],
        receipt: {},
        warnings: [],
        error: null,
      },
      {
        type: 'gate.opened',
        gateId: 1,
        kind: 'approval',
        activationId: 1,
        turnId: null,
        sessionId: null,
        commandId: null,
        title: 'ok',
        message: '',
        evidence: '',
        evidence_parts: [{ kind: 'diff', from: 0, to: 0, capture: 1 }],
        request: null,
        options: [{ id: 'approve', label: 'Approve', effect: '', tone: 'approve' }],
        why: null,
      },
    );
  }

  edit(file: string, line: number, text: string): void {
    const path = join(this.folder, file);
    const lines = file === 'new.txt' ? [''] : readFileSync(path, 'utf8').split('\n');
    lines[file === 'new.txt' ? 0 : line] = text;
    writeFileSync(path, `${lines.join('\n').replace(/\n+$/, '')}\n`);
  }

  async diff(of: DiffScope) {
    return must(await this.service.diff({ runId: 1, of }));
  }

  async takeBack(of: DiffScope, pick: number): Promise<void> {
    const { files } = await this.diff(of);
    const hunks = files.flatMap(({ path, hunks: all }) => all.map(({ id }) => ({ path, hunk: id })));
    const one = hunks[pick % Math.max(1, hunks.length)];
    if (one === undefined) return;
    const turnId = of.kind === 'turn' ? 1 : null;
    const done = await this.service.reject({ runId: 1, sessionId: 1, turnId, ...one });
    if (done.ok) this.#undo = done.value.undo;
  }

  async step(one: Act): Promise<void> {
    switch (one.do) {
      case 'edit':
        return this.edit(one.file, one.line, one.text);
      case 'take back':
        return this.takeBack({ kind: 'workspace', sessionId: 1 }, one.pick);
      case 'take back of turn':
        return this.takeBack({ kind: 'turn', turnId: 1 }, one.pick);
      case 'undo':
        if (this.#undo !== null) await this.service.undo({ runId: 1, sessionId: 1, undo: this.#undo });
        this.#undo = null;
        return;
      case 'look':
        this.#seen = (await this.diff({ kind: 'capture', captureId: 1 })).shown;
        return;
      case 'answer':
        return this.answer();
      case 'end':
        if (this.state.status !== 'finished')
          this.add({ type: 'run.finished', outcome: 'succeeded', reason: null });
    }
  }

  /** An answer holds exactly if the folder is as it was shown. */
  async answer(): Promise<void> {
    const before = this.state.gates[1]?.status;
    const held = await this.service.confirm(1, 1, this.#seen === null ? undefined : [this.#seen]);
    if (this.#seen === null || before !== 'open') return;
    const now = (await this.diff({ kind: 'capture', captureId: 1 })).shown;
    expect(held.ok).toBe(now === this.#seen);
    if (held.ok)
      this.add({ type: 'gate.resolved', gateId: 1, answer: { option: 'approve' }, by: 'operator' });
  }

  /** Every view of the change, as the lines that it adds and removes. */
  async views(): Promise<Record<string, unknown>> {
    const gate = await this.diff({ kind: 'capture', captureId: 1 });
    const session = await this.diff({ kind: 'workspace', sessionId: 1 });
    const outputs = this.state.activations[1]?.outputs;
    const port = String(outputs?.diff_out?.content);
    const all: Record<string, unknown> = {
      gate: linesOf(gate.files),
      session: linesOf(session.files),
      port: patchLines(port),
      files: ((outputs?.files_out?.content ?? []) as { path: string }[]).map(({ path }) => path),
    };
    if (this.state.status === 'finished' && gate.files.length > 0) {
      const applied = await this.diff({ kind: 'result' });
      all.apply = linesOf(applied.files);
    }
    return all;
  }
}

const linesOf = (files: readonly DiffFile[]): string[] =>
  files.flatMap(({ path, hunks }) => hunks.flatMap(({ lines }) => lines.map((line) => `${path}: ${line}`)));

function patchLines(text: string): string[] {
  let path = '';
  let inHunk = false;
  return text.split('\n').flatMap((line) => {
    const head = /^diff --git a\/.* b\/(.*)$/.exec(line);
    if (head !== null) {
      path = head[1] ?? '';
      inHunk = false;
    } else if (line.startsWith('@@')) inHunk = true;
    else if (inHunk && line !== '') return [`${path}: ${line}`];
    return [];
  });
}

test('gate, port, session and apply agree on a change after any edits, take-backs and answers', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 8 }), async (acts) => {
      const world = new World();
      try {
        await world.begin();
        for (const one of acts) {
          await world.step(one);
          const { gate, files, ...views } = await world.views();
          for (const view of Object.values(views)) expect(view).toEqual(gate);
          expect(files).toEqual([...new Set((gate as string[]).map((line) => line.split(': ')[0]))]);
        }
      } finally {
        rmSync(world.root, { recursive: true, force: true });
      }
    }),
    { numRuns: 12 },
  );
}, 300_000);
