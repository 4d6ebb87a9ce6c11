import { randomUUID } from 'node:crypto';
import type { StoredEvent } from '@contract/run/events';
import type { RunOutcome } from '@contract/run/lifecycle/events';
import { wronglyBlamed } from './blame';
import { leftAfterCleaning, unfinishedFolders } from './cleaning';
import { CoreProcess } from './core-process';
import { outcomeOf, whyNot } from './ends';
import { Examination } from './examine';
import { type Findings, type Moment, moments, type Promise_, promised } from './findings';
import { doneAgain, goneUnanswered } from './histories';
import { MarkWatch } from './marks';
import { Operator } from './operator';
import { PartKiller } from './part-killer';
import { Random } from './random';
import { Repository } from './repository';
import { Speaker } from './speaker';
import { type Standing, Standings } from './standing';
import { teamBreaches } from './team-history';
import { TerminalProcess } from './terminal-process';
import {
  eventsOf,
  neverReceived,
  neverTold,
  promptsCutOff,
  wronglyCaptured,
  wronglyPrompted,
  wronglySent,
} from './turn-history';
import { Witness } from './witness';
import { Words } from './words';
import { fileOf, filesOf, makeWorld, type Places } from './world';

export interface Options {
  readonly kills: number;
  readonly seed: number;
  readonly coreFile: string;
  readonly terminalsFile: string;
  readonly places: Places;
  /** Kinds of runs by the names of their workflows; none: all of them. */
  readonly kinds: readonly string[];
  /** Leaves the data folder and the project where they are. */
  readonly keep: boolean;
  readonly say: (line: string) => void;
}

/** Their effects touch repositories and files: to be cut off in the middle of them is what is worth trying. */
const WORKS =
  /^(workspace\.requested|capture\.started|turn\.(dispatched|finished)|team\.merge-(requested|confirmed)|hunk\.marked|scope\.(opened|ended)|step\.skipped|timer\.set)$/;
/** The longest that a core lives for what is waited for to come. */
const LIFE_MS = 4_000;
/** The longest that a core lives until it is at what the kill is aimed at. */
const AIM_MS = 12_000;

const RUNS_AT_A_TIME = 5;
/** Every so often nothing is started after a kill until the processes that it left are gone. */
const REST_EVERY = 10;
/** The longest wait for one answer; once nothing is killed any more, for the next event of an unfinished run. */
const END_MS = 300_000;

/** A call that has waited for so long in the end will not be answered any more. */
const UNANSWERED_MS = 60_000;

