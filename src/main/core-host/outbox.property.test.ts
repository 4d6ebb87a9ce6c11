import { appError } from '@contract/errors';
import { err, ok } from '@contract/result';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OutboxStage, PostedUpdates } from './testing/outbox-stage';

type Answer = 'takes' | 'refuses' | 'loses the answer' | 'never answers' | 'dislikes the text';
type Act =
  | { readonly do: 'post'; readonly run: number; readonly bad: boolean }
  | { readonly do: 'answer'; readonly as: Answer }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'crash' }
  | { readonly do: 'quit' };

const acts = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ do: fc.constant('post' as const), run: fc.nat(2), bad: fc.boolean() }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('answer' as const),
        as: fc.constantFrom<Answer>('takes', 'refuses', 'loses the answer', 'never answers'),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 2_000_000 }) }),
    },
    { weight: 2, arbitrary: fc.constant<Act>({ do: 'crash' }) },
    { weight: 1, arbitrary: fc.constant<Act>({ do: 'quit' }) },
  ),
  { maxLength: 25 },
);

test('each update has its effect once, those of a run in order, and none is lost, whatever fails and crashes', async () => {
  await fc.assert(
    fc.asyncProperty(acts, async (steps: readonly Act[]) => {
      let answer: Answer = 'takes';
      // Two targets that recognise repeated deliveries by the key.
      const had = { all: new Map<string, string>(), bad: new Map<string, string>() };
      const stage = new OutboxStage(['all', 'bad'], async (target, { key, text }) => {
        const takenIn = target.id === 'all' ? had.all : had.bad;
        if (answer === 'takes' || answer === 'loses the answer') {
          if (!takenIn.has(key)) takenIn.set(key, text);
        }
        if (answer === 'takes') return ok({ receipt: 'taken' });
        if (answer === 'never answers') return new Promise(() => undefined);
        const error = appError('unavailable', answer);
        return err({ error, concerns: 'target', again: true, afterMs: null });
      });
      const posted = new PostedUpdates(stage);
      try {
        await stage.start();
        for (const step of steps) {
          if (step.do === 'post') await posted.post(step.run, step.bad ? 'failed' : 'completed');
          else if (step.do === 'answer') answer = step.as;
          else if (step.do === 'wait') await stage.pass(step.ms);
          else await stage.restart(step.do);
        }
        answer = 'takes';
        // A delivery that waits for an answer which never comes is released only by a restart.
        await stage.restart('crash');
        await stage.pass(10 * 86_400_000, { until: () => stage.open() === 0 });
        expect(stage.open()).toBe(0);
        expect(posted.byRun([...had.all.values()])).toEqual(posted.byRun(posted.texts()));
        expect(posted.byRun([...had.bad.values()])).toEqual(posted.byRun(posted.texts('failed')));
        expect(stage.faults).toEqual([]);
        expect(stage.atOnce).toBeLessThanOrEqual(1);
      } finally {
        await stage.end();
      }
    }),
    { numRuns: 25 },
  );
}, 300_000);
