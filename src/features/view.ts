import { type FeatureViewEntry, later } from '@renderer/parts/view-entry';
import { teamsActions } from '@renderer/views/teams/actions';
import { Repeat, Users } from 'lucide-react';
import { loopsActions } from './loop/view/actions';

// biome-ignore format: one line for each view
export const featureViews: readonly FeatureViewEntry[] = [
  { id: 'teams', title: 'Teams', icon: Users, key: 't', component: later(async () => (await import('@renderer/views/teams')).TeamsView), actions: teamsActions, paths: ['teams', 'team'], needsProject: true, below: 'feed' },
  { id: 'loops', title: 'Loops', icon: Repeat, key: 'l', component: later(async () => (await import('./loop/view')).LoopsView), actions: loopsActions, paths: ['loops', 'loop'], needsProject: true, below: 'sessions' },
];
