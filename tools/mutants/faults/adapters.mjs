const git = 'src/main/adapters/git';
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
];
