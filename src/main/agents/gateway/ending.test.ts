import { agentProfileSchema } from '@areas/agents/contract/profile';
import { expect, test } from 'vitest';
import { endingOf } from './ending';
import { readEndpoint } from './endpoint';

const profile = agentProfileSchema.parse({
  id: 'model',
  name: 'Model',
  kind: 'gateway',
  api: 'openai',
  base_url: 'http://127.0.0.1:1/v1',
  model: 'm',
});
if (profile.kind !== 'gateway' || profile.api === 'openclaw') throw new Error('another kind');
const endpoint = readEndpoint(profile, null, () => null);
if (!endpoint.ok) throw new Error(endpoint.error.message);

test.each(['', ' \n'])(
  'an answer without a text (%j) is a failure, and never a silent success',
  (response) => {
    expect(endingOf({ unified: 'stop', raw: 'stop' }, response, endpoint.value)).toMatchObject({
      outcome: 'failed',
      error: { code: 'agent.failed', message: 'the model answered without a text' },
    });
    expect(endingOf({ unified: 'stop', raw: 'stop' }, 'Yes.', endpoint.value).outcome).toBe('completed');
  },
);
