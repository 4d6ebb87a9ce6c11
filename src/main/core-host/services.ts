import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentProfile } from '@contract/catalog/profile';
import { PROMPTS_VARIABLE } from '@contract/prompts/folders';
import { replay } from '@contract/run/reduce';
import type { RunState } from '@contract/run/state';
import { MIB } from '@contract/size-units';
import type { CoreInit } from '@contract/system/host';
import { stepRegistry } from '@features/core';
import { featureServices } from '@features/node';
import { Git } from '../adapters/git/git-command';
import { makeSampleProject } from '../adapters/sample';
import { ulids } from '../adapters/system/ids';
import { yamlReader } from '../adapters/yaml/document';
import { yamlEditor } from '../adapters/yaml/edit';
import { yamlMigrator } from '../adapters/yaml/migrate';
import { rememberingReader } from '../adapters/yaml/remembering-reader';
import { yamlText } from '../adapters/yaml/write';
import { writeDefinition } from '../adapters/yaml/write-definition';
import { agentPresets, builtinProfiles } from '../agents/presets';
import type { Engine } from '../core/engine/engine';
import type { AgentPort } from '../core/ports/ports';
import { CANCELS_CHECK_MS, CANCELS_WAIT_MS, IDLE_SESSION_MS } from '../limits/core';
import { openFeatures } from '../sdk/feature-services';
import { createAgentFinder } from '../services/agents/agent-finder';
import { CatalogService } from '../services/agents/catalog-service';
import { AttentionService } from '../services/attention/attention-service';
import { FeedMarksService } from '../services/attention/feed-marks';
import { HeldDecisions } from '../services/attention/held-decisions';
import { HomeService } from '../services/attention/home-service';
import { AnswerService } from '../services/deliveries/answer-service';
import type { OfferAnswer, UpdateOutbox } from '../services/deliveries/outbox';
import { GateService } from '../services/gates/gate-service';
import type { PermissionRules } from '../services/gates/permission-rules';
import { CheckoutService } from '../services/projects/checkout-service';
import { ProjectWatch } from '../services/projects/project-watch';
import { PromptLibrary } from '../services/prompts/prompt-library';
import { PromptOverrides } from '../services/prompts/prompt-overrides';
import { PromptService } from '../services/prompts/prompt-service';
import type { TopicPublisher } from '../services/publisher';
import { createRouter, type Router } from '../services/router';
import { IdleParker } from '../services/runs/idle-parker';
import { lastRunOf, lastRuns } from '../services/runs/last-runs';
import { RunResults } from '../services/runs/run-results';
import { RunService } from '../services/runs/run-service';
import type { StatusService } from '../services/runs/status-service';
import { UnreadableRuns } from '../services/runs/unreadable-runs';
import { Attachments } from '../services/sessions/attachments';
import { Cleaning } from '../services/sessions/cleaning';
import { SessionOperations } from '../services/sessions/session-operations';
import { SessionService } from '../services/sessions/session-service';
import { TerminalRecords } from '../services/sessions/terminal-records';
import { WorkspaceService } from '../services/sessions/workspace-service';
import type { SettingsService } from '../services/settings-service';
import { WorkflowTexts } from '../services/workflows/texts';
import { WorkflowTrials } from '../services/workflows/trial';
import { WorkflowBin } from '../services/workflows/workflow-bin';
import { WorkflowCreation } from '../services/workflows/workflow-creation';
import { WorkflowFiles } from '../services/workflows/workflow-files';
import { WorkflowMigrations } from '../services/workflows/workflow-migration';
import type { Adapters } from './adapters';
import type { AnswerPlace } from './answers';
import { createOutbox } from './deliveries';
import { createHandlers } from './handlers';

export type Agents = ReadonlyMap<AgentProfile['kind'], AgentPort>;

/** What the services are made of. */
export interface ServiceParts {
  readonly init: CoreInit;
  readonly adapters: Adapters;
  readonly agents: Agents;
  readonly secret: (name: string) => string | null;
  /** Profiles of installed agents. */
  readonly detected: () => Promise<readonly AgentProfile[]>;
  readonly engine: Engine;
  readonly rules: PermissionRules;
  readonly publisher: TopicPublisher;
  readonly settings: SettingsService;
  readonly status: StatusService;
  readonly answers: AnswerPlace;
  /** Goes on with all runs that were left unfinished. */
  readonly takeUp: () => Promise<void>;
  /** Lets go what parked sessions had kept that cannot be resumed any more. */
  readonly tidy: () => Promise<void>;
}

