import { runPlaces } from '@renderer/parts/run-place';

/** A question as an address names it: `question/RUN/ACTIVATION`, then maybe `iteration/N` or `gate/N`. */
export const { placeOf, pathOf, hashAt: hashOfQuestion } = runPlaces('question', ['iteration', 'gate']);

export type { RunAt as QuestionAt } from '@renderer/parts/run-place';
