import { ok } from '@contract/result';
import { expect, test } from 'vitest';
import { OutboxStage, PostedUpdates } from './testing/outbox-stage';
test('t', async () => {
  const t0 = performance.now(); const lap = (w: string) => console.log(w, Math.round(performance.now() - t0));
  const got: string[] = [];
  const stage = new OutboxStage(['all', 'bad'], async (_t, { text }) => { got.push(text); return ok({ receipt: 'x' }); });
  lap('open');
  const posted = new PostedUpdates(stage);
  await stage.start(); lap('start');
  await posted.post(0); lap('post');
  await stage.pass(1000); lap('pass');
  await stage.restart('crash'); lap('crash');
  await stage.restart('quit'); lap('quit');
  console.log(stage.faults);expect(got.length).toBe(1);
  await stage.end(); lap('end');
});
