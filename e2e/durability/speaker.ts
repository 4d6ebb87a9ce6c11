import type { ProcedureOutput } from '@contract/ipc';
import type { RunState } from '@contract/run/state';
import type { MemberState, MergeState, TeamState } from '@features/team/contract/state';
import { hasEnded, memberStatus } from '@features/team/contract/status';
import type { CoreProcess } from './core-process';
import type { Random } from './random';
import type { Word, Words } from './words';

interface Place {
  readonly core: CoreProcess;
  readonly runId: number;
  readonly state: RunState;
}

/** Something that was said, and how it is said once more. */
interface Said {
  readonly kind: string;
  readonly word: Word;
  readonly how: (core: CoreProcess, word: Word) => Promise<unknown>;
}

/** After so many words a run is brought to its end, so that others can begin. */
const MOST_WORDS = 10;
/** Prompts that a run gets when it has ended already. */
const LATE_WORDS = 2;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** The operator among agents: says things to them in the middle of their work, takes back what they did, merges. */
export class Speaker {
  private readonly runs = new Set<number>();
  private readonly late = new Map<number, number>();
  private patient = true;
  private readonly open = new Set<Said>();
  /** What the core did not do, by the code of its answer. */
  readonly refused: Record<string, number> = {};
  readonly done: Record<string, number> = {};

  constructor(private readonly parts: { readonly random: Random; readonly words: Words }) {}

  follow(runId: number): void {
    this.runs.add(runId);
  }

  /** From now on nothing new is asked for, and everything is brought to its end. */
  hurry(): void {
    this.patient = false;
  }

  /** Words that no core has answered. */
  get unanswered(): number {
    return this.open.size;
  }

  /** Acts until the core is gone. What the one before did not answer is said again first. */
  async live(core: CoreProcess): Promise<void> {
    for (const said of this.open) {
      await this.tell(core, said);
      this.count('said again');
    }
    while (core.alive) {
      for (const runId of [...this.runs].slice(-12)) {
        const { state } = await core.call('run.get', { runId });
        await this.act({ core, runId, state });
      }
      await pause(20 + this.parts.random.below(150));
    }
  }

  private async act(place: Place): Promise<void> {
    const { state, runId } = place;
    if (state.status === 'finished' && !this.speaksLate(place)) this.runs.delete(runId);
    if (state.status === 'cancelling') return;
    const team = Object.values(state.teams)[0];
    if (team !== undefined && state.status === 'running') await this.lead(place, team);
    else if (this.patient && this.parts.random.chance(0.3)) await this.prompt(place);
    if (this.patient && this.parts.random.chance(0.15)) await this.takeBack(place);
  }

  /** A run that has ended is spoken to a little longer. */
  private speaksLate({ runId, state }: Place): boolean {
    if (Object.keys(state.sessions).length === 0 || !this.patient) return false;
    const spoken = this.late.get(runId) ?? 0;
    this.late.set(runId, spoken + 1);
    return spoken < LATE_WORDS * 4;
  }

  private async prompt(place: Place): Promise<void> {
    const { runId, state } = place;
    const sessions = Object.values(state.sessions).filter((one) => one.turnIds.length > 0);
    if (sessions.length === 0 || this.parts.words.countIn(runId) >= MOST_WORDS) return;
    const { id: sessionId } = this.parts.random.pick(sessions);
    const kind = state.status === 'finished' ? 'prompt after the end' : 'prompt';
    await this.say(kind, place, (core, { token, key }) =>
      core.call('session.prompt', { runId, sessionId, key, text: `${token} Say more.` }),
    );
  }

  private async lead(place: Place, team: TeamState): Promise<void> {
    const { runId } = place;
    const spent = this.parts.words.countIn(runId) >= MOST_WORDS;
    for (const merge of Object.values(team.merges)) await this.decideMerge(place, team, merge);
    const members = Object.values(team.members).filter((one) => !hasEnded(one) && one.stopping === null);
    if (Object.keys(team.members).length === 0) return this.callAgain(place, team);
    if (members.length === 0) return;
    const member = this.parts.random.pick(members);
    if (!this.patient || spent) return this.release(place, team, member);
    await this.speak(place, team, member);
  }

  private async speak(place: Place, team: TeamState, member: MemberState): Promise<void> {
    const { core, runId, state } = place;
    const { random } = this.parts;
    const to = { runId, activationId: team.activationId };
    const act = random.next();
    if (act < 0.4) {
      await this.say('message', place, (core, { token, key }) =>
        core.call('team.say', { ...to, key, to: member.name, text: `${token} Go on.`, meant: 'message' }),
      );
    } else if (act < 0.5) {
      await this.say('word to all', place, (core, { token, key }) =>
        core.call('team.say', { ...to, key, to: null, text: `${token} Hear this.`, meant: 'message' }),
      );
    } else if (act < 0.6 && isBusy(state, team, member)) {
      await this.say('interruption', place, (core, { token, key }) =>
        core.call('team.interrupt', {
          ...to,
          key,
          member: member.name,
          text: `${token} Stop, and do this.`,
        }),
      );
    } else if (act < 0.7) {
      const own = Object.values(team.messages).findLast(
        (message) =>
          message.from === 'operator' &&
          message.text.startsWith('[w') &&
          Object.values(message.deliveries).every((delivery) => delivery.state === 'queued'),
      );
      if (own === undefined) return;
      const { id: messageId } = own;
      const taken = await this.attempt('taken back', core.call('team.withdraw', { ...to, messageId }));
      if (taken !== null) this.parts.words.withdrawn.add(`${runId}/${messageId}`);
    } else if (act < 0.75 && member.rounds.length > 1) {
      await this.attempt('satisfied', core.call('team.satisfied', { ...to, member: member.name }));
    }
  }

