import { gateOrigin } from '@contract/gate/asker';
import type { GateKind } from '@contract/gate/gate';
import type { GateRow } from '@contract/gate/procedures';
import {
  CircleHelp,
  Clock,
  CreditCard,
  FilePen,
  FileWarning,
  Gauge,
  GitMerge,
  Hand,
  Hourglass,
  KeyRound,
  ListChecks,
  OctagonAlert,
  OctagonPause,
  RotateCcw,
  Scale,
  ShieldQuestion,
  Snail,
  SquareTerminal,
  Unplug,
} from 'lucide-react';
import { Ago, Until } from '../../parts/ago';
import { Marked } from '../../parts/marks';
import { answerWord } from '../../parts/words';
import { Glyph, type Icon } from '../../ui/icon';
import { inPlainSight } from '../../ui/plain-sight';
import { TwoLines } from '../../ui/two-lines';
import type { InboxRow } from './rows';

export const gateIcons: Record<GateKind, Icon> = {
  approval: Hand,
  permission: ShieldQuestion,
  interrupted_turn: Unplug,
  interrupted_command: Unplug,
  login: KeyRound,
  provider_limit: Hourglass,
  budget: CreditCard,
  budget_near: CreditCard,
  project_write: FileWarning,
  review_escalation: Scale,
  merge: GitMerge,
  team_plan: ListChecks,
  team_stalled: Snail,
  team_limit: Gauge,
  team_wrote: FilePen,
  iteration_blocked: OctagonPause,
  iteration_failed: RotateCcw,
  terminal_question: SquareTerminal,
  agent_silent: CircleHelp,
  permission_flood: OctagonAlert,
};

export function GateListRow({ row }: { row: InboxRow }) {
  if (row.heading) {
    return (
      <>
        {row.text} <span className="count">{row.count}</span>
      </>
    );
  }
  const { gate } = row;
  return (
    <TwoLines
      mark={
        <span className={gate.status === 'open' ? 'waits-text' : ''}>
          <Glyph of={gateIcons[gate.kind]} />
        </span>
      }
      title={inPlainSight(gate.title)}
      end={
        gate.answer ? (
          <Marked word={answerWord(gate.options, gate.answer)} markOnly />
        ) : (
          <Ago at={gate.openedAt} />
        )
      }
      under={gateOrigin(gate)}
      underEnd={<Later gate={gate} />}
    />
  );
}

function Later({ gate }: { gate: GateRow }) {
  if (gate.status !== 'open') return gate.closedAt !== null && <Ago at={gate.closedAt} />;
  if (gate.snoozedUntil === null) return null;
  return (
    <span className="with-icon">
      <Glyph of={Clock} size={12} />
      <Until at={gate.snoozedUntil} />
    </span>
  );
}
