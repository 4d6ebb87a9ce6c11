/**
 * `language.js check|conditions|items|passes|expand ROUNDS FOLDER`: the milliseconds added by the workflow
 * language, and those of the comparison, measured in turn.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from '@contract/result';
import type { WorkflowDefinition } from '../../src/areas/workflows/contract/definition';
import { expandTemplates, templatesIn } from '../../src/areas/workflows/core/reference/expand';
import { WorkflowFiles } from '../../src/areas/workflows/node/workflow-files';
import { stepRegistry } from '../../src/features/core';
import { yamlReader } from '../../src/main/adapters/yaml/document';
import { BenchCore } from '../kit/core';
import { inTurn as measuredInTurn, type Work } from '../kit/in-turn';
import { say } from '../kit/say';
import { chain, conditionalChain, items, languageText, passes } from '../kit/workflows';

const [name = '', rounds = '', folder = ''] = process.argv.slice(2);
const inTurn = (ours: Work, limit: Work, tries = 1) =>
  measuredInTurn({ rounds: Number(rounds), tries }, ours, limit);

function checking(count: number): { check: Work; parse: Work } {
  const text = languageText(count);
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${count}.yaml`);
  writeFileSync(path, text);
  const files = new WorkflowFiles({
    reader: yamlReader,
    registry: stepRegistry,
    profiles: () => ({}),
    defaultProfile: () => null,
  });
  let texts = 0;
  // A text that was parsed before is not parsed again.
  const another = (): string => {
    texts += 1;
    return `${text}# ${texts}\n`;
  };
  return {
    parse: () => yamlReader.parse(another(), 'w.yaml'),
    check: async () => {
      writeFileSync(path, another());
      const { problems, plan } = await files.load(path, 'w.yaml', folder);
      if (plan === null) throw new Error(JSON.stringify(problems[0]));
    },
  };
}

async function overRuns<T>(measure: (core: BenchCore) => Promise<T>): Promise<T> {
  const core = new BenchCore(join(folder, `${name}.db`));
  const result = await measure(core);
  core.store.close();
  return result;
}

const whole = (core: BenchCore, definition: WorkflowDefinition) => () => core.run(definition);

/** The end time of each pass of a loop. */
async function passTimes(core: BenchCore, count: number): Promise<number[]> {
  const ends: number[] = [];
  core.heard = ({ type }) => type === 'scope.ended' && ends.push(performance.now());
  await core.run(passes(count));
  return ends.slice(1).map((at, index) => at - (ends[index] ?? at));
}

const middle = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

const benches: Readonly<Record<string, () => Promise<{ ours: number[]; limit: number[] }>>> = {
  check: () => {
    const { check, parse } = checking(500);
    return inTurn(check, parse);
  },
  'check-growth': () => inTurn(checking(5_000).check, checking(500).check),
  conditions: () =>
    overRuns((core) => inTurn(whole(core, conditionalChain(200)), whole(core, chain(200)), 6)),
  items: async () => {
    const { ours, limit } = await overRuns((core) =>
      inTurn(whole(core, items(2_000)), whole(core, items(200))),
    );
    return { ours: ours.map((ms) => ms / 2_000), limit: limit.map((ms) => ms / 200) };
  },
  passes: () =>
    overRuns(async (core) => {
      const times = { ours: [] as number[], limit: [] as number[] };
      for (let round = 0; round <= Number(rounds); round += 1) {
        const each = await passTimes(core, 1_000);
        if (round === 0) continue;
        times.limit.push(middle(each.slice(5, 35)));
        times.ours.push(middle(each.slice(-30)));
      }
      return times;
    }),
  expand: async () => {
    const outputs = Array.from({ length: 100 }, (_, index) =>
      `${index} $ARGUMENTS `.repeat(7_500).slice(0, 100_000),
    );
    const text = outputs.map((_, index) => `Part $s${index}.output.`).join('\n');
    const [field] = [{ path: 'text', kind: 'text' as const }];
    const templates = templatesIn({ text }, field === undefined ? [] : [field]);
    const values = {
      step: (id: string) => ({
        status: 'succeeded' as const,
        declared: null,
        output: outputs[Number(id.slice(1))] ?? '',
      }),
      variable: () => null,
      input: () => null,
      read: () => fail('not_found', 'there are no files'),
    };
    const length = (made: string) => Buffer.byteLength(made);
    return inTurn(
      () => {
        const made = expandTemplates(templates, values);
        if ('error' in made) throw new Error(made.error.message);
        return length(made.expanded.texts.text ?? '');
      },
      () => length(outputs.map((output) => `Part ${output}.`).join('\n')),
    );
  },
};
const bench = benches[name];
if (bench === undefined) throw new Error(`there is no ${name}`);
say(await bench());
