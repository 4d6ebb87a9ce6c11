import { expect, test } from '@playwright/test';
import { launchMuster, temporaryDataDir } from './fixtures/launch';

test('look', async () => {
  const data = await temporaryDataDir();
  const muster = await launchMuster({ dataDir: data.path });
  muster.page.on('console', (m) => console.log('console', m.text()));
  try {
    await muster.page.waitForTimeout(1500);
    await muster.page.screenshot({ path: '/tmp/shot-start.png' });
    const project = await muster.call('project.createSample', {});
    console.log(JSON.stringify(project));
    const flows = await muster.call('workflow.list', {});
    console.log(JSON.stringify(flows.map((f) => [f.name, f.problems])));
    const { runId } = await muster.call('run.start', { projectId: project.id, file: flows[0].file });
    for (let i = 0; i < 60; i++) {
      const r = await muster.call('run.get', { runId });
      if (i % 5 === 0) console.log(r.row.status, r.row.now, r.row.stepsDone);
      if (r.row.status !== 'running') { console.log(JSON.stringify(r.row), JSON.stringify(Object.values(r.state.activations).map(a=>a.error))); break; }
      await muster.page.waitForTimeout(300);
    }
    await muster.page.screenshot({ path: '/tmp/shot-run.png' });
    expect(1).toBe(1);
  } finally {
    await muster.close();
  }
});
