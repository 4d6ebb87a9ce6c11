import type { CodexFacts } from '@areas/agents/contract/codex/facts';
import { formatUpdate } from '@areas/feed/contract/update';
import { describe, expect, test } from 'vitest';
import type { LoopAfter, LoopBefore, Plan } from '../../contract/events';
import { updateOf } from '../update';
import { type Evidence, judge } from './judge';

const ids = ['US-001', 'US-002', 'US-003'];
const plan = (...passing: string[]): Plan => ({
  state: 'read',
  branchName: null,
  stories: ids.map((id, index) => ({
    id,
    title: `Title ${id}`,
    priority: index + 1,
    passes: passing.includes(id),
  })),
});
const codex = (more: Partial<CodexFacts> = {}): CodexFacts => ({
  threadId: 't',
  terminal: 'completed',
  error: null,
  asked: false,
  usage: null,
  message: null,
  events: 4,
  ...more,
});
const commit = (subject = 'work') => [{ hash: 'abc1234', subject }];

interface Case {
  readonly message?: string;
  readonly passing?: readonly string[];
  readonly before?: readonly string[];
  readonly after?: Partial<LoopAfter>;
  readonly end?: Partial<Evidence['end']>;
  readonly handed?: string | null;
  readonly retry?: number;
}

function evidence({
  message = '',
  passing,
  before = [],
  after,
  end,
  handed = 'US-001',
  retry = 0,
}: Case): Evidence {
  return {
    before: { head: 'a', plan: plan(...before), progressBytes: 0, progressHash: '' },
    after: {
      head: 'b',
      rewritten: false,
      commits: [],
      progress: '',
      codex: null,
      message,
      plan: plan(...(passing ?? before)),
      ...after,
    },
    end: { how: 'answered', turnId: 1, error: null, ...end },
    handed: handed === null ? null : { id: handed, title: `Title ${handed}` },
    retry,
    skipped: [],
    trouble: null,
  };
}

const of = (given: Case) => {
  const { result, rule } = judge(evidence(given));
  return `${rule} ${result}`;
};

const crashed = { end: { how: 'failed', error: 'exit 1' } } as const;

describe('the first rule that matches decides', () => {
  const rows: readonly [string, Case, string][] = [
    [
      'history rewritten, though the story passes',
      { passing: ['US-001'], after: { rewritten: true } },
      '1 failed',
    ],
    ['prd.json spoilt', { after: { plan: { state: 'broken', problems: ['no JSON'] } } }, '1 failed'],
    ['prd.json gone', { after: { plan: { state: 'none' } } }, '1 failed'],
    ['story passes', { passing: ['US-001'] }, '2 completed'],
    ['story passes, exit 1', { passing: ['US-001'], ...crashed }, '2 completed'],
    [
      'story passes, though it says blocked',
      { passing: ['US-001'], message: 'Result: blocked' },
      '2 completed',
    ],
    ['says blocked', { message: 'No key.\nResult: blocked' }, '3 blocked'],
    [
      'says blocked, exit 1, partial commit',
      { message: 'Result: blocked', ...crashed, after: { commits: commit() } },
      '3 blocked',
    ],
    ['asks the user', { after: { codex: codex({ asked: true }) } }, '3 blocked'],
    ['exit 1', crashed, '4 failed'],
    ['exit 1 with a commit', { ...crashed, after: { commits: commit() } }, '4 failed'],
    ['turn.failed, exit 0', { after: { codex: codex({ terminal: 'failed', error: 'quota' }) } }, '4 failed'],
    ['no terminal event', { message: 'fine', after: { codex: codex({ terminal: 'none' }) } }, '4 failed'],
    ['interrupted', { end: { how: 'interrupted' } }, '4 failed'],
    ['says failed', { message: 'Result: failed' }, '5 failed'],
    ['says failed, with a commit', { message: 'Result: failed', after: { commits: commit() } }, '5 failed'],
    ['commit, story open', { message: 'Did a part.', after: { commits: commit() } }, '6 completed'],
    [
      'commit, though the text speaks of failures',
      { message: '0 failed, 3 passed. I could not finish the docs.', after: { commits: commit() } },
      '6 completed',
    ],
    ['a story no longer passes', { before: ['US-002'], passing: [] }, '7 failed'],
    ['stuck, in the first person', { message: 'I cannot proceed without a token.' }, '8 blocked'],
    ['needs the operator', { message: 'I need your input on the schema.' }, '8 blocked'],
    ['waits', { message: 'I am waiting on you.' }, '8 blocked'],
    ['Blocked: at a line start', { message: 'Looked at it.\nBlocked: no database' }, '8 blocked'],
    ['unfinished', { message: 'I was unable to complete the story.' }, '9 failed'],
    ['checks still fail', { message: 'The typecheck still fails.' }, '9 failed'],
    ['a traceback', { message: 'Ran it.\nTraceback (most recent call last)\n x' }, '9 failed'],
    ['nothing said, nobody knows how it ended', { end: { how: 'unknown' } }, '10 failed'],
    ['nothing said, ended well', {}, '11 no-op'],
    ['claims completed, and nothing bears it out', { message: 'All done!\nResult: completed' }, '11 no-op'],
    ['only a promise', { message: '<promise>COMPLETE</promise>' }, '11 no-op'],
    ['0 failed', { message: '12 tests, 0 failed, no exception.' }, '11 no-op'],
    [
      'a failure in a fenced block',
      { message: 'Looked around.\n```\nTraceback (most recent call last)\n```' },
      '11 no-op',
    ],
    [
      'a blocked port is no blocked worker',
      { message: 'The port was blocked by a firewall in the test.' },
      '11 no-op',
    ],
    [
      'a claim in a fence is none',
      { message: 'Format:\n```\nResult: blocked\n```\nNothing to do.' },
      '11 no-op',
    ],
    ['the last claim counts', { message: 'Result: blocked\nSolved it.\n**Result: no-op**' }, '11 no-op'],
  ];
  test.each(rows)('the verdict follows the first matching rule: %s', (_name, given, wanted) => {
    expect(of(given)).toBe(wanted);
  });
});

