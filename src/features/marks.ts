import type { GateKind } from '@areas/gates/contract/gate';
import type { GateMark, StepMark } from '@renderer/parts/marks/feature-marks';
import {
  Bot,
  FilePen,
  Gauge,
  GitMerge,
  GitPullRequest,
  Hand,
  ListChecks,
  OctagonPause,
  Repeat,
  RotateCcw,
  Scale,
  ShieldAlert,
  SquareTerminal,
  Users,
} from 'lucide-react';
import { variantName } from './experiment/view/variant-name';

/** Icons and colours of features' steps; other types get the plain icon. */
export const stepMarks: Readonly<Record<string, StepMark>> = {
  'step.agent_task': { icon: Bot },
  'step.coding': { icon: Bot },
  'step.approval': { icon: Hand },
  'step.agent_review_gate': { icon: GitPullRequest },
  'step.command': { icon: SquareTerminal },
  'step.judge': { icon: Scale },
  'step.red_team': { icon: ShieldAlert },
  'step.team': { icon: Users },
  'step.panel': { icon: Users },
  'step.loop': { icon: Repeat, scopeNoun: 'Pass' },
  'step.experiment': { scopeNoun: 'Variant', scopeName: variantName },
};

/** Icons and colours of features' gates. */
export const featureGateMarks = {
  approval: { icon: Hand, word: 'Approval' },
  review_escalation: { icon: Scale, word: 'Review undecided' },
  merge: { icon: GitMerge, word: 'Merge' },
  team_plan: { icon: ListChecks, word: 'Plan' },
  team_stalled: { icon: Users, word: 'Team question' },
  team_limit: { icon: Gauge, word: 'Team limit' },
  team_wrote: { icon: FilePen, word: 'Read-only agent changed files' },
  iteration_blocked: { icon: OctagonPause, word: 'Blocked' },
  iteration_failed: { icon: RotateCcw, word: 'Failed twice' },
} as const satisfies Partial<Record<GateKind, GateMark>>;
