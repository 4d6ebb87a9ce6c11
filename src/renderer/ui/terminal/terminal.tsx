import '@xterm/xterm/css/xterm.css';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Button } from '../controls/button';
import { Question } from '../controls/dialog';
import { Menu } from '../controls/menu';
import { Find } from './find';
import type { OwnKey } from './keys';
import type { TerminalLink } from './links';
import type { MarkedCommand } from './marks';
import { TerminalScreen } from './screen';
import styles from './terminal.module.css';

/** The data source of a terminal. It receives the screen, and ends with it. */
export interface TerminalFeed {
  begin(screen: FedScreen): void;
  input(data: string): void;
  resize(size: { cols: number; rows: number }): void;
  end(): void;
}

export interface FedScreen {
  readonly size: { cols: number; rows: number };
  past(part: { first: boolean; text: string; data: Uint8Array }): void;
  restore(text: string, commands: readonly MarkedCommand[], done: () => void): void;
  write(data: Uint8Array, drawn: () => void): void;
  setEnded(ended: boolean): void;
}

/** Controls a shown terminal from outside. */
export interface TerminalControl {
  find(): void;
  chooseLink(): void;
  jump(direction: 'previous' | 'next'): void;
  copy(): void;
}

interface TerminalProps {
  readonly label: string;
  readonly feed: TerminalFeed;
  readonly scrollback: number;
  readonly screenReader: boolean;
  readonly mac: boolean;
  /** Whether these keys leave the terminal. */
  readonly leaves: (event: KeyboardEvent) => boolean;
  readonly fontPx: number;
  /** A pattern to mark; null if there is no search. */
  readonly found: string | null;
  /** Changes with the colours. */
  readonly colours: string;
  readonly onCopy: (text: string) => void;
  readonly onLeave: () => void;
  readonly onLink: (link: TerminalLink) => void;
  readonly onFont: (change: 'larger' | 'smaller' | 'usual') => void;
  /** Called with null when the terminal is removed. */
  readonly onControl: (control: TerminalControl | null) => void;
}

type TerminalPrompt =
  | { kind: 'find' }
  | { kind: 'links'; links: TerminalLink[] }
  | { kind: 'paste'; text: string };

/** A terminal that fills its space. Every key goes to the program, except those of `keys.ts`. */
export function TerminalBox(props: TerminalProps) {
  const { colours, screenReader, fontPx, found } = props;
  const container = useRef<HTMLDivElement>(null);
  const [prompt, setPrompt] = useState<TerminalPrompt | null>(null);
  const [following, setFollowing] = useState(true);
  const screen = useScreen(container, { props, setPrompt, setFollowing });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are read from the page
  useEffect(() => screen?.recolour(), [screen, colours]);
  useEffect(() => screen?.setScreenReader(screenReader), [screen, screenReader]);
  useEffect(() => screen?.setFont(fontPx), [screen, fontPx]);
  useEffect(() => screen?.mark(found), [screen, found]);
  const close = () => {
    if (prompt?.kind === 'find') screen?.find('', 'next');
    setPrompt(null);
    screen?.focus();
  };
  return (
    <div className={styles.terminalBox} data-part="terminal-box">
      <div className={styles.terminalScreen} ref={container} />
      {screen && prompt?.kind === 'find' && <Find screen={screen} onClose={close} />}
      {screen && prompt?.kind === 'links' && <Links links={prompt.links} screen={screen} onClose={close} />}
      {screen && prompt?.kind === 'paste' && (
        <PasteGuard text={prompt.text} screen={screen} onClose={close} />
      )}
      {!following && (
        <Button className={styles.terminalFollow} onClick={() => screen?.toEnd()}>
          Follow the end
        </Button>
      )}
    </div>
  );
}

interface ScreenParts {
  readonly props: TerminalProps;
  readonly setPrompt: (prompt: TerminalPrompt | null) => void;
  readonly setFollowing: (following: boolean) => void;
}

/** The screen in the container, connected to its feed while it exists. */
function useScreen(
  container: React.RefObject<HTMLDivElement | null>,
  parts: ScreenParts,
): TerminalScreen | null {
  const { props, setPrompt: setAsked, setFollowing } = parts;
  const { feed } = props;
  const [screen, setScreen] = useState<TerminalScreen | null>(null);
  const act = useEffectEvent((made: TerminalScreen, what: Exclude<OwnKey, 'paste' | 'previous' | 'next'>) => {
    if (what === 'leave') props.onLeave();
    else if (what === 'find') setAsked({ kind: 'find' });
    else if (what === 'links') setAsked({ kind: 'links', links: made.links() });
    else if (what !== 'copy') props.onFont(what);
    else if (made.selection !== '') props.onCopy(made.selection);
  });
  const make = useEffectEvent((element: HTMLElement): TerminalScreen => {
    const { label, scrollback, screenReader, mac, leaves, fontPx } = props;
    const made: TerminalScreen = new TerminalScreen(element, {
      label,
      scrollback,
      screenReader,
      mac,
      leaves,
      fontPx,
      input: (data) => feed.input(data),
      resized: (size) => feed.resize(size),
      following: setFollowing,
      key: (what) => act(made, what),
      open: (link) => follow(link),
      paste: (text) => setAsked({ kind: 'paste', text }),
    });
    return made;
  });
  const follow = useEffectEvent((link: TerminalLink) => props.onLink(link));
  const control = useEffectEvent((made: TerminalScreen | null) => {
    if (made === null) return props.onControl(null);
    props.onControl({
      find: () => act(made, 'find'),
      chooseLink: () => act(made, 'links'),
      copy: () => act(made, 'copy'),
      jump: (direction) => made.jump(direction),
    });
  });
  useEffect(() => {
    const element = container.current;
    if (!element) return;
    const made = make(element);
    setScreen(made);
    feed.begin(made);
    control(made);
    return () => {
      control(null);
      feed.end();
      made.dispose();
      setScreen(null);
    };
  }, [feed, container]);
  return screen;
}

interface PromptProps {
  readonly screen: TerminalScreen;
  readonly onClose: () => void;
}

const MOST_LINKS = 9;

/** The visible links, to be chosen by key. */
function Links({ links, screen, onClose }: PromptProps & { links: readonly TerminalLink[] }) {
  const items = links.slice(0, MOST_LINKS).map((link) => ({
    id: link.text,
    label: link.text,
    hint: link.kind === 'address' ? 'in the browser' : 'in the editor',
    run: () => screen.open(link),
  }));
  const none = { id: 'none', label: 'No visible links', run: () => undefined };
  return (
    <div className={styles.terminalLinks}>
      <Menu label="Links in the terminal" items={items.length > 0 ? items : [none]} onClose={onClose} />
    </div>
  );
}

const SHOWN_LINES = 8;

function PasteGuard({ text, screen, onClose }: PromptProps & { text: string }) {
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n$/, '').split('\n');
  const count = lines.length === 1 ? 'a line with its line break' : `${lines.length} lines`;
  return (
    <Question
      title={`Paste ${count}?`}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            tone="primary"
            onClick={() => {
              onClose();
              screen.paste(text);
            }}
          >
            Paste
          </Button>
        </>
      }
    >
      <p className="quiet">
        The program does not recognize pasted text: each line runs as if you had pressed Enter.
      </p>
      <pre className={styles.terminalPaste}>
        {lines.slice(0, SHOWN_LINES).join('\n')}
        {lines.length > SHOWN_LINES && `\nand ${lines.length - SHOWN_LINES} more`}
      </pre>
    </Question>
  );
}
