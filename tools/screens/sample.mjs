import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const script = `match:
  - when: Build the greeting
    reply:
      think: I look at what is there before I write anything.
      plan:
        - { content: Look around, status: completed, priority: medium }
        - { content: Write the greeting, status: in_progress, priority: high }
        - { content: Cover it with a test, status: pending, priority: medium }
      do:
        - run: { command: ls }
        - write:
            path: src/greet.ts
            content: |
              /** Greets a person by their name. */
              export function greet(name: string): string {
                return \`Hello \${name.trim()}!\`;
              }
        - say: |
            The greeting stands in \`src/greet.ts\`.

            | name | greeting |
            | --- | --- |
            | Ada | Hello Ada! |

            \`\`\`ts
            greet(' Ada '); // "Hello Ada!"
            \`\`\`
      usage: { input_tokens: 1410, output_tokens: 258, cost_usd: 0.0212 }
  - when: Now the tests
    reply:
      do:
        - write: { path: src/greet.test.ts, content: "test('greets', () => expect(greet(' Ada ')).toBe('Hello Ada!'));\\n" }
        - edit: { path: README.md, find: "# A project", replace: "# A project that greets" }
        - run: { command: "echo '1 passed'" }
      text: There is a test now.
      usage: { input_tokens: 900, output_tokens: 120, cost_usd: 0.011 }
  - when: Ask before
    reply:
      do:
        - write: { path: asked.txt, content: "Asked.\\n", ask: true, if_rejected: I was not allowed to. }
      text: It is written.
default: "Understood: {{prompt}}"
`;

const task = (id, instruction, more = '') => `  - id: ${id}
    type: step.agent_task
    config: { acp_profile_id: worker, instruction: ${instruction}${more} }
`;

const files = {
  'README.md': '# A project\n',
  '.muster/agents.yaml':
    'profiles:\n  - {kind: scripted, id: worker, name: Worker, script: .muster/worker.yaml}\n',
  '.muster/worker.yaml': script,
  '.muster/workflows/build.yaml': `name: Build the greeting\nsteps:\n${task('build', 'Build the greeting.', ', re_prompts: [Now the tests.]')}`,
  '.muster/workflows/ask.yaml': `name: Ask\nsteps:\n${task('ask', 'Ask before you write.')}`,
  '.muster/workflows/fail.yaml':
    'name: Fails\nsteps:\n  - {id: check, type: step.command, config: {script: "echo checking; echo broken >&2; exit 3"}}\n',
  '.muster/workflows/broken.yaml': 'name: Broken\nsteps:\n  - {id: a, type: step.nothing}\n',
};

function makeProject(path) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(path, dirname(name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  const git = (...args) =>
    execFileSync('git', [
      '-c',
      'user.name=Sample',
      '-c',
      'user.email=sample@muster.invalid',
      '-C',
      path,
      ...args,
    ]);
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'first');
}

async function until(look) {
  for (let waited = 0; waited < 120_000; waited += 200) {
    if (await look()) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`the sample did not come to rest: ${look}`);
}

/** Fills an empty data folder: runs that ended, failed and wait, a team, a loop. */
export async function makeSample(call, folder) {
  const sample = await call('project.createSample', { path: join(folder, 'sample') });
  makeProject(join(folder, 'greeter'));
  const greeter = await call('project.add', { path: join(folder, 'greeter') });
  mkdirSync(join(folder, 'empty'));
  await call('project.add', { path: join(folder, 'empty') });
  const run = async (projectId, name) =>
    (await call('run.start', { projectId, file: `.muster/workflows/${name}.yaml` })).runId;
  const row = async (runId) => (await call('run.get', { runId })).row;
  const ended = (runId) => until(async () => (await row(runId)).finishedAt !== null);
  const asked = (runId) => until(async () => (await row(runId)).openGates === 1);

  const notes = await run(sample.id, 'release-notes');
  await asked(notes);
  await call('gate.resolve', { runId: notes, gateId: 1, answer: { option: 'approve' } });
  await ended(notes);
  await ended(await run(greeter.id, 'build'));
  await ended(await run(greeter.id, 'fail'));
  await asked(await run(sample.id, 'release-notes'));
  await asked(await run(greeter.id, 'ask'));

  const templates = await call('team.templates', { projectId: sample.id });
  const { name, config } = templates.find(({ file }) => file.endsWith('prompt-engineers.yaml'));
  const team = await call('team.start', { projectId: sample.id, name, config });
  await until(async () => {
    const { state } = await call('run.get', { runId: team.runId });
    const members = Object.values(state.teams[1]?.members ?? {});
    return members.length === 5 && members.every(({ rounds }) => rounds[0]?.result != null);
  });
  const loop = { folder: 'loop', worker: 'loop-worker', branch: 'ralph/sample', iterations: 5 };
  await ended((await call('loop.start', { projectId: sample.id, ...loop })).runId);
}
