import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '../fixtures/test';
test('shots', async ({ bench }) => {
  test.setTimeout(150_000);
  const muster = await bench.launch();
  const { page } = muster;
  await muster.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(1440, 900));
  const shot = async (name: string, themes = ['light', 'dark']) => {
    for (const theme of themes) {
      await page.evaluate((theme) => { document.documentElement.dataset.theme = theme; }, theme);
      await page.waitForTimeout(250);
      await page.screenshot({ path: `/tmp/shots/team-${name}-${theme}.png` });
    }
  };
  await muster.call('project.createSample', {});
  await page.reload();
  await page.keyboard.press('g');
  await page.keyboard.press('t');
  await page.waitForTimeout(700);
  await shot('01-empty');
  await page.getByRole('listitem', { name: 'Prompt engineers' }).getByRole('button', { name: /^Start/ }).click();
  await page.waitForTimeout(1600);
  await shot('02-working');
  await page.waitForTimeout(5000);
  await page.locator('.composer textarea').fill('@S');
  await page.waitForTimeout(200);
  await shot('03-mention');
  await page.locator('.composer textarea').fill('@S1 Add more design system terminology, make it more instructional');
  await page.keyboard.press('Control+Enter');
  await page.waitForTimeout(700);
  await page.locator('.composer textarea').fill('@S1 And name the tokens.');
  await page.keyboard.press('Control+Enter');
  await page.waitForTimeout(200);
  await shot('04-queued');
  await page.waitForTimeout(4500);
  await page.getByRole('option', { name: /\sS1\s.*r\d/ }).click();
  await page.getByRole('button', { name: /^Changes of this round/ }).last().click();
  await page.waitForTimeout(700);
  await shot('05-member');
  await page.locator('.composer textarea').fill('I will be satisfied once it is short');
  await page.keyboard.press('Control+Enter');
  await page.waitForTimeout(300);
  await shot('06-question');
  await page.keyboard.press('y');
  await page.waitForTimeout(4000);
  await shot('07-merge');
  await muster.call('team.taskAdd', { runId: 1, activationId: 1, content: 'Agree on the words of the design system', priority: 'high' });
  await muster.call('team.taskAdd', { runId: 1, activationId: 1, content: 'Assemble the parts', dependsOn: [1] });
  await muster.call('team.taskAdd', { runId: 1, activationId: 1, content: 'Name the models to convert for', priority: 'low' });
  await muster.call('team.taskComplete', { runId: 1, activationId: 1, taskId: 3 });
  await page.locator('.team-chat .stack-scroll').focus();
  await page.keyboard.press('2');
  await page.waitForTimeout(400);
  await shot('08-tasks');
  await page.keyboard.press('1');
  await page.keyboard.press('+');
  await page.waitForTimeout(300);
  await shot('09-spawn', ['light']);
  await page.keyboard.press('Escape');
  await page.evaluate(() => { location.hash = '#/teams/new'; });
  await page.getByText('By hand').click();
  await page.waitForTimeout(400);
  await shot('10-hand');
  expect(true).toBe(true);
});

test('many', async ({ bench }) => {
  test.setTimeout(150_000);
  const muster = await bench.launch();
  const { page } = muster;
  await muster.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(1440, 900));
  const project = await muster.call('project.createSample', {});
  const { runId } = await muster.call('team.start', {
    projectId: project.id,
    name: 'Crowd',
    config: { members: [{ name: 'first', agent: 's1-intent-decoder', prompt: 'Begin.', iterative: true }] },
  });
  await bench.until(muster, runId, ({ state }) => state.teams[1]?.members.first?.rounds[0]?.result != null);
  const path = join(bench.dataDir, 'run.jsonl');
  await muster.call('run.export', { runId, path });
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  console.log(lines.length, lines[0]?.slice(0, 200), lines.at(-1)?.slice(0, 200));
  const make = (count: number, file: string) => {
    const rows = lines.map((line) => JSON.parse(line));
    const last = rows.at(-1);
    let { id, seq, at } = last;
    const add = (event: object) => {
      id += 1; seq += 1; at += 10;
      rows.push({ ...last, id, seq, at, event: { activationId: 1, ...event } });
    };
    for (let m = 2; m <= 50; m += 1)
      add({ type: 'team.member-added', by: 'operator', member: { name: `member-${m}`, profileId: 's1-intent-decoder', model: null, prompt: 'p', iterative: true, readOnly: false, worktree: false, planApproval: false, idleMinutes: null } });
    let messageId = Math.max(...rows.flatMap(({ event }) => (event?.type === 'team.message' ? [event.messageId] : [0])));
    for (let i = 0; i < count; i += 1) {
      messageId += 1;
      const who = `member-${2 + (i % 49)}`;
      add({ type: 'team.message', messageId, from: i % 3 === 0 ? 'operator' : who, to: i % 3 === 0 ? ['operator'] : ['operator'], kind: 'note', text: `Message ${i} of many. **Bold**, \`code\`, and some more words so that it fills a line or two of the chat, as people and agents do when they speak with each other.` });
    }
    const first = rows.find(({ event }) => event?.type === 'run.started');
    if (first) first.event.uid = `01CROWD${file.replace(/\D/g, '').padStart(19, '0')}`;
    rows[0].events = rows.length - 1;
    const uid = `01CROWD${file.replace(/\D/g, '').slice(-5).padStart(19, '0')}`;
    rows[0].uid = uid;
    if (first) first.event.uid = uid;
    writeFileSync(file, `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`);
  };
  for (const count of [500, 5000, 50000]) {
    const file = join(bench.dataDir, `many-${count}.jsonl`);
    make(count, file);
    const started = Date.now();
    const imported = await muster.call('run.import', { path: file });
    const importMs = Date.now() - started;
    for (const again of [1, 2, 3]) {
      await page.evaluate(() => { location.hash = '#/settings'; });
      await page.waitForTimeout(5000);
      const ms = await page.evaluate(async (id) => {
        const from = performance.now();
        location.hash = `#/team/${id}/1/all`;
        for (;;) {
          await new Promise((resolve) => requestAnimationFrame(resolve));
          if (document.querySelector('.team-chat .chat-message') && document.querySelector('.member-card')) break;
        }
        return performance.now() - from;
      }, imported.runId);
      console.log('messages', count, 'import', importMs, 'open', again, Math.round(ms));
    }
    const get = Date.now();
    const got = await muster.call('run.get', { runId: imported.runId });
    console.log('run.get ms', Date.now() - get, 'bytes', JSON.stringify(got).length);
    const pg = Date.now();
    await muster.call('team.messages', { runId: imported.runId, activationId: 1, thread: 'member-7' });
    console.log('page ms', Date.now() - pg);
    const ls = Date.now();
    await muster.call('team.list', {});
    console.log('list ms', Date.now() - ls);
  }
  await page.screenshot({ path: '/tmp/shots/team-20-many.png' });
  await page.getByRole('button', { name: /^Show earlier messages/ }).click().catch(() => undefined);
  await page.locator('.team-chat .stack-scroll').focus();
  const key = Date.now();
  for (let i = 0; i < 20; i += 1) await page.keyboard.press('k');
  console.log('20 k', Date.now() - key);
  await page.waitForTimeout(500);
  await page.screenshot({ path: '/tmp/shots/team-21-many-back.png' });
});

