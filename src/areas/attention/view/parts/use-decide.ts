import { decided, useCooldown } from '@areas/gates/view/parts/answer/decision-cooldown';
import { ownAnswers } from '@areas/gates/view/parts/answer/own-answers';
import type { Decision } from '@renderer/client/sending/decision';
import { decisions } from '@renderer/client/sending/decisions';
import { settings } from '@renderer/client/settings';
import { hashOfItem } from './items';

interface Deciding {
  /** The chosen option, as on its button. */
  readonly word: string;
  readonly sends: Decision['sends'];
  readonly ended?: (taken: boolean) => void;
}

/** Decides on an item other than a gate: not while its card is new, and sent after the undo period. */
export function useDecide(key: string, title: string) {
  const { resting, isCoolingDown } = useCooldown(key);
  const decide = ({ word, sends, ended: onEnded }: Deciding) => {
    if (isCoolingDown()) return;
    decided();
    ownAnswers.add(key);
    const ended = (taken: boolean) => {
      if (!taken) ownAnswers.remove(key);
      onEnded?.(taken);
    };
    const chosen = { key, word, title, place: hashOfItem(key), sends, ended };
    decisions.decide(chosen, settings.get().undoSeconds * 1000);
  };
  return { resting, decide };
}
