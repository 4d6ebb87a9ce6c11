import { useEffect, useRef, useState } from 'react';
import { Button } from '../controls/button';
import styles from './find.module.css';
import type { TerminalScreen } from './screen';

/** Search in a terminal: Enter goes up, Shift+Enter down, Esc closes. */
export function Find({ screen, onClose }: { screen: TerminalScreen; onClose: () => void }) {
  const [text, setText] = useState('');
  const [found, setFound] = useState({ index: -1, count: 0 });
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    input.current?.focus();
    return screen.onFound(setFound);
  }, [screen]);
  return (
    <search className={styles.terminalFind} data-part="terminal-find">
      <input
        ref={input}
        type="search"
        className="input"
        spellCheck={false}
        aria-label="Find in the terminal"
        placeholder="Find"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          screen.find(event.target.value, 'previous');
        }}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === 'Escape') onClose();
          if (event.key === 'Enter') screen.find(text, event.shiftKey ? 'next' : 'previous');
        }}
      />
      <span className="note faint" role="status">
        {foundWords(text, found)}
      </span>
      <Button onClick={() => screen.find(text, 'previous')}>Previous</Button>
      <Button onClick={() => screen.find(text, 'next')}>Next</Button>
      <Button onClick={onClose}>Close</Button>
    </search>
  );
}

/** xterm.js counts up to a thousand, and reports no index for more matches. */
function foundWords(text: string, { index, count }: { index: number; count: number }): string {
  if (text === '') return '';
  if (count === 0) return 'Not found';
  return index < 0 ? `${count} or more` : `${index + 1} of ${count}`;
}
