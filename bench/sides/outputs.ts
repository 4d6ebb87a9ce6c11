/**
 * `outputs.js ROUNDS FOLDER`: the milliseconds that 10 MB of output add to a run of one command, and those of writing as
 * much to a file with a sync.
 */

import { closeSync, fsyncSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { workflowDefinitionSchema } from '../../src/areas/workflows/contract/definition';
import { GuardedProcesses } from '../../src/main/adapters/process';
import { PipeCommands } from '../../src/main/adapters/process/commands/commands';
import { TextFiles } from '../../src/main/adapters/run-texts/whole-texts';
import { BenchCore } from '../kit/core';
import { inTurn } from '../kit/in-turn';
import { say } from '../kit/say';

const [rounds = '', folder = ''] = process.argv.slice(2);
const BYTES = 10_000_000;
const bytes = Buffer.from(`${'0123456789abcde\n'.repeat(BYTES / 16)}`);
mkdirSync(folder, { recursive: true });
const printed = join(folder, 'printed.txt');
writeFileSync(printed, bytes);

const processes = new GuardedProcesses({
  dataDir: folder,
  instanceId: `bench-${process.pid}`,
  environment: process.env,
  runtime: { execPath: process.execPath, env: {} },
  askLoginShell: false,
});
const texts = new TextFiles();
let runs = 0;
const artifacts = () => join(folder, `artifacts-${runs}`);
const core = new BenchCore(join(folder, 'outputs.db'), {
  commands: new PipeCommands(processes),
  wholeTexts: (artifactsDir) => texts.of(artifactsDir),
  folders: { artifacts, workspace: folder },
});

/** Every run prints another text, so that none is kept already. */
async function print(file: string): Promise<void> {
  runs += 1;
  const script = `echo ${runs}; cat '${file}'`;
  const steps = [{ id: 'a', type: 'step.command', config: { script, terminal: false } }];
  await core.run(workflowDefinitionSchema.parse({ name: 'Print', workspace: 'folder', steps, cables: [] }));
}

function write(): void {
  const file = openSync(join(folder, `written-${runs}`), 'w');
  writeSync(file, bytes);
  fsyncSync(file);
  closeSync(file);
}

const options = { rounds: Number(rounds) };
const large = await inTurn(options, () => print(printed), write);
const small = await inTurn(options, () => print('/dev/null'), write);
// The start of the program costs the same without an output.
const start = [...small.ours].sort((one, other) => one - other)[small.ours.length >> 1] ?? 0;
say({ ours: large.ours.map((ms) => ms - start), limit: large.limit });
core.store.close();
await processes.endAll();
