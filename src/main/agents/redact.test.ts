import type { TranscriptItem } from '@areas/sessions/contract/session';
import { describe, expect, test } from 'vitest';
import { ItemRedactor, type Redactor, redactorOf, redactTexts } from './redact';

const KEY = 'sk-live-1234567890';
const redactor = (...values: string[]): Redactor => {
  const made = redactorOf(values);
  if (made === null) throw new Error('nothing to take out');
  return made;
};
const text = (said: string): TranscriptItem => ({ type: 'text', text: said });
const tool = (status: 'in_progress' | 'completed', output: string): TranscriptItem => ({
  type: 'tool',
  call: { id: 'c', title: `echo ${KEY}`, kind: 'execute', status, input: { env: [KEY] }, output },
});

describe('the values of secrets', () => {
  test('the values of secrets are taken out of texts, and of JSON and lines of them too', () => {
    expect(redactor(KEY).text(`a ${KEY} b ${KEY}`)).toBe('a *** b ***');
    expect(redactor('with "quotes"').text('{"KEY":"with \\"quotes\\""}')).toBe('{"KEY":"***"}');
    const pem = '-----BEGIN KEY-----\nMC4CAQAwBQYDK2VwBCIEIA\n-----END KEY-----';
    expect(redactor(pem).text('line MC4CAQAwBQYDK2VwBCIEIA of it')).toBe('line *** of it');
    expect(redactor('longer-than-that', 'longer-than').text('longer-than-that')).toBe('***');
  });

  test('the values of secrets are taken out of the keys of objects as out of their values', () => {
    expect(redactor(KEY).deep({ env: { [KEY]: 1, [`${KEY}=x`]: [{ [KEY]: KEY }] } })).toEqual({
      env: { '***': 1, '***=x': [{ '***': '***' }] },
    });
  });

  test('secrets at the end of a message do not run into the next one', () => {
    const items = new ItemRedactor(redactor(KEY));
    const half = KEY.slice(0, 6);
    const said = (words: string, message: string) => items.take([{ type: 'text', text: words, message }]);
    expect([...said(half, 'a'), ...said(KEY.slice(6), 'b'), ...items.rest()]).toEqual([
      { type: 'text', text: half, message: 'a' },
      { type: 'text', text: KEY.slice(6), message: 'b' },
    ]);
  });

  test('secrets are left where they are words of every text, or there are none', () => {
    expect(redactorOf(['', 'ollama'])).toBeNull();
    expect(redactTexts(['ollama'])('ollama')).toBe('ollama');
  });
});

describe('the items of a turn', () => {
  test.each([1, 2, 5, 17, 40])(
    'the items of a turn have no secret that came in pieces of %i characters',
    (size) => {
      const said = `Your key is ${KEY}, s and sk-live but not sk-live-12; again ${KEY}`;
      const items = new ItemRedactor(redactor(KEY));
      const pieces = said.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [];
      const told = [...pieces.flatMap((piece) => items.take([text(piece)])), ...items.rest()];
      const whole = told.map((item) => (item.type === 'text' ? item.text : '')).join('');
      expect(whole).toBe(said.replaceAll(KEY, '***'));
    },
  );

  test('the items of a turn hold nothing back that no secret begins with', () => {
    const items = new ItemRedactor(redactor(KEY));
    expect(items.take([text('done.')])).toEqual([text('done.')]);
    expect(items.take([text('tasks')])).toEqual([text('task')]);
    expect(items.take([{ type: 'thought', text: 'hm' }])).toEqual([
      text('s'),
      { type: 'thought', text: 'hm' },
    ]);
    expect(items.rest()).toEqual([]);
  });

  test('the items of a turn have no secret in a tool call, also while its output grows', () => {
    const items = new ItemRedactor(redactor(KEY));
    const calls = [
      tool('in_progress', 'KEY=sk-li'),
      tool('in_progress', `KEY=${KEY}\n`),
      tool('completed', `KEY=${KEY}`),
    ];
    const told = calls.flatMap((call) => items.take([call]));
    expect(told.flatMap((item) => (item.type === 'tool' ? [item.call.output] : []))).toEqual([
      'KEY=',
      'KEY=***\n',
      'KEY=***',
    ]);
    expect(JSON.stringify(told)).not.toContain('sk-li');
  });
});
