import { ownValue } from '@contract/own';

/** Ports whose labels do not follow from their names. */
const WORDS: Readonly<Record<string, string>> = {
  data_out: 'Output',
  data_in: 'Input',
  context_in: 'Context',
};

/** The label of a port: `test_results_out` is "Test results". Files use the names themselves. */
export function portWords(port: string): string {
  const words = port
    .replace(/^named_/, '')
    .replace(/_(out|in)$/, '')
    .replaceAll('_', ' ');
  return ownValue(WORDS, port) ?? words.charAt(0).toUpperCase() + words.slice(1);
}
