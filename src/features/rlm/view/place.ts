import { runPlaces } from '@areas/runs/view/parts/run-place';

/** A question in an address: `question/RUN/ACTIVATION`, optionally with `iteration/N` or `gate/N`. */
export const { placeOf, pathOf, hashAt: hashOfQuestion } = runPlaces('question', ['iteration', 'gate']);

export type { RunAt as QuestionAt } from '@areas/runs/view/parts/run-place';
