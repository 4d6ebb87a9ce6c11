import type { FeatureParts, OpenFeature } from '@main/sdk/feature-services';
import type { rlmProcedures } from '../contract/procedures';
import { RlmService } from './service';

/** Questions over documents, in the core's process. */
export function openQuestions(parts: FeatureParts): OpenFeature<keyof typeof rlmProcedures> {
  const { runs } = parts;
  const rlm = new RlmService(parts);
  return {
    handlers: {
      'rlm.start': (input) => runs.once(input.uid, () => rlm.start(input)),
      'rlm.interrupt': (input) => rlm.interrupt(input),
      'rlm.text': (input) => rlm.text(input),
    },
  };
}
