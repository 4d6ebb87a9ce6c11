const folder = 'src/features';

/** Faults of features and their steps. */
export const features = [
  {
    name: "a member stops before the operator's queued prompt",
    file: `${folder}/team/core/decide.ts`,
    find: '(owesFinal(member) || prompted !== null || last?.pending === true)',
    replace: '(owesFinal(member) || last?.pending === true)',
    tests: [`${folder}/team/core/freeze.test.ts`],
  },
  {
    name: 'an interrupted block whose sandbox died is run again',
    file: `${folder}/rlm/core/effects/index.ts`,
    find: "end.reason === 'host' && !lastTry && !live.stopAsked",
    replace: "end.reason === 'host' && !lastTry",
    tests: [`${folder}/rlm/core/lost-sandbox.test.ts`],
  },
  {
    name: 'an answer is verified against documents that do not exist',
    file: `${folder}/rlm/core/decide.ts`,
    find: '.filter((at) => at < (documents?.length ?? 0))',
    replace: '',
    tests: [`${folder}/rlm/core/citations.test.ts`],
  },
  {
    name: 'a watched loop takes a hint that no worker reads',
    file: `${folder}/loop/contract/feature.ts`,
    find: 'takesHint: ({ watch }) => watch === null,',
    replace: 'takesHint: () => true,',
    tests: [`${folder}/loop/node/hints.test.ts`],
  },
];
