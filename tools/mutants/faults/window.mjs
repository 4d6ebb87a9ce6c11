const areas = 'src/areas';
const renderer = 'src/renderer';

/** Faults of the window. */
export const window = [
  {
    name: 'decisions of one agent follow below the others like a flood of permission requests',
    file: `${areas}/attention/view/rows.ts`,
    find: "if (gate.kind !== 'permission' || count <= MOST_OF_ONE)",
    replace: 'if (count <= MOST_OF_ONE)',
    tests: [`${areas}/attention/view/rows.test.ts`],
  },
  {
    name: 'a page reads nothing again after its core was replaced unnoticed',
    file: `${renderer}/client/wire/bus.ts`,
    find: 'const lost = this.#core !== null && this.#core !== core;',
    replace: "const lost = this.#core === 'away';",
    tests: [`${renderer}/client/wire/bus.test.ts`],
  },
  {
    name: 'a page reads nothing again after a new connection to its core',
    file: `${renderer}/client/wire/bus.ts`,
    find: 'status.core.restarts}`',
    replace: '0}`',
    tests: [`${renderer}/client/wire/bus.test.ts`],
  },
  {
    name: 'a run that is to be read again while it is read shows the older snapshot',
    file: `${renderer}/client/runs/replica.ts`,
    find: '    if (this.#again) {',
    replace: '    if (this.#again && this.#reading) {',
    tests: [`${renderer}/client/runs/replica.test.ts`],
  },
  {
    name: 'events that arrived after a gap are dropped',
    file: `${renderer}/client/runs/replica.ts`,
    find: 'this.#waiting = events.slice(index);',
    replace: '',
    tests: [`${renderer}/client/runs/replica.test.ts`],
  },
];
