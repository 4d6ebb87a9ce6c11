import type { PromptSchema, PromptSet } from '@areas/prompts/contract/schema';
import { BACKGROUND } from './background';
import { claimFlags } from './claims';

const MAX_LENGTH = 32_000;

const replKeyPhrases = [
  '```repl',
  'context',
  'llm_query',
  'llm_query_batched',
  'FINAL',
  'FINAL_VAR',
] as const;

const question = { name: 'question', required: true, says: 'The question of the operator.' } as const;

/** The texts of a question over documents (seed 001). */
const prompts = [
  {
    id: 'rlm/system',
    title: 'System',
    purpose: 'The system text of the root model: what the REPL holds, and how to end with an answer.',
    file: 'system.md',
    requiredFile: true,
    placeholders: [],
    keyPhrases: [...replKeyPhrases],
    maxLength: MAX_LENGTH,
  },
  {
    id: 'rlm/system_augmented',
    title: 'System, with background knowledge',
    purpose: 'Stands for the system text where a question allows the model to add what it knows itself.',
    file: 'system_augmented.md',
    requiredFile: false,
    placeholders: [],
    keyPhrases: [...replKeyPhrases, BACKGROUND.begin, BACKGROUND.end],
    maxLength: MAX_LENGTH,
  },
  {
    id: 'rlm/context_metadata',
    title: 'Context metadata',
    purpose: 'The first message of the conversation: how many documents there are, and how long they are.',
    file: 'context_metadata.md',
    requiredFile: true,
    placeholders: [
      { name: 'context_type', required: true, says: 'The Python type of `context`: list.' },
      { name: 'context_total_length', required: true, says: 'The characters of all documents together.' },
      { name: 'context_lengths', required: true, says: 'The characters of each document, as a list.' },
      { name: 'doc_names', required: false, says: 'The names of the documents with their indexes.' },
    ],
    keyPhrases: [],
    maxLength: MAX_LENGTH,
  },
  {
    id: 'rlm/iteration_zero',
    title: 'First iteration',
    purpose: 'The first prompt: look at the documents before answering.',
    file: 'iteration_zero.md',
    requiredFile: true,
    placeholders: [question],
    keyPhrases: [],
    maxLength: MAX_LENGTH,
  },
  {
    id: 'rlm/iteration_continue',
    title: 'Further iterations',
    purpose: 'Ends the messages of each iteration: what to do next to answer the question.',
    file: 'iteration_continue.md',
    requiredFile: true,
    placeholders: [question],
    keyPhrases: [],
    maxLength: MAX_LENGTH,
  },
  {
    id: 'rlm/subcall',
    title: 'Sub-call',
    purpose: 'Sent to the sub-model for each llm_query.',
    file: 'subcall.md',
    requiredFile: true,
    placeholders: [
      { name: 'instruction', required: true, says: 'What the code asks for.' },
      { name: 'content', required: true, says: 'The text to work on, between its marker lines.' },
    ],
    keyPhrases: [],
    maxLength: MAX_LENGTH,
  },
  {
    id: 'rlm/code_required',
    title: 'Code required',
    purpose: 'Ends the messages of an iteration whose reply had neither code nor an answer.',
    file: 'code_required.md',
    requiredFile: true,
    placeholders: [],
    keyPhrases: ['```repl'],
    maxLength: MAX_LENGTH,
  },
  {
    id: 'rlm/verify_adversarial',
    title: 'Verification',
    purpose: 'Sent to the model that tries to refute the answer, where a question names one.',
    file: 'verify_adversarial.md',
    requiredFile: false,
    placeholders: [
      { name: 'findings', required: true, says: 'The answer, between its marker lines.' },
      { name: 'documents', required: true, says: 'The documents that it cites, between marker lines.' },
    ],
    keyPhrases: ['"claims"', '"claim"', '"verdict"', '"reason"', 'unsupported', 'contradicted'],
    maxLength: MAX_LENGTH,
  },
  {
    id: 'rlm/verify_code',
    title: 'Verification of claims about code',
    purpose: 'Sent after the verification where most of the cited documents are source code.',
    file: 'verify_code.md',
    requiredFile: false,
    placeholders: [
      { name: 'previous_results', required: true, says: 'The claims and verdicts of the verification.' },
      { name: 'findings', required: true, says: 'The answer, between its marker lines.' },
      { name: 'documents', required: true, says: 'The documents that it cites, between marker lines.' },
    ],
    keyPhrases: ['"claims"', '"claim"', '"verdict"', '"reason"', '"flags"', ...claimFlags],
    maxLength: MAX_LENGTH,
  },
  {
    id: 'rlm/last_call',
    title: 'Last call',
    purpose: 'Sent once when all iterations are used up: it asks for the best answer.',
    file: 'last_call.md',
    requiredFile: true,
    placeholders: [question],
    keyPhrases: [],
    maxLength: MAX_LENGTH,
  },
] as const satisfies readonly PromptSchema[];

export const rlmPromptSet = {
  id: 'rlm',
  title: 'Questions over documents',
  prompts,
} as const satisfies PromptSet;
