import { ownValue } from '@contract/own';
import { stepMarks } from '@features/marks';
import { Brackets } from 'lucide-react';
import { Glyph } from '../../ui/controls/icon';
import { Status } from '../../ui/controls/status';
import type { Word } from '../words/status-words';

export function Marked({ word, chip, markOnly }: { word: Word; chip?: boolean; markOnly?: boolean }) {
  return (
    <Status tone={word.tone} icon={word.icon} chip={chip} markOnly={markOnly}>
      {word.word}
    </Status>
  );
}

/** The icon of a step type, or the default icon. */
export function StepIcon({ type }: { type: string }) {
  return <Glyph of={ownValue(stepMarks, type)?.icon ?? Brackets} size={15} />;
}
