import type { TranscriptItem } from '@areas/sessions/contract/session';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Spoken } from './agent-output';
import { EventMaker, type PlanStep, type WireEvent } from './testing/plan';
import { ask, gatewayWith, session, textOf } from './testing/stage';
import { agentEventSchema } from './wire';

/** Words that cannot result from joining or trimming each other. */
const words = fc
  .array(fc.stringMatching(/^[a-z]{1,6}$/), { minLength: 1, maxLength: 12 })
  .map((list) => list.map((word, index) => `${word}${index}. `));

const stepsOf = (list: readonly string[]): PlanStep[] =>
  list.flatMap((word, index): PlanStep[] => {
    const said = { say: word };
    if (index % 4 === 1) return [{ think: 'hm ' }, said];
    return index % 4 === 2 ? [{ tool: 'exec', args: { command: 'ls' }, output: 'a' }, said] : [said];
  });

/** An order in which each event occurs one or more times; `null` is where sockets end. */
const orders = fc.array(fc.option(fc.nat({ max: 200 }), { freq: 8, nil: null }), { maxLength: 40 });

function shuffled<T>(all: readonly T[], order: readonly (number | null)[]): (T | null)[] {
  const before = order.flatMap((pick): (T | null)[] => {
    const one = pick === null ? null : all[pick % all.length];
    return one === undefined ? [] : [one];
  });
  return [...before, ...all.toReversed()];
}

test('an answer is told once, in whatever order and however often its events come', () => {
  fc.assert(
    fc.property(words, orders, fc.boolean(), (list, order, lossy) => {
      const maker = new EventMaker({ runId: 'r', sessionKey: 's' }, () => 1);
      const events = [...maker.start(), ...stepsOf(list).flatMap((step) => maker.step(step))];
      const whole = list.join('');
      const spoken = new Spoken();
      const items: TranscriptItem[] = [];
      const heard = shuffled(events, order).filter((event) => event !== null);
      // If the end was lost with a socket, the final text completes it.
      for (const event of lossy ? heard.slice(0, order.length) : heard) {
        const parsed = agentEventSchema.safeParse(event.payload);
        if (event.event === 'agent' && parsed.success) items.push(...spoken.hear(parsed.data));
      }
      if (!lossy) expect(spoken.read().response).toBe(whole);
      items.push(...spoken.settle(whole));
      expect(textOf(items).trimEnd()).toBe(whole.trimEnd());
    }),
    { numRuns: 300 },
  );
});

test('a turn has its text once over any number of lost sockets', { timeout: 120_000 }, async () => {
  const gateway = await gatewayWith();
  let turnId = 0;
  const { session: claw, items } = await session(gateway);
  await fc.assert(
    fc.asyncProperty(words, orders, async (list, order) => {
      turnId += 1;
      items.splice(0);
      const wire = (events: readonly WireEvent[]): (WireEvent | 'drop')[] =>
        shuffled(events, order).map((event) => event ?? 'drop');
      gateway.plan = () => ({ steps: stepsOf(list), wire });
      const result = await ask(claw, 'x', turnId);
      const whole = list.join('');
      expect(result).toMatchObject({
        outcome: 'completed',
        response: whole,
        usage: { total_tokens: 120, cost_usd: 0.001 },
      });
      expect(textOf(items).trimEnd()).toBe(whole.trimEnd());
      expect(gateway.begun).toHaveLength(turnId);
    }),
    { numRuns: 60 },
  );
});

test('events of any shape end neither a turn nor its text', { timeout: 120_000 }, async () => {
  const gateway = await gatewayWith();
  let turnId = 0;
  const { session: claw } = await session(gateway);
  const streams = fc.constantFrom('assistant', 'thinking', 'item', 'tool', 'run_status', 'lifecycle', 'x');
  const payloads = fc.record(
    {
      seq: fc.oneof(fc.nat(), fc.jsonValue()),
      stream: fc.oneof(streams, fc.jsonValue()),
      state: fc.constantFrom('delta', 'error', 'x'),
      data: fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue()),
      errorDetail: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(payloads, { maxLength: 20 }), async (list) => {
      turnId += 1;
      const runId = `muster:01KTESTRUN/s1/t${turnId}`;
      gateway.plan = () => {
        for (const payload of list) {
          for (const event of ['agent', 'chat']) {
            gateway.raw(JSON.stringify({ type: 'event', event, payload: { runId, ...payload } }));
          }
        }
        return { steps: [{ say: 'whole' }] };
      };
      expect(await ask(claw, 'x', turnId)).toMatchObject({ outcome: 'completed', response: 'whole' });
    }),
    { numRuns: 100 },
  );
});