describe("a worker's own words", () => {
  const wordsOf: readonly [string, string][] = [
    ['I am not blocked by anything.', '11 no-op'],
    ['I was blocked at first, but then found the key.', '11 no-op'],
    ['I blocked cross-origin requests.', '11 no-op'],
    ['We never got stuck.', '11 no-op'],
    ["I don't think I am blocked.", '11 no-op'],
    ['If I am stuck I will ask.', '11 no-op'],
    ['The dialog says "I am blocked".', '11 no-op'],
    ['When the task is blocked the button is grey.', '11 no-op'],
    ['We need user input validation there.', '11 no-op'],
    ['I am no longer stuck.', '11 no-op'],
    ['Blocked: none', '11 no-op'],
    ['**Blocked:** no.', '11 no-op'],
    ['I\u2019m still blocked by the missing key.', '8 blocked'],
    ['The key is not set, so I am blocked.', '8 blocked'],
    ['I do not know whether to drop the table, and I cannot proceed.', '8 blocked'],
    ['The story is still blocked.', '8 blocked'],
    ['We need user approval before we go on.', '8 blocked'],
    ['**Blocked:** no database', '8 blocked'],
    ['Users were unable to complete the checkout; that is gone now.', '11 no-op'],
    ['At first I could not make it compile.', '11 no-op'],
    ['None of the tests still fail.', '11 no-op'],
    ['Unable to complete the story.', '9 failed'],
    ['I am not blocked by anything.\nResult: no-op', '11 no-op'],
    ['I need your input one day.\nResult: no-op', '11 no-op'],
    ['I was unable to complete the optional part.\nResult: completed', '11 no-op'],
  ];
  test.each(wordsOf)('the worker\'s words "%s" are judged', (message, wanted) => {
    expect(of({ message })).toBe(wanted);
  });

  const claims: readonly [string, string | null][] = [
    ['Result: blocked - no key', 'blocked'],
    ['Result: blocked \u2014 no key', 'blocked'],
    ['**Result:** blocked (no key)', 'blocked'],
    ['Result: blocked because there is no key', 'blocked'],
    ['Result: failed: the build is red', 'failed'],
    ['Result: completed \u2705', 'completed'],
    ['\u2705 Result: \u2705 **completed**!', 'completed'],
    ['Result: no-op, nothing was left to do', 'no-op'],
    ['Result: completed | blocked | failed | no-op', null],
    ['Result: completed, blocked, failed or no-op', null],
    ['Result: failed: 0', null],
    ['Result: failed tests 0', null],
    ['Result: not blocked', null],
    ['Result: completed or not?', null],
    ['Result: blocked-by-policy', null],
  ];
  test.each(claims)('the worker\'s claim is read from "%s"', (message, wanted) => {
    expect(judge(evidence({ message })).claim).toBe(wanted);
  });

  test('a reason on the line of the claim counts, and is reported', () => {
    const verdict = judge(
      evidence({ message: 'Result: blocked - no key', after: { commits: commit('WIP') } }),
    );
    expect(verdict).toMatchObject({ result: 'blocked', rule: 3, summary: ['no key'] });
    expect(judge(evidence({ message: 'Did it.\r\nResult: completed \u2705' })).summary).toEqual(['Did it.']);
  });
});

