import type { EventContext, Tell } from '@main/cli/output/event-line';

const quiet = (): null => null;
const inStep = ({ state }: EventContext, activationId: number): string =>
  state.activations[activationId]?.stepId ?? 'question';

const count = (number: number, one: string): string => `${number} ${one}${number === 1 ? '' : 's'}`;

/** One line per event of a question. */
export const ofRlm = {
  'rlm.documents-requested': quiet,
  'rlm.documents-frozen': ({ activationId, documents, leftOut }, at) => ({
    who: inStep(at, activationId),
    what: `${count(documents.length, 'document')}, ${documents.reduce((sum, { chars }) => sum + chars, 0)} characters`,
    under: [
      ...Object.entries(at.state.promptFiles ?? {}).map(([id, file]) => `text ${id} from ${file}`),
      ...leftOut.slice(0, 10).map(({ name, why }) => `left out: ${name}: ${why}`),
    ],
  }),
  'rlm.documents-refused': ({ activationId, error }, at) => ({
    who: inStep(at, activationId),
    what: at.style.bad(error.message),
  }),
  'rlm.sandbox-requested': quiet,
  'rlm.sandbox-started': ({ activationId, confined }, at) => ({
    who: inStep(at, activationId),
    what: confined.osSandbox
      ? 'the sandbox runs'
      : at.style.waits(`the sandbox runs without the operating system’s sandbox (${confined.detail})`),
  }),
  'rlm.sandbox-refused': ({ activationId, error }, at) => ({
    who: inStep(at, activationId),
    what: at.style.bad(`no sandbox: ${error.message}`),
    under: error.mend === undefined ? [] : [error.mend],
  }),
  'rlm.block-started': ({ activationId, block }, at) => ({
    who: inStep(at, activationId),
    what: `runs block ${block + 1}`,
  }),
  'rlm.calls-asked': ({ activationId, calls }, at) => ({
    who: inStep(at, activationId),
    what: `asks the sub-model ${count(calls.length, 'time')}`,
  }),
  'rlm.call-started': quiet,
  'rlm.call-answered': ({ activationId, ok, model, usage, durationMs }, at) => ({
    who: inStep(at, activationId),
    what: ok
      ? `sub-call answered by ${model} in ${(durationMs / 1000).toFixed(1)} s${usage?.total_tokens == null ? '' : `, ${usage.total_tokens} tokens`}`
      : at.style.waits('a sub-call has no answer'),
  }),
  'rlm.block-finished': ({ activationId, result, timedOut }, at) => {
    const output = (result.error ?? result.stdout).trim().split('\n').slice(-3);
    const words = timedOut
      ? 'block interrupted at its time limit'
      : result.error === null
        ? 'block ended'
        : 'block ended with an exception';
    return { who: inStep(at, activationId), what: words, under: output.filter((line) => line !== '') };
  },
  'rlm.block-lost': ({ activationId, why, detail }, at) => ({
    who: inStep(at, activationId),
    what: at.style.bad(`the sandbox ended in the middle of the block (${why}) and was replaced`),
    under: detail === undefined ? [] : [detail],
  }),
  'rlm.variables-lost': ({ activationId }, at) => ({
    who: inStep(at, activationId),
    what: at.style.waits('the sandbox was replaced; its variables could not be built again'),
  }),
  'rlm.variable-requested': quiet,
  'rlm.variable-read': quiet,
  'rlm.citations-requested': quiet,
  'rlm.citations-checked': ({ activationId, documents, quotes, trouble }, at) => {
    const cited = `${count(documents.length, 'document')} and ${count(quotes.length, 'quotation')} of the answer`;
    const wrong =
      documents.filter(({ found }) => !found).length +
      quotes.filter(({ document }) => document === null).length;
    const words = trouble ?? (wrong === 0 ? 'all are there' : `${wrong} of them are not there`);
    return { who: inStep(at, activationId), what: `checked ${cited}: ${words}` };
  },
  'rlm.verification-requested': quiet,
  'rlm.verification-finished': ({ activationId, claims, trouble, model }, at) => {
    const bad = claims.filter(({ verdict }) => verdict === 'unsupported' || verdict === 'contradicted');
    const words = `${model} doubts ${bad.length} of ${count(claims.length, 'claim')} of the answer`;
    return {
      who: inStep(at, activationId),
      what: trouble === null ? words : at.style.waits(`the answer was not verified: ${trouble}`),
      under: bad.map(({ claim, verdict, reason }) => `${verdict}: ${claim} (${reason})`),
    };
  },
  'rlm.interrupt-requested': ({ activationId, by }, at) => ({
    who: inStep(at, activationId),
    what: `the block is interrupted, says ${by}`,
  }),
  'rlm.sandbox-ended': quiet,
  'rlm.writing-held': ({ activationId, error }, at) =>
    error === null
      ? { who: inStep(at, activationId), what: 'its texts can be written again' }
      : {
          who: inStep(at, activationId),
          what: at.style.waits(`waits for space to write its texts: ${error.message}`),
          under: error.mend === undefined ? [] : [error.mend],
        },
} satisfies Partial<Tell>;