interface Services {
  readonly router: Router;
  readonly outbox: UpdateOutbox;
  readonly results: RunResults;
  readonly checkouts: CheckoutService;
  readonly unreadable: UnreadableRuns;
  readonly shutdown: (stop: boolean) => Promise<void>;
}

const createUnreadable = ({ adapters, publisher }: ServiceParts): UnreadableRuns =>
  new UnreadableRuns({
    ...{ store: adapters.store, now: adapters.clock.now },
    appended: (stored) => publisher.appended(stored),
  });

const createLibrary = ({ resourcesDir }: CoreInit): PromptLibrary =>
  new PromptLibrary({
    builtinDir: join(resourcesDir, 'prompts'),
    variable: process.env[PROMPTS_VARIABLE] || undefined,
  });

/** The services over a core's engine and adapters, and what ends them. */
export function createServices(parts: ServiceParts): Services {
  const { init, adapters, engine, rules, publisher, settings, status } = parts;
  const { clock, store, artifactsRoot, worktreesDir, processes } = adapters;
  const files = createFiles(parts);
  const watch = new ProjectWatch((projectId) => publisher.workflowsChanged(projectId));
  const library = createLibrary(init);
  const runs = createRuns(parts, files, library);
  const catalog = createCatalog(parts, files, (projectId) => {
    watch.follow(store.projects());
    publisher.workflowsChanged(projectId);
  });
  const layDown = async (stop: boolean): Promise<void> => {
    if (stop) await cancelAll(engine, runs);
    await engine.park();
  };
  const state = (runId: number): RunState | null => {
    const run = runs.get(runId);
    return run.ok ? run.value.state : null;
  };
  const results = new RunResults({ ...adapters, engine, state });
  publisher.onCommitted((runId, events) => results.follow(runId, events));
  const operations = new SessionOperations({ engine, ids: ulids, state });
  const folders = new WorkspaceService({ ...adapters, engine, state });
  const sessions = createSessions(parts, state);
  const checkouts = createCheckouts(parts);
  const { gates, answers, outbox } = createDeliveries(parts);
  const { features, attention } = createOfFeatures(parts, { runs, files, state });
  const unreadable = createUnreadable(parts);
  const decisions = createDecisions(parts);
  const handlers = createHandlers({
    ...{ runs, results, rules, sessions, operations, folders, catalog, settings, status },
    ...{ store, gates, answers, archive: { store, now: clock.now, artifactsRoot, worktreesDir } },
    ...{
      registry: stepRegistry,
      takeUp: parts.takeUp,
      park: layDown,
      prompts: createPrompts(parts, library),
      trials: new WorkflowTrials({
        ...{ files, prompts: library, registry: stepRegistry, ports: adapters.ports },
        ...{ logger: adapters.logger, now: adapters.clock.now },
      }),
      ...{ attention, ofFeatures: features.handlers, outbox, checkouts, unreadable },
      ...{ cleaning: new Cleaning({ ...adapters, results, state }), ...createEditing(parts, files, state) },
      ...{ ...createHome(parts, attention), decisions },
      statusChanged: () => publisher.statusChanged(),
    },
  });
  watch.follow(store.projects());
  const router = createRouter(handlers, adapters.logger);
  decisions.start(router);
  const parker = startParker(parts);
  const records = followTerminals(parts);
  followTranscripts(parts);
  return {
    ...{ router, outbox, results, checkouts, unreadable },
    shutdown: async (stop) => {
      watch.close();
      for (const one of [checkouts, features, decisions, parker, records]) one.stop();
      await layDown(stop);
      await results.settled();
      await outbox.stop();
      await adapters.sandboxes.stop();
      await processes.endAll();
      await adapters.tools.close();
      adapters.git.close();
      store.close();
    },
  };
}

