import { own } from '@contract/own';

/** Ports whose words are not those of their names. */
const WORDS: Readonly<Record<string, string>> = {
  data_out: 'Output',
  data_in: 'Input',
  context_in: 'Context',
};

/** What is on a port, in words: `test_results_out` is "Test results". Files name ports as they are. */
export function portWords(port: string): string {
  const words = port
    .replace(/^named_/, '')
    .replace(/_(out|in)$/, '')
    .replaceAll('_', ' ');
  return own(WORDS, port) ?? words.charAt(0).toUpperCase() + words.slice(1);
}
