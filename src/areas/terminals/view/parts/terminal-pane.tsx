import type { TerminalRow, Workplace } from '@areas/sessions/contract/procedures';
import { bytes } from '@renderer/client/format';
import { useHandlers, useReadable, useRoute, useSwitch } from '@renderer/client/hooks';
import { hashOf, navigate } from '@renderer/client/route';
import { anyOf, searchWords } from '@renderer/client/search/search-words';
import { layout, saveLayout, settings } from '@renderer/client/settings';
import { refresh } from '@renderer/client/wire/query';
import { isMac, registry } from '@renderer/client/wire/window';
import { ActButton, useOwnCaps } from '@renderer/parts/controls/act';
import { copyAddress, copyText } from '@renderer/parts/controls/copy';
import { Marked } from '@renderer/parts/marks/marks';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { Ago } from '@renderer/parts/text/ago';
import { terminalWord } from '@renderer/parts/words/status-words';
import { Keys } from '@renderer/ui/controls/keys';
import { Note } from '@renderer/ui/layout/note';
import { TerminalBox, type TerminalControl } from '@renderer/ui/terminal/terminal';
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { SCROLLBACK_LINES } from '../../contract/view';
import { type Back, type LinkState, TerminalLink } from './link';
import { openLink } from './open-link';
import styles from './terminal-pane.module.css';

/**
 * The props of a terminal on screen. It needs only the run and the name: it connects and reconnects by
 * itself, and reports lost output. Give it a React `key` of run and name.
 */
export interface TerminalPaneProps {
  readonly runId: number;
  /** The terminal's name within its run: `c3` of command 3, `s1-0` the shell of session 1. */
  readonly name: string;
  /** The run's row of `session.list` with the terminal's own row, for the head and the messages. */
  readonly place?: Workplace | null;
  readonly row?: TerminalRow | null;
  /** Without the head, for a grid, or beside a transcript whose head describes it. */
  readonly bare?: boolean;
  /** Handles the keys of the view (default). Of several on screen only one should. */
  readonly active?: boolean;
}

/** Moves the focus out of the terminal: to the list, or to the surrounding pane if no list is on screen. */
const leave = (pane: HTMLElement | null) =>
  (document.querySelector<HTMLElement>('[data-part="list"]') ?? pane)?.focus();

/** The font size of terminals, in CSS pixels. */
const FONT_PX = { usual: 12.5, least: 8, most: 28 };
const FONT_STEP = 1.1;

/** A terminal of a run: live and accepting input, or its final output. */
export function TerminalPane(props: TerminalPaneProps) {
  const { runId, name, row = null, bare = false } = props;
  const [link] = useState(() => new TerminalLink({ runId, name }));
  const pane = useRef<HTMLElement>(null);
  const control = useRef<TerminalControl | null>(null);
  const state = useReadable(link.state);
  const colours = useColours();
  const [screenReader] = useSwitch('terminal.screenReader', false);
  const [fontPx, changeFont] = useFont();
  const words = useRoute().query.find ?? '';
  const found = useMemo(() => anyOf(searchWords(words))?.source ?? null, [words]);
  usePaneKeys(props, { link, pane, control, changeFont, lost: state.status === 'lost' });
  const title = row?.title ?? name;
  const { status } = state;
  // The list's row may be older than what the connection reports.
  useEffect(() => {
    if (status === 'ended' || status === 'lost') void refresh('session.list');
  }, [status]);
  return (
    <article
      ref={pane}
      className={`pane ${styles.terminalPane}`}
      aria-label={`Terminal ${title}`}
      tabIndex={-1}
    >
      {!bare && (
        <header className="pane-head">
          <h2 className="cut mono grow" title={title}>
            {title}
          </h2>
          {row && <Marked word={terminalWord(row)} />}
          {row && (
            <span className="faint note">
              <Ago at={row.since} />
            </span>
          )}
          <ActButton action="session.run">Run</ActButton>
        </header>
      )}
      <TerminalBox
        label={`Terminal ${title}`}
        feed={link}
        scrollback={SCROLLBACK_LINES}
        screenReader={screenReader}
        mac={isMac}
        leaves={leavesTerminal}
        colours={colours}
        found={found}
        fontPx={fontPx}
        onCopy={(text) => copyText(text, 'Copied the selection')}
        onLeave={() => leave(pane.current)}
        onLink={(chosen) => openLink(chosen, state.cwd)}
        onFont={changeFont}
        onControl={(given) => {
          control.current = given;
        }}
      />
      <Foot state={state} row={row} />
      {state.error && <ErrorNote error={state.error} live />}
    </article>
  );
}

interface PaneParts {
  readonly link: TerminalLink;
  readonly pane: RefObject<HTMLElement | null>;
  readonly control: RefObject<TerminalControl | null>;
  readonly changeFont: (change: 'larger' | 'smaller' | 'usual') => void;
  /** The connection is lost. Otherwise the key is left to the gate beside it. */
  readonly lost: boolean;
}