async function within<T>(ms: number, what: Promise<T>, complaint: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${complaint}, after ${ms / 1000} s`)), ms);
  });
  return Promise.race([what, late]).finally(() => clearTimeout(timer));
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export class Harness {
  private readonly random: Random;
  private readonly world;
  private readonly witness: Witness;
  private readonly operator: Operator;
  private readonly marks = new MarkWatch();
  private readonly killsAt: Record<Moment, number> = { start: 0, event: 0, effect: 0, anytime: 0, aimed: 0 };
  private readonly words = new Words();
  private readonly standings = new Standings();
  private readonly speaker: Speaker;
  private readonly repository: Repository;
  private readonly terminals: TerminalProcess;
  private readonly parts: PartKiller;
  /** How the checkout stood when a git of Muster's had been killed in it. */
  private half: string[] = [];
  private unfinished: readonly string[] = [];
  private readonly outcomes = new Map<number, RunOutcome | null>();
  private readonly broken = Object.fromEntries(promised.map(([name]) => [name, [] as string[]])) as Record<
    Promise_,
    string[]
  >;
  private gatesSeenAgain = 0;
  private untilEvent = Number.POSITIVE_INFINITY;
  private lastEventAt = 0;
  private countsAs = /./;
  private aim: Standing | null = null;

  constructor(private readonly options: Options) {
    this.random = new Random(options.seed);
    this.world = makeWorld(options.places);
    this.witness = new Witness(this.world.folder);
    const { witness, random, words } = this;
    const { project, dataDir } = this.world;
    const files = filesOf(options.kinds);
    this.operator = new Operator({ witness, random, project, files, runs: RUNS_AT_A_TIME });
    this.speaker = new Speaker({ random, words });
    this.repository = new Repository(project, dataDir);
    this.terminals = new TerminalProcess([options.terminalsFile, this.world.socket, dataDir]);
    this.parts = new PartKiller(random, () => this.terminals.pid);
  }

  async run(): Promise<Findings> {
    const began = performance.now();
    try {
      for (let life = 1; this.kills < this.options.kills; life += 1) {
        await this.lifeAndDeath();
        if (life % REST_EVERY === 0) await this.marks.settled();
        if (life % 15 === 0)
          this.options.say(`${this.kills} kills, ${this.witness.acknowledged.size} events`);
      }
      await this.lastLife();
      const findings = this.findings((performance.now() - began) / 1000);
      if (!this.options.keep) await this.cleanUp();
      return findings;
    } finally {
      this.marks.close();
      await this.terminals.end();
      if (!this.options.keep) this.world.remove();
    }
  }

  private async lifeAndDeath(): Promise<void> {
    const moment = this.random.pick<Moment>(moments);
    this.killsAt[moment] += 1;
    this.takeAim(moment);
    const { core, ready, instanceId } = this.start();
    if (moment === 'start') {
      await Promise.race([sleep(this.random.below(350)), core.gone]);
    } else {
      await within(END_MS, Promise.race([ready, core.gone]), 'the core does not become ready');
      await Promise.race([this.reached(moment, core), sleep(moment === 'aimed' ? AIM_MS : LIFE_MS)]);
      if (moment !== 'aimed') await this.parts.kill(core);
    }
    this.strike(core);
    const { code, stderr } = await within(END_MS, core.gone, 'a killed core is not gone');
    if (code !== null) throw new Error(`the core ended by itself, with ${code}: ${stderr}`);
    this.marks.coreDied(instanceId);
    this.examine(this.witness.takeFresh());
    this.half = await this.repository.checkout();
    // What a killed git leaves half done is settled by the operator, in the next life of the core.
    if (this.parts.counts.git === 0) this.broken.checkout.push(...this.half.splice(0));
  }

  private strike(core: CoreProcess): void {
    if (!core.alive) return;
    core.kill();
    this.standings.killed();
  }

  /** Chooses what an aimed kill is to hit, and has the operator bring it about. */
  private takeAim(moment: Moment): void {
    const target = moment === 'aimed' ? this.standings.scarcest(this.options.kinds) : null;
    this.aim = target?.standing ?? null;
    this.operator.aimAt();
    if (target === null) return;
    const { standing, kind } = target;
    const isThere = this.standings.isLive(kind) && standing !== 'skip';
    this.operator.aimAt({ file: isThere ? null : fileOf(kind), rejects: standing === 'rework' });
  }

  private get kills(): number {
    return this.parts.killed.length + Object.values(this.killsAt).reduce((sum, count) => sum + count, 0);
  }

  /** Takes up what failed, settles checkouts that a killed git left half changed, and sees that they are whole. */
  private async tidy(core: CoreProcess): Promise<void> {
    await this.operator.settle(core);
    await this.operator.catchUp(core);
    if (this.half.length === 0 || !core.alive) return;
    const wrong = await this.repository.checkout();
    if (core.alive) this.broken.checkout.push(...wrong.map((what) => `after it was settled: ${what}`));
  }

  /** Nothing is killed any more: everything must come to its end. */
  private async lastLife(): Promise<void> {
    this.takeAim('anytime');
    this.operator.hurry();
    this.speaker.hurry();
    const { core, ready, instanceId } = this.start();
    await within(END_MS, ready, 'the core does not become ready');
    await within(END_MS, this.operator.catchUp(core), 'the core does not list its runs');
    this.lastEventAt = performance.now();
    while (this.isUnfinished() && core.running && performance.now() < this.lastEventAt + END_MS)
      await Promise.race([sleep(50), core.gone]);
    await within(END_MS, this.readAll(core), 'the core does not show its runs');
    const unanswered = core.unanswered(UNANSWERED_MS);
    if (unanswered.length > 0) this.broken.runsNotEnded.push(`not answered: ${unanswered.join(', ')}`);
    if (this.operator.runsLive > 0) {
      const refused = this.operator.refused.slice(-6).join('; ');
      this.broken.runsNotEnded.push(`the last answers that were refused: ${refused || 'none'}`);
    }
    core.end();
    const { code, stderr } = await within(END_MS, core.gone, 'the core does not end');
    if (code !== 0) throw new Error(`the core ended with ${code}: ${stderr}`);
    this.marks.coreDied(instanceId);
    await this.marks.settled();
    this.broken.marksAlive.push(...this.marks.overdue.values());
    this.examine([...this.witness.acknowledged.values()]);
  }

  private isUnfinished(): boolean {
    return this.operator.runsLive + this.speaker.unanswered > 0;
  }

  private async cleanUp(): Promise<void> {
    const { core, ready } = this.start();
    await within(END_MS, ready, 'the core does not become ready');
    const left = await within(END_MS, leftAfterCleaning(core, this.repository), 'the core does not clean');
    this.broken.worktrees.push(...left);
    core.end();
    await within(END_MS, core.gone, 'the core does not end');
  }

  private async readAll(core: CoreProcess): Promise<void> {
    const { rows } = await core.call('run.list', { limit: 500 });
    for (const { id, outcome, unreadable } of rows) {
      this.outcomes.set(id, outcome);
      const read = await core.call('run.get', { runId: id }).catch((error: unknown) => String(error));
      if (unreadable !== undefined || typeof read === 'string') this.broken.unreadable.push(`run ${id}`);
    }
    this.broken.checkout.push(...(await this.repository.checkout()).map((what) => `in the end: ${what}`));
    this.unfinished = await unfinishedFolders(core);
  }

  private start(): { core: CoreProcess; ready: Promise<void>; instanceId: string } {
    const instanceId = randomUUID();
    let tellReady: () => void = () => undefined;
    const ready = new Promise<void>((resolve) => {
      tellReady = resolve;
    });
    const core: CoreProcess = new CoreProcess(this.options.coreFile, this.world.init(instanceId), {
      terminals: this.world.socket,
      committed: ({ events }) => this.committed(core, events),
      opened: (gates) => {
        const open = new Set(gates.map(({ runId, gateId }) => `${runId}/${gateId}`));
        for (const gate of this.witness.waiting) {
          if (open.has(gate)) this.gatesSeenAgain += 1;
          else this.broken.gatesLost.push(`${gate} does not wait any more`);
        }
        for (const gate of this.witness.answered) {
          if (open.has(gate)) this.broken.gatesLost.push(`${gate} has lost its answer`);
        }
        for (const gate of gates) this.operator.gateOpened(core, gate);
      },
      ready: () => {
        tellReady();
        void this.tidy(core);
        void this.operator.topUp(core);
        void this.speaker.live(core);
      },
    });
    return { core, ready, instanceId };
  }

  private committed(core: CoreProcess, events: readonly StoredEvent[]): void {
    this.lastEventAt = performance.now();
    this.witness.committed(events);
    this.standings.committed(events);
    // At once: what is told together with it would already be behind it.
    if (this.aim !== null && this.standings.isAt(this.aim)) this.strike(core);
    for (const { runId, event } of events) {
      if (event.type === 'run.started' || event.type === 'run.reopened' || event.type === 'run.resumed')
        this.operator.began(runId);
      if (event.type === 'run.started' && event.definition.steps.some(({ type }) => type === 'step.team'))
        this.parts.teams.add(event.uid);
      if (event.type === 'session.ready') this.speaker.follow(runId);
      if (event.type === 'run.finished' && event.outcome === 'failed') this.operator.failed(core, runId);
      else if (event.type === 'run.finished') this.operator.ended(runId);
      if (event.type === 'gate.opened') this.operator.gateOpened(core, { runId, ...event });
    }
    this.untilEvent -= events.filter(({ event }) => this.countsAs.test(event.type)).length;
  }

  private async reached(moment: Moment, core: CoreProcess): Promise<void> {
    const { random } = this;
    if (moment === 'anytime') return sleep(random.below(2_400));
    if (moment === 'aimed') return void (await core.gone);
    this.countsAs = moment === 'effect' ? WORKS : /./;
    this.untilEvent = 1 + random.below(moment === 'effect' ? 8 : 60);
    // Without a pause in between: the very next moment is what is wanted.
    while (this.untilEvent > 0 && core.alive) await new Promise<void>((resolve) => setImmediate(resolve));
    if (moment === 'effect') await sleep(random.below(90));
  }

  private examine(acknowledged: readonly StoredEvent[]): void {
    const examination = new Examination(this.world.database);
    this.broken.eventsLost.push(...examination.lost(acknowledged));
    this.broken.halves.push(...examination.halves());
    examination.close();
  }

  private findings(seconds: number): Findings {
    const examination = new Examination(this.world.database);
    const byRun = examination.histories();
    const histories = [...byRun.values()];
    examination.close();
    this.lookBack(byRun);
    const events = histories.flat().map(({ event }) => event);
    const runs: Record<string, number> = {};
    for (const history of histories) {
      const inRun = (found: readonly string[]) => found.map((what) => `run ${history[0]?.runId}: ${what}`);
      const outcome = outcomeOf(history);
      runs[outcome ?? 'not ended'] = (runs[outcome ?? 'not ended'] ?? 0) + 1;
      const fine = outcome === 'succeeded' || outcome === 'rejected';
      if (!fine) this.broken.runsNotEnded.push(`run ${history[0]?.runId}: ${whyNot(history)}`);
      const listed = this.outcomes.get(history[0]?.runId ?? 0);
      if (listed !== outcome)
        this.broken.status.push(`run ${history[0]?.runId} is listed as ${listed} and has ${outcome}`);
      this.broken.blame.push(...inRun(wronglyBlamed(history, this.parts.killed)));
      this.broken.stepsAgain.push(...inRun(doneAgain(history)));
      this.broken.gatesLost.push(...inRun(goneUnanswered(history)));
    }
    const count = (type: string) => events.filter((event) => event.type === type).length;
    return {
      kills: this.kills,
      partsKilled: this.parts.counts,
      resumed: this.operator.resumed,
      settled: this.operator.settled,
      killsAt: this.killsAt,
      killedIn: this.standings.counts,
      seconds,
      runs,
      events: events.length,
      acknowledged: this.witness.acknowledged.size,
      stepsFinished: count('activation.finished'),
      turnsInterrupted: count('turn.interrupted'),
      commandsInterrupted: count('command.interrupted'),
      gatesSeenAgain: this.gatesSeenAgain,
      answersTaken: this.witness.answered.size,
      counts: Object.fromEntries(
        [...new Set(events.map(({ type }) => type))].map((type) => [type, count(type)]),
      ),
      wordsTaken: this.words.taken,
      promptsCutOff: histories.reduce((sum, history) => sum + promptsCutOff(eventsOf(history)), 0),
      done: this.speaker.done,
      refused: this.speaker.refused,
      longestMarkMs: this.marks.longest,
      broken: this.broken,
    };
  }

  /** What the histories, the agents' own records and the repository say in the end. */
  private lookBack(byRun: ReadonlyMap<number, readonly StoredEvent[]>): void {
    const { broken } = this;
    broken.words.push(...this.words.misheard(byRun));
    for (const [runId, history] of byRun) {
      const events = eventsOf(history);
      const team = teamBreaches(events);
      const inRun = (found: readonly string[]) => found.map((what) => `run ${runId}: ${what}`);
      broken.messages.push(...inRun(team.messages));
      broken.rounds.push(...inRun(team.rounds));
      broken.results.push(...inRun(team.results));
      broken.turns.push(...inRun([...wronglySent(events), ...neverReceived(events)]));
      broken.told.push(...inRun(neverTold(events)));
      broken.words.push(...inRun(wronglyPrompted(events)));
      broken.captures.push(...inRun(wronglyCaptured(events)));
      for (const { event } of history) {
        const taken = event.type === 'team.message-withdrawn';
        if (taken) this.words.withdrawn.delete(`${runId}/${event.messageId}`);
      }
    }
    broken.words.push(
      ...[...this.words.withdrawn].map((one) => `${one} was said to be taken back, and is not`),
    );
    broken.merges.push(...this.repository.merges(byRun.values()));
    broken.snapshots.push(...this.repository.snapshots(byRun.values(), this.words.waysBack));
    broken.worktrees.push(...this.repository.worktrees(byRun.values(), this.unfinished));
  }
}
