import type { OwnPanels } from '@areas/workflows/view/parts/step-panel/own-panel';
import { hashOf } from '@renderer/client/route';
import { type FeatureViewEntry, later, type Sample } from '@renderer/parts/pages/view-entry';
import { FileSearch, Repeat, Users } from 'lucide-react';
import { lazy } from 'react';
import { loopsActions } from './loop/view/actions';
import { questionsActions } from './rlm/view/actions';
import { teamsActions } from './team/view/actions';
import { ALL, pathOf } from './team/view/place';

/** The address of a message found by search. */
export const messageHash = (runId: number, activationId: number, messageId: number): string =>
  hashOf(...pathOf({ runId, activationId, thread: ALL, messageId }));

/** A reply requested by the attention list. */
export const replyDetail = lazy(async () => ({
  default: (await import('./team/view/reply-detail')).ReplyDetail,
}));

const reviewPanel = lazy(async () => ({ default: (await import('./review/view/panel')).ReviewPanel }));

/** Panels of step types with a form of their own. */
export const stepPanels: OwnPanels = new Map([
  [
    'step.agent_task',
    lazy(async () => ({ default: (await import('./agent-task/view/panel')).AgentTaskPanel })),
  ],
  ['step.coding', lazy(async () => ({ default: (await import('./coding/view/panel')).CodingPanel }))],
  ['step.agent_review_gate', reviewPanel],
  ['step.red_team', reviewPanel],
  ['step.approval', lazy(async () => ({ default: (await import('./approval/view/panel')).ApprovalPanel }))],
  ['step.loop', lazy(async () => ({ default: (await import('./iteration/view/panel')).LoopPanel }))],
  [
    'step.experiment',
    lazy(async () => ({ default: (await import('./experiment/view/panel')).ExperimentPanel })),
  ],
]);

const sampleTeam: Sample = {
  act: 'Start the sample team',
  shows: 'Five agents each deliver a draft, and revise it until you are satisfied.',
  start: async () => (await import('./team/view/start/sample')).startSampleTeam(),
};
const sampleLoop: Sample = {
  act: 'Start the sample loop',
  shows: 'Three stories, a fresh worker for each attempt, a short update after each.',
  start: async () => (await import('./loop/view/start/sample')).startSampleLoop(),
};

// biome-ignore format: one line for each view
export const featureViews: readonly FeatureViewEntry[] = [
  { id: 'teams', group: 'Work', title: 'Teams', icon: Users, key: 't', component: later(async () => (await import('./team/view')).TeamsView), actions: teamsActions, paths: ['teams', 'team'], help: ['workflows', 'stepteam'], begins: { title: 'Start a team', path: ['teams', 'new'] }, sample: sampleTeam, needsProject: true, below: 'feed' },
  { id: 'loops', group: 'Work', title: 'Loops', icon: Repeat, key: 'l', component: later(async () => (await import('./loop/view')).LoopsView), actions: loopsActions, paths: ['loops', 'loop'], help: ['workflows', 'loops'], begins: { title: 'Start a loop', path: ['loops', 'new'] }, sample: sampleLoop, needsProject: true, below: 'sessions' },
  { id: 'questions', group: 'Work', title: 'Questions', icon: FileSearch, key: 'q', component: later(async () => (await import('./rlm/view')).QuestionsView), actions: questionsActions, paths: ['questions', 'question'], help: ['workflows', 'steprlm'], needsProject: true, below: 'sessions' },
];
