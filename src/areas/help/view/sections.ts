import { hashOf } from '@renderer/client/route';
import { anyOf, fitOf, searchWords } from '@renderer/client/search/search-words';
import type { ListRow } from '@renderer/ui/lists/list';

/** From one heading of a document to the next. */
export interface Section {
  readonly document: string;
  /** Of its heading, as forges make it; empty for the beginning of a document. */
  readonly anchor: string;
  /** 1 for a document, 2 and 3 for headings in it. */
  readonly level: number;
  readonly title: string;
  /** Markdown with the heading. */
  readonly text: string;
}

export type HelpRow = ListRow & { readonly section: Section; readonly excerpt: string | null };

interface Document {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

const HEADING = /^(#{1,3}) +(.+)$/;
const FENCE = /^\s*(```|~~~)/;
/** A line of its own. Pictures of the window say nothing in the window, nor does a section that shows them. */
const PICTURE = /^!\[.*\]\(.*\)$/;
const LINK = /\]\(([^)\s]+)\)/g;

/** As forges make it of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

/** A document by its headings. Links to other documents become addresses of the window. */
export function sectionsOf({ id, title, text }: Document, known: readonly string[]): Section[] {
  const sections: (Omit<Section, 'text'> & { lines: string[] })[] = [];
  let fenced = false;
  for (const line of text.split('\n')) {
    if (FENCE.test(line)) fenced = !fenced;
    const [, marks, heading] = (!fenced && HEADING.exec(line)) || [];
    if (marks !== undefined && heading !== undefined) {
      const first = sections.length === 0;
      const level = first ? 1 : Math.max(2, marks.length);
      sections.push({
        document: id,
        anchor: first ? '' : anchorOf(heading),
        level,
        title: first ? title : heading,
        lines: [],
      });
    }
    sections.at(-1)?.lines.push(fenced || PICTURE.test(line) ? line : withAddresses(line, id, known));
  }
  return sections
    .filter(({ level, lines }) => level === 1 || !lines.some((line) => PICTURE.test(line)))
    .map(({ lines, ...section }) => ({
      ...section,
      text: lines
        .filter((line) => !PICTURE.test(line))
        .join('\n')
        .trim(),
    }));
}

/** `docs/forges.md#find-the-forge` leads to that section; a file that is no document is only named. */
const withAddresses = (line: string, id: string, known: readonly string[]): string =>
  line.replaceAll(LINK, (whole, target: string) => {
    if (/^[a-z]+:/i.test(target)) return whole;
    const [file = '', anchor = ''] = target.split('#');
    const named = file === '' ? id : documentOf(file);
    return known.includes(named) ? `](${hashOf('help', named, ...(anchor ? [anchor] : []))})` : ']';
  });

function documentOf(file: string): string {
  const name = file.replace(/^.*\//, '').replace(/\.md$/, '');
  return { README: 'muster', CHANGELOG: 'changes' }[name] ?? name;
}

export const keyOf = ({ document, anchor }: Section): string =>
  anchor === '' ? document : `${document}/${anchor}`;

const ROW = 30;
const FOUND = 48;
/** Characters before the first word in an excerpt, of which a row shows about forty, and after it. */
const BEFORE = 12;
const AFTER = 180;

/** All sections in their order; with a search, those that have all of its words, the best first. */
export function helpRows(sections: readonly Section[], search: string): HelpRow[] {
  const words = searchWords(search);
  if (words.length === 0)
    return sections.map((section) => ({ key: keyOf(section), height: ROW, section, excerpt: null }));
  return sections
    .map((section) => ({ section, fit: fitOf(section.title, section.text, search) }))
    .filter(({ fit }) => fit > 0)
    .toSorted((a, b) => b.fit - a.fit)
    .map(({ section }) => ({
      key: keyOf(section),
      height: FOUND,
      section,
      excerpt: excerptOf(section.text, words),
    }));
}

/** The text around the first of the words, on one line. */
function excerptOf(text: string, words: readonly string[]): string {
  const plain = text
    .replace(/^#.*$/m, '')
    .replaceAll(/[`*\s]+/g, ' ')
    .trim();
  const at = Math.max(0, plain.search(anyOf(words) ?? /^/));
  const from = at <= BEFORE ? 0 : plain.indexOf(' ', at - BEFORE) + 1;
  return `${from > 0 ? '… ' : ''}${plain.slice(from, at + AFTER)}`;
}
