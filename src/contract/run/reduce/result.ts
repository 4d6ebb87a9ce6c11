import { unreachable } from '../../result';
import type { RunEventOf } from '../events';
import type { RunState } from '../state';

type ResultEvent = RunEventOf<'run.released' | 'run.apply-requested' | 'run.applied' | 'run.apply-refused'>;

export function applyResult(state: RunState, event: ResultEvent, at: number): void {
  switch (event.type) {
    case 'run.released':
      state.results = event.results;
      return;
    case 'run.apply-requested': {
      const { type: _, by: __, ...wanted } = event;
      state.applying = wanted;
      return;
    }
    case 'run.applied': {
      const { type: _, by: __, ...applied } = event;
      state.applying = null;
      state.applied = [...state.applied, { ...applied, at }];
      return;
    }
    case 'run.apply-refused':
      state.applying = null;
      return;
    default:
      return unreachable(event);
  }
}
