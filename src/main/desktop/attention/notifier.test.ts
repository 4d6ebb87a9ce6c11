import { expect, test } from 'vitest';
import type { Notice, NoticeAct } from './attention';
import { type NotificationOptions, Notifier } from './notifier';

const act: NoticeAct = { label: 'Snooze for 1 hour', procedure: 'gate.snooze', input: { runId: 1 } };
const notice: Notice = {
  kind: 'needs you',
  title: 'Publish?',
  body: 'a < b',
  place: '/gate/1/1',
  acts: [act],
};

function notifierOn(platform: NodeJS.Platform, { isSupported = true } = {}) {
  const made: NotificationOptions[] = [];
  const heard: unknown[] = [];
  const events: { click?: () => void; close?: () => void; act?: (index: number) => void } = {};
  const notifier = new Notifier({
    platform: () => platform,
    isSupported: () => isSupported,
    make(options) {
      made.push(options);
      return {
        on: (event, run) => void Object.assign(events, { [event]: run }),
        onAct: (run) => void Object.assign(events, { act: run }),
        show: () => void heard.push('shown'),
      };
    },
    opened: (place) => void heard.push(place),
    acted: (done) => void heard.push(done),
  });
  return { notifier, made, heard, events };
}

test('a click opens the place, and a button performs its action where the system has buttons', () => {
  const { notifier, made, heard, events } = notifierOn('darwin');
  notifier.show(notice);
  expect(made).toEqual([
    { title: 'Publish?', body: 'a < b', urgency: 'normal', buttons: ['Snooze for 1 hour'] },
  ]);
  events.click?.();
  events.act?.(0);
  events.act?.(7);
  expect(heard).toEqual(['shown', '/gate/1/1', act]);
});

test('a system without buttons gets none, and text that it cannot read as markup', () => {
  const { notifier, made, heard, events } = notifierOn('linux');
  notifier.show(notice);
  expect(made[0]).toMatchObject({ buttons: [], body: 'a &lt; b' });
  events.act?.(0);
  expect(heard).toEqual(['shown']);
});

test('a failure and a reminder are urgent, a finished run is not', () => {
  const { notifier, made } = notifierOn('win32');
  notifier.show({ ...notice, kind: 'failed' });
  notifier.show({ ...notice, isReminder: true });
  notifier.show({ ...notice, kind: 'finished' });
  expect(made.map(({ urgency }) => urgency)).toEqual(['critical', 'critical', 'normal']);
});

test('a system without notifications is not asked for one', () => {
  const { notifier, made } = notifierOn('linux', { isSupported: false });
  notifier.show(notice);
  expect(made).toEqual([]);
});
