import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stepRegistry } from '@features/core';
import { yamlReader } from '@main/adapters/yaml/document';
import { yamlText } from '@main/adapters/yaml/write';
import { fakeProfile } from '@main/core/engine/testing/harness';
import { WorkflowFiles } from '../../workflow-files';
import { Conversions } from '..';

const profiles = { claude: { ...fakeProfile, id: 'claude' }, codex: { ...fakeProfile, id: 'codex' } };

/** Converts a file with a command file `greet` beside it, and loads the result. */
export async function converted(text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'muster-convert-'));
  mkdirSync(join(folder, 'commands'));
  writeFileSync(
    join(folder, 'commands', 'greet.md'),
    '---\ndescription: x\n---\nGreet $INPUTS.who from $ARGUMENTS.\n',
  );
  writeFileSync(join(folder, 'a.yaml'), text);
  const conversions = new Conversions({ reader: yamlReader, registry: stepRegistry, write: yamlText });
  const found = await conversions.convert(join(folder, 'a.yaml'));
  if (!found.ok) throw new Error(found.error.message);
  const [file] = found.value;
  if (file?.text == null) throw new Error(file?.error?.message);
  writeFileSync(join(folder, 'b.yaml'), file.text);
  const files = new WorkflowFiles({
    reader: yamlReader,
    registry: stepRegistry,
    profiles: () => profiles,
    defaultProfile: () => null,
  });
  const { definition, plan, problems } = await files.load(join(folder, 'b.yaml'), 'b.yaml', folder);
  const errors = problems.filter(({ severity }) => severity === 'error').map(({ message }) => message);
  const step = (id: string) => definition?.steps.find((one) => one.id === id);
  const told = (node: string, key: string) =>
    file.keys.filter((one) => one.node === node && one.key === key).map(({ result, how }) => [result, how]);
  return { definition, plan, valid: plan !== null, problems, errors, step, keys: file.keys, told };
}

/** A file with these nodes. */
export const wrap = (nodes: string): string => `name: Test\nnodes:\n${nodes}`;
