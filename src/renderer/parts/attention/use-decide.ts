import { decisions } from '../../client/decisions';
import { settings } from '../../client/settings';
import { decided, useRest } from '../gate/decision-rest';
import { ownAnswers } from '../gate/own-answers';
import { hashOfItem } from './items';

interface Deciding {
  /** What was chosen, as its button says it. */
  readonly word: string;
  /** False where it was not taken. */
  readonly send: () => Promise<boolean>;
}

/** Decides on an item beside the gates: not while its card is new, and sent after the time to undo it. */
export function useDecide(key: string, title: string) {
  const { resting, isResting } = useRest(key);
  const decide = ({ word, send }: Deciding) => {
    if (isResting()) return;
    decided();
    ownAnswers.add(key);
    const commit = async () => {
      const taken = await send();
      if (!taken) ownAnswers.remove(key);
      return taken;
    };
    const chosen = { key, word, title, place: hashOfItem(key), commit };
    decisions.decide(chosen, settings.get().undoSeconds * 1000);
  };
  return { resting, decide };
}
