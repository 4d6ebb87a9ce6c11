import type { Notice } from '@areas/attention/node/notice-store';
import type { RunState } from '@contract/run/state';
import { double } from '@contract/testing/double';
import { expect, test } from 'vitest';
import { LeftProcesses } from './left-processes';

const state = (workspaceMode: RunState['workspaceMode']) =>
  double<RunState>({
    workspaceMode,
    workspace: { path: '/worktrees/U/main', branch: 'b', baseCommit: 'c' },
    workspaces: {},
  });

function leftBehind(workspaceMode: RunState['workspaceMode']) {
  const asked: (readonly string[])[] = [];
  const notices: Notice[] = [];
  const left = new LeftProcesses({
    processes: {
      endForsaken: async (folders) => {
        asked.push(folders);
        return [{ pid: 12, command: 'node server.js' }];
      },
    },
    logger: { warn: () => undefined },
    status: { notice: (notice) => void notices.push(notice) },
    state: () => state(workspaceMode),
  });
  return { left, asked, notices };
}

test('a process that an ended run left in its folder is ended, and a notice names it', async () => {
  const { left, asked, notices } = leftBehind('worktree');
  await left.end(3);
  expect(asked).toEqual([['/worktrees/U/main']]);
  expect(notices.map(({ text }) => text)).toEqual([
    'Ended a process that run 3 had left in its folder: node server.js (12).',
  ]);
});

test('no process is ended in the own checkout of the operator', async () => {
  const { left, asked } = leftBehind('project');
  await left.end(3);
  expect(asked).toEqual([]);
});
