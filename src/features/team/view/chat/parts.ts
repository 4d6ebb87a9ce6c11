import { OPERATOR } from '../../contract/events';
import type { TeamMessage } from '../../contract/state';

/** A message's delivery status in a word; nothing for messages to the operator. */
export function deliveryWord(message: TeamMessage): string | null {
  const states = Object.values(message.deliveries).filter(({ to }) => to !== OPERATOR);
  const [first] = states;
  if (first === undefined) return null;
  const queued = states.filter(({ state }) => state === 'queued').length;
  if (states.length > 1)
    return queued === 0 ? 'read by all' : `read by ${states.length - queued} of ${states.length}`;
  const words = {
    queued: message.kind === 'note' ? 'read with the next round' : 'queued',
    delivered: 'delivered',
    seen: 'read',
    acted: 'used',
    withdrawn: 'withdrawn',
  };
  return words[first.state];
}