  private async release({ core, runId, state }: Place, team: TeamState, member: MemberState): Promise<void> {
    const one = { runId, activationId: team.activationId, member: member.name };
    if (member.rounds.at(-1)?.result == null) {
      // An interruption whose words were taken back leaves a round that continues only with the operator's next word.
      if (memberStatus(state, team, member).word === 'awaiting_operator' && !asks(state))
        await this.attempt('shut down', core.call('team.shutdown', { ...one, force: true }));
      return;
    }
    if (member.iterative) await this.attempt('satisfied', core.call('team.satisfied', one));
    else await this.attempt('shut down', core.call('team.shutdown', one));
    if (member.name === 'S3')
      await this.attempt('cleanup', core.call('team.cleanup', { runId, activationId: team.activationId }));
  }

  /** A lead whose first turn was cut off may come back and have no one. */
  private async callAgain(place: Place, { activationId }: TeamState): Promise<void> {
    const { core, runId, state } = place;
    if (Object.values(state.turns).at(-1)?.status !== 'completed') return;
    const to = { runId, activationId };
    if (this.parts.words.countIn(runId) >= MOST_WORDS) {
      await this.attempt('cleanup', core.call('team.cleanup', to));
      return;
    }
    await this.say('message to the lead', place, (core, { token, key }) =>
      core.call('team.say', { ...to, key, to: 'lead', text: `${token} Lead them.`, meant: 'message' }),
    );
  }

  private async decideMerge({ core, runId }: Place, team: TeamState, merge: MergeState): Promise<void> {
    const { random } = this.parts;
    const to = { runId, activationId: team.activationId };
    if (merge.status === 'failed' && random.chance(0.5)) {
      const again = Object.values(team.merges).some(
        (one) => one.id > merge.id && one.member === merge.member,
      );
      if (!again) await this.attempt('merge again', core.call('team.merge', { ...to, member: merge.member }));
    }
    if (merge.status !== 'rehearsed' || merge.rehearsal === null) return;
    if (this.patient && random.chance(0.3)) return;
    if (random.chance(0.1)) {
      await this.attempt('declined', core.call('team.mergeDecline', { ...to, mergeId: merge.id }));
      return;
    }
    const take = random.pick(['ours', 'theirs', 'both', 'by_hand'] as const);
    const choice = take === 'by_hand' ? { take, text: 'by hand\n' } : { take };
    const choices = Object.fromEntries(merge.rehearsal.conflicts.map(({ path }) => [path, choice]));
    await this.attempt('merge', core.call('team.mergeConfirm', { ...to, mergeId: merge.id, choices }));
  }

  /** A hunk of a turn is taken back, and half of the time put there again. */
  private async takeBack({ core, runId, state }: Place): Promise<void> {
    const { random, words } = this.parts;
    const turns = Object.values(state.turns).filter((turn) => (turn.changes?.files ?? 0) > 0);
    // What was changed last can be taken back; of what is before, some was changed again since.
    const turn = random.chance(0.8) ? turns.at(-1) : turns[0];
    if (turn === undefined) return;
    const { id: turnId, sessionId } = turn;
    const diff = await this.attempt(
      'diff',
      core.call('workspace.diff', { runId, of: { kind: 'turn', turnId } }),
    );
    const file = diff?.files.find(({ hunks }) => hunks.length > 0);
    const hunk = file?.hunks[0]?.id;
    if (file === undefined || hunk === undefined) return;
    const wanted = { runId, sessionId, turnId, path: file.path, hunk };
    const rejected = await this.attempt('hunk taken back', core.call('workspace.reject', wanted));
    if (rejected === null) return;
    words.waysBack.add(rejected.undo);
    if (random.chance(0.5)) return;
    const back: ProcedureOutput<'workspace.restore'> | null = await this.attempt(
      'restored',
      core.call('workspace.restore', { runId, sessionId, snapshot: rejected.undo }),
    );
    if (back !== null) words.waysBack.add(back.undo);
  }

  private async say(kind: string, { core, runId }: Place, how: Said['how']): Promise<void> {
    const word = this.parts.words.say(runId);
    const said = { kind, word, how };
    this.open.add(said);
    await this.tell(core, said);
  }

  /** Goes on forever where the core dies before it answers. */
  private async tell(core: CoreProcess, said: Said): Promise<void> {
    said.word.taken = (await this.attempt(said.kind, said.how(core, said.word))) !== null;
    this.open.delete(said);
  }

  private count(kind: string): void {
    this.done[kind] = (this.done[kind] ?? 0) + 1;
  }

  private async attempt<T>(kind: string, call: Promise<T>): Promise<T | null> {
    try {
      const value = await call;
      this.count(kind);
      return value;
    } catch (error) {
      const [code = ''] = (error instanceof Error ? error.message : String(error)).split(':');
      const why = `${kind} (${code})`;
      this.refused[why] = (this.refused[why] ?? 0) + 1;
      return null;
    }
  }
}

const asks = ({ gates }: RunState): boolean => Object.values(gates).some(({ status }) => status === 'open');

function isBusy(state: RunState, { activationId }: TeamState, { name }: MemberState): boolean {
  const session = state.activations[activationId]?.lanes[`member-${name}`];
  return Object.values(state.turns).some((turn) => turn.status === 'in_flight' && turn.sessionId === session);
}