test('conflict', async ({ bench }) => {
  const muster = await bench.launch();
  const { page } = muster;
  await muster.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(1440, 900));
  const project = await bench.project(muster, {
    '.muster/agents.yaml': 'profiles:\n  - {kind: scripted, id: rival, name: Rival, script: .muster/rival.yaml}\n',
    '.muster/rival.yaml': `match:
  - when: "You are (alpha|beta)"
    reply:
      do: [{ ask: { title: "May I write shared.md?", kind: edit } }, { write: { path: shared.md, content: "# Shared\\n\\nThe words of {{1}}.\\n" } }]
      text: <task-result status="completed">Written by {{1}}.</task-result>
default: <task-result status="completed">Done.</task-result>
`,
  });
  const members = ['alpha', 'beta'].map((name) => ({ name, agent: 'rival', prompt: 'Write.' }));
  const { runId } = await muster.call('team.start', { projectId: project.id, name: 'Rivals', config: { members } });
  const shot = async (name: string) => {
    for (const theme of ['light', 'dark']) {
      await page.evaluate((theme) => { document.documentElement.dataset.theme = theme; }, theme);
      await page.waitForTimeout(250);
      await page.screenshot({ path: `/tmp/shots/team-${name}-${theme}.png` });
    }
  };
  await page.evaluate((hash) => { location.hash = hash; }, `#/team/${runId}`);
  await bench.until(muster, runId, ({ row }) => row.openGates >= 1);
  await page.waitForTimeout(3000);
  const { state } = await muster.call('run.get', { runId });
  console.log(JSON.stringify(Object.values(state.gates).map(({ id, status, title, turnId }) => [id, status, title, turnId])), JSON.stringify(Object.values(state.turns).map(({ id, lane, status }) => [id, lane, status])));
  await page.waitForTimeout(600);
  await shot('30-permission');
  for (const gateId of Object.keys(state.gates).map(Number)) await muster.call('gate.resolve', { runId, gateId, answer: { option: 'allow' } });
  const members_ = (state: { teams: Record<number, { members: Record<string, { rounds: readonly { result: unknown }[]; merged: unknown }>; merges: object }> }) => state.teams[1]!;
  await bench.until(muster, runId, ({ state }) => Object.values(members_(state as never).members).every((m) => m.rounds[0]?.result != null));
  for (const member of ['alpha', 'beta']) await muster.call('team.shutdown', { runId, activationId: 1, member });
  await bench.until(muster, runId, ({ state }) => Object.values(members_(state as never).merges).filter((m) => m.status === 'rehearsed').length === 2);
  await muster.call('team.mergeConfirm', { runId, activationId: 1, mergeId: 1 });
  await bench.until(muster, runId, ({ state }) => Object.values(members_(state as never).members).some((m) => m.merged));
  await muster.call('team.mergeConfirm', { runId, activationId: 1, mergeId: 2 }).catch((error) => console.log(String(error)));
  await page.waitForTimeout(2000);
  await shot('31-merge-moved');
  await page.getByRole('button', { name: 'Try the merge again' }).click().catch(() => undefined);
  await page.waitForTimeout(1500);
  await shot('32-conflict');
  await page.evaluate(() => { document.body.style.zoom = '1'; });
  await muster.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(720, 800));
  await page.waitForTimeout(600);
  await page.screenshot({ path: '/tmp/shots/team-33-narrow.png' });
});
