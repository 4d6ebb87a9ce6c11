import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { rlmPromptSet } from '@features/rlm/contract/prompts';
import { teamPromptSet } from '@features/team/contract/prompts';
import { describe, expect, test } from 'vitest';
import { type PromptId, promptSchema, promptSets } from '../contract/sets';
import { renderPrompt } from '../core/render';
import { PromptLibrary } from './prompt-library';

const builtinDir = resolve('resources/prompts');
const library = new PromptLibrary({ builtinDir });
const builtin = (id: PromptId) => readFileSync(join(builtinDir, `${id}.md`), 'utf8');

function project(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const path = mkdtempSync(join(tmpdir(), 'muster-prompts-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, '.muster/prompts', name)), { recursive: true });
    writeFileSync(join(path, '.muster/prompts', name), text);
  }
  return path;
}

const problemsOf = async (path: string) => {
  const loaded = await library.loadAll(path);
  return loaded.ok ? [] : loaded.error.problems;
};

/** Seed 003: the context message of iterative agents, and the addition to the lead's system prompt. */
const SEED_TEAMMATE = `IMPORTANT: You are in ITERATIVE MODE. You will go through multiple rounds of refinement
with the lead until they are satisfied.
When you complete a round of work:
1. Send your current output to the lead via team_message using the <task-result> format
2. Then WAIT. Do NOT stop. Do NOT mark your task complete.
3. The lead will respond with feedback, questions, or new instructions
4. Incorporate the feedback and iterate
5. Repeat until the lead explicitly says "I'm satisfied" or "you're done"
Only when the lead says you're done:
- Mark your task complete with team_tasks_complete
- Send one final <task-result> message
`;
const SEED_LEAD = `ITERATIVE MODE:
Some teammates are in ITERATIVE MODE. Do NOT shut them down after they report results.
Do NOT call team_cleanup while any iterative agent is active.
When an iterative agent sends results:
- Read their full message with team_results
- Relay the findings to the user
- Wait for the user's explicit feedback before messaging the agent back
- The user may say "Looks good, ask them to refine X" or "I'm satisfied with this one"
Reply to iterative agents via team_message with the user's feedback.
Only shut down and merge an iterative agent when the user explicitly says
"I'm satisfied with [agent-name]" or "shut down [agent-name]".
team_cleanup should only be called after ALL iterative agents are done.
`;

const SEED_CONTINUE = `The history before is your previous interactions with the REPL environment.

Think step-by-step on what to do using the REPL environment (which contains the context) to answer the original prompt: "{question}"

Continue using the REPL environment, which has the \`context\` variable, and querying sub-LLMs by writing to \`\`\`repl\`\`\` tags, and determine your answer.
Your next action:
`;

describe("Muster's own texts", () => {
  test("Muster's own texts are all valid, and nothing else lies beside them", async () => {
    expect(await library.check(null)).toMatchObject({ valid: true, strays: [] });
    const all = await library.loadAll(null);
    const ids = promptSets.flatMap(({ prompts }) => prompts.map(({ id }) => id));
    expect(all.ok && Object.keys(all.value).sort()).toEqual(ids.sort());
  });

  test("Muster's own texts hold seed 003's two texts and its closing message to the letter", () => {
    expect(builtin('team/iterative-teammate')).toContain(SEED_TEAMMATE);
    expect(builtin('team/iterative-lead').startsWith(SEED_LEAD)).toBe(true);
    const final = builtin('team/final-round');
    expect(final.startsWith('Lead is satisfied. Mark complete and send final.\n')).toBe(true);
    expect(final).toContain('<task-result status="completed">');
  });

  test("Muster's own texts hold seed 001's text of each further iteration to the letter", () => {
    expect(builtin('rlm/iteration_continue')).toBe(SEED_CONTINUE);
  });

  test('each key phrase is from the seed, and dropping it is a named problem', async () => {
    for (const [id, seed] of [
      ['team/iterative-teammate', SEED_TEAMMATE],
      ['team/iterative-lead', SEED_LEAD],
    ] as const) {
      const phrases = teamPromptSet.prompts.find((prompt) => prompt.id === id)?.keyPhrases ?? [];
      for (const phrase of phrases) {
        const text = builtin(id).replaceAll(phrase, '');
        const [first, ...rest] = await problemsOf(project({ [`${id}.md`]: text }));
        expect(seed).toContain(phrase);
        expect([first, ...rest].map((problem) => problem?.message)).toContain(
          `the words “${phrase}” are missing`,
        );
      }
    }
  });

  test("Muster's own texts are complete once their values are filled in", async () => {
    const all = await library.loadAll(null);
    if (!all.ok) throw new Error(all.error.message);
    const schema = promptSchema('team/iterative-teammate');
    const values = { member: 'S1', team: 'prompts', lead: 'lead', round: '2', tools: 't', members: 'S2' };
    const text = renderPrompt(schema, all.value[schema.id].text, values);
    expect(text).toContain('You are S1, a teammate in the team prompts. Your lead is lead. This is round 2.');
    expect(text).not.toMatch(/[{}]/);
  });
});

describe('overrides', () => {
  const good = `${builtin('team/final-round')}\r\nOurs, in round {round}, with {{braces}} and ünïcode.\r\n`;

  test('a valid override counts in its project, as it stands, and in no other', async () => {
    const path = project({ 'team/final-round.md': good });
    const [mine, theirs] = await Promise.all([library.loadAll(path), library.loadAll(project())]);
    if (!mine.ok || !theirs.ok) throw new Error('not loaded');
    expect(mine.value['team/final-round']).toMatchObject({
      text: good,
      source: 'override',
      file: '.muster/prompts/team/final-round.md',
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(mine.value['team/lead']).toEqual(theirs.value['team/lead']);
    expect(theirs.value['team/final-round'].source).toBe('builtin');
    expect(theirs.value['team/final-round'].hash).not.toBe(mine.value['team/final-round'].hash);
  });

  test('invalid overrides are refused, never passed over: every problem of every file, by file and line', async () => {
    const path = project({
      'team/iterative-teammate.md': builtin('team/iterative-teammate')
        .replace('Do NOT stop. ', '')
        .replace('{round}', '{runde}'),
      'team/lead.md': '\n',
      'team/lede.md': 'x',
      'team/README.md': 'Notes of ours.',
    });
    const problems = await problemsOf(path);
    expect(problems.map(({ code, where, message }) => [code, where?.file, where?.line, message])).toEqual([
      [
        'validation.prompt_placeholder',
        '.muster/prompts/team/iterative-teammate.md',
        1,
        'there is no placeholder {runde}',
      ],
      [
        'validation.prompt_text',
        '.muster/prompts/team/iterative-teammate.md',
        23,
        'the words “Do NOT stop” are missing',
      ],
      ['validation.prompt_text', '.muster/prompts/team/lead.md', 1, 'the text is empty'],
      [
        'validation.prompt_file',
        '.muster/prompts/team/lede.md',
        undefined,
        'lede.md is not a prompt file of the set team, so it is never read',
      ],
    ]);
    const loaded = await library.loadAll(path);
    if (loaded.ok) throw new Error('loaded');
    for (const { message } of problems) expect(loaded.error.message).toContain(message);
    expect(await library.check(path)).toMatchObject({ valid: false, strays: [{ where: {} }] });
  });

  test('an override that cannot be read as text says why', async () => {
    const path = project({
      'team/lead.md': new Uint8Array([0x66, 0xff, 0xfe]),
      'team/final-round.md/inside': '',
      'team/resumed-note.md': 'x'.repeat(1024 * 1024 + 1),
    });
    const outside = project({ 'team/lead.md': 'secret' });
    symlinkSync(
      join(outside, '.muster/prompts/team/lead.md'),
      join(path, '.muster/prompts/team/iterative-lead.md'),
    );
    symlinkSync('gone.md', join(path, '.muster/prompts/team/one-shot-teammate.md'));
    const found = (await problemsOf(path)).map(({ message, where }) => [where?.file, message]);
    expect(found).toEqual([
      ['.muster/prompts/team/one-shot-teammate.md', 'it is a broken link'],
      ['.muster/prompts/team/lead.md', 'it is not in UTF-8'],
      ['.muster/prompts/team/iterative-lead.md', 'the file is a link to outside its folder'],
      ['.muster/prompts/team/final-round.md', 'it is a folder, not a text file'],
      ['.muster/prompts/team/resumed-note.md', 'the file is larger than 1 MB'],
    ]);
  });
});

describe('folders that win over the project', () => {
  const given = (files: Readonly<Record<string, string>>) => join(project(files), '.muster/prompts');
  const said = (id: PromptId, words: string) => ({ [`${id}.md`]: `${builtin(id)}\n${words}\n` });

  test('a text comes from the flag, else the environment, else the project, else Muster', async () => {
    const path = project({
      ...said('team/final-round', 'project'),
      ...said('team/lead', 'project'),
      ...said('rlm/system', 'project'),
    });
    const variable = given({ ...said('team/lead', 'variable'), ...said('rlm/system', 'variable') });
    const flag = given(said('rlm/system', 'flag'));
    const inEnvironment = new PromptLibrary({ builtinDir, variable });
    const loaded = await inEnvironment.loadAll(path, [{ path: flag, from: 'flag' }]);
    if (!loaded.ok) throw new Error(loaded.error.message);
    const { value } = loaded;
    expect(
      (['rlm/system', 'team/lead', 'team/final-round', 'rlm/subcall'] as const).map((id) => {
        const { source, file, text } = value[id];
        return [source, file, text.trim().split('\n').at(-1)];
      }),
    ).toEqual([
      ['flag', join(flag, 'rlm/system.md'), 'flag'],
      ['variable', join(variable, 'team/lead.md'), 'variable'],
      ['override', '.muster/prompts/team/final-round.md', 'project'],
      ['builtin', 'rlm/subcall.md', builtin('rlm/subcall').trim().split('\n').at(-1)],
    ]);
    // A caller's own environment replaces that of this process.
    const theirs = await inEnvironment.loadAll(path, [
      { path: given(said('rlm/subcall', 'x')), from: 'variable' },
    ]);
    expect(theirs).toMatchObject({ ok: true, value: { 'team/lead': { source: 'override' } } });
  });

  test('every problem in any of the folders is reported at once', async () => {
    const path = project({ 'team/lead.md': '' });
    const flag = given({ 'rlm/subcall.md': '{content}', 'rlm/sytem.md': 'x', 'system.md': 'x' });
    const missing = join(path, 'nowhere');
    const folders = [
      { path: flag, from: 'flag' },
      { path: missing, from: 'variable' },
    ] as const;
    const loaded = await library.loadAll(path, folders);
    if (loaded.ok) throw new Error('loaded');
    expect(loaded.error.problems.map(({ message, where }) => [where?.file, message])).toEqual([
      ['.muster/prompts/team/lead.md', 'the text is empty'],
      [join(flag, 'rlm/subcall.md'), 'the placeholder {instruction} is missing'],
      [join(flag, 'system.md'), 'system.md is not in the folder of a set, so it is never read'],
      [join(flag, 'rlm/sytem.md'), 'sytem.md is not a prompt file of the set rlm, so it is never read'],
      [missing, `there is no folder ${missing}`],
    ]);
  });
});

test('files that are never read are named, also with another extension or in a misspelt folder', async () => {
  const path = project({
    'rlm/system.txt': 'x',
    'rlm/system.md.orig': 'x',
    'rlm/.system.md.swp': 'x',
    'rml/subcall.md': 'x',
    'rml/notes.md': 'x',
    'system.md': 'x',
    'ours.md': 'x',
  });
  const { valid, strays } = await library.check(path);
  expect(valid).toBe(false);
  expect(strays.map(({ severity, where }) => [where?.file, severity])).toEqual([
    ['.muster/prompts/ours.md', 'warning'],
    ['.muster/prompts/system.md', 'error'],
    ['.muster/prompts/rlm/system.md.orig', 'warning'],
    ['.muster/prompts/rlm/system.txt', 'error'],
    ['.muster/prompts/rml/subcall.md', 'error'],
  ]);
  expect((await library.check(project({ 'rlm/system.md.orig': 'x' }))).valid).toBe(true);
});

test('a required file that the app lacks is a problem, and an optional one is empty', async () => {
  const [schema] = teamPromptSet.prompts;
  const sets = (requiredFile: boolean) => [
    { id: 'team', title: 'Teams', prompts: [{ ...schema, requiredFile }] },
  ];
  const empty = mkdtempSync(join(tmpdir(), 'muster-none-'));
  const needed = await new PromptLibrary({ builtinDir: empty, sets: sets(true) }).loadAll(null);
  expect(needed).toMatchObject({ ok: false, error: { code: 'validation.prompt_file' } });
  const optional = await new PromptLibrary({ builtinDir: empty, sets: sets(false) }).loadAll(project());
  expect(optional).toMatchObject({ ok: true, value: { [schema.id]: { text: '', source: 'none' } } });
});

test('one prompt is read in full: pieces that are its text, its schema, and what it replaces', async () => {
  const path = project({ 'team/lead.md': 'Ours: {team} {oops}' });
  const detail = await library.get(path, 'team/lead');
  if (!detail.ok) throw new Error(detail.error.message);
  const { pieces, text, builtinText, problems, source, overrideFile } = detail.value;
  expect(pieces.map(({ raw }) => raw).join('')).toBe(text);
  expect(pieces.filter(({ kind }) => kind === 'placeholder').map(({ raw }) => raw)).toEqual([
    '{team}',
    '{oops}',
  ]);
  expect([builtinText, source, overrideFile]).toEqual([
    builtin('team/lead'),
    'override',
    '.muster/prompts/team/lead.md',
  ]);
  expect(problems.length).toBeGreaterThan(3);
  expect(await library.get(path, 'team/none')).toMatchObject({ ok: false, error: { code: 'not_found' } });
  expect(promptSets.every((set) => library.find(set.prompts[0]?.id ?? '')?.set === set)).toBe(true);
});

test('a question that allows background knowledge differs from one that does not only in where answers come from', () => {
  const strict = builtin('rlm/system').split('\n\n');
  const augmented = builtin('rlm/system_augmented').split('\n\n');
  expect(strict.filter((part) => !augmented.includes(part))).toEqual([
    expect.stringMatching(/^Answer from the documents alone\./),
  ]);
  expect(augmented.filter((part) => !strict.includes(part))[0]).toMatch(/^Answer from the documents first\./);
});

test('questions have the nine texts of the reference with their placeholders, and three of them may be missing', () => {
  const { prompts } = rlmPromptSet;
  const named = (required: boolean, schema: (typeof prompts)[number]) =>
    schema.placeholders.filter((one) => one.required === required).map(({ name }) => name);
  expect(
    Object.fromEntries(
      prompts.map((one) => [one.file, [named(true, one), named(false, one), one.requiredFile]]),
    ),
  ).toEqual({
    'system.md': [[], [], true],
    'context_metadata.md': [['context_type', 'context_total_length', 'context_lengths'], ['doc_names'], true],
    'iteration_zero.md': [['question'], [], true],
    'iteration_continue.md': [['question'], [], true],
    'subcall.md': [['instruction', 'content'], [], true],
    'code_required.md': [[], [], true],
    'verify_adversarial.md': [['findings', 'documents'], [], false],
    'verify_code.md': [['previous_results', 'findings', 'documents'], [], false],
    'system_augmented.md': [[], [], false],
    // Ours: the reference asks for the best answer in other words.
    'last_call.md': [['question'], [], true],
  });
});
