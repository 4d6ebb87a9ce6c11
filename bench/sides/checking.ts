/**
 * `checking.js ROUNDS FOLDER`: the milliseconds of checking a text without a file, and of checking its file.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WorkflowTexts } from '../../src/areas/workflows/node/texts/index';
import { WorkflowFiles } from '../../src/areas/workflows/node/workflow-files';
import { stepRegistry } from '../../src/features/core';
import { yamlReader } from '../../src/main/adapters/yaml/document';
import { yamlEditor } from '../../src/main/adapters/yaml/edit/index';
import { inTurn } from '../kit/in-turn';
import { say } from '../kit/say';
import { languageText } from '../kit/workflows';

const [rounds = '', folder = ''] = process.argv.slice(2);
const FILE = '.muster/workflows/many.yaml';
const text = languageText(500);
const path = join(folder, FILE);
mkdirSync(join(path, '..'), { recursive: true });
writeFileSync(path, text);
const files = new WorkflowFiles({
  reader: yamlReader,
  registry: stepRegistry,
  profiles: () => ({}),
  defaultProfile: () => null,
});
const texts = new WorkflowTexts({
  files,
  reader: yamlReader,
  editor: yamlEditor,
  registry: stepRegistry,
  project: () => ({ path: folder }),
  changed: () => undefined,
  lastRun: () => null,
});
const unsaved = async () => {
  const checked = await texts.check({ projectId: 1, file: FILE, text });
  if (!checked.ok || !checked.value.runnable) throw new Error('the text is not valid');
};
const validate = async () => {
  const { plan } = await files.load(path, path, folder);
  if (plan === null) throw new Error('the file is not valid');
};
say(await inTurn({ rounds: Number(rounds) }, unsaved, validate));
