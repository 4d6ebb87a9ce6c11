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
  {
    name: 'a member whose plan waits for approval is sent another turn',
    file: `${folder}/team/core/decide.ts`,
    find: "if (planning && member.plan.status === 'pending') return [];",
    replace: '',
    tests: [`${folder}/team/core/gates/plans.test.ts`],
  },
  {
    name: 'a withdrawn message is withdrawn from a member that has it',
    file: `${folder}/team/contract/reduce/messages.ts`,
    find: "if (ownValue(message?.deliveries, to)?.state !== 'queued') continue;",
    replace: 'if (ownValue(message?.deliveries, to) === undefined) continue;',
    tests: [`${folder}/team/core/messages/messages.test.ts`],
  },
  {
    name: 'a sandbox that is ready after its question was cancelled goes on',
    file: `${folder}/rlm/core/effects/ready.ts`,
    find: 'void starting.then((late) => (late.ok ? late.value.stop() : undefined));',
    replace: '',
    tests: [`${folder}/rlm/core/lost-sandbox.test.ts`],
  },
  {
    name: "another agent's second try uses the model of the first one",
    file: `${folder}/loop/core/decide.ts`,
    find: "...(other ? { profileId: retry_profile, model: null, path: 'retry_profile' } : {}),",
    replace: "...(other ? { profileId: retry_profile, path: 'retry_profile' } : {}),",
    tests: [`${folder}/loop/core/check.test.ts`],
  },
  {
    name: 'an answer that a repeated block takes over is paid for again in the sums',
    file: `${folder}/rlm/contract/summary.ts`,
    find: '(unasked ? [] : (answer ?? []))',
    replace: '(answer ?? [])',
    tests: [`${folder}/rlm/view/rows.test.ts`],
  },
  {
    name: 'an edit changes the text of a message for a member that has it',
    file: `${folder}/team/contract/reduce/messages.ts`,
    find: "const has = one.to !== OPERATOR && one.state !== 'queued' && one.state !== 'withdrawn';",
    replace: 'const has = false;',
    tests: [`${folder}/team/core/messages/messages.test.ts`],
  },
  {
    name: 'commits of the check are those of the worker',
    file: `${folder}/loop/node/git/commit-attribution.ts`,
    find: 'return isBefore ? worked : head;',
    replace: 'return head;',
    tests: [`${folder}/loop/node/git/check-commits.test.ts`],
  },
];