describe('the faults of an earlier build of this seed (numbers of seed 004)', () => {
  test('a first failure has an update of its own, in the four words (1, 3)', () => {
    const first = updateOf({ iteration: 2, of: 5, retry: 0, judged: judge(evidence(crashed)) });
    const second = updateOf({
      iteration: 2,
      of: 5,
      retry: 1,
      judged: judge(evidence({ ...crashed, retry: 1 })),
    });
    expect([first.result, second.result]).toEqual(['failed', 'failed']);
    expect(formatUpdate(second).split('\n')[0]).toBe('Iteration 2/5 (retry 1)');
    expect(second.summary[0]).toBe('Second failure, loop stopped. (no final message; exit 1)');
  });
  test('only commits of this attempt count, and a crash with a commit has not completed the story (4, 5)', () => {
    expect(of({ message: 'failure', after: { commits: commit() } })).toBe('6 completed');
    expect(of({ ...crashed, after: { commits: commit() } })).toBe('4 failed');
    expect(of({ message: 'x', after: { head: 'c', commits: [] } })).toBe('11 no-op');
  });
  test('a word of the worker is no verdict (6)', () =>
    expect(of({ message: '0 failed, exception handling added' })).toBe('11 no-op'));
  test('the story is that of this attempt, never the last one that was named before (7)', () => {
    const verdict = judge(
      evidence({ handed: null, message: 'nothing', after: { commits: [], progress: '' } }),
    );
    expect([verdict.storyId, verdict.storySource]).toEqual([null, 'none']);
  });
  test('a summary has up to three lines, each cut at 200 characters (8)', () => {
    const { summary } = judge(evidence({ message: `# One\n\n${'x'.repeat(300)}\n- three\nfour` }));
    expect(summary).toEqual([`${'x'.repeat(199)}…`, 'three', 'four']);
  });
  test('the promise of the worker is not believed (9)', () => {
    const { warnings, result, promised } = judge(evidence({ message: '<promise>COMPLETE</promise>' }));
    expect([result, promised, warnings]).toEqual(['no-op', true, ['promise-with-open-stories: 3 are open']]);
  });
  test('logs and exit codes come from files and processes of one attempt, as the tests of the adapters show (2, 10)', () => {
    expect(of({ message: 'Done', end: { how: 'failed', error: 'signal SIGKILL' } })).toBe('4 failed');
  });
});

describe('the story of an attempt', () => {
  const rows: readonly [string, Case, string][] = [
    ['the plan', { passing: ['US-002'], after: { commits: commit('feat: [US-003] - x') } }, 'US-002 prd'],
    [
      'the plan, the one that was handed out where several changed',
      { passing: ['US-002', 'US-003'], handed: 'US-003' },
      'US-003 prd',
    ],
    [
      'a commit',
      { message: 'US-003', after: { commits: commit('feat: [US-002] - Title') } },
      'US-002 commit',
    ],
    ['a commit without brackets', { after: { commits: commit('feat: US-002 - Title') } }, 'US-002 commit'],
    [
      'the newest commit',
      { after: { commits: [...commit('feat: US-003'), ...commit('fix: US-002')] } },
      'US-002 commit',
    ],
    ['the message', { message: 'I looked at US-002.', after: { progress: '## US-003' } }, 'US-002 message'],
    ['progress.txt', { after: { progress: '## 2026-01-01 - US-003\n- x' } }, 'US-003 progress'],
    ['what was handed out', { handed: 'US-002' }, 'US-002 handed'],
    ['nothing', { handed: null }, 'null none'],
    [
      'an id that is not in the plan is not taken up',
      { message: 'US-999 is done', handed: null },
      'null none',
    ],
    ['US-001 is not in US-0010', { message: 'US-0010, XUS-002', handed: null }, 'null none'],
  ];
  test.each(rows)('the story of an attempt is found by its evidence: %s', (_name, given, wanted) => {
    const { storyId, storySource } = judge(evidence(given));
    expect(`${storyId} ${storySource}`).toBe(wanted);
  });
});

