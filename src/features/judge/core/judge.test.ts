import { readFileSync } from 'node:fs';
import { Harness, task } from '@main/core/engine/testing/harness';
import { expect, test } from 'vitest';
import { judgePromptSet } from '../contract/prompts';
import { totalOf, winnerOf } from './scores';

const prompts = Object.fromEntries(
  judgePromptSet.prompts.map(({ id, file }) => [id, readFileSync(`resources/prompts/judge/${file}`, 'utf8')]),
);
const criteria = [
  { id: 'clear', description: 'Is it clear?', weight: 3 },
  { id: 'short', description: 'Is it short?', weight: 1 },
];
const answer = (...scores: (readonly [clear: number, short: number])[]) =>
  JSON.stringify(
    Object.fromEntries(
      scores.map(([clear, short], at) => [`candidate_${at + 1}`, { scores: { clear, short }, reason: 'so' }]),
    ),
  );

/** Judges the named steps; the judge gives these answers in turn. */
async function judged(
  names: readonly string[],
  answers: readonly string[],
  config: object = {},
): Promise<Harness> {
  const harness = new Harness();
  const left = [...answers];
  harness.agents.answer = ({ request: { prompt } }) => {
    const name = /^do (\w+)/.exec(prompt)?.[1];
    return { response: name === undefined ? (left.shift() ?? '') : `text of ${name}` };
  };
  const judge = { id: 'judge', type: 'step.judge', config: { criteria, acp_profile_id: 'fake', ...config } };
  await harness.run(
    {
      steps: [...names.map((name) => task(name)), judge],
      cables: names.map((name, at) => ({
        from: `${name}.data_out`,
        to: at === 0 ? 'judge.target_in' : 'judge.comparison_in',
      })),
    },
    { prompts },
  );
  return harness;
}

const sent = (harness: Harness) =>
  harness.agents.sent.filter(({ request }) => !request.prompt.startsWith('do '));
const output = (harness: Harness) => {
  const [id = 0] = harness.state().steps.judge?.activationIds ?? [];
  return harness.state().activations[id]?.outputs.data_out?.content;
};

test('One candidate is scored once, and Muster computes the weighted total', async () => {
  const harness = await judged(['draft'], [answer([8, 4])], { pass_score: 7 });
  expect(sent(harness)).toHaveLength(1);
  expect(sent(harness)[0]?.request.prompt).toMatch(
    /- clear: Is it clear\?\n- short.*0 to 10.*~~~\ntext of draft\n~~~/s,
  );
  expect(output(harness)).toMatchObject({
    total: 7,
    passed: true,
    scores: { clear: 8, short: 4 },
    reason: 'so',
    winner: null,
    tie: false,
    candidates: [{ name: 'draft', total: 7 }],
  });
});

test('Two candidates are judged in both orders, in sessions of their own, with their names hidden', async () => {
  const harness = await judged(['ana', 'ben'], [answer([9, 9], [5, 5]), answer([5, 5], [9, 9])]);
  const [first, second] = sent(harness);
  expect(first?.request.prompt).toMatch(/candidate_1\n~~~\ntext of ana.*candidate_2\n~~~\ntext of ben/s);
  expect(second?.request.prompt).toMatch(/candidate_1\n~~~\ntext of ben.*candidate_2\n~~~\ntext of ana/s);
  expect(first?.spec.key).not.toBe(second?.spec.key);
  expect(first?.request.prompt.replace(/text of \w+/g, '')).not.toMatch(/\bana\b|\bben\b/);
  expect(output(harness)).toMatchObject({ winner: 'ana', tie: false, total: null });
});

test('A judge that prefers whatever comes first leads to a tie', async () => {
  const harness = await judged(['ana', 'ben'], [answer([9, 9], [5, 5]), answer([9, 9], [5, 5])]);
  expect(output(harness)).toMatchObject({
    winner: null,
    tie: true,
    candidates: [
      { name: 'ana', total: 7 },
      { name: 'ben', total: 7 },
    ],
  });
});

test('Of three candidates the one with the highest total in both orders wins', async () => {
  const harness = await judged(
    ['a', 'b', 'c'],
    [answer([1, 1], [9, 9], [3, 3]), answer([2, 2], [8, 8], [7, 7])],
  );
  expect(output(harness)).toMatchObject({ winner: 'b', tie: false });
});

test('Scores out of range are asked for once more, then the step fails', async () => {
  const mended = await judged(['draft'], [answer([11, 4]), answer([8, 4])]);
  expect(output(mended)).toMatchObject({ total: 7 });
  const failed = await judged(['draft'], ['fine', 'good']);
  expect(failed.state().activations[2]?.error?.code).toBe('step.output_invalid');
  expect(sent(failed)).toHaveLength(2);
});

test('Conditions route on the total, and re-prompts are refused', async () => {
  const config = { criteria, acp_profile_id: 'fake' };
  const cables = [
    { from: 'a.data_out', to: 'judge.target_in' },
    { from: 'judge.signal_out', to: 'b.signal_in' },
  ];
  const flow = (more: object, when: string) => ({
    steps: [
      task('a'),
      { id: 'judge', type: 'step.judge', config: { ...config, ...more } },
      task('b', {}, { when }),
    ],
    cables,
  });
  await expect(new Harness().run(flow({ re_prompts: ['x'] }, '$judge.output.total > 1'))).rejects.toThrow(
    're_prompts',
  );
  await expect(new Harness().run(flow({}, '$judge.output.sum > 1'))).rejects.toThrow(
    'declares no field "sum"',
  );
  const harness = new Harness();
  harness.agents.answer = ({ request: { prompt } }) => ({
    response: prompt.startsWith('do') ? 'x' : answer([8, 4]),
  });
  await harness.run(flow({}, '$judge.output.total >= 8'), { prompts });
  expect(harness.state().steps.b?.skipCause).toBe('condition');
});

test('Totals that are equal by hand are equal', () => {
  const three = { criteria: ['a', 'b', 'c'].map((id) => ({ id, description: id, weight: 0.1 })) };
  const scored = (scores: Record<string, number>) => ({ scores, reason: '', total: totalOf(scores, three) });
  expect(winnerOf([scored({ a: 0.1, b: 0.2, c: 0.3 }), scored({ a: 0.3, b: 0.2, c: 0.1 })])).toBeNull();
});
