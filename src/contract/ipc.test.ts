import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Push, packedPush, unpackedPush } from './ipc';
import { pushTopic } from './wire';

const runId = fc.nat();
const text = fc.string({ unit: 'binary' });
const pushes: fc.Arbitrary<Push> = fc.oneof(
  fc.record({
    topic: fc.constant('stream' as const),
    runId,
    turnId: fc.nat(),
    from: fc.nat(),
    items: fc.array(fc.record({ type: fc.constant('text' as const), text })),
  }),
  fc.record({
    topic: fc.constant('run' as const),
    runId,
    events: fc.array(
      fc.record({
        id: fc.nat(),
        runId,
        seq: fc.nat(),
        at: fc.nat(),
        event: fc.record({
          type: fc.constant('turn.cancel-requested' as const),
          turnId: fc.nat(),
          by: fc.constant('operator' as const),
        }),
      }),
    ),
  }),
  fc.record({ topic: fc.constant('workflows' as const), projectId: fc.nat() }),
);

test('a packed push goes to the same windows and unpacks to the same push', () => {
  fc.assert(
    fc.property(pushes, (push) => {
      const packed = packedPush(push);
      expect(pushTopic(packed)).toBe(pushTopic(push));
      expect(unpackedPush(packed)).toEqual(push);
    }),
  );
});

test.each([[null], ['run'], [{ topic: 'run', runId: 1, packed: '{' }], [{ topic: 'runs', packed: '{}' }]])(
  'a message that is no packed push stays as it is for the check that follows: %j',
  (raw) => expect(unpackedPush(raw)).toBe(raw),
);
