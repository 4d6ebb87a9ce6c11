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
import { notStarted, type TurnEnd, type TurnInFlight, TurnLoop } from '../turn-loop';
import { agentInput } from './attachments';
import { type Final, judge } from './final';
import type { OpenclawLimits } from './limits';
import type { Link } from './link';
import { runIdOf } from './names';
import type { GatewayPlace } from './place';
import { GatewayTurn } from './turn';

interface OpenclawSessionParts {
  readonly spec: SessionSpec;
  readonly listener: SessionListener;
  readonly place: GatewayPlace;
  readonly link: Link;
  readonly sessionKey: string;
  readonly ready: SessionReady;
  readonly clock: Clock;
  readonly limits: OpenclawLimits;
  readonly files: Pick<WorkspaceFiles, 'readBytes'>;
}

const NOTHING = { response: '', usage: null };

/** A conversation stored at the gateway under a key; Muster keeps only the key. */
export class OpenclawSession implements Session {
  readonly ready: SessionReady;
  readonly #loop: TurnLoop;

  constructor(private readonly parts: OpenclawSessionParts) {
    this.ready = parts.ready;
    const { clock, place } = parts;
    this.#loop = new TurnLoop({ clock, silenceMinutes: place.profile.silence_minutes });
  }

  turn(request: TurnRequest): Promise<TurnResult> {
    return this.#loop.turn((turn) => {
      turn.asks((seen) => this.parts.listener.observed?.(request.turnId, seen));
      return this.#run(request, turn);
    });
  }

  cancel(): Promise<void> {
    return this.#loop.cancel();
  }

  async park(): Promise<void> {
    await this.#loop.leave('parked');
    this.parts.link.close();
  }

  async close(): Promise<void> {
    await this.#loop.leave('closed');
    this.parts.link.close();
  }

  async #run(request: TurnRequest, flight: TurnInFlight): Promise<TurnResult> {
    const { spec, clock, place, files, listener } = this.parts;
    const input = await agentInput(request, files);
    if (!input.ok) return notStarted(input.error, input.error.code);
    const stopped = this.#loop.stoppedAs(flight);
    if (stopped !== null) return { ...NOTHING, ...stopped };
    const { system_prompt: system } = place.profile;
    const buffer = new ItemBuffer(clock, (items) => listener.items(request.turnId, items));
    const turn = new GatewayTurn({
      ...this.parts,
      runId: runIdOf(spec.key, request.turnId),
      params: {
        ...input.value,
        ...(system === undefined ? {} : { extraSystemPrompt: system }),
        // Names Muster's session in the gateway's transcript. As `inter_session` the model would be told not
        // to follow the prompt as an instruction.
        inputProvenance: { kind: 'external_user', sourceSessionKey: spec.key, sourceTool: 'muster' },
      },
      items: (items) => {
        for (const item of items) buffer.add(item);
      },
      heard: () => flight.heard(),
    });
    flight.endsBy(() => turn.stop());
    const final = await turn.run();
    const result = this.#resultOf(final, turn, this.#loop.stoppedAs(flight));
    for (const item of turn.spoken.settle(result.outcome === 'completed' ? result.response : ''))
      buffer.add(item);
    if (result.usage !== null) buffer.add({ type: 'usage', usage: result.usage });
    buffer.flush();
    return result;
  }

  #resultOf(final: Final, turn: GatewayTurn, stopped: TurnEnd | null): TurnResult {
    const { clock, place } = this.parts;
    const answer = final.kind === 'answered' ? final.text : null;
    const spoken = turn.spoken.read();
    const response = answer ?? spoken.response;
    const usage = final.kind === 'answered' ? final.usage : null;
    const turnParts = { response, toolCalls: spoken.toolCalls, usage, limitResetsAt: null };
    if (stopped !== null) return { ...turnParts, ...stopped };
    return {
      ...turnParts,
      ...judge(final, response, { reason: turn.reason, place, now: () => clock.now() }),
    };
  }
}
