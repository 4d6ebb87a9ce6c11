import { pressBoth } from '../fixtures/press-both';
import { expect, test, WORKFLOW } from '../fixtures/test';

/** A program with a prompt. It knows nothing of Muster except the helper that reports the end of a turn. */
const AGENT = `printf 'agent> '
while IFS= read -r line; do
  printf 'Overwrite the notes? (y/n) '
  IFS= read -r answer
  "$MUSTER_SIGNAL" '{"type":"ended","text":"The operator said '"$answer"'."}'
  printf 'agent> '
done
`;

const workflow = `name: In a terminal
steps:
  - id: work
    type: step.agent_task
    config: { acp_profile_id: by-hand, instruction: Write the notes. }
`;

test('an agent in a terminal asks there, is answered there, and its turn goes on', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const project = await bench.project(muster, { [WORKFLOW]: workflow, 'agent.sh': AGENT });
  await muster.call('agent.save', {
    profile: {
      kind: 'cli',
      id: 'by-hand',
      name: 'By hand',
      command: '/bin/bash',
      args: ['agent.sh'],
      env: {},
      secrets: [],
      permissions: 'ask',
      read_only: false,
      max_sessions: 1,
      silence_minutes: null,
      trust_workspace: false,
    },
  });
  await muster.call('app.setLayout', { key: 'terminal.screenReader', value: true });
  await page.reload();
  const { runId } = await muster.call('run.start', { projectId: project.id, file: WORKFLOW });
  const notices = async () => {
    const { items } = await muster.call('run.transcript', { runId, turnId: 1 }).catch(() => ({ items: [] }));
    return items.flatMap((item) => (item.type === 'notice' ? [item.text] : []));
  };
  await expect
    .poll(notices, { timeout: 120_000 })
    .toContainEqual(expect.stringMatching(/^By hand waits .*\(y\/n\)/s));
  await pressBoth(page, 'g', 's');
  await expect(page.getByRole('option', { name: /By hand.*Waits for you since .*\(y\/n\)/s })).toBeVisible();
  await pressBoth(page, 'g', 'i');
  await expect(
    page.getByRole('heading', { name: 'By hand waits for an answer in its terminal' }),
  ).toBeVisible();
  await page.getByRole('link', { name: 'Open its terminal' }).click();
  await expect(page.locator('.xterm-accessibility-tree')).toContainText('Overwrite the notes?');
  // The terminal is also shown beside the question, where it can be answered.
  await pressBoth(page, 'g', 'i');
  const terminal = page.getByRole('region', { name: 'Its terminal' });
  await expect(terminal.locator('.xterm-accessibility-tree')).toContainText('Overwrite the notes?');
  await page.keyboard.press('o');
  await expect(terminal.locator('[data-part="terminal-box"] textarea')).toBeFocused();
  await page.keyboard.type('yes');
  await page.keyboard.press('Enter');
  const { state } = await bench.until(muster, runId, ({ row }) => row.finishedAt !== null);
  expect(state.turns[1]).toMatchObject({ status: 'completed', response: 'The operator said yes.' });
  expect(Object.values(state.gates)).toMatchObject([{ kind: 'terminal_question', status: 'withdrawn' }]);
});
