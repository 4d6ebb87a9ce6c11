import { z } from 'zod';
import { localIdSchema } from '../ids';

/** What the sender of a command with a key was told. */
const keyedAnswerSchema = z.union([z.object({ promptId: localIdSchema }), z.object({ text: z.string() })]);
export type KeyedAnswer = z.infer<typeof keyedAnswerSchema>;

/** The key of the command that an event came of, and how it was answered: so it is answered whenever it comes again. */
export const keyedSchema = z.lazy(() => z.object({ key: z.string(), answer: keyedAnswerSchema }).optional());