describe('warnings', () => {
  const rows: readonly [string, Case, readonly string[]][] = [
    [
      'exit 1 though the story passes',
      { passing: ['US-001'], ...crashed, after: { commits: commit() } },
      ['nonzero-exit: exit 1'],
    ],
    ['passes without a commit', { passing: ['US-001'] }, ['passes-without-commit: US-001']],
    [
      'several, and not the one that was next',
      { passing: ['US-002', 'US-003'], after: { commits: commit() } },
      ['multiple-stories: US-002, US-003', 'out-of-order: US-001 was next'],
    ],
    ['commit, story open', { after: { commits: commit() } }, ['story-still-open: US-001']],
    [
      'a claim that is not borne out',
      { message: 'Result: completed' },
      ['claim-not-borne-out: the worker says completed'],
    ],
  ];
  test.each(rows)('an attempt has the warnings for: %s', (_name, given, wanted) => {
    expect(judge(evidence(given)).warnings).toEqual(wanted);
  });
});

test('an attempt without any evidence has failed, and says why', () => {
  const { result, summary } = judge({
    ...evidence({}),
    after: null,
    end: { how: 'answered', turnId: 1, error: null },
    trouble: 'no disk',
  });
  expect([result, summary]).toEqual(['failed', ['(no final message; no disk)']]);
});

describe('attempts too close to be told apart', () => {
  const close = (more: Case, inherited: LoopBefore['untold'] = undefined) => {
    const all = evidence({ handed: null, ...more });
    return judge({ ...all, before: all.before && { ...all.before, untold: inherited } });
  };

  test('the first of two close attempts says what cannot be told, and is not credited with it', () => {
    const said = close({ message: 'Did it.', after: { untold: ['commits', 'plan', 'progress'] } });
    expect(said).toMatchObject({ result: 'no-op', commit: null, warnings: ['shared-evidence'] });
    expect(said.summary).toEqual([
      "Its commits and its change of prd.json cannot be told from the next attempt's. Did it.",
    ]);
  });

  test('a story that the first of two close attempts passed for certain is its own, whatever else may have changed', () => {
    const said = close({ message: 'Did it.', passing: ['US-001'], after: { untold: ['plan'] } });
    expect(said).toMatchObject({ result: 'completed', storyId: 'US-001', summary: ['Did it.'] });
  });

  test('the second of two close attempts says that part of it may be the work of the attempt before', () => {
    const words = 'Part of it may be the work of the attempt before. And B.';
    const plan = close({ message: 'And B.', passing: ['US-001', 'US-002'] }, ['plan']);
    expect(plan.summary).toEqual([words]);
    const commits = close({ message: 'And B.', after: { commits: commit() } }, ['commits']);
    expect(commits.summary).toEqual([words]);
    expect(close({ message: 'And B.' }, ['plan', 'commits']).summary).toEqual(['And B.']);
  });
});

test('commits that another branch has are named, and are no evidence for the loop', () => {
  const elsewhere = [{ hash: 'abc1234', branch: 'feature' }];
  const { result, commit, summary, warnings } = judge(evidence({ message: 'Did it.', after: { elsewhere } }));
  expect([result, commit]).toEqual(['no-op', null]);
  expect(summary[0]).toBe('It committed abc1234 on feature, where the loop does not have it. Did it.');
  expect(warnings).toEqual(['committed-elsewhere: abc1234 on feature']);
});
