import { ownValue } from '@contract/own';

/** `story-still-open: US-002` as a sentence; unknown warnings unchanged. */
const WARNINGS: Readonly<Record<string, string>> = {
  'nonzero-exit': 'The story passes, but the worker did not end well',
  'passes-without-commit': 'Marked as passing without a commit',
  'multiple-stories': 'More than one story was marked as passing',
  'out-of-order': 'A story other than the next one was done',
  'story-still-open': 'It made commits, and its story is still open',
  'story-reopened': 'A story that passed is open again',
  'stories-lost': 'Stories were removed from the plan',
  'promise-with-open-stories': 'The worker says that all is done',
  'left-branch': 'The worker did not stay on the branch of the loop',
  'committed-elsewhere': 'The worker committed on a branch that the loop does not use',
  'shared-evidence': 'Its work cannot be distinguished from another attempt, or from work before the watch',
  'check-failed': 'The check of the project failed',
  'not-brought-back': 'A file could not be copied back to the project',
  'claim-not-borne-out': 'The evidence does not support its claim',
};

export function warningWords(warning: string): string {
  const [kind = '', ...rest] = warning.split(': ');
  const words = ownValue(WARNINGS, kind);
  const detail = rest.join(': ');
  if (words === undefined) return warning;
  return detail === '' ? words : `${words}: ${detail}`;
}
