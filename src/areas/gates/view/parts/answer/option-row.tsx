import { Keys } from '@renderer/ui/controls/keys';
import type { GateOption } from '../../../contract/gate';
import styles from './gate-answer.module.css';

interface OptionRowProps {
  readonly option: Pick<GateOption, 'label' | 'effect' | 'tone' | 'mild'>;
  readonly caps: readonly string[];
  readonly disabled: boolean;
  readonly onTake: () => void;
}

/** A possible answer, with its effect and its key. */
export function OptionRow({ option, caps, disabled, onTake }: OptionRowProps) {
  return (
    <button
      type="button"
      className={`${styles.gateOption} ${option.tone} ${option.mild ? styles.mild : ''}`}
      data-part="gate-option"
      disabled={disabled}
      // The second click of a double click was meant for the previous card.
      onClick={(event) => event.detail < 2 && onTake()}
    >
      <strong>{option.label}</strong>
      <span className="quiet grow">{option.effect}</span>
      <Keys caps={caps} />
    </button>
  );
}
