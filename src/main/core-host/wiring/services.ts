import { AttentionService } from '@areas/attention/node/attention-service';
import { HeldDecisions } from '@areas/attention/node/held-decisions';
import { BackupService } from '@areas/backups/node/backup-service';
import { RecordedChanges } from '@areas/changes/node/recorded-changes';
import { AnswerService } from '@areas/deliveries/node/answer-service';
import type { OfferAnswer, UpdateOutbox } from '@areas/deliveries/node/outbox';
import { FeedMarksService } from '@areas/feed/node/feed-marks';
import type { OpenForges } from '@areas/forges/node/services';
import { GateService } from '@areas/gates/node/gate-service';
import { HomeService } from '@areas/home/node/home-service';
import { CheckoutService } from '@areas/projects/node/checkout-service';
import { ProjectWatch } from '@areas/projects/node/project-watch';
import type { PromptLibrary } from '@areas/prompts/node/prompt-library';
import { lastRuns } from '@areas/runs/node/history/last-runs';
import { RunImports } from '@areas/runs/node/history/run-imports';
import { UnreadableRuns } from '@areas/runs/node/history/unreadable-runs';
import { LeftProcesses } from '@areas/runs/node/results/left-processes';
import { RunResults } from '@areas/runs/node/results/run-results';
import { RunService } from '@areas/runs/node/run-service';
import { Cleaning } from '@areas/sessions/node/cleaning';
import { SessionOperations } from '@areas/sessions/node/session-operations';
import { SessionService } from '@areas/sessions/node/session-service';
import { WorkspaceService } from '@areas/sessions/node/workspace-service';
import type { WorkflowFiles } from '@areas/workflows/node/workflow-files';
import { replay } from '@contract/run/reduce';
import type { RunState } from '@contract/run/state';
import { stepRegistry } from '@features/core';
import { featureServices } from '@features/node';
import { Git } from '../../adapters/git/command/git-command';
import { ulids } from '../../adapters/system/ids';
import { yamlReader } from '../../adapters/yaml/document';
import { yamlText } from '../../adapters/yaml/write';
import { openFeatures } from '../../sdk/feature-services';
import { createRouter, type Router } from '../../services/router';
import { inSafeMode } from '../../services/safe-mode';
import { startFollowers, warner } from '../push/followers';
import { shuttingDown } from '../shutdown';
import { createOutbox } from './deliveries';
import { createDiagnostics } from './diagnostics';
import { createDoctor } from './doctor';
import { createForges } from './forges';
import { createHandlers } from './handlers';
import type { ServiceParts } from './service-parts';
import {
  createCatalog,
  createEditing,
  createFiles,
  createLibrary,
  createProjectSettings,
  createPrompts,
  createTrials,
} from './workflow-services';

interface Services {
  readonly router: Router;
  readonly outbox: UpdateOutbox;
  readonly forges: OpenForges;
  readonly backups: BackupService;
  readonly results: RunResults;
  readonly checkouts: CheckoutService;
  readonly unreadable: UnreadableRuns;
  readonly shutdown: (stop: boolean) => Promise<void>;
}

const createUnreadable = ({ adapters, publisher }: ServiceParts): UnreadableRuns =>
  new UnreadableRuns({
    store: adapters.store,
    now: adapters.clock.now,
    appended: (stored) => publisher.appended(stored),
  });

/** What happens when a run ends. */
function createResults(
  { adapters, engine, publisher, status }: ServiceParts,
  state: ReturnType<typeof stateIn>,
): RunResults {
  const results = new RunResults({ ...adapters, engine, state });
  const left = new LeftProcesses({ ...adapters, status, state });
  publisher.onCommitted((runId, events) => {
    results.follow(runId, events);
    left.follow(runId, events);
  });
  return results;
}

/** The services over a core's engine and adapters, and their shutdown. */
export function createServices(parts: ServiceParts): Services {
  const { init, adapters, engine, publisher } = parts;
  const { clock, store } = adapters;
  const files = createFiles(parts);
  const watch = new ProjectWatch((projectId) => publisher.workflowsChanged(projectId));
  const library = createLibrary(init);
  const runs = createRuns(parts, files, library);
  const catalog = createCatalog(parts, files, (projectId) => {
    watch.follow(store.projects());
    publisher.workflowsChanged(projectId);
  });
  const state = stateIn(runs);
  const results = createResults(parts, state);
  const kept = createKept(parts);
  const changes = new RecordedChanges({ ...adapters, engine, state });
  const folders = new WorkspaceService({ ...adapters, engine, state, changes, results });
  const { gates, answers, outbox } = createDeliveries(parts, folders);
  const operations = new SessionOperations({ engine, ids: ulids, state });
  const forges = createForges(parts, { runs, results, operations, state });
  const { features, attention } = createOfFeatures(parts, { runs, files, state, pulls: forges.items });
  const unreadable = createUnreadable(parts);
  const decisions = createDecisions(parts);
  const archive = { ...adapters, now: clock.now };
  const imports = new RunImports(archive);
  void imports.clean();
  const handlers = createHandlers({
    ...parts,
    textFiles: adapters.textFiles,
    runs,
    results,
    sessions: createSessions(parts, state),
    operations,
    ofForges: forges.handlers,
    folders,
    catalog,
    doctor: createDoctor(parts, catalog),
    store,
    gates,
    answers,
    archive,
    imports,
    registry: stepRegistry,
    prompts: createPrompts(parts, library),
    trials: createTrials(parts, files, library),
    attention,
    ofFeatures: features.handlers,
    outbox,
    ...kept,
    diagnostics: createDiagnostics(parts),
    unreadable,
    cleaning: new Cleaning({ ...adapters, results, state }),
    ...createEditing(parts, files, state),
    projectSettings: createProjectSettings(parts, catalog),
    ...createHome(parts, attention),
    decisions,
    statusChanged: () => publisher.statusChanged(),
  });
  watch.follow(store.projects());
  const router = startRouter(parts, handlers, decisions);
  const owned = [{ stop: () => watch.close() }, ...Object.values(kept), features, forges];
  const stops = [...owned, decisions, ...startFollowers(parts)];
  const shutdown = shuttingDown(adapters, { ...parts, stops, runs, results, outbox });
  return { router, outbox, forges, ...kept, results, unreadable, shutdown };
}

