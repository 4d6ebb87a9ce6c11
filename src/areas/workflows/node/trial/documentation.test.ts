import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectSettingsSchema } from '@areas/projects/contract/project-settings';
import { PromptLibrary } from '@areas/prompts/node/prompt-library';
import { stepRegistry } from '@features/core';
import { yamlReader } from '@main/adapters/yaml/document';
import { fakeProfile } from '@main/core/engine/testing/harness';
import { expect, test } from 'vitest';
import { trialValuesSchema } from '../../contract/trial';
import { WorkflowFiles } from '../workflow-files';
import { WorkflowTrials } from './';
import { noPorts } from './testing/no-ports';

const page = readFileSync(join('docs', 'workflows.md'), 'utf8');
const blocks = (language: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, text]) => text ?? '',
  );
const isWorkflow = (text: string): boolean => /^name: /m.test(text);
const examples = blocks('yaml')
  .filter(isWorkflow)
  .map((text) => [/^name: (.*)$/m.exec(text)?.[1] ?? '', text] as const);
const [given = '{}'] = blocks('json');

function trials(text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'muster-docs-'));
  mkdirSync(join(folder, '.muster', 'workflows'), { recursive: true });
  const path = join(folder, '.muster', 'workflows', 'w.yaml');
  writeFileSync(path, text);
  const files = new WorkflowFiles({
    reader: yamlReader,
    registry: stepRegistry,
    profiles: () => ({ claude: { ...fakeProfile, id: 'claude' } }),
    defaultProfile: () => null,
  });
  const quiet = () => undefined;
  const made = new WorkflowTrials({
    files,
    prompts: new PromptLibrary({ builtinDir: join('resources', 'prompts') }),
    registry: stepRegistry,
    ports: noPorts,
    logger: { info: quiet, warn: quiet, error: quiet },
    now: () => 1_000,
  });
  return { made, path };
}

test('the page of the language has its examples', () => {
  expect(examples.map(([name]) => name)).toEqual([
    'Release notes',
    'Route on a score',
    'Ask before shipping',
    'Repeat until done',
    'Check every file',
    'Which instruction is best',
    'Compare two drafts',
  ]);
});

/** Assumed outputs of an example's agents and commands, for cases where a sample would not let it end. */
const said: Readonly<Record<string, object>> = {
  'Repeat until done': { 'polish/pass': { output: 'Shorter.\nDONE' } },
  'Check every file': { list: { output: '["a.md", "b.md"]' }, 'check[2]/read': { output: 'One mistake.' } },
};

test.each(examples)(
  'the example "%s" of the documentation is valid and runs to its end',
  async (name, text) => {
    const { made, path } = trials(text);
    const result = await made.dryRun({
      path,
      instruction: 'x',
      inputs: {},
      values: trialValuesSchema.parse({ steps: said[name] ?? {} }),
    });
    expect(result).toMatchObject({ value: { problems: [], outcome: 'succeeded' } });
  },
);

test('the values of the documentation fit the example before them', async () => {
  const { made, path } = trials(examples[1]?.[1] ?? '');
  const values = trialValuesSchema.parse(JSON.parse(given));
  const result = await made.expand({ path, values });
  if (!result.ok) throw new Error(result.error.message);
  expect(result.value.templates.map(({ step, path: at, text }) => `${step} ${at}: ${text}`)).toEqual([
    'mend when: true',
    'mend instruction: Mend the draft in docs/draft.md. A reader says: It is too long.',
    'publish when: false',
  ]);
});

test('the settings of a project in the documentation are valid', () => {
  const others = blocks('yaml').filter((text) => !isWorkflow(text));
  const parsed = others.map((text) =>
    projectSettingsSchema.parse(yamlReader.parse(text, 'project.yaml').value),
  );
  expect(parsed).toMatchObject([{ worktree: { setup: 'npm ci', submodules: true } }]);
});
