import { appError } from '@contract/errors';
import type { WorkspaceFiles } from '../../core/ports/files';
import type {
  Clock,
  Session,
  SessionListener,
  SessionReady,
  SessionSpec,
  TurnRequest,
  TurnResult,
} from '../../core/ports/ports';
import { ItemBuffer } from '../item-buffer';
import { watchSilence } from '../silence';
import { agentInput } from './attachments';
import { type Final, judge } from './final';
import type { OpenclawLimits } from './limits';
import type { Link } from './link';
import { runIdOf } from './names';
import type { Place } from './place';
import { GatewayTurn } from './turn';

export interface OpenclawSessionParts {
  readonly spec: SessionSpec;
  readonly listener: SessionListener;
  readonly place: Place;
  readonly link: Link;
  readonly sessionKey: string;
  readonly ready: SessionReady;
  readonly clock: Clock;
  readonly limits: OpenclawLimits;
  readonly files: Pick<WorkspaceFiles, 'readBytes'>;
}

type Cause = 'cancelled' | 'silent';

interface Flight {
  cause: Cause | null;
  turn: GatewayTurn | null;
  done: Promise<unknown>;
}

/** A conversation that lives at the gateway under a key; Muster keeps the key and nothing else. */
export class OpenclawSession implements Session {
  readonly ready: SessionReady;
  readonly #parts: OpenclawSessionParts;
  #flight: Flight | null = null;
  #closed = false;

  constructor(parts: OpenclawSessionParts) {
    this.ready = parts.ready;
    this.#parts = parts;
  }

  async turn(request: TurnRequest): Promise<TurnResult> {
    if (this.#closed) return failed('conflict', 'the session is closed');
    if (this.#flight !== null) return failed('conflict', 'a turn is in flight in this session');
    const flight: Flight = { cause: null, turn: null, done: Promise.resolve() };
    this.#flight = flight;
    const result = this.#run(request, flight);
    flight.done = result;
    try {
      return await result;
    } finally {
      this.#flight = null;
    }
  }

  async cancel(): Promise<void> {
    const flight = this.#flight;
    if (flight === null) return;
    stop(flight, 'cancelled');
    await flight.done;
  }

  park(): Promise<void> {
    return this.close();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.cancel();
    this.#parts.link.close();
  }

  async #run(request: TurnRequest, flight: Flight): Promise<TurnResult> {
    const { spec, clock, place, files, listener } = this.#parts;
    const input = await agentInput(request, files);
    if (!input.ok) return { ...failed(input.error.code, input.error.message), error: input.error };
    if (flight.cause !== null) return { ...failed('cancelled', ''), ...CANCELLED };
    const { system_prompt: system, silence_minutes: minutes } = place.profile;
    const silence = watchSilence(clock, minutes, () => stop(flight, 'silent'));
    const buffer = new ItemBuffer(clock, (items) => listener.items(request.turnId, items));
    const turn = new GatewayTurn({
      ...this.#parts,
      runId: runIdOf(spec.key, request.turnId),
      params: {
        ...input.value,
        ...(system === undefined ? {} : { extraSystemPrompt: system }),
        // Names the session of Muster in the gateway's transcript. As `inter_session` the model would be told not to
        // take the prompt for an instruction.
        inputProvenance: { kind: 'external_user', sourceSessionKey: spec.key, sourceTool: 'muster' },
      },
      items: (items) => {
        for (const item of items) buffer.add(item);
      },
      heard: () => silence.heard(),
    });
    flight.turn = turn;
    const final = await turn.run();
    silence.end();
    const result = this.#resultOf(final, turn, flight.cause);
    for (const item of turn.spoken.settle(result.outcome === 'completed' ? result.response : ''))
      buffer.add(item);
    if (result.usage !== null) buffer.add({ type: 'usage', usage: result.usage });
    buffer.flush();
    return result;
  }

  #resultOf(final: Final, turn: GatewayTurn, cause: Cause | null): TurnResult {
    const { place } = this.#parts;
    const told = final.kind === 'answered' ? final.text : null;
    const response = told ?? turn.spoken.text;
    const usage = final.kind === 'answered' ? final.usage : null;
    const said = { response, usage, limitResetsAt: null };
    if (cause === 'cancelled') return { ...said, ...CANCELLED };
    if (cause === 'silent') {
      const message = `${place.address} gave no sign of life for ${place.profile.silence_minutes} minutes`;
      return { ...said, outcome: 'failed', stopReason: 'silent', error: appError('agent.timeout', message) };
    }
    return { ...said, ...judge(final, response, { reason: turn.reason, place }) };
  }
}

const CANCELLED = { outcome: 'cancelled', stopReason: 'cancelled', error: null } as const;

function stop(flight: Flight, cause: Cause): void {
  flight.cause ??= cause;
  flight.turn?.stop();
}

function failed(code: Parameters<typeof appError>[0], message: string): TurnResult {
  return {
    outcome: 'failed',
    stopReason: code,
    response: '',
    usage: null,
    error: appError(code, message),
    limitResetsAt: null,
  };
}
