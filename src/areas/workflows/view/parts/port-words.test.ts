import { expect, test } from 'vitest';
import { portWords } from './port-words';

test('a port is described by its content, not by the name that files give it', () => {
  expect(['data_out', 'test_results_out', 'named_gap_out', 'receipt_out', 'report'].map(portWords)).toEqual([
    'Output',
    'Test results',
    'Gap',
    'Receipt',
    'Report',
  ]);
});