const createKept = (parts: ServiceParts) => ({
  backups: createBackups(parts),
  checkouts: createCheckouts(parts),
});

/** In safe mode a decision that is due stays for the next start. */
function startRouter(
  { init, adapters }: ServiceParts,
  handlers: ReturnType<typeof createHandlers>,
  decisions: HeldDecisions,
): Router {
  const router = createRouter(handlers, adapters.logger, () => adapters.store.log.flush());
  if (init.safeMode === true) return inSafeMode(router);
  decisions.start(router);
  return router;
}

const stateIn =
  (runs: RunService) =>
  (runId: number): RunState | null => {
    const run = runs.get(runId);
    return run.ok ? run.value.state : null;
  };

const createDecisions = ({ adapters: { store, clock }, status, publisher }: ServiceParts): HeldDecisions =>
  new HeldDecisions({
    store,
    clock,
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
    files,
    prompts,
  });

const createAnswers = (
  { answers, adapters: { store, clock }, settings }: ServiceParts,
  gates: GateService,
): AnswerService =>
  new AnswerService({
    store,
    gates,
    keys: answers,
    now: clock.now,
    targets: () => settings.get().deliveries.targets,
    address: () => answers.address(),
  });

/** Deliveries to targets, and answers from them. */
function createDeliveries(parts: ServiceParts, folders: WorkspaceService) {
  const gates = createGates(parts, folders);
  const answers = createAnswers(parts, gates);
  const offer: OfferAnswer = (target, gate, delivery) => answers.offer(target, gate, delivery);
  return { gates, answers, outbox: createOutbox({ ...parts, ...parts.adapters, offer }) };
}

const createGates = (
  { adapters: { store }, engine, rules, publisher }: ServiceParts,
  folders: WorkspaceService,
): GateService =>
  new GateService({
    engine,
    confirm: (runId, gateId, shown) => folders.confirm(runId, gateId, shown),
    store,
    rules,
    state: (runId) => engine.live(runId)?.state ?? replay(store.log.read(runId)),
    changed: (runId, gateId) => publisher.gateChanged(runId, gateId),
  });

const createCheckouts = ({ adapters, status, publisher }: ServiceParts): CheckoutService =>
  new CheckoutService({ ...adapters, status, statusChanged: () => publisher.statusChanged() });

const createBackups = (parts: ServiceParts): BackupService => {
  const { adapters, status, publisher } = parts;
  return new BackupService({
    ...adapters,
    databaseBytes: () => adapters.store.databaseBytes(),
    idle: () => {
      const { turns, commands, steps } = status.status().live;
      return turns + commands + steps === 0;
    },
    notice: warner(parts),
    withdraw: (id) => {
      if (status.withdraw(id)) publisher.statusChanged();
    },
  });
};

interface ForFeatures extends Pick<ConstructorParameters<typeof AttentionService>[0], 'pulls'> {
  readonly runs: RunService;
  readonly files: WorkflowFiles;
  state(runId: number): RunState | null;
}

/** The features' services, and the one that also asks them what needs the operator. */
function createOfFeatures(
  { adapters, engine, status, publisher }: ServiceParts,
  { pulls, ...made }: ForFeatures,
) {
  const { store, clock, git, processList } = adapters;
  const features = openFeatures(featureServices, {
    ...adapters,
    ...made,
    engine,
    processes: processList,
    reader: yamlReader,
    now: clock.now,
    yaml: yamlText,
    git: (cwd, ...args) => new Git(cwd, git).maybe(...args),
    rows: (limit) => lastRuns(store, limit),
  });
  const { replies } = features;
  const changed = () => publisher.changed('attention');
  const attention = new AttentionService({ store, status, replies, pulls, now: clock.now, changed });
  publisher.attend(() => attention.news());
  return { features, attention };
}
