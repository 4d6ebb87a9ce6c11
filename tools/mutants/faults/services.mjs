const areas = 'src/areas';
const services = 'src/main/services';

/** Faults of services and of agents' sessions. */
export const servicesAndAgents = [
  {
    name: 'a core that closes tells of a backup that its end interrupted',
    file: `${areas}/backups/node/backup-service.ts`,
    find: 'if (this.#stopped) return;\n    if (!made.ok)',
    replace: 'if (!made.ok)',
    tests: [`${areas}/backups/node/backup-service.test.ts`],
  },
  {
    name: 'a backup that waited for another one begins while Muster closes',
    file: `${areas}/backups/node/backup-service.ts`,
    find: "if (this.#stopped) return fail('unavailable', 'Muster is closing.');",
    replace: '',
    tests: [`${areas}/backups/node/backup-service.test.ts`],
  },
  {
    name: 'safe mode lets a procedure through that is not known to be harmless',
    file: `${services}/safe-mode.ts`,
    find: 'allowed.has(name)',
    replace: "name !== 'run.start'",
    tests: [`${services}/safe-mode.test.ts`],
  },
  {
    name: 'undo says "undone" while the decision is being sent',
    file: `${areas}/attention/node/held-decisions.ts`,
    find: 'if (this.#sending.has(key) || !held.some(',
    replace: 'if (!held.some(',
    tests: [`${areas}/attention/node/held-decisions.test.ts`],
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
  {
    name: 'a held decision is forgotten before it is carried out',
    file: `${areas}/attention/node/held-decisions.ts`,
    find: 'const reply = await this.#call(procedure, input);',
    replace: 'this.#drop(key);\n    const reply = await this.#call(procedure, input);',
    tests: [`${areas}/attention/node/held-decisions.test.ts`],
  },
  {
    name: 'a prompt is typed although its turn was cancelled',
    file: 'src/main/agents/cli/session.ts',
    find: "if (turn.cause !== null) return turn.end({ kind: 'interrupted' });\n    const screen",
    replace: 'const screen',
    tests: ['src/main/agents/cli/cancelled-typing.test.ts'],
  },
  {
    name: 'Enter is pressed although the turn was cancelled',
    file: 'src/main/agents/cli/session.ts',
    find: "if (turn.cause !== null) return;\n    terminal.type('\\r');",
    replace: "terminal.type('\\r');",
    tests: ['src/main/agents/cli/cancelled-typing.test.ts'],
  },
  {
    name: 'a commit that throws after an asynchronous reply rejects the call',
    file: `${services}/router.ts`,
    find: `        commit();
        return reply;
      } catch (cause) {
        return failed(cause);
      }`,
    replace: `        commit();
        return reply;
      } catch (cause) {
        throw cause;
      }`,
    tests: [`${services}/router.test.ts`],
  },
  {
    name: 'a delivery begins after the time of an ending core',
    file: `${areas}/deliveries/node/outbox-lane.ts`,
    find: ' || (this.last !== null && this.parts.clock.now() >= this.last)) return;',
    replace: ') return;',
    tests: ['src/main/core-host/outbox-rules.test.ts'],
  },
  {
    name: 'the previous pass of a loop is read outside of the loop',
    file: 'src/areas/workflows/core/reference/check.ts',
    find: 'if (previous && names.isPrevious(step)) return null;',
    replace: 'if (previous) return null;',
    tests: [`${areas}/workflows/node/workflow-references.test.ts`],
  },
];
