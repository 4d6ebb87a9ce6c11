import type { CatalogService } from '@areas/agents/node/catalog-service';
import type { AttentionService } from '@areas/attention/node/attention-service';
import type { HeldDecisions } from '@areas/attention/node/held-decisions';
import type { BackupService } from '@areas/backups/node/backup-service';
import type { AnswerService } from '@areas/deliveries/node/answer-service';
import type { UpdateOutbox } from '@areas/deliveries/node/outbox';
import type { Diagnostics } from '@areas/diagnostics/node/diagnostics';
import type { DoctorService } from '@areas/doctor/node/doctor-service';
import type { FeedMarksService } from '@areas/feed/node/feed-marks';
import type { OpenForges } from '@areas/forges/node/services';
import type { GateService } from '@areas/gates/node/gate-service';
import type { HomeService } from '@areas/home/node/home-service';
import type { PermissionRules } from '@areas/permissions/node/permission-rules';
import type { CheckoutService } from '@areas/projects/node/checkout-service';
import type { ProjectSettingsFile } from '@areas/projects/node/project-settings-file';
import type { PromptService } from '@areas/prompts/node/prompt-service';
import { type ArchiveParts, exportRun } from '@areas/runs/node/history/run-archive';
import type { RunImports } from '@areas/runs/node/history/run-imports';
import type { UnreadableRuns } from '@areas/runs/node/history/unreadable-runs';
import { taskDefinition } from '@areas/runs/node/launch/task-run';
import { outputPage, textPage } from '@areas/runs/node/results/run-output';
import type { RunResults } from '@areas/runs/node/results/run-results';
import type { RunService } from '@areas/runs/node/run-service';
import type { StatusService } from '@areas/runs/node/status-service';
import type { Attachments } from '@areas/sessions/node/attachments';
import type { Cleaning } from '@areas/sessions/node/cleaning';
import type { SessionOperations } from '@areas/sessions/node/session-operations';
import type { SessionService } from '@areas/sessions/node/session-service';
import { searchTerminals } from '@areas/sessions/node/terminal-search';
import type { WorkspaceService } from '@areas/sessions/node/workspace-service';
import type { SettingsService } from '@areas/settings/node/settings-service';
import { exportSpend } from '@areas/spend/node/spend-export';
import type { editingProcedures } from '@areas/workflows/contract/editing';
import type { WorkflowPatterns } from '@areas/workflows/node/patterns';
import type { WorkflowTexts } from '@areas/workflows/node/texts';
import type { WorkflowTrials } from '@areas/workflows/node/trial';
import type { WorkflowBin } from '@areas/workflows/node/workflow-bin';
import type { WorkflowCreation } from '@areas/workflows/node/workflow-creation';
import { portsOfType } from '@areas/workflows/node/workflow-ports';
import { ok } from '@contract/result';
import type { StoredEvent } from '@contract/run/events';
import { maskedEvent, maskedState } from '@contract/run/masked-event';
import type { featureProcedures } from '@features/procedures';
import { z } from 'zod';
import type { Store } from '../../core/ports/store/store';
import type { RunTextFiles } from '../../core/ports/whole-texts';
import type { StepRegistry } from '../../core/step/module';
import type { Handlers } from '../../services/router';
import { pageOf } from '../push/event-page';
import type { Hosts } from './hosts';

interface HandlerParts {
  readonly textFiles: RunTextFiles;
  readonly runs: RunService;
  readonly results: RunResults;
  readonly cleaning: Cleaning;
  readonly gates: GateService;
  readonly answers: AnswerService;
  readonly attention: AttentionService;
  readonly decisions: HeldDecisions;
  readonly home: HomeService;
  readonly creation: WorkflowCreation;
  readonly patterns: WorkflowPatterns;
  readonly texts: WorkflowTexts;
  readonly bin: WorkflowBin;
  readonly attachments: Attachments;
  readonly rules: PermissionRules;
  readonly sessions: SessionService;
  readonly operations: SessionOperations;
  readonly folders: WorkspaceService;
  readonly backups: BackupService;
  readonly diagnostics: Diagnostics;
  readonly checkouts: CheckoutService;
  readonly catalog: CatalogService;
  readonly doctor: DoctorService;
  readonly projectSettings: ProjectSettingsFile;
  readonly prompts: PromptService;
  readonly trials: WorkflowTrials;
  readonly ofFeatures: Pick<Handlers, keyof typeof featureProcedures>;
  readonly ofForges: OpenForges['handlers'];
  readonly hosts: Hosts;
  readonly outbox: UpdateOutbox;
  readonly marks: FeedMarksService;
  readonly statusChanged: () => void;
  readonly settings: SettingsService;
  readonly status: StatusService;
  readonly store: Store;
  readonly archive: ArchiveParts;
  readonly imports: RunImports;
  readonly unreadable: UnreadableRuns;
  readonly registry: StepRegistry;
  readonly takeUp: () => Promise<void>;
}

