import '@xterm/xterm/css/xterm.css';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Button } from './button';
import { TerminalScreen } from './terminal-screen';
import './terminal.css';

/** What feeds a terminal. It is told of the screen, and ends when the screen goes. */
export interface TerminalFeed {
  begin(screen: FedScreen): void;
  input(data: string): void;
  resize(size: { cols: number; rows: number }): void;
  end(): void;
}

export interface FedScreen {
  readonly size: { cols: number; rows: number };
  restore(text: string, commands: readonly number[], done: () => void): void;
  write(data: Uint8Array, drawn: () => void): void;
  setEnded(ended: boolean): void;
}

interface TerminalProps {
  readonly label: string;
  readonly feed: TerminalFeed;
  readonly scrollback: number;
  readonly screenReader: boolean;
  readonly mac: boolean;
  /** Changes with the colours. */
  readonly colours: string;
  readonly onCopy: (text: string) => void;
  readonly onLeave: () => void;
}

/** A terminal that fills its space. Every key goes to the program, but for leaving, copying and finding. */
export function TerminalBox(props: TerminalProps) {
  const { feed, colours, screenReader } = props;
  const container = useRef<HTMLDivElement>(null);
  const [screen, setScreen] = useState<TerminalScreen | null>(null);
  const [following, setFollowing] = useState(true);
  const [finding, setFinding] = useState(false);
  const make = useEffectEvent((element: HTMLElement): TerminalScreen => {
    const made: TerminalScreen = new TerminalScreen(element, {
      ...{ label: props.label, scrollback: props.scrollback, screenReader, mac: props.mac },
      input: (data) => feed.input(data),
      resized: (size) => feed.resize(size),
      following: setFollowing,
      key: (what) => {
        if (what === 'leave') props.onLeave();
        else if (what === 'find') setFinding(true);
        else if (made.selection !== '') props.onCopy(made.selection);
      },
    });
    return made;
  });
  useEffect(() => {
    const element = container.current;
    if (!element) return;
    const made = make(element);
    setScreen(made);
    feed.begin(made);
    return () => {
      feed.end();
      made.dispose();
      setScreen(null);
    };
  }, [feed]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are read from the page
  useEffect(() => screen?.recolour(), [screen, colours]);
  useEffect(() => screen?.setScreenReader(screenReader), [screen, screenReader]);
  const stopFinding = () => {
    setFinding(false);
    screen?.find('', 'next');
    screen?.focus();
  };
  return (
    <div className="terminal-box">
      <div className="terminal-screen" ref={container} />
      {finding && screen && <Find screen={screen} onClose={stopFinding} />}
      {!following && (
        <Button className="terminal-follow" onClick={() => screen?.toEnd()}>
          Follow the end
        </Button>
      )}
    </div>
  );
}

function Find({ screen, onClose }: { screen: TerminalScreen; onClose: () => void }) {
  const [text, setText] = useState('');
  const [found, setFound] = useState(true);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const look = (wanted: string, direction: 'next' | 'previous') => setFound(screen.find(wanted, direction));
  return (
    <search className="terminal-find">
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
          look(event.target.value, 'previous');
        }}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === 'Escape') onClose();
          if (event.key === 'Enter') look(text, event.shiftKey ? 'next' : 'previous');
        }}
      />
      <span className="note faint" aria-live="polite">
        {found ? '' : 'Not found'}
      </span>
      <Button onClick={onClose}>Close</Button>
    </search>
  );
}
