const git = 'src/main/adapters/git';
const sqlite = 'src/main/adapters/sqlite';
const yaml = 'src/main/adapters/yaml';

/** Faults of git, the store and YAML. */
export const adapters = [
  {
    name: 'a file that the operator edits while a change is settled is overwritten',
    file: `${git}/moves/settle.ts`,
    find: "there?.kind !== 'folder' && there?.stamp === file.look?.stamp",
    replace: "there?.kind !== 'folder'",
    tests: [`${git}/moves/settle.test.ts`],
  },
  {
    name: 'files that the operator had staged count as part of an interrupted change',
    file: `${git}/moves/index.ts`,
    find: 'kept: move.index === null ? await stagedAlready(git, from.tree, move.to.tree) : [],',
    replace: 'kept: [],',
    tests: [`${git}/moves/settle.test.ts`],
  },
  {
    name: 'a step that is added in front takes the comments of the first step',
    file: `${yaml}/edit/change-text.ts`,
    find: 'const from = aboveComments(text, dash);',
    replace: 'const from = lineStart(text, dash);',
    tests: [`${yaml}/edit/edit.test.ts`],
  },
  {
    name: 'a file that is to be removed and that the operator edits meanwhile is removed',
    file: `${git}/moves/settle.ts`,
    find: 'if (file.look === null || !(await isStill(top, file))) return;',
    replace: 'if (file.look === null) return;',
    tests: [`${git}/moves/settle.test.ts`],
  },
  {
    name: 'a branch that the operator switched to meanwhile is left',
    file: `${git}/moves/settle.ts`,
    find: "if (!is(other)) throw new GitError('HEAD of the checkout has moved on since', null);",
    replace: '',
    tests: [`${git}/moves/settle.test.ts`],
  },
  {
    name: 'the lock of another git is removed when a change fails at it',
    file: `${git}/moves/index.ts`,
    find: 'const seen = ended ? { ...looked, locks: [] } : looked;',
    replace: 'const seen = looked;',
    tests: [`${git}/moves/settle.test.ts`],
  },
  {
    name: 'a lock that is older than the change is removed',
    file: `${git}/moves/examine.ts`,
    find: 'facts !== null && facts.mtimeMs >= entry.startedAt - 2_000 ? path : null',
    replace: 'facts !== null ? path : null',
    tests: [`${git}/moves/settle.test.ts`],
  },
  {
    name: 'changed work is merged without being shown',
    file: `${git}/merge/merge.ts`,
    find: "if (newer !== null) return 'Its folder has changed since.';",
    replace: '',
    tests: [`${git}/merge/merge.test.ts`],
  },
  {
    name: 'a fresh lock on the name of a snapshot is removed',
    file: `${git}/snapshot/snapshot.ts`,
    find: 'if (facts === null || facts.mtimeMs > before) continue;',
    replace: 'if (facts === null) continue;',
    tests: [`${git}/snapshot/snapshot.test.ts`],
  },
  {
    name: 'the undo of another run is applied',
    file: `${git}/diff/edits.ts`,
    find: '&& what.undo.startsWith(',
    replace: "&& what.undo.concat('/', what.uid, '/').includes(",
    tests: [`${git}/diff/edits.test.ts`],
  },
  {
    name: 'the row of a run tells more than its log',
    file: `${sqlite}/log/run-writer.ts`,
    find: 'state.seq === seq ? state : replay(events.ofRun(runId, 0));',
    replace: 'state.seq >= seq ? state : replay(events.ofRun(runId, 0));',
    tests: [`${sqlite}/log/event-log.test.ts`],
  },
  {
    name: 'a bug in one append fails the others of its commit',
    file: `${sqlite}/log/batch.ts`,
    find: 'appends.flatMap((append) => write([append]));',
    replace: 'appends.map(() => ({ bug: fault }));',
    tests: [`${sqlite}/log/event-log.test.ts`],
  },
];
