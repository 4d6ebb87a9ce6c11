import { own } from '@contract/own';
import {
  Bot,
  Brackets,
  GitPullRequest,
  Hand,
  Repeat,
  Scale,
  ShieldAlert,
  SquareTerminal,
  Users,
} from 'lucide-react';
import { Glyph, type Icon } from '../ui/icon';
import { Status } from '../ui/status';
import type { Word } from './words';

export function Marked({ word, chip, markOnly }: { word: Word; chip?: boolean; markOnly?: boolean }) {
  return (
    <Status tone={word.tone} icon={word.icon} chip={chip} markOnly={markOnly}>
      {word.word}
    </Status>
  );
}

/** Drawings for types that have one; any other gets the plain one. */
const STEP_ICONS: Readonly<Record<string, Icon>> = {
  'step.agent_task': Bot,
  'step.coding': Bot,
  'step.approval': Hand,
  'step.agent_review_gate': GitPullRequest,
  'step.command': SquareTerminal,
  'step.judge': Scale,
  'step.red_team': ShieldAlert,
  'step.team': Users,
  'step.panel': Users,
  'step.loop': Repeat,
};

export function StepIcon({ type, size = 15 }: { type: string; size?: number }) {
  return <Glyph of={own(STEP_ICONS, type) ?? Brackets} size={size} />;
}
