import { ok } from '@contract/result';
import type { FeatureParts, OpenFeature } from '@main/sdk/feature-services';
import type { rlmProcedures } from '../contract/procedures';
import { RlmService } from './service';

/** Questions over documents in the core's process. */
export function openQuestions(parts: FeatureParts): OpenFeature<keyof typeof rlmProcedures> {
  const { runs, store } = parts;
  const rlm = new RlmService({ ...parts, project: (id) => store.project(id) });
  return {
    handlers: {
      'rlm.list': ({ limit }) => ok(rlm.list(limit)),
      'rlm.preview': (input) => rlm.preview(input),
      'rlm.start': (input) => runs.once(input.uid, () => rlm.start(input)),
      'rlm.interrupt': (input) => rlm.interrupt(input),
      'rlm.excerpt': (input) => rlm.excerpt(input),
      'rlm.text': (input) => rlm.text(input),
    },
  };
}
