import type { TurnState } from '@contract/run/state';
import { Glyph } from '@renderer/ui/controls/icon';
import { CornerUpLeft, User } from 'lucide-react';
import type { ReactNode } from 'react';

/** The content of a turn's node in its chain: the number of a re-prompt, a sign, or nothing. */
export function turnMark(turn: Pick<TurnState, 'kind' | 'ordinal'>): ReactNode {
  if (turn.kind === 'reprompt') return turn.ordinal;
  if (turn.kind === 'feedback') return <Glyph of={CornerUpLeft} size={11} />;
  if (turn.kind === 'operator') return <Glyph of={User} size={11} />;
  return null;
}