/** Maps procedures to services. */
export function createHandlers(parts: HandlerParts): Handlers {
  const { gates, rules, sessions, catalog, settings, status, store } = parts;
  return {
    'project.list': async () => ok(await catalog.projects()),
    'project.add': ({ path }) => catalog.addProject(path),
    'project.remove': ({ projectId }) => catalog.removeProject(projectId),
    'project.settings': async ({ path }) => ok(await catalog.projectSettings(path)),
    'project.changeSettings': ({ projectId, change }) => parts.projectSettings.change(projectId, change),
    'project.createSample': ({ path }) => catalog.createSample(path),
    'workflow.list': async ({ projectId }) => ok(await catalog.workflows(projectId)),
    'workflow.get': ({ projectId, file }) => catalog.workflow(projectId, file),
    'workflow.validate': ({ path }) => catalog.validate(path),
    'workflow.expand': (input) => parts.trials.expand(input),
    'workflow.dry-run': (input) => parts.trials.dryRun(input),
    'workflow.patterns': async () => ok(await parts.patterns.list()),
    'workflow.create': (input) => parts.creation.create(input),
    'workflow.migrate': ({ projectId, file, apply }) => catalog.migrate(projectId, { file, apply }),
    'workflow.restore': ({ projectId, file, backup }) => catalog.restore(projectId, { file, backup }),
    ...textHandlers(parts),
    'agent.list': async ({ projectId, path }) => ok(await catalog.profiles(projectId, path)),
    'agent.detect': async () => ok(await catalog.detect()),
    'agent.save': ({ profile }) => catalog.saveProfile(profile),
    'agent.remove': ({ id }) => catalog.removeProfile(id),
    'doctor.get': async ({ thorough }) => ok(await parts.doctor.get(thorough)),
    'agent.test': async ({ profile }) => ok(await catalog.test(profile)),
    'step.types': () => ok(stepTypes(parts.registry)),
    ...runHandlers(parts),
    'event.page': (input) =>
      ok({ events: store.events(input).map(maskedEvent), lastId: store.lastEventId() }),
    ...shownHandlers(parts),
    'gate.list': (input) => ok(store.gates(input)),
    'gate.resolve': (input) => gates.resolve(input),
    'gate.resolveAlike': (input) => gates.resolveAlike(input),
    'gate.before': ({ runId, gateId }) => ok(gates.before(runId, gateId)),
    'gate.snooze': ({ runId, gateId, until }) => gates.snooze(runId, gateId, until),
    ...ruleHandlers(rules),
    'session.list': ({ limit }) => ok(sessions.list(limit)),
    'session.prompt': (input) => parts.results.goingOn(input.runId, () => parts.operations.prompt(input)),
    'session.withdrawPrompt': (input) => parts.operations.withdraw(input),
    'session.cancelTurn': (input) => parts.operations.cancelTurn(input),
    'session.park': (input) => parts.operations.park(input),
    ...workspaceHandlers(parts),
    ...promptHandlers(parts.prompts),
    ...parts.ofFeatures,
    ...parts.ofForges,
    ...parts.hosts.service.handlers(),
    ...parts.backups.handlers(),
    ...parts.diagnostics.handlers(),
    ...updateHandlers(parts),
    'terminal.get': ({ runId, name }) => sessions.terminal(runId, name),
    'system.status': () => ok(status.status()),
    'system.dismissNotice': ({ id }) => {
      status.dismiss(id);
      parts.statusChanged();
      return ok({});
    },
    'settings.get': () => ok(settings.get()),
    'settings.set': (input) => ok(settings.set(input.settings)),
    'system.takeUp': async () => {
      await parts.takeUp();
      return ok({});
    },
  };
}

