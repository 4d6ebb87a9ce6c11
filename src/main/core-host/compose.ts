import { join } from 'node:path';
import type { AgentProfile } from '@areas/agents/contract/profile';
import { DetectedProfiles } from '@areas/agents/node/detected-profiles';
import { PermissionRules } from '@areas/permissions/node/permission-rules';
import type { UnreadableRuns } from '@areas/runs/node/history/unreadable-runs';
import { StatusService } from '@areas/runs/node/status-service';
import { responseOf, type TurnResponse } from '@areas/sessions/contract/response';
import { SettingsService } from '@areas/settings/node/settings-service';
import type { Push, Topic } from '@contract/ipc';
import { ownValue } from '@contract/own';
import { ok, type Result } from '@contract/result';
import { replay } from '@contract/run/reduce';
import type { RunState, SessionStatus } from '@contract/run/state';
import { ANSWER_KEY, type CoreInit } from '@contract/system/host';
import { stepRegistry } from '@features/core';
import type { PtyClient } from '../adapters/pty-client/client';
import { openStore } from '../adapters/sqlite/open';
import { ulids } from '../adapters/system/ids';
import { createCompletions } from '../agents/gateway/completions';
import { agentPresets } from '../agents/presets';
import { Effects } from '../core/engine/effects/effects';
import { Engine } from '../core/engine/engine';
import type { Completions } from '../core/ports/completions';
import type { Logger } from '../core/ports/ports';
import type { Rules } from '../core/ports/rules';
import type { Store } from '../core/ports/store/store';
import { SHELL_WAIT_CHECK_MS, SHELL_WAIT_MS } from '../limits/core';
import { TopicPublisher } from '../services/publisher';
import type { Router } from '../services/router';
import { type Adapters, makeAdapters } from './adapters';
import { createAgents } from './agents';
import { AnswerPlace } from './wiring/answers';
import { createHosts } from './wiring/hosts';
import type { Agents } from './wiring/service-parts';
import { createServices } from './wiring/services';

export interface Core {
  readonly router: Router;
  readonly logger: Logger;
  readonly publisher: TopicPublisher;
  readonly settings: SettingsService;
  readonly status: StatusService;
  readonly pty: PtyClient;
  /** All pushes for the topics set with `follow`; several listeners share them. */
  onPush(listener: (push: Push) => void): () => void;
  follow(topics: Iterable<Topic>): void;
  /** Ends what an earlier core left. Nothing may be started before. */
  settle(): Promise<void>;
  /** Resumes unfinished runs: all of them, or those named. */
  takeUp(runIds?: readonly number[]): Promise<void>;
  /** Runs with work in progress or a timer, not those that only wait for the operator. */
  working(): number[];
  setSecrets(secrets: Readonly<Record<string, string>>): void;
  /** Receives the address at which questions can be answered. */
  readonly answers: Pick<AnswerPlace, 'setAddress'>;
  wake(): void;
  /** Parks (`stop`: ends) what is running, closes the store. Nothing may be called afterwards. */
  shutdown(stop: boolean): Promise<void>;
}

export interface CoreHooks {
  /** Requests a key for answer tokens in the host's keychain, which arrives with the other secrets. */
  readonly wantKey?: (() => void) | null;
}

/** A working core: leftovers of an earlier one were ended and, by default, the runs are resumed. */
export async function openCore(init: CoreInit, options = { takeUp: true }): Promise<Result<Core>> {
  const opened = openStore({ path: init.dbPath });
  if (!opened.ok) return opened;
  const core = beginCore(init, opened.value);
  await core.settle();
  if (options.takeUp) await core.takeUp();
  return ok(core);
}

/**
 * The composition root, for the core in the app and on the command line. The result can be read at once;
 * `settle` must complete before anything is started.
 */
