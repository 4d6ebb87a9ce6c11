import { fail, ok } from '@contract/result';
import type { AgentPort, Session, SessionListener, SessionSpec, TurnRequest } from '../../core/ports/ports';
import { ended, TurnLoop } from '../turn-loop';

const NAME = 'Echo';

/** Repeats each prompt: the smallest agent with everything that Muster requires. */
export function createEchoAgent(): AgentPort {
  return {
    kind: 'echo',
    async open(spec, listener) {
      const { profile } = spec;
      if (profile.kind !== 'echo') return fail('internal', `${profile.id} is not of kind echo.`);
      return ok(sessionOf(spec, listener, profile.before));
    },
  };
}

function sessionOf(spec: SessionSpec, listener: SessionListener, before: string): Session {
  const loop = new TurnLoop({ silenceMinutes: spec.profile.silence_minutes });
  const answer = ({ turnId, prompt }: TurnRequest) =>
    loop.turn(async (turn) => {
      const response = `${before}${prompt}`;
      listener.items(turnId, [{ type: 'text', text: response }]);
      const end = loop.stoppedAs(turn) ?? ended('completed', 'end_turn');
      return { ...end, response, usage: null };
    });
  return {
    ready: {
      providerSessionId: spec.key,
      agent: NAME,
      fresh: spec.resume === null,
      notice: null,
      capabilities: { resume: true, cancel: true, permissions: false, images: false, embeddedFiles: false },
    },
    turn: answer,
    cancel: () => loop.cancel(),
    park: () => loop.leave('parked'),
    close: () => loop.leave('closed'),
  };
}
