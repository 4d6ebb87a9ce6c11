/**
 * Reports every literal that is an agent's name, or the kind of its profile in a comparison, outside of the agents' own
 * folders, their tables, their settings and their presets. Other code asks `areas/agents/contract/agent-kinds.ts` what an
 * agent can do.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import ts from 'typescript';
import { root } from '../lib/paths.mjs';

const NAMES = new Set([
  ...['claude', 'claude-agent-acp', 'claude-code-acp', 'codex', 'codex-acp', 'codex-exec', 'opencode'],
  ...['opencode-ai', 'gemini', 'gemini-cli', 'qwen', 'qwen-code', 'openclaw', 'aider'],
]);
const KINDS = new Set(['acp', 'cli', 'gateway', 'scripted']);
const PATTERN = new RegExp(`\\b(?:${[...NAMES].join('|')})\\b(?!-iteration)`, 'i');

/** The files that may contain names, and why. */
const ALLOWED = [
  ['src/main/agents/', "the agents' own folders, and their presets"],
  ['src/areas/agents/contract/', 'the tables and the fields of profiles'],
  ['src/areas/agents/view/', 'the form of a profile'],
  ['src/areas/deliveries/view/', 'the form of a delivery target'],
  ['src/areas/deliveries/contract/target.ts', "a delivery target's stored kind"],
  ['src/main/core-host/wiring/deliveries.ts', 'how each kind of delivery target is sent to'],
  ['src/areas/deliveries/node/commands/targets.ts', 'the flags of a delivery target'],
  ['src/areas/agents/node/commands/agents.ts', 'the flags of a profile'],
  [
    'src/areas/workflows/node/convert/archon.ts',
    'the provider that a foreign file means where it names none',
  ],
  ['src/features/loop/core/runner.ts', 'recognises a loop that another program runs'],
];

const allowed = (file) => ALLOWED.some(([start]) => file.startsWith(start));
const isTest = (file) => /\.test\.tsx?$|\/testing\//.test(file);

/** Throws if other code names an agent. Returns the number of files that were read. */
export function checkAgentNames() {
  const files = readdirSync(join(root, 'src'), { recursive: true })
    .map((file) => `src/${String(file).split(sep).join('/')}`)
    .filter((file) => /\.tsx?$/.test(file) && !allowed(file) && !isTest(file));
  const found = files.flatMap((file) => namesIn(file, readFileSync(join(root, file), 'utf8')));
  if (found.length > 0)
    throw new Error(`ask areas/agents/contract/agent-kinds.ts what the agent can do:\n${found.join('\n')}`);
  return `${files.length} files`;
}

function namesIn(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const report = (node) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    found.push(`${file}:${line + 1}: ${node.getText().slice(0, 60)}`);
  };
  const look = (node) => {
    if (ts.isStringLiteralLike(node) && !isImport(node) && (NAMES.has(node.text) || isKind(node)))
      report(node);
    else if (ts.isRegularExpressionLiteral(node) && PATTERN.test(node.text)) report(node);
    else if (ts.isIdentifier(node) && node.text === 'CODEX_EXEC' && !ts.isImportSpecifier(node.parent))
      report(node);
    ts.forEachChild(node, look);
  };
  look(source);
  return found;
}

const isImport = ({ parent }) => ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent);

/** `profile.kind === 'acp'`, also only `kind`, and `case 'acp':` in a switch over it. */
function isKind(node) {
  if (!KINDS.has(node.text)) return false;
  const { parent } = node;
  const compared = ts.isBinaryExpression(parent)
    ? parent.left
    : ts.isCaseClause(parent)
      ? parent.parent.parent.expression
      : null;
  return compared !== null && /(?:^|\.)kind$/.test(compared.getText());
}

/** Throws unless exactly the planted names are reported. Returns the number of planted names. */
export function agentNamesSelfTest() {
  const found = namesIn('planted.ts', PLANTED).map((one) => Number(one.split(':')[1]));
  const wanted = PLANTED.split('\n').flatMap((line, index) => (line.endsWith('// bad') ? [index + 1] : []));
  if (found.join() !== wanted.join())
    throw new Error(`planted in lines ${wanted.join()}, reported in lines ${found.join()}`);
  return wanted.length;
}

const PLANTED = `
import { codex } from 'codex';
if (profile.id === 'codex') go(); // bad
if (profile.kind === 'acp') go(); // bad
if (kind !== 'gateway') go(); // bad
switch (profile.kind) {
  case 'cli': // bad
}
const usual = { preset: CODEX_EXEC }; // bad
const program = /^codex(?:\\.js)?$/; // bad
const log = /^codex-iteration-/;
const names = ['claude']; // bad
const text = 'Claude Code does not tell its cost';
const file = 'codex-iteration-1.jsonl';
if (topic.kind === 'run') go();
const channel = 'acp';
`;