export function beginCore(init: CoreInit, store: Store, { wantKey = null }: CoreHooks = {}): Core {
  const adapters = makeAdapters(init, store);
  const { clock, logger, secrets } = adapters;
  const pushes = new Pushes();
  const rows = pushedRows(store, () => made.unreadable);
  const publisher: TopicPublisher = new TopicPublisher(rows, pushes, () => ({
    topic: 'system',
    status: status.status(),
  }));
  const secret = secretsIn(secrets);
  const hosts = createHosts({ init, adapters, publisher });
  const { agents, shells } = createAgents({ ...adapters, init, secret, hosts });
  const state = (runId: number) => engine.live(runId)?.state ?? replay(store.log.read(runId));
  const changed = () => publisher.changed('rules');
  const rules = new PermissionRules({ store, clock, ids: ulids, state, changed });
  const { commands } = hosts;
  const completions = createCompletions({ secret, clock });
  const engine: Engine = createEngine({ ...adapters, commands, completions }, agents, { publisher, rules });
  const status = new StatusService({ engine, store, clock, pid: process.pid });
  const settings = new SettingsService(store, { defaults: init.safeMode === true });
  settings.onChange((changed) => publisher.settingsChanged(changed));
  const answers = new AnswerPlace({ dataDir: init.dataDir, secrets, wantKey, settings });
  const { takeUp, tidy } = takingUp({ adapters, shells, engine, status }, () => made);
  const made = createServices({
    detected: detectedBy(adapters),
    init,
    adapters,
    agents,
    secret,
    engine,
    rules,
    publisher,
    settings,
    status,
    tidy,
    answers,
    hosts,
    takeUp: () => takeUp(),
  });
  store.onHealth(() => publisher.statusChanged());
  logger.info('core started', { db: init.dbPath });
  return {
    router: made.router,
    logger: adapters.logger,
    publisher,
    settings,
    status,
    pty: adapters.pty,
    onPush: (listener) => pushes.listen(listener),
    follow: (topics) => publisher.follow(topics),
    settle: () => adapters.settle().then(() => void made.checkouts.look()),
    takeUp,
    working: () => engine.working(),
    answers,
    setSecrets: (values) => {
      replaceAll(secrets, values);
      answers.changed();
    },
    wake: () => clock.wake(),
    shutdown: async (stop) => {
      await made.shutdown(stop);
      pushes.end();
    },
  };
}

interface TakingUp {
  readonly adapters: Adapters;
  readonly shells: ReturnType<typeof createAgents>['shells'];
  readonly engine: Engine;
  readonly status: StatusService;
}

/** Resumes the runs that an earlier core left, and cleans up their sessions' shells. */
function takingUp(
  { adapters, shells, engine, status }: TakingUp,
  made: () => ReturnType<typeof createServices>,
) {
  const { clock } = adapters;
  let recovered = false;
  const tidy = async (): Promise<void> => {
    if (recovered) await shells.keepResting(shellsOf(engine, MAY_GO_ON));
  };
  const takeUp = async (runIds?: readonly number[]): Promise<void> => {
    made().outbox.start();
    made().forges.start();
    tellUnread(await engine.recover(runIds), { engine, status, unreadable: made().unreadable });
    if (runIds !== undefined) return;
    recovered = true;
    made().backups.start();
    adapters.endStrays();
    // In parallel with the start: nothing waits for it.
    void made().results.releaseEnded();
    await waitForSessions(clock.now() + SHELL_WAIT_MS);
  };
  /** A shell is ended when its session cannot be resumed any more, or was not resumed in time. */
  const waitForSessions = async (until: number): Promise<void> => {
    await shells.awaitOnly(clock.now() < until ? shellsOf(engine, TO_COME) : new Set());
    if (shells.waiting) clock.at(clock.now() + SHELL_WAIT_CHECK_MS, () => void waitForSessions(until));
  };
  return { takeUp, tidy };
}

/** List rows as pushed: an unreadable run is marked as such, like in a query. */
const pushedRows = (
  store: Store,
  unreadable: () => UnreadableRuns,
): ConstructorParameters<typeof TopicPublisher>[0] => ({
  run: (runId) => {
    const row = store.run(runId);
    return row === null ? null : unreadable().row(row);
  },
  gate: (runId, gateId) => store.gate(runId, gateId),
  updates: (updateIds) => store.updates(updateIds),
});

