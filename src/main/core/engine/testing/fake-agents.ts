import type { PermissionRequest } from '@areas/gates/contract/gate';
import type { appError } from '@contract/errors';
import { err, fail, ok, type Result } from '@contract/result';
import type {
  AgentPort,
  PermissionAnswer,
  Reattached,
  Seen,
  Session,
  SessionListener,
  SessionSpec,
  SessionsPast,
  TurnRequest,
  TurnResult,
} from '../../ports/ports';

export interface SentTurn {
  readonly spec: SessionSpec;
  readonly request: TurnRequest;
  readonly ask: (request: PermissionRequest) => Promise<PermissionAnswer>;
  readonly says: (text: string) => void;
  /** Simulates an observation. */
  readonly seen: (seen: Pick<Seen, 'state'> & Partial<Seen>) => void;
  /** Does nothing after a restart: the process is gone. */
  end: (result: Partial<TurnResult>) => void;
}

/** The live part of a session: its program and last turn. */
interface FakeProgram {
  current: SentTurn | null;
  result: TurnResult | null;
  /** The core that waits for the turn's end. */
  hears: ((result: TurnResult) => void) | null;
  listener: SessionListener;
}

/**
 * Agents whose turns the test answers: by `answer` at once, or later through `sent` if `answer` returns null.
 */
export class FakeAgents implements AgentPort {
  readonly kind = 'scripted' as const;
  readonly sent: SentTurn[] = [];
  readonly opened: SessionSpec[] = [];
  readonly ended: string[] = [];
  /** What the operator typed into the terminals of agents. */
  readonly typed: string[] = [];
  /** Programs that survive their core, by session key. */
  readonly living = new Map<string, FakeProgram>();
  /** Why a surviving program no longer exists. */
  gone: string | null = null;
  /** A requested cancellation ends the turn. */
  heeds = true;
  /** Never becomes ready for prompts. */
  hangs = false;
  /** Delays the exit of a process that was asked to end. */
  lingers: Promise<void> | null = null;
  /** Whether a new process can resume an earlier conversation. */
  resumes = true;
  /** The state of a turn in flight after a restart; null: the program ended with the core. */
  survives: (key: string) => 'goes_on' | 'unsent' | 'cut' | null = () => null;
  refuse: (spec: SessionSpec) => ReturnType<typeof appError> | null = () => null;
  /** What the core that opens a session gets of it. */
  wrap: (session: Session) => Session = (session) => session;
  answer: (turn: SentTurn) => Partial<TurnResult> | null = (turn) => ({
    response: `answer to: ${turn.request.prompt}`,
  });

  async open(spec: SessionSpec, listener: SessionListener): Promise<Result<Session>> {
    this.opened.push(spec);
    if (this.hangs) {
      await spec.unwanted;
      this.ended.push(`start ${spec.key}`);
      return fail('cancelled', 'ended while it was starting');
    }
    const refused = this.refuse(spec);
    if (refused !== null) return err(refused);
    const program: FakeProgram = { current: null, result: null, hears: null, listener };
    this.living.set(spec.key, program);
    return ok(this.wrap(this.session(spec, program, listener)));
  }

  async reattach(
    spec: SessionSpec,
    past: SessionsPast,
    listener: SessionListener,
  ): Promise<Result<Reattached>> {
    await Promise.resolve();
    const program = this.living.get(spec.key);
    const how = program === undefined ? null : this.survives(spec.key);
    if (program === undefined || how === null) return fail('not_found', 'it ended with the core');
    if (this.gone !== null) return fail('agent.crashed', this.gone);
    const session = this.wrap(this.session(spec, program, listener));
    if (past.turn === null) return ok({ session, turn: null });
    if (how === 'cut') return ok({ session, turn: { kind: 'cut', reason: 'typed, not entered' } });
    // A sent turn is never sent again.
    if (program.current?.request.turnId !== past.turn.turnId)
      return ok({ session, turn: { kind: 'unsent' } });
    const follow = () =>
      new Promise<TurnResult>((resolve) => {
        program.hears = resolve;
        if (program.result !== null) resolve(program.result);
      });
    return ok({ session, turn: { kind: 'goes_on', follow } });
  }

  /** The core is gone: it receives nothing more. */
  cut(): void {
    for (const program of this.living.values()) program.hears = null;
    for (const [key] of this.living) if (this.survives(key) === null) this.living.delete(key);
  }

  private session(spec: SessionSpec, program: FakeProgram, listener: SessionListener): Session {
    const over = (how: string) => async () => {
      this.ended.push(`${how} ${spec.key}`);
      this.living.delete(spec.key);
      await this.lingers;
    };
    program.listener = listener;
    return {
      ready: {
        providerSessionId: `provider-${spec.sessionId}`,
        agent: 'Fake',
        capabilities: {
          resume: this.resumes,
          cancel: true,
          permissions: true,
          images: false,
          embeddedFiles: false,
        },
        fresh: spec.resume === null || !this.resumes,
        notice: null,
      },
      turn: (request) =>
        new Promise<TurnResult>((resolve) => {
          const sent: SentTurn = {
            spec,
            request,
            ask: (asked) => program.listener.permission(request.turnId, asked),
            says: (text) => program.listener.items(request.turnId, [{ type: 'text', text }]),
            seen: (seen) =>
              program.listener.observed?.(request.turnId, {
                since: 900,
                reason: 'so',
                screen: null,
                ...seen,
              }),
            end: (result) => {
              if (this.living.get(spec.key) !== program || program.current !== sent) return;
              program.result ??= {
                outcome: 'completed',
                stopReason: 'end_turn',
                response: '',
                usage: null,
                error: null,
                limitResetsAt: null,
                ...result,
              };
              program.hears?.(program.result);
            },
          };
          program.current = sent;
          program.result = null;
          program.hears = resolve;
          this.sent.push(sent);
          const result = this.answer(sent);
          if (result !== null) sent.end(result);
        }),
      cancel: async () => {
        if (this.heeds) program.current?.end({ outcome: 'cancelled', stopReason: 'cancelled' });
      },
      type: (text, how) => void this.typed.push(`${how} ${text}`),
      park: over('park'),
      close: over('close'),
    };
  }
}
