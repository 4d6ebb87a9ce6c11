// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are expansions of the shell
import { expect, test } from 'vitest';
import { Harness, task } from './testing/harness';

test('a script reads an output as a variable, and the text itself never stands in the script', async () => {
  const harness = new Harness();
  harness.agents.answer = () => ({ response: '$(touch /tmp/x) "; id' });
  await harness.run({
    steps: [
      task('a'),
      { id: 'c', type: 'step.command', config: { script: 'echo "$a.output" $a.output $ARGUMENTS' } },
    ],
    cables: [{ from: 'a.signal_out', to: 'c.signal_in' }],
  });
  expect(harness.events().find((event) => event.type === 'command.started')).toMatchObject({
    script: 'echo "${MUSTER_REF_1}" "${MUSTER_REF_1}" "${MUSTER_REF_2}"',
    env: { MUSTER_REF_1: '$(touch /tmp/x) "; id', MUSTER_REF_2: '' },
  });
});
