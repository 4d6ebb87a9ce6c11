import { UNDO_RETRY_MS, UNDO_TRIED_FOR_MS } from '../../limits';
import { call } from '../rpc';
import { complain, say } from '../toasts';
import type { DecisionCore } from './decision';

/** Decisions wait in the core, so that none is lost when a window dies. */
export const decisionCore: DecisionCore = {
  async hold({ key, word, title, sends: { procedure, input } }, undoMs) {
    return (await call('decision.hold', { key, word, title, procedure, input, undoMs })).ok;
  },
  async undo(key) {
    const until = Date.now() + UNDO_TRIED_FOR_MS;
    let reply = await call('decision.undo', { key });
    // A restarted core carries out its decisions only a while after its start.
    while (!reply.ok && reply.error.code === 'unavailable' && Date.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, UNDO_RETRY_MS));
      reply = await call('decision.undo', { key });
    }
    if (!reply.ok) complain(reply.error);
    else if (!reply.value.undone) say('It was sent before it could be undone');
  },
  async send({ key, sends: { procedure, input } }, isHeld) {
    const reply = isHeld ? await call('decision.send', { key }) : await call(procedure, input as never);
    if (reply.ok) return true;
    // The core that holds the decision carries it out when it runs again.
    if (isHeld && reply.error.code === 'unavailable') return true;
    complain(reply.error);
    return false;
  },
};
