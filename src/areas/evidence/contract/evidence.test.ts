import fc from 'fast-check';
import { expect, test } from 'vitest';
import { evidenceKindSchema, evidencePieces, storedEvidence } from './evidence';

const piece = fc.record({
  kind: fc.constantFrom(...evidenceKindSchema.options),
  title: fc.option(fc.string(), { nil: undefined }),
  text: fc.string(),
});

test('the pieces of an evidence are read back as they were stored', () => {
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1 }), (pieces) => {
      expect(evidencePieces(JSON.parse(JSON.stringify(storedEvidence(pieces))), 'json')).toEqual(pieces);
    }),
  );
});

test('the stored text is readable by itself: each named piece of several has its name above it', () => {
  const { evidence } = storedEvidence([
    { kind: 'diff', title: 'build', text: '+a' },
    { kind: 'output', title: 'test', text: '1 failed' },
  ]);
  expect(evidence).toBe('───── build ─────\n+a\n\n───── test ─────\n1 failed');
  expect(storedEvidence([{ kind: 'diff', title: 'build', text: '+a' }]).evidence).toBe('+a');
});

test('an evidence of an earlier version is one piece of the kind its gate had', () => {
  expect(evidencePieces({ evidence: 'npm test' }, 'text')).toEqual([{ kind: 'text', text: 'npm test' }]);
  expect(evidencePieces({ evidence: null }, 'text')).toEqual([]);
});
