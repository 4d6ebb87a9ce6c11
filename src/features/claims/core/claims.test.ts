import { readFileSync } from 'node:fs';
import { Harness, task } from '@main/core/engine/testing/harness';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkQuotes } from './quotes';

const prompts = { 'claims/extract': readFileSync('resources/prompts/claims/extract.md', 'utf8') };
const TEXT = 'The bridge was built\n  in 1932. It carries 160,000 cars a day.';

test('Each claim keeps the place of its quote, and claims without one are set apart with a warning', async () => {
  const harness = new Harness();
  const claims = [
    { claim: 'The bridge dates from 1932.', quote: 'was built in 1932' },
    { claim: 'It is busy.', quote: '160,000 trains' },
    { claim: 'It is red.', quote: ' ' },
  ];
  harness.agents.answer = ({ request: { prompt } }) => ({
    response: prompt.startsWith('do') ? TEXT : JSON.stringify({ claims }),
  });
  const config = { acp_profile_id: 'fake' };
  await harness.run(
    {
      steps: [
        task('a'),
        { id: 'c', type: 'step.claim_extractor', config },
        task('b', { instruction: '$c.output.count' }),
      ],
      cables: [
        { from: 'a.data_out', to: 'c.data_in' },
        { from: 'c.signal_out', to: 'b.signal_in' },
      ],
    },
    { prompts },
  );
  const done = harness.state().activations[2];
  const start = TEXT.indexOf('was built');
  expect(done?.outputs.data_out?.content).toEqual({
    claims: [{ ...claims[0], start, end: TEXT.indexOf('. It') }],
    unsupported: [claims[1], claims[2]],
    count: 1,
  });
  expect(done?.warnings).toHaveLength(2);
  expect(harness.agents.sent[2]?.request.prompt).toMatch(/^1\n/);
});

test('A quote is found wherever it was copied from, also over breaks of lines, and always stands at its place', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(), fc.nat(), (text, from, length) => {
      const quote = text.slice(from % (text.length + 1)).slice(0, length);
      const { claims, unsupported } = checkQuotes(text, [{ claim: 'x', quote: quote.replace(/\s+/g, '\n') }]);
      if (quote.trim() === '') return unsupported.length === 1;
      const [found] = claims;
      const squeeze = (one: string) => one.replace(/\s+/g, ' ').trim();
      return found !== undefined && squeeze(text.slice(found.start, found.end)) === squeeze(quote);
    }),
  );
});

test('No more than max_claims claims are taken, and an answer without JSON is asked for once more', async () => {
  const harness = new Harness();
  const claim = { claim: 'c', quote: 'sky' };
  const answers = ['some claims', JSON.stringify({ claims: [claim, claim, claim] })];
  harness.agents.answer = () => ({ response: answers.shift() ?? '' });
  const config = { acp_profile_id: 'fake', input: 'the sky', max_claims: 2 };
  await harness.run({ steps: [{ id: 'c', type: 'step.claim_extractor', config }] }, { prompts });
  expect(harness.state().activations[1]?.outputs.data_out?.content).toMatchObject({ count: 2 });
  expect(harness.agents.sent[0]?.request.prompt).toContain('at most 2 claims');
});

test('The extraction is a single call: it takes no re-prompts', async () => {
  const config = { acp_profile_id: 'fake', input: 'the sky', re_prompts: ['again'] };
  const flow = { steps: [{ id: 'c', type: 'step.claim_extractor', config }] };
  await expect(new Harness().run(flow, { prompts })).rejects.toThrow('re_prompts');
});
