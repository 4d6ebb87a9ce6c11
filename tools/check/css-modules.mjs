/**
 * Style sheets outside src/renderer/styles are CSS modules, and each of their rules is about a class of its
 * own: no component can change the look of another. Colours, z-indexes and class names come from their
 * declarations.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from '../lib/paths.mjs';

/**
 * The rendering code: the window's platform, and the view rooms of areas and features. Paths are relative to
 * src/renderer.
 */
const RENDERER = join(root, 'src', 'renderer');

/** Throws if a style sheet or its use breaks a rule. Returns the number of style sheets that were read. */
export function checkCssModules() {
  const rooms = ['areas', 'features'].flatMap((houses) =>
    readdirSync(join(root, 'src', houses), { recursive: true })
      .filter((name) => /^[^/\\]+[/\\]view[/\\]/.test(name))
      .map((name) => join('..', houses, name)),
  );
  const names = [...readdirSync(RENDERER, { recursive: true }), ...rooms].filter((name) =>
    /\.(css|tsx?)$/.test(name),
  );
  const files = new Map(names.map((name) => [name, readFileSync(join(RENDERER, name), 'utf8')]));
  const found = cssProblems(files);
  if (found.length > 0) throw new Error(found.join('\n'));
  return `${names.filter((name) => name.endsWith('.css')).length} style sheets`;
}

const PLANTED = {
  'styles/tokens.css': ':root { --line: oklch(1 0 0); --above: 2; } .row { top: 0; }',
  'ui/good.module.css':
    '/* .a { } */ .good-one { color: var(--line); z-index: var(--above); } @container (min-width: 1px) { .good-one:global(.open) > p:not(.also):hover { top: 0; } }',
  'ui/good.tsx':
    'import styles from \'./good.module.css\'; styles.goodOne; styles.also; <p className="row" />;',
  'ui/loose.css': '.loose { color: red; }',
  'ui/bad.module.css':
    '.kept, :global(.row) { top: 0; } p { top: 0; } .unused { top: 0; } .kept { z-index: 3; } .kept { color: oklch(0 0 0); }',
  'ui/bad.tsx':
    "import styles from './bad.module.css'; styles.kept; styles.missing; <p className=\"row good-one\" />; <p className={`kept row`} />; list.closest('.row'); list.querySelector<HTMLElement>('input.row'); list.closest('[data-part=\"row\"]');",
};
const REPORTED = [
  'ui/loose.css: is no module',
  'ui/bad.module.css: ":global(.row)" names no class of its own',
  'ui/bad.module.css: "p" names no class of its own',
  'ui/bad.module.css: z-index "3" is no token',
  'ui/bad.module.css: "oklch(0 0 0)" is no token',
  'ui/bad.module.css: .unused is used nowhere',
  'ui/bad.tsx: there is no class "missing" in ui/bad.module.css',
  'ui/bad.tsx: "good-one" is the class of a module',
  'ui/bad.tsx: "kept" is the class of a module',
  'ui/bad.tsx: ".row" finds by a class',
  'ui/bad.tsx: "input.row" finds by a class',
];

/** Throws unless exactly the planted violations are reported. Returns the number of planted violations. */
export function cssModulesSelfTest() {
  const found = cssProblems(new Map(Object.entries(PLANTED)));
  if (found.sort().join('\n') !== [...REPORTED].sort().join('\n'))
    throw new Error(`planted style sheets were reported as\n${found.join('\n')}`);
  return REPORTED.length;
}

/** A class is only for styles; code finds an element by its role or its `data-part`. */
const BY_CLASS =
  /\b(?:querySelector(?:All)?|closest|matches)(?:<\w+>)?\(\s*['`]((?:[^'`]*[\s\w\])])?\.[a-z][^'`]*)['`]/g;

/** The problems of these files, by their path relative to src/renderer. */
function cssProblems(files) {
  const problems = [];
  const declared = new Map();
  for (const [file, text] of files) {
    if (!file.endsWith('.css') || file.startsWith('styles')) continue;
    if (!file.endsWith('.module.css')) problems.push(`${file}: is no module`);
    else declared.set(file, moduleClasses(file, text, problems));
  }
  const used = new Map([...declared.keys()].map((file) => [file, new Set()]));
  for (const [file, text] of files) {
    for (const [, name, path] of text.matchAll(/^import (\w+) from '(\.[^']+\.module\.css)'/gm)) {
      const sheet = relative(RENDERER, join(RENDERER, dirname(file), path));
      for (const [, key] of text.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, 'g'))) {
        if (declared.get(sheet)?.has(key) === true) used.get(sheet).add(key);
        else problems.push(`${file}: there is no class "${key}" in ${sheet}`);
      }
    }
  }
  const modular = new Set([...declared.values()].flatMap((classes) => [...classes.values()]));
  for (const name of sharedClasses(files)) modular.delete(name);
  for (const [file, text] of files)
    for (const [, plain = '', template = ''] of text.matchAll(/className=(?:"([^"]*)"|\{`([^`]*)`\})/g))
      for (const name of `${plain} ${template.replace(/\$\{[^}]*\}/g, '')}`.split(/\s+/))
        if (modular.has(name)) problems.push(`${file}: "${name}" is the class of a module`);
  for (const [file, text] of files)
    for (const [, selector] of text.matchAll(BY_CLASS))
      if (!selector.startsWith('.react-flow')) problems.push(`${file}: "${selector}" finds by a class`);
  for (const [file, classes] of declared)
    for (const [key, name] of classes)
      if (!used.get(file).has(key)) problems.push(`${file}: .${name} is used nowhere`);
  return problems;
}

/** The classes declared in the shared style sheets. */
const sharedClasses = (files) =>
  [...files].flatMap(([file, text]) =>
    file.startsWith('styles') ? [...text.matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name]) => name) : [],
  );

/** The classes of a module, by the name that a component uses. */
function moduleClasses(file, text, problems) {
  const classes = new Map();
  const plain = text.replace(/\/\*[\s\S]*?\*\//g, '');
  for (const [, before] of plain.matchAll(/([^{};]+)\{/g)) {
    if (before.trim().startsWith('@')) continue;
    for (const selector of before.split(/,(?![^(]*\))/)) {
      const own = [...selector.replace(/:global\([^)]*\)/g, '').matchAll(/\.([a-zA-Z][\w-]*)/g)];
      if (own.length === 0) problems.push(`${file}: "${selector.trim()}" names no class of its own`);
      for (const [, name] of own) classes.set(camelCase(name), name);
    }
  }
  for (const [, value] of plain.matchAll(/z-index:\s*([^;}]+)/g))
    if (!value.startsWith('var(')) problems.push(`${file}: z-index "${value.trim()}" is no token`);
  for (const [colour] of plain.matchAll(/(oklch|rgba?|hsla?)\([^)]*\)|#[0-9a-f]{3,8}\b/gi))
    problems.push(`${file}: "${colour}" is no token`);
  return classes;
}

const camelCase = (name) => name.replace(/-+(\w)/g, (_, letter) => letter.toUpperCase());
