import { join } from 'node:path';
import { makeProject } from './fixtures/project';
import { expect, test, WORKFLOW } from './fixtures/test';

const ASKED_TWICE = `name: Asked twice
workspace: folder
steps:
  - id: port
    type: step.approval
    config: {message: Which port?, capture_response: true}
  - id: ok
    type: step.approval
    config: {message: Is it fine?}
cables:
  - {from: port.approved_out, to: ok.data_in}
`;

test('a text is given with answer, an option is taken with choose, and each refusal leaves the gate open', async ({
  cli,
}) => {
  const project = makeProject({ [WORKFLOW]: ASKED_TWICE });
  expect(await cli.run('run', join(project, WORKFLOW), '--no-wait')).toMatchObject({ code: 6 });
  expect(await cli.run('answer', '1', ' ')).toMatchObject({
    code: 2,
    err: expect.stringContaining('"Send answer" needs a text'),
  });
  expect(await cli.run('choose', '1/1', 'later')).toMatchObject({
    code: 2,
    err: expect.stringContaining('approve (Send answer), reject (Reject)'),
  });
  expect(await cli.run('answer', '1/1', '8080')).toMatchObject({ code: 6, err: '' });
  expect((await cli.run('gates', '1')).out).toContain('  | 8080\n');
  expect(await cli.run('choose', '1/2', 'approve')).toMatchObject({
    code: 0,
    out: expect.stringContaining('succeeded'),
  });
  expect(await cli.run('output', '1', 'port.approved_out')).toMatchObject({ code: 0, out: '8080' });
});