/** Values from the keychain, or from the environment if there is none. */
const secretsIn =
  (secrets: ReadonlyMap<string, string>) =>
  (name: string): string | null =>
    name === ANSWER_KEY ? null : (secrets.get(name) ?? ownValue(process.env, name) ?? null);

function replaceAll(secrets: Map<string, string>, values: Readonly<Record<string, string>>): void {
  secrets.clear();
  for (const [name, value] of Object.entries(values)) secrets.set(name, value);
}

/** Reports unreadable runs until they become readable, or the operator dismisses the notice. */
function tellUnread(
  runIds: readonly number[],
  {
    engine,
    status,
    unreadable,
  }: { readonly engine: Engine; readonly status: StatusService; readonly unreadable: UnreadableRuns },
): void {
  for (const runId of runIds) {
    unreadable.note(runId);
    const text = `Run ${runId} was not resumed: this Muster cannot read it, or does not know all of its steps. It is unchanged. "muster show ${runId}" shows where its history becomes unreadable.`;
    status.keep({ id: `recover-${runId}`, level: 'error', text });
  }
  for (const { runId } of engine.all()) {
    status.withdraw(`recover-${runId}`);
    unreadable.forget(runId);
  }
}

/**
 * Sessions that lost their agent with the last core and may be resumed; one that could not be opened
 * continues once the operator has removed the obstacle.
 */
const TO_COME: readonly SessionStatus[] = ['lost', 'resuming', 'ready', 'failed'];

const MAY_GO_ON: readonly SessionStatus[] = ['parked', ...TO_COME];

/** The outputs of the shells of such sessions, in unfinished runs. */
function shellsOf(engine: Engine, standing: readonly SessionStatus[]): Set<string> {
  return new Set(
    [...engine.all()].flatMap(({ state: { artifactsDir, sessions, status: run } }) =>
      Object.values(sessions).flatMap(({ id, status }) =>
        run !== 'finished' && standing.includes(status)
          ? [join(artifactsDir, 'terminals', `s${id}-0.log`)]
          : [],
      ),
    ),
  );
}

function detectedBy({ processes, clock }: Adapters): () => Promise<readonly AgentProfile[]> {
  const installed = new DetectedProfiles({
    presets: agentPresets,
    find: (program) => processes.find(program),
    now: clock.now,
  });
  return () => installed.profiles();
}

/** Passes the core's pushes to its listeners. */
class Pushes {
  private readonly listeners = new Set<(push: Push) => void>();
  private ended = false;

  listen(listener: (push: Push) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  send(push: Push): void {
    for (const listener of this.listeners) listener(push);
  }

  /** Drops pending pushes: after the end there is no store to read them from. */
  end(): void {
    this.ended = true;
  }

  later(ms: number, run: () => void): void {
    setTimeout(() => this.ended || run(), ms);
  }
}

function createEngine(
  adapters: Adapters & { readonly completions: Completions },
  agents: Agents,
  { publisher, rules }: { publisher: TopicPublisher; rules: Rules },
): Engine {
  const { clock, logger, store, transcripts, workspaces, commands, tools, merges, ports } = adapters;
  const { sandboxes, texts, textFiles, completions } = adapters;
  const partialResponse = (turnId: number, state: RunState): TurnResponse => {
    const sessionId = state.turns[turnId]?.sessionId;
    return responseOf(sessionId === undefined ? [] : transcripts.turn(state, { sessionId, turnId }));
  };
  return new Engine({
    log: store.log,
    clock,
    logger,
    publisher,
    registry: stepRegistry,
    wholeTexts: (artifactsDir) => textFiles.of(artifactsDir),
    partialResponse,
    // A whole turn of the event loop: what promises append during it is committed before the next begins.
    breathe: () => new Promise((resolve) => setImmediate(() => setImmediate(resolve))),
    effects: (engine) =>
      new Effects({
        engine,
        agents,
        workspaces,
        commands,
        transcripts,
        publisher,
        clock,
        rules,
        tools,
        merges,
        ...ports,
        sandboxes,
        texts,
        completions,
        logger,
        joinPath: join,
      }),
  });
}
