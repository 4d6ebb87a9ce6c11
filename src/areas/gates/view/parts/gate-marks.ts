import { featureGateMarks } from '@features/marks';
import type { GateMark } from '@renderer/parts/marks/feature-marks';
import {
  CircleHelp,
  CloudOff,
  CreditCard,
  Hourglass,
  KeyRound,
  OctagonAlert,
  ShieldQuestion,
  SquareTerminal,
  Unplug,
} from 'lucide-react';
import type { GateKind } from '../../contract/gate';

/** Icon and word of each kind of gate. */
export const gateMarks: Readonly<Record<GateKind, GateMark>> = {
  ...featureGateMarks,
  permission: { icon: ShieldQuestion, word: 'Permission' },
  interrupted_turn: { icon: Unplug, word: 'Interrupted turn' },
  interrupted_command: { icon: Unplug, word: 'Interrupted command' },
  login: { icon: KeyRound, word: 'Login needed' },
  provider_limit: { icon: Hourglass, word: 'Provider limit' },
  budget: { icon: CreditCard, word: 'Budget reached' },
  budget_near: { icon: CreditCard, word: 'Budget nearly used' },
  terminal_question: { icon: SquareTerminal, word: 'Waits in its terminal' },
  agent_silent: { icon: CircleHelp, word: 'Agent silent' },
  permission_flood: { icon: OctagonAlert, word: 'Too many requests' },
  host_lost: { icon: CloudOff, word: 'Host not reached' },
};
