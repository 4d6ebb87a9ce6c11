import { expect, test } from 'vitest';
import { applyMessage } from './apply-message';

const message = (runName: string, instruction: string) =>
  applyMessage({ runName, instruction, runId: 3, source: 'muster/x' });
const FROM = "From muster/x of Muster's run 3.";

test('a run without an instruction is named by its workflow', () => {
  expect(message('Build it', '  ')).toBe(`Build it\n\n${FROM}`);
});

test('a name that the operator gave is the subject, and the instruction is the body', () => {
  expect(message('Mend the login', 'Fix it.\n\nIt fails on Mondays.')).toBe(
    `Mend the login\n\nFix it.\n\nIt fails on Mondays.\n\n${FROM}`,
  );
});

test('a run that is named by its instruction does not say it twice', () => {
  expect(message('Fix the login', 'Fix the login')).toBe(`Fix the login\n\n${FROM}`);
  expect(message('Fix the…', 'Fix the login')).toBe(`Fix the login\n\n${FROM}`);
});

test('a long subject is cut, and the whole instruction is in the body', () => {
  const long = 'word '.repeat(40).trim();
  const [subject = '', , body] = message('word word word…', long).split('\n');
  expect([...subject].length).toBeLessThanOrEqual(72);
  expect(subject.endsWith('…')).toBe(true);
  expect(body).toBe(long);
});