const createDecisions = ({ adapters: { store, clock }, status, publisher }: ServiceParts): HeldDecisions =>
  new HeldDecisions({
    ...{ store, clock },
    refused({ key, word, title }, why) {
      const text = `Your decision "${word}" on "${title}" was not carried out: ${why}`;
      status.notice({ id: `decision ${key}`, level: 'warning', text });
      publisher.statusChanged();
    },
  });

function createHome(
  { adapters: { store, clock }, engine }: ServiceParts,
  attention: AttentionService,
): { marks: FeedMarksService; home: HomeService } {
  const marks = new FeedMarksService(store);
  const runs = () => engine.all();
  return { marks, home: new HomeService({ store, attention, marks, runs, now: clock.now }) };
}

/** What makes and changes workflow files. */
function createEditing(
  { init, adapters: { store, clock }, publisher }: ServiceParts,
  files: WorkflowFiles,
  state: (runId: number) => RunState | null,
): { creation: WorkflowCreation; texts: WorkflowTexts; bin: WorkflowBin; attachments: Attachments } {
  const shared = {
    project: (projectId: number) => store.project(projectId),
    projects: () => store.projects(),
    changed: (projectId: number) => publisher.workflowsChanged(projectId),
  };
  const bin = new WorkflowBin({ ...shared, now: clock.now, folder: join(init.dataDir, 'deleted-workflows') });
  void bin.clean();
  return {
    creation: new WorkflowCreation({ ...shared, state, editor: yamlEditor, write: writeDefinition }),
    attachments: new Attachments(shared),
    bin,
    texts: new WorkflowTexts({
      // With the reader of `files`: a text that is checked and then written is parsed once.
      ...{ ...shared, files, reader: files.reader, editor: yamlEditor, registry: stepRegistry },
      lastRun: (workflow) => lastRunOf({ store, state }, workflow),
    }),
  };
}

const createSessions = (
  { adapters: { store, pty } }: ServiceParts,
  state: (runId: number) => RunState | null,
): SessionService =>
  new SessionService({
    rows: (limit) => lastRuns(store, limit),
    state,
    openTerminals: () => pty.openOutputs(),
  });

const createRuns = (parts: ServiceParts, files: WorkflowFiles, prompts: PromptLibrary): RunService =>
  new RunService({
    ...parts.adapters,
    engine: parts.engine,
    ids: ulids,
    notice: warner(parts),
    appended: (stored) => parts.publisher.appended(stored),
    ...{ files, prompts },
  });

const createAnswers = (
  { answers, adapters: { store, clock }, settings }: ServiceParts,
  gates: GateService,
): AnswerService =>
  new AnswerService({
    ...{ store, gates, keys: answers, now: clock.now },
    targets: () => settings.get().deliveries.targets,
    address: () => answers.address(),
  });

/** What is sent to targets, and what they answer. */
function createDeliveries(parts: ServiceParts) {
  const gates = createGates(parts);
  const answers = createAnswers(parts, gates);
  const offer: OfferAnswer = (target, gate, delivery) => answers.offer(target, gate, delivery);
  return { gates, answers, outbox: createOutbox({ ...parts, ...parts.adapters, offer }) };
}

const createGates = ({ adapters: { store }, engine, rules, publisher }: ServiceParts): GateService =>
  new GateService({
    ...{ engine, store, rules },
    state: (runId) => engine.live(runId)?.state ?? replay(store.log.read(runId)),
    changed: (runId, gateId) => publisher.gateChanged(runId, gateId),
  });

/** Tells the operator of something; told again under the same id, it takes its place. */
const warner =
  ({ status, publisher }: Pick<ServiceParts, 'status' | 'publisher'>) =>
  (text: string, id: string): void => {
    status.notice({ id, level: 'warning', text });
    publisher.statusChanged();
  };

function startParker({ engine, adapters: { clock, logger }, tidy }: ServiceParts): IdleParker {
  const parker = new IdleParker({ engine, clock, logger, idleMs: IDLE_SESSION_MS, tidy });
  parker.start();
  return parker;
}

const createCheckouts = ({ adapters, status, publisher }: ServiceParts): CheckoutService =>
  new CheckoutService({ ...adapters, status, statusChanged: () => publisher.statusChanged() });