function usePaneKeys(props: TerminalPaneProps, parts: PaneParts): void {
  const { link, pane, control, changeFont, lost } = parts;
  const { runId, name, place, bare = false, active = true } = props;
  const [screenReader, setScreenReader] = useSwitch('terminal.screenReader', false);
  const own = {
    'terminal.focus': () =>
      pane.current?.querySelector<HTMLElement>('[data-part="terminal-box"] textarea')?.focus(),
    'terminal.reopen': lost ? () => link.reopen() : null,
    'terminal.find': () => control.current?.find(),
    'terminal.copy': () => control.current?.copy(),
    'terminal.links': () => control.current?.chooseLink(),
    'terminal.previous': () => control.current?.jump('previous'),
    'terminal.next': () => control.current?.jump('next'),
    'terminal.larger': () => changeFont('larger'),
    'terminal.smaller': () => changeFont('smaller'),
    'terminal.usual': () => changeFont('usual'),
    'terminal.screenReader': () => setScreenReader(!screenReader),
  };
  // A bare pane has them in its surroundings.
  const whole = {
    'session.run': () => navigate(hashOf('run', place?.runUid ?? runId)),
    'session.copy': () => copyAddress('terminal', runId, name),
  };
  useHandlers(active ? { ...own, ...(bare ? {} : whole) } : {});
}

function useFont(): [number, PaneParts['changeFont']] {
  const stored = useReadable(layout)['terminal.fontPx'];
  const px =
    typeof stored === 'number' ? Math.min(FONT_PX.most, Math.max(FONT_PX.least, stored)) : FONT_PX.usual;
  const change: PaneParts['changeFont'] = (what) => {
    const wanted = what === 'usual' ? FONT_PX.usual : what === 'larger' ? px * FONT_STEP : px / FONT_STEP;
    saveLayout(
      'terminal.fontPx',
      Math.min(FONT_PX.most, Math.max(FONT_PX.least, Math.round(wanted * 2) / 2)),
    );
  };
  return [px, change];
}

/** The current messages; all of them come from the connection. */
function Foot({ state, row }: { state: LinkState; row: TerminalRow | null }) {
  return (
    <footer className="terminal-foot" data-status={state.status}>
      <span role="status">{statusWords(state, row)}</span>
      {state.leftOut > 0 && (
        <span className="faint">The first {bytes(state.leftOut)} are in the output file only.</span>
      )}
      {state.evicted > 0 && (
        <span className="faint" title="Set the output limit in Settings, Terminals">
          The {bytes(state.evicted)} before that were dropped at the output limit.
        </span>
      )}
      {state.back && <span>{backWords(state.back)}</span>}
      {state.held && <Note tone="waits">{HELD[state.held]}</Note>}
      <span className="grow" />
      {state.status === 'live' && <LeaveHint />}
      {state.status === 'lost' && <ActButton action="terminal.reopen">Open again now</ActButton>}
    </footer>
  );
}

/** Called at each press, so that changed keys take effect at once. */
const leavesTerminal = (event: KeyboardEvent): boolean => registry.isWhole('terminal.leave', event);

function LeaveHint() {
  return (
    <span className="faint">
      <Keys caps={useOwnCaps('terminal.leave')} /> leaves the terminal
    </span>
  );
}

const HELD = {
  screen: 'Paused: the program waits until this window has caught up.',
  turn: 'Slowed: several terminals print a lot, and the window comes first.',
};

function statusWords(state: LinkState, row: TerminalRow | null): string {
  switch (state.status) {
    case 'opening':
      return 'Opening';
    case 'live':
      return 'Live: your keys go to the terminal and are recorded as yours.';
    case 'lost':
      return state.error?.code === 'not_found' ? 'Terminal not found.' : 'Disconnected, reconnecting.';
    case 'ended': {
      const { code, signal } = state.exit ?? { code: null, signal: null };
      if (signal !== null) return `Ended by signal ${signal}`;
      if (code !== null) return `Ended with exit ${code}`;
      return row?.why ? `Ended: ${row.why}` : 'Ended';
    }
  }
}

function backWords({ cutAt, lives }: Back): string {
  const at = new Date(cutAt).toLocaleTimeString();
  return lives
    ? `The connection broke at ${at} and is back. No output is lost.`
    : `The terminal host ended at ${at}, and the program with it. Its output until then is here; unread input is lost.`;
}

/** Changes when the window's colours do, even by the system. */
function useColours(): string {
  const { theme } = useReadable(settings);
  const [dark, setDark] = useState(() => window.matchMedia('(prefers-color-scheme: dark)').matches);
  useEffect(() => {
    const media = window.matchMedia('(prefers-color-scheme: dark)');
    const change = () => setDark(media.matches);
    media.addEventListener('change', change);
    return () => media.removeEventListener('change', change);
  }, []);
  return `${theme} ${dark}`;
}
