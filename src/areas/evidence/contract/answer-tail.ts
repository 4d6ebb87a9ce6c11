import { isMap, type JsonMap } from '@areas/workflows/contract/change';
import type { Json } from '@contract/ids';
import { ownValue } from '@contract/own';
import { type ReviewFinding, type Severity, severities } from './findings';

export type Decision = 'approve' | 'revise';

/** What the end of a response says. `decision` is null if there are only findings. */
export interface DecisionTail {
  readonly decision: Decision | null;
  readonly findings: readonly ReviewFinding[];
  /** The response without its tail. */
  readonly body: string;
}

/**
 * Parses the tail of a response: a fenced or bare JSON object at its end, or a last line `Decision: ...` with
 * a `Findings:` list. Text further up is ignored, because a model may quote its instructions there. Null if
 * the response has no such tail.
 */
export function readTail(response: string): DecisionTail | null {
  const lines = response.trimEnd().split(/\r\n|\r|\n/);
  return fencedTail(lines) ?? bareTail(lines) ?? writtenTail(lines);
}

const bodyOf = (lines: readonly string[], end: number): string => lines.slice(0, end).join('\n').trimEnd();

const FENCE = /^\s*(`{3,}|~{3,})[^`]*$/;

function fencedTail(lines: readonly string[]): DecisionTail | null {
  const close = /^\s*(`{3,}|~{3,})\s*$/.exec(lines.at(-1) ?? '')?.[1];
  if (close === undefined) return null;
  const open = lines.findLastIndex((line, index) => index < lines.length - 1 && FENCE.test(line));
  const mark = FENCE.exec(lines[open] ?? '')?.[1];
  // Not the fence that ends the response, so the text is quoted inside a larger block.
  if (mark === undefined || mark[0] !== close[0] || mark.length > close.length) return null;
  return jsonTail(lines.slice(open + 1, -1).join('\n'), () => bodyOf(lines, open));
}

/** More than any decision needs; bounds the time for a malicious response. */
const LONGEST_TAIL = 100_000;
const MOST_STARTS = 1_000;

/** A JSON object that starts a line and ends the response. An object within a sentence is a quotation. */
function bareTail(lines: readonly string[]): DecisionTail | null {
  if (!lines.at(-1)?.trimEnd().endsWith('}')) return null;
  let text = '';
  let starts = 0;
  for (let at = lines.length - 1; at >= 0 && text.length < LONGEST_TAIL; at -= 1) {
    text = at === lines.length - 1 ? (lines[at] ?? '') : `${lines[at]}\n${text}`;
    if (!/^ {0,3}\{/.test(lines[at] ?? '')) continue;
    const tail = jsonTail(text, () => bodyOf(lines, at));
    if (tail !== null) return tail;
    starts += 1;
    if (starts >= MOST_STARTS) return null;
  }
  return null;
}

function jsonTail(text: string, body: () => string): DecisionTail | null {
  const value = parseObject(text);
  if (value === null) return null;
  const decision = field(value, 'decision');
  const findings = field(value, 'findings');
  if (decision === undefined && !Array.isArray(findings)) return null;
  return {
    decision: typeof decision === 'string' ? decisionWord(decision) : null,
    findings: Array.isArray(findings) ? findings.flatMap(findingOf) : [],
    body: body(),
  };
}

function parseObject(text: string): JsonMap | null {
  try {
    const value: Json = JSON.parse(text);
    return isMap(value) ? value : null;
  } catch {
    return null;
  }
}

/** A field by its name, ignoring case; undefined if two spellings of it are present. */
function field(object: JsonMap, name: string): Json | undefined {
  const found = Object.keys(object).filter((key) => key.trim().toLowerCase() === name);
  return found.length === 1 ? ownValue(object, found[0] ?? '') : undefined;
}

/** Text without the Markdown, quotation marks and emoji that people and models put around a word. */
const unmarked = (text: string): string =>
  text.replace(/[*_`~"'“”‘’]|\p{Extended_Pictographic}|\u{FE0F}|\u{200D}/gu, '').trim();

function decisionWord(text: string): Decision | null {
  const word = unmarked(text).replace(/[.!]$/, '').toLowerCase();
  return word === 'approve' || word === 'revise' ? word : null;
}

const SYNONYMS: Readonly<Record<string, Severity>> = {
  blocker: 'critical',
  major: 'high',
  moderate: 'medium',
  minor: 'low',
  info: 'low',
};
const NAMED = [...severities, ...Object.keys(SYNONYMS)].join('|');

function severityOf(text: string): Severity | null {
  const word = unmarked(text).toLowerCase();
  return severities.find((severity) => severity === word) ?? ownValue(SYNONYMS, word) ?? null;
}

function findingOf(entry: Json): ReviewFinding[] {
  if (typeof entry === 'string') return writtenFinding(entry);
  if (!isMap(entry)) return [];
  const severity = field(entry, 'severity');
  const named = ['text', 'message', 'title', 'description'].find(
    (name) => typeof field(entry, name) === 'string',
  );
  const value = named === undefined ? undefined : field(entry, named);
  const rest = Object.entries(entry).filter(
    ([key]) => !['severity', named].includes(key.trim().toLowerCase()),
  );
  const text = typeof value === 'string' ? value.trim() : '';
  if (text === '' && rest.length === 0) return [];
  const more = Object.fromEntries(rest.filter(([key]) => key !== 'severity' && key !== 'text'));
  return [{ ...more, severity: typeof severity === 'string' ? severityOf(severity) : null, text }];
}

const RATED = new RegExp(
  `^(?:\\p{Extended_Pictographic}\\u{FE0F}?\\s*)?[*_\`]*(?:[[(]\\s*(${NAMED})\\s*[\\])]|(${NAMED})(?=[*_\`]*(?::|\\s+[–—-]\\s)))[*_\`]*\\s*(?:[:–—-](?=[\\s*_])[*_]*)?\\s*`,
  'iu',
);

/**
 * Parses `[high] text`, `**High:** text` or `low - text`; without such a prefix the finding has no severity.
 */
function writtenFinding(line: string): ReviewFinding[] {
  const text = line.replace(/^\[[ xX]\]\s+/, '').trim();
  if (text === '' || /^(none|nothing|no findings|n\/a)[.!]?$/i.test(unmarked(text))) return [];
  const head = RATED.exec(text);
  const rest = text.slice(head?.[0].length ?? 0);
  if (head === null || rest === '') return [{ severity: null, text }];
  return [{ severity: severityOf(head[1] ?? head[2] ?? ''), text: rest }];
}

const labelled = (name: string) => new RegExp(`^(?:#{1,6} +|[-+] +)?${name} ?: *(.*)$`, 'is');
const DECISION = labelled('decision');
const FINDINGS = labelled('findings');

/** The text after a label at the start of a line; null if the line does not start with it. */
function behind(label: RegExp, line: string | undefined): string | null {
  if (line === undefined || !/^ {0,3}\S/.test(line)) return null;
  return label.exec(unmarked(line))?.[1] ?? null;
}

function writtenTail(lines: readonly string[]): DecisionTail | null {
  const last = lines.length - 1;
  if (fenceIsOpen(lines)) return null;
  const decision = decisionWord(behind(DECISION, lines[last]) ?? '');
  if (decision !== null) {
    const list = listBefore(lines, last);
    return { decision, findings: list?.findings ?? [], body: bodyOf(lines, list?.at ?? last) };
  }
  const list = listBefore(lines, lines.length);
  if (list === null) return null;
  const above = lines.findLastIndex((line, index) => index < list.at && line.trim() !== '');
  const first = decisionWord(behind(DECISION, lines[above]) ?? '');
  return { decision: first, findings: list.findings, body: bodyOf(lines, first === null ? list.at : above) };
}

function fenceIsOpen(lines: readonly string[]): boolean {
  let open: string | null = null;
  for (const line of lines) {
    const mark = FENCE.exec(line)?.[1];
    if (mark === undefined) continue;
    if (open === null) open = mark;
    else if (mark[0] === open[0] && mark.length >= open.length && line.trim() === mark) open = null;
  }
  return open !== null;
}

const BULLET = /^( *)(?:[-*+•]|\d+[.)])\s+(.*)$/;

/** The list under the last `Findings:`, if nothing else separates it from the line `end`. */
function listBefore(lines: readonly string[], end: number): { at: number; findings: ReviewFinding[] } | null {
  const at = lines.findLastIndex((line, index) => index < end && behind(FINDINGS, line) !== null);
  if (at < 0) return null;
  const items: string[] = [];
  const beside = (lines[at] ?? '').replace(/^[^::]*[::][\s*_`]*/, '');
  if (beside !== '') items.push(beside);
  let gap = false;
  for (const line of lines.slice(at + 1, end)) {
    const bullet = BULLET.exec(line);
    const indented = /^ {2,}|^\t/.test(line);
    if (line.trim() === '') gap = true;
    else if (bullet !== null && !(indented && items.length > 0)) items.push(bullet[2] ?? '');
    else if (items.length > 0 && (indented || !gap)) items.push(`${items.pop()}\n${line.trim()}`);
    else if (items.length > 0 || writtenFinding(line).length > 0) return null;
    if (line.trim() !== '') gap = false;
  }
  return { at, findings: items.flatMap(writtenFinding) };
}
