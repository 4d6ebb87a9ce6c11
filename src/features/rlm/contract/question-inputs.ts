import { amount } from '@contract/bounds';
import { lazyObject } from '@contract/lazy-object';
import { ownValue } from '@contract/own';
import { stepDefinition } from '@contract/run/scope/path';
import type { RunState } from '@contract/run/state';
import { shownText } from '@contract/whole-text';
import { z } from 'zod';

const agent = { acp_profile_id: z.string().nullable().catch(null).default(null) };
const askedSchema = lazyObject(() => ({
  question: z.string().catch(''),
  documents: z.array(z.string()).catch([]),
  ...agent,
  sub_model: z.object(agent).nullable().catch(null).default(null),
  verify_model: z.object(agent).nullable().catch(null).default(null),
  limits: z
    .object({
      iterations: amount().optional().catch(undefined),
      subcalls: amount().optional().catch(undefined),
    })
    .catch({}),
  background_knowledge: z.boolean().catch(false),
  allow_weak_sandbox: z.boolean().catch(false),
}));
type QuestionInputs = z.infer<typeof askedSchema>;

/** A question's inputs, for asking it again; null if its step is unknown. */
export function questionInputsOf(state: RunState, activationId: number): QuestionInputs | null {
  const activation = state.activations[activationId];
  const step = stepDefinition(state, activation?.stepId ?? '');
  const read = askedSchema.safeParse({ limits: {}, ...step?.config });
  if (step === undefined || !read.success) return null;
  const { question, documents } = read.data;
  const text = (path: string, written: string): string =>
    shownText(ownValue(activation?.expanded?.texts, path) ?? written);
  return {
    ...read.data,
    question: text('question', question),
    documents: documents.map((one, at) => text(`documents[${at}]`, one)),
  };
}