/** What needs the operator, what happened, and what it cost. */
const shownHandlers = ({ attention, decisions, home, store }: HandlerParts) =>
  ({
    'attention.list': (input) => attention.list(input),
    'attention.markSeen': ({ upTo, runId }) => {
      attention.markSeen(upTo, runId);
      return ok({});
    },
    'decision.hold': (input) => decisions.hold(input),
    'decision.undo': ({ key }) => ok({ undone: decisions.undo(key) }),
    'decision.send': ({ key }) => decisions.send(key),
    'home.get': () => home.get(),
    'home.looked': ({ at }) => ok({ before: home.looked(at) }),
    'spend.list': (input) => ok(store.spend(input)),
    'spend.export': (input) => exportSpend(store, input),
  }) satisfies Partial<Handlers>;

const textHandlers = ({
  texts,
  bin,
  attachments,
}: HandlerParts): Pick<
  Handlers,
  keyof typeof editingProcedures | 'workflow.delete' | 'workflow.deleted' | 'workflow.undelete'
> => ({
  'workflow.delete': (input) => bin.remove(input),
  'workflow.deleted': async () => ok(await bin.deleted()),
  'workflow.undelete': (input) => bin.restore(input),
  'workflow.attach': (input) => attachments.copyIn(input),
  'workflow.source': (input) => texts.source(input),
  'workflow.check': (input) => texts.check(input),
  'workflow.templates': (input) => texts.help.templates(input),
  'workflow.preview': (input) => texts.help.preview(input),
  'workflow.save': (input) => texts.save(input),
  'workflow.edit': (input) => texts.edit(input),
  'workflow.edited': (input) => texts.edited(input),
});

/** Up to the first unreadable event. */
function* readableOnly(events: Iterable<StoredEvent>): Iterable<StoredEvent> {
  try {
    yield* events;
  } catch {
    return;
  }
}

const runHandlers = ({ runs, results, store, archive, imports, unreadable, textFiles }: HandlerParts) =>
  ({
    'run.startTask': (input) =>
      runs.once(input.uid, () => runs.startDefinition({ ...input, definition: taskDefinition(input) })),
    'run.start': (input) => runs.once(input.uid, () => runs.start(input)),
    'run.list': (input) => {
      const { rows, more } = store.runs(input);
      return ok({ rows: rows.map((row) => unreadable.row(row)), more });
    },
    'run.live': () => ok(runs.live()),
    'run.get': ({ runId }) => {
      const run = runs.snapshot(runId);
      const found = run.ok ? run : unreadable.snapshot(runId, run.error);
      return found.ok ? ok({ ...found.value, state: maskedState(found.value.state) }) : found;
    },
    'run.find': ({ name }) => {
      const found = runs.find(name);
      return found.ok ? ok(unreadable.row(found.value)) : found;
    },
    'run.events': ({ runId, afterSeq, limit, bytes }) =>
      ok(pageOf(readableOnly(store.log.read(runId, afterSeq)), { limit, bytes })),
    'run.output': ({ runId, ...which }) => {
      const run = runs.snapshot(runId);
      const found = run.ok ? run : unreadable.snapshot(runId, run.error);
      if (!found.ok) return found;
      const { state } = found.value;
      return outputPage(state, textFiles.of(state.artifactsDir), which);
    },
    'run.text': ({ runId, ...page }) => {
      const run = runs.snapshot(runId);
      const found = run.ok ? run : unreadable.snapshot(runId, run.error);
      return found.ok ? textPage(textFiles.of(found.value.state.artifactsDir), page) : found;
    },
    'run.cancel': async ({ runId, by }) => {
      const done = await runs.cancel(runId, by);
      return done.ok ? done : unreadable.end(runId, done.error);
    },
    'run.resume': (input) => results.goingOn(input.runId, () => runs.resume(input)),
    'run.compare': ({ runId, otherId }) => runs.compare(runId, otherId),
    'run.again': (input) => runs.again(input),
    'run.results': ({ runId }) => results.results(runId),
    'run.apply': (input) => results.apply(input),
    'run.apply-preview': (input) => results.preview(input),
    'run.undoable': (input) => results.undoable(input),
    'run.undo': (input) => results.undo(input),
    'run.rename': (input) => runs.rename(input),
    'run.bin': ({ runId }) => runs.bin(runId),
    'run.restore': ({ runId }) => runs.restore(runId),
    'run.purge': ({ runId }) => runs.purge(runId),
    'run.export': (input) => exportRun(archive, input),
    'run.import': (input) => imports.begin(input),
    'run.cancelImport': ({ key }) => imports.cancel(key),
    'run.transcript': ({ runId, turnId }) => runs.transcript(runId, turnId),
    'run.sessionLog': (input) => runs.sessionLog(input),
    'run.commandOutput': (input) => runs.commandOutput(input),
  }) satisfies Partial<Handlers>;

