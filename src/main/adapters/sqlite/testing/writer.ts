import { writeSync } from 'node:fs';
import { openStore } from '../open';
import { must } from './place';
import { activation, activationEnd, started, Teller } from './story';

/**
 * Appends to several runs at once until it is killed, and prints what was acknowledged, immediately after
 * each acknowledgement.
 */
const store = must(openStore({ path: process.argv[2] ?? '' }));
const projectId = store.addProject('/projects/sample', 'sample', 1).id;

async function work(name: string): Promise<never> {
  const teller = new Teller(store);
  must(await teller.tell(started({ uid: `${process.argv[3]}-${name}`, projectId })));
  for (let id = 1; ; id++) {
    const stored = must(await teller.tell(activation(id, 'write'), activationEnd(id)));
    writeSync(1, `${teller.runId} ${stored.at(-1)?.seq}\n`);
  }
}

for (const name of ['a', 'b', 'c']) void work(name);
