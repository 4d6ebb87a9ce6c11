const services = 'src/main/services';

/** Faults of services and of agents' sessions. */
export const servicesAndAgents = [
  {
    name: 'undo says "undone" while the decision is being sent',
    file: `${services}/attention/held-decisions.ts`,
    find: 'if (this.#sending.has(key) || !held.some(',
    replace: 'if (!held.some(',
    tests: [`${services}/attention/held-decisions.test.ts`],
  },
  {
    name: 'an asynchronous reply leaves before the commit',
    file: `${services}/router.ts`,
    find: 'reply.catch(failed).then(committed)',
    replace: 'reply.catch(failed)',
    tests: [`${services}/router.test.ts`],
  },
  {
    name: 'lines left by a cancelled turn are typed into the next prompt',
    file: 'src/main/agents/cli/session.ts',
    find: 'if (this.#leftLines > 0 && keys.clear !== null) terminal.type(',
    replace: 'if (this.#leftLines < 0 && keys.clear !== null) terminal.type(',
    tests: ['src/main/agents/cli/cli.test.ts'],
  },
];