const ruleHandlers = (rules: PermissionRules) =>
  ({
    'rule.list': (input) => ok(rules.list(input)),
    'rule.suggest': ({ runId, gateId }) => rules.suggest(runId, gateId),
    'rule.create': ({ rule, by }) => rules.create(rule, by),
    'rule.update': (input) => rules.update(input),
    'rule.remove': ({ id }) => rules.remove(id),
    'rule.dryRun': (input) => ok(rules.dryRun(input)),
  }) satisfies Partial<Handlers>;

const promptHandlers = (prompts: PromptService) =>
  ({
    'prompt.list': (place) => prompts.list(place),
    'prompt.get': (input) => prompts.get(input),
    'prompt.check': (place) => prompts.check(place),
    'prompt.override': (input) => prompts.override(input),
    'prompt.removeOverride': (input) => prompts.removeOverride(input),
    'prompt.judge': (input) => prompts.judge(input),
    'prompt.save': (input) => prompts.save(input),
    'prompt.restoreOverride': (input) => prompts.restoreOverride(input),
  }) satisfies Partial<Handlers>;

const deliveryHandlers = (outbox: UpdateOutbox, answers: AnswerService) =>
  ({
    'delivery.targets': () => ok(outbox.states()),
    'delivery.list': (input) => ok(outbox.list(input)),
    'delivery.retry': (which) => outbox.retry(which),
    'delivery.test': ({ target }) => outbox.test(target),
    'delivery.answer': (input) => answers.answer(input),
  }) satisfies Partial<Handlers>;

/** Maximum names offered as feed filters. */
const SOURCES = 200;

const updateHandlers = ({ marks, outbox, answers, store }: HandlerParts) =>
  ({
    ...deliveryHandlers(outbox, answers),
    'feed.list': (input) => ok(store.feed(input)),
    'search.query': (input) => ok(store.search(input)),
    'search.terminals': async (input) => ok(await searchTerminals(store, input)),
    'feed.sources': () => ok(store.feedSources(SOURCES)),
    'feed.marks': () => ok(marks.marks()),
    'feed.markOpened': ({ id }) => ok(marks.markOpened(id)),
    'feed.markRead': ({ upTo }) => ok(marks.markRead(upTo)),
  }) satisfies Partial<Handlers>;

const workspaceHandlers = ({ folders, checkouts, cleaning }: HandlerParts) =>
  ({
    'workspace.leftovers': ({ runId }) => cleaning.leftovers(runId),
    'workspace.clean': (input) => cleaning.clean(input),
    'checkout.interrupted': async () => ok([...(await checkouts.interrupted())]),
    'checkout.settle': ({ id, how }) => checkouts.settle(id, how),
    'workspace.diff': (input) => folders.diff(input),
    'workspace.file': (input) => folders.file(input),
    'workspace.search': (input) => folders.search(input),
    'workspace.marks': (input) => folders.marks(input),
    'workspace.view': (input) => folders.view(input),
    'workspace.accept': (input) => folders.accept(input),
    'workspace.reject': (input) => folders.reject(input),
    'workspace.undo': (input) => folders.undo(input),
    'workspace.restore': (input) => folders.restore(input),
  }) satisfies Partial<Handlers>;

function stepTypes(registry: StepRegistry) {
  return [...registry.values()].map((module) => ({
    type: module.type,
    version: module.version,
    title: module.title,
    description: module.description,
    configSchema: z.json().parse(z.toJSONSchema(module.config, { io: 'input' })),
    ports: portsOfType(module),
  }));
}
