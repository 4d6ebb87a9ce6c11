import { z } from 'zod';
import { localIdSchema } from '../ids';

/** The stored answer to a command with an idempotency key. */
const keyedAnswerSchema = z.union([z.object({ promptId: localIdSchema }), z.object({ text: z.string() })]);
export type KeyedAnswer = z.infer<typeof keyedAnswerSchema>;

/** The idempotency key of the command behind an event, and its answer, which every repetition gets. */
export const keyedSchema = z.lazy(() => z.object({ key: z.string(), answer: keyedAnswerSchema }).optional());