const createFiles = ({ adapters: { store }, settings, detected }: ServiceParts): WorkflowFiles =>
  new WorkflowFiles({
    reader: rememberingReader(yamlReader),
    registry: stepRegistry,
    profiles: () =>
      Object.fromEntries([...builtinProfiles, ...store.profiles()].map((profile) => [profile.id, profile])),
    defaultProfile: () => settings.get().defaultProfile,
    detected,
  });

function createCatalog(
  parts: ServiceParts,
  files: WorkflowFiles,
  changed: (projectId: number) => void,
): CatalogService {
  const { init, adapters, publisher } = parts;
  const { clock, store, processes } = adapters;
  return new CatalogService({
    store,
    files,
    clock,
    finder: createAgentFinder({
      tempDir: tmpdir(),
      presets: agentPresets,
      processes,
      agents: parts.agents,
      clock,
      secret: parts.secret,
    }),
    migrations: new WorkflowMigrations({ migrator: yamlMigrator, registry: stepRegistry }),
    builtinProfiles: builtinProfiles,
    detected: parts.detected,
    makeSample: async (path) =>
      makeSampleProject(
        { from: join(init.resourcesDir, 'sample'), to: path ?? join(init.dataDir, 'sample-project') },
        await processes.environment(),
      ),
    changed,
    profilesChanged: () => publisher.changed('profiles'),
  });
}

function createPrompts({ adapters, publisher }: ServiceParts, library: PromptLibrary): PromptService {
  return new PromptService({
    store: adapters.store,
    library,
    overrides: new PromptOverrides(library),
    changed: (projectId) => publisher.workflowsChanged(projectId),
  });
}

interface ForFeatures {
  readonly runs: RunService;
  readonly files: WorkflowFiles;
  state(runId: number): RunState | null;
}

/** The services of features, and the one that also asks them what needs the operator. */
function createOfFeatures({ adapters, engine, status, publisher }: ServiceParts, made: ForFeatures) {
  const { store, clock, git, processList } = adapters;
  const features = openFeatures(featureServices, {
    ...{ ...adapters, ...made, engine, processes: processList, reader: yamlReader, now: clock.now },
    yaml: yamlText,
    git: (cwd, ...args) => new Git(cwd, git).maybe(...args),
    rows: (limit) => lastRuns(store, limit),
  });
  const { replies } = features;
  const changed = () => publisher.changed('attention');
  const attention = new AttentionService({ store, status, replies, now: clock.now, changed });
  publisher.attend(() => attention.news());
  return { features, attention };
}

/** What the store is told of terminals, and the operator's limits on what they keep. */
function followTerminals({ adapters, settings, status, publisher }: ServiceParts): TerminalRecords {
  const { pty, store, clock, logger, artifactsRoot } = adapters;
  const records = new TerminalRecords({
    ...{ store, logger, artifactsRoot, now: clock.now, openOutputs: () => pty.openOutputs() },
    limit: () => settings.get().terminals.totalMb * MIB,
    notice: warner({ status, publisher }),
  });
  pty.watch(records);
  const limit = (): void => pty.setLimit(settings.get().terminals.terminalMb * MIB);
  limit();
  settings.onChange(() => {
    limit();
    records.look();
  });
  records.start();
  return records;
}

/** A log of a session that cannot be written: the turn goes on, and the operator is told once. */
function followTranscripts({ adapters, status, publisher }: ServiceParts): void {
  const { transcripts, logger } = adapters;
  let told = false;
  transcripts.onTrouble((path, cause) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    logger.error('what an agent says cannot be saved', { path, cause: why });
    if (told) return;
    told = true;
    const text = `Agent messages are shown, but not all of them can be saved: ${why}`;
    status.notice({ id: 'transcripts', level: 'warning', text });
    publisher.statusChanged();
  });
}

async function cancelAll(engine: Engine, runs: RunService): Promise<void> {
  const ids = [...engine.all()].filter((run) => run.state.status === 'running').map((run) => run.runId);
  await Promise.all(ids.map((runId) => runs.cancel(runId, 'quit')));
  const until = Date.now() + CANCELS_WAIT_MS;
  while (Date.now() < until && [...engine.all()].some((run) => run.state.status === 'cancelling')) {
    await new Promise((resolve) => setTimeout(resolve, CANCELS_CHECK_MS));
  }
}
