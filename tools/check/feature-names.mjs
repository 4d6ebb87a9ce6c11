/**
 * Reports platform code that names a feature: its part of a run's state, its events and procedures, or its
 * step type. The platform asks all features instead (`contract/run/features/feature.ts`); only the registries know
 * them.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { root } from '../lib/paths.mjs';

/** The folders of the platform that must not name a feature. */
const ROOMS = ['src/areas', 'src/contract', 'src/main', 'src/renderer'];

/** Where a name is allowed, and why. */
const ALLOWED = new Map([
  ['src/contract/errors.ts', 'codes of errors, of all areas in one list'],
  ['src/main/adapters/sqlite/usages/usage-totals.ts', 'reads the events of databases of its time'],
  ['src/renderer/client/runs/moment.ts', 'what may be read while the past is shown, in one list'],
  ['src/areas/workflows/view/parts/canvas/edit/group.ts', 'puts steps into the body of a new sub-workflow'],
  ['src/areas/workflows/view/parts/canvas/edit/new-step.ts', 'a new body begins with an agent task'],
  ['src/areas/runs/node/launch/task-run.ts', 'writes the workflow of a single task'],
  ['src/areas/workflows/node/workflow-creation.ts', 'writes a first workflow'],
]);
/** Files of other programs become workflows: each of their nodes becomes a step of some type. */
const WRITERS = /^src\/areas\/workflows\/node\/convert\//;

const isTest = (file) => /\.test\.tsx?$|\/testing\//.test(file);

/** The folder name of each feature with a part of a run's state, and the name of that part. */
function features() {
  return readdirSync(join(root, 'src/features')).flatMap((name) => {
    const file = join(root, 'src/features', name, 'contract', 'feature.ts');
    const slice = existsSync(file) && /\bslice: '(\w+)'/.exec(readFileSync(file, 'utf8'))?.[1];
    return slice ? [{ name, slice }] : [];
  });
}

/** The step types that features define. */
function stepTypes() {
  const files = readdirSync(join(root, 'src/features'), { recursive: true })
    .map((file) => String(file).split(sep).join('/'))
    .filter((file) => /\/core\/.*\.ts$/.test(file) && !isTest(file));
  const found = files.flatMap((file) => [
    ...readFileSync(join(root, 'src/features', file), 'utf8').matchAll(/\btype: '(step\.\w+)'/g),
  ]);
  return [...new Set(found.map(([, type]) => type))];
}

/** Throws if the platform names a feature. Returns the number of files that were read. */
export function checkFeatureNames() {
  const files = ROOMS.flatMap((room) =>
    readdirSync(join(root, room), { recursive: true }).map(
      (file) => `${room}/${String(file).split(sep).join('/')}`,
    ),
  ).filter((file) => /\.tsx?$/.test(file) && !ALLOWED.has(file) && !WRITERS.test(file) && !isTest(file));
  const pattern = patternOf(features(), stepTypes());
  const found = files.flatMap((file) => namesIn(file, readFileSync(join(root, file), 'utf8'), pattern));
  if (found.length > 0)
    throw new Error(`ask the features, in contract/run/features/feature-answers.ts:\n${found.join('\n')}`);
  return `${files.length} files`;
}

function patternOf(all, types) {
  const slices = all.map(({ slice }) => slice).join('|');
  const names = all.map(({ name }) => name).join('|');
  const steps = types.map((type) => type.replace('.', '\\.')).join('|');
  return new RegExp(`\\bstate\\.(?:${slices})\\b|['"\`](?:(?:${names})\\.[a-z][a-z-]*|${steps})['"\`]`);
}

function namesIn(file, text, pattern) {
  return text
    .split('\n')
    .flatMap((line, index) =>
      /^\s*(?:\*|\/)/.test(line) || !pattern.test(line) ? [] : [`${file}:${index + 1}: ${line.trim()}`],
    );
}

/** Throws unless exactly the planted names are reported. Returns the number of planted names. */
export function featureNamesSelfTest() {
  const planted = [
    ['if (state.teams[id]) go();', 1],
    ["case 'loop.attempt-ended':", 1],
    ["if (type === 'step.loop') go();", 1],
    ["if (event.type === 'step.skipped') go();", 0],
    ['/** As `state.teams` does. */', 0],
    ["const word = 'a team';", 0],
    ['for (const team of teams) go(team);', 0],
  ];
  const all = [
    { name: 'team', slice: 'teams' },
    { name: 'loop', slice: 'loops' },
  ];
  const pattern = patternOf(all, ['step.loop']);
  const wrong = planted.filter(([line, count]) => namesIn('planted.ts', line, pattern).length !== count);
  if (wrong.length > 0)
    throw new Error(`the check of feature names missed or invented: ${JSON.stringify(wrong)}`);
  if (features().length < 2 || stepTypes().length < 10)
    throw new Error('the check of feature names finds no features');
  return planted.filter(([, count]) => count > 0).length;
}
