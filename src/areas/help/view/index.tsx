import { useHandlers, useRoute } from '@renderer/client/hooks';
import { hashOf, navigate, replaceRoute, withQuery } from '@renderer/client/route';
import { searchWords } from '@renderer/client/search/search-words';
import { ActIcon } from '@renderer/parts/controls/act';
import { copyAddress, copyText } from '@renderer/parts/controls/copy';
import { ListSearch, ListView } from '@renderer/parts/lists/list-view';
import { HighlightedText } from '@renderer/parts/text/highlighted-text';
import { Empty } from '@renderer/ui/layout/note';
import { Markdown } from '@renderer/ui/markdown/markdown';
import { BookOpen, Link } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { documents } from './documents';
import styles from './help.module.css';
import { type HelpRow, helpRows, keyOf, type Section, sectionsOf } from './sections';

const known = documents.map(({ id }) => id);

/** The documents of this version, by section and by search. */
export function HelpView() {
  const { path, query } = useRoute();
  const sections = useSections();
  const search = query.q ?? '';
  const rows = useMemo(() => helpRows(sections ?? [], search), [sections, search]);
  const asked = path.slice(1).join('/');
  const all = sections ?? [];
  const section =
    asked === ''
      ? (rows[0]?.section ?? all[0])
      : (all.find((one) => keyOf(one) === asked) ?? all.find((one) => one.document === path[1]));
  const words = searchWords(search);
  useHandlers({
    'help.previous': beside(all, section, -1),
    'help.next': beside(all, section, 1),
    'help.copy': section ? () => copyAddress('help', ...keyOf(section).split('/')) : null,
  });
  return (
    <ListView
      id="help"
      front={path.length > 1 ? 'detail' : 'list'}
      title="Help"
      label="Sections"
      rows={rows}
      selected={section ? keyOf(section) : null}
      draw={(row: HelpRow) => <Row row={row} words={words} />}
      onSelect={({ key }) => replaceRoute(withQuery(hashOf('help', ...key.split('/')), { q: search }))}
      head={<ListSearch of="help" />}
      error={null}
      above={sections !== null && rows.length === 0 && <NothingFound />}
      detail={section ? <Page key={keyOf(section)} section={section} /> : null}
    />
  );
}

/** Null until the documents are loaded. */
function useSections(): readonly Section[] | null {
  const [sections, setSections] = useState<readonly Section[] | null>(null);
  useEffect(() => {
    let left = false;
    const read = async () => {
      const loaded = await Promise.all(
        documents.map(async ({ id, title, load }) => sectionsOf({ id, title, text: await load() }, known)),
      );
      if (!left) setSections(loaded.flat());
    };
    void read();
    return () => {
      left = true;
    };
  }, []);
  return sections;
}

function beside(all: readonly Section[], section: Section | undefined, by: 1 | -1): (() => void) | null {
  const next = section && all[all.indexOf(section) + by];
  return next ? () => navigate(hashOf('help', ...keyOf(next).split('/'))) : null;
}

const levels = [styles.level1, styles.level2, styles.level3];

function Row({ row: { section, excerpt }, words }: { row: HelpRow; words: readonly string[] }) {
  const { level, title } = section;
  if (excerpt === null) return <span className={`cut ${levels[level - 1] ?? ''}`}>{title}</span>;
  return (
    <span className={styles.found}>
      <span className="cut">
        <HighlightedText text={title} words={words} />
      </span>
      <span className={`cut ${styles.excerpt}`}>
        <HighlightedText text={excerpt} words={words} />
      </span>
    </span>
  );
}

function Page({ section }: { section: Section }) {
  return (
    <article className="pane" aria-label={section.title}>
      <header className="detail-head">
        <div className="detail-line">
          <span className="cut quiet">{documents.find(({ id }) => id === section.document)?.title}</span>
          <span className="grow" />
          <ActIcon action="help.copy" icon={Link} label="Copy the address of this section" />
        </div>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keys scroll it */}
      <section className={`scroll ${styles.page}`} aria-label="Text" tabIndex={0} data-focus>
        <Markdown
          text={section.text}
          onCopy={(text) => copyText(text, 'Copied the code')}
          onAddress={navigate}
        />
      </section>
    </article>
  );
}

const NothingFound = () => (
  <Empty icon={BookOpen} title="Nothing found">
    No section has all of these words. Try fewer of them.
  </Empty>
);
