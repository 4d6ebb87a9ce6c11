const folder = 'src/main/core/engine';

/** Faults of the engine and of the contract that it shares with the window. */
export const engine = [
  {
    name: 'a turn of a run that is cancelled during its snapshot is sent',
    file: `${folder}/effects/effects.ts`,
    find: "if (run.state.status === 'cancelling' || turn?.cancelledBy != null)",
    replace: 'if (turn?.cancelledBy != null)',
    tests: [`${folder}/turns/cancelled-before-sent.test.ts`, `${folder}/pauses.property.test.ts`],
  },
  {
    name: 'a turn that is cancelled during its snapshot is sent',
    file: `${folder}/effects/effects.ts`,
    find: "if (run.state.status === 'cancelling' || turn?.cancelledBy != null)",
    replace: "if (run.state.status === 'cancelling')",
    tests: [`${folder}/turns/cancelled-before-sent.test.ts`, `${folder}/pauses.property.test.ts`],
  },
  {
    name: 'a rejected run waits for a retry before it ends',
    file: `${folder}/decide.ts`,
    find: 'moment.schedule.hasRetrying && !stopsStarting(moment)',
    replace: 'moment.schedule.hasRetrying',
    tests: [`${folder}/activation/retry.test.ts`],
  },
  {
    name: 'a file that request and step both attach is sent twice',
    file: 'src/main/core/step/agent/chain.ts',
    find: '...requested.filter(({ path }) => own.every((file) => file.path !== path)),',
    replace: '...requested,',
    tests: ['src/features/agent-task/core/re-prompts.test.ts'],
  },
  {
    name: 'the last sign of work before a restart is that of the restart',
    file: 'src/contract/run/reduce.ts',
    find: 'if (at > state.at) state.before = state.at;',
    replace: 'state.before = state.at;',
    tests: [`${folder}/limits/limits.test.ts`],
  },
];
