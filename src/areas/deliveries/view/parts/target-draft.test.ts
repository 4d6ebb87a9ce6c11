import { expect, test } from 'vitest';
import { draftOf, newDraft, targetOf } from './target-draft';

test('a draft becomes the target that it describes, and back', () => {
  const webhook = { ...newDraft('a'), url: ' https://a.example/x ', secret: ' HOOK ' };
  const { target, problems } = targetOf(webhook);
  expect(problems).toEqual({});
  expect(target).toEqual({
    id: 'a',
    kind: 'webhook',
    name: 'Webhook',
    enabled: true,
    filter: 'everything',
    sends: ['updates', 'questions', 'ends'],
    answers: 'questions',
    url: 'https://a.example/x',
    header: 'Authorization',
    secret: 'HOOK',
  });
  if (target) expect(targetOf(draftOf(target)).target).toEqual(target);
  const command = targetOf({ ...newDraft('b'), kind: 'command', name: 'Mail', command: 'mail me' }).target;
  if (command) expect(targetOf(draftOf(command)).target).toEqual(command);
  const claw = targetOf({ ...newDraft('c'), kind: 'openclaw', profile: 'claw' }).target;
  if (claw) expect(targetOf(draftOf(claw)).target).toEqual(claw);
  expect([command?.kind, claw?.kind]).toEqual(['command', 'openclaw']);
});

test('the error of a draft stands at its field', () => {
  expect(targetOf({ ...newDraft('a'), url: 'http://a.example' }).problems.url).toContain('https://');
  expect(targetOf({ ...newDraft('a'), kind: 'openclaw' }).problems.profile).toBeDefined();
  const command = targetOf({ ...newDraft('a'), kind: 'command', command: '', seconds: 'x' });
  expect(Object.keys(command.problems).sort()).toEqual(['command', 'seconds']);
});
