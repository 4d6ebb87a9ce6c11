import { plural } from '@renderer/client/format';
import { IconButton } from '@renderer/ui/controls/button';
import { TextInput } from '@renderer/ui/controls/field';
import { ArrowDown, ArrowUp, X } from 'lucide-react';
import styles from './find-bar.module.css';
import type { FindState } from './use-find';

/** The field that searches in a change, and goes from match to match. */
export function FindBar({ find }: { readonly find: FindState }) {
  const { text, found, at, error } = find;
  const state =
    text.trim() === ''
      ? ''
      : error !== null
        ? error.message
        : found === null
          ? 'Searching'
          : found.total === 0
            ? 'Not found'
            : `${at + 1} of ${found.total.toLocaleString('en-US')}`;
  return (
    <search className={styles.bar}>
      <TextInput
        ref={find.field}
        type="search"
        aria-label="Find in the changes"
        placeholder="Find in the changes"
        value={text}
        onChange={({ target }) => find.write(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') find.step(event.shiftKey ? -1 : 1);
          else if (event.key === 'Escape') find.close();
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <span className="quiet note" role="status">
        {state}
        {found !== null && found.files.length > 0 && `, without ${plural(found.files.length, 'large file')}`}
      </span>
      <IconButton
        icon={ArrowUp}
        label="Previous match"
        caps={['Shift', 'Enter']}
        onClick={() => find.step(-1)}
      />
      <IconButton icon={ArrowDown} label="Next match" caps={['Enter']} onClick={() => find.step(1)} />
      <IconButton icon={X} label="Close the search" caps={['Esc']} onClick={find.close} />
    </search>
  );
}
