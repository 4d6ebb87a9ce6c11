import type { SearchHit } from '@areas/feed/contract/procedures';
import { placeOfHit } from '@areas/search/view/hit-place';
import { searchWords } from '@renderer/client/search/search-words';
import { Command } from 'cmdk';
import { FileSearch, Link, Search } from 'lucide-react';
import { type ReactNode, useDeferredValue, useState } from 'react';
import { useQuery } from '../../client/hooks';
import { formatRoute, hashOfAddress, navigate } from '../../client/route';
import { Ago } from '../../parts/text/ago';
import { HighlightedText } from '../../parts/text/highlighted-text';
import { plainExcerpt } from '../../parts/words/plain-excerpt';
import { Dialog } from '../../ui/controls/dialog';
import { Glyph, type Icon } from '../../ui/controls/icon';
import { grouped } from './entries';
import styles from './palette.module.css';
import { useEntries } from './use-entries';

const SEARCH_FROM = 3;
const HITS = 8;

/** All actions, all addresses, and texts found by their words. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  const go = (hash: string) => {
    onClose();
    navigate(hash);
  };
  const address = hashOfAddress(text);
  const groups = grouped(useEntries(onClose), address ? '' : text);
  const words = searchWords(text);
  const { hits, reading } = useHits(address ? '' : text);
  const isEmpty = groups.length === 0 && hits.length === 0 && !reading && !address;
  return (
    <Dialog label="Command palette" className={styles.palette} onClose={onClose}>
      <Command label="Command palette" loop shouldFilter={false}>
        <Command.Input autoFocus value={text} onValueChange={setText} placeholder="What do you want to do?" />
        <Command.List>
          {isEmpty && (
            <div className={styles.none} role="presentation">
              No matches. Try other words, or paste a muster:// address.
            </div>
          )}
          {address && (
            <Entry icon={Link} value="address" onSelect={() => go(address)}>
              Go to {text.trim()}
            </Entry>
          )}
          {groups.map(({ heading, entries }) => (
            <Command.Group key={heading} heading={heading}>
              {entries.map(({ key, icon, title, mark, end, run }) => (
                <Entry key={key} icon={icon} value={key} end={end} onSelect={run}>
                  <HighlightedText text={title} words={words} /> {mark}
                </Entry>
              ))}
            </Command.Group>
          ))}
          {hits.length > 0 && (
            <Command.Group heading="Messages and updates">
              {hits.map((hit) => (
                <Hit key={`${hit.kind}/${hit.eventId}`} hit={hit} words={words} go={go} text={text} />
              ))}
              <Entry
                icon={Search}
                value="search"
                onSelect={() => go(formatRoute({ path: ['search'], query: { q: text.trim() } }))}
              >
                Search everything for “{text.trim()}”
              </Entry>
            </Command.Group>
          )}
        </Command.List>
      </Command>
    </Dialog>
  );
}

/** Texts that contain the words: prompts, answers, messages, questions and updates. */
function useHits(text: string): { readonly hits: readonly SearchHit[]; readonly reading: boolean } {
  const words = useDeferredValue(text.trim());
  const searching = words.length >= SEARCH_FROM;
  const { value, status } = useQuery('search.query', searching ? { text: words, limit: HITS } : null);
  return { hits: (searching && value?.hits) || [], reading: searching && status === 'loading' };
}

interface HitProps {
  readonly hit: SearchHit;
  readonly words: readonly string[];
  readonly text: string;
  readonly go: (hash: string) => void;
}

const Hit = ({ hit, words, text, go }: HitProps) => (
  <Entry
    icon={FileSearch}
    value={`hit/${hit.kind}/${hit.eventId}`}
    end={<Ago at={hit.at} />}
    onSelect={() => go(placeOfHit(hit, text))}
  >
    <HighlightedText text={plainExcerpt(hit.excerpt)} words={words} />{' '}
    <span className="faint">{hit.runName}</span>
  </Entry>
);

interface EntryProps {
  readonly icon: Icon;
  readonly value: string;
  readonly end?: ReactNode;
  readonly onSelect: () => void;
  readonly children: ReactNode;
}

const Entry = ({ icon, value, end, onSelect, children }: EntryProps) => (
  <Command.Item value={value} onSelect={onSelect}>
    <Glyph of={icon} size={15} />
    <span className="cut grow">{children}</span>
    <span className="faint note">{end}</span>
  </Command.Item>
);
