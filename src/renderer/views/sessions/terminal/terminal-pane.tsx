import type { TerminalRow, Workplace } from '@contract/session/procedures';
import { SCROLLBACK_LINES } from '@contract/terminal/view';
import { useEffect, useState } from 'react';
import { bytes } from '../../../client/format';
import { useHandlers, useReadable, useSwitch } from '../../../client/hooks';
import { refresh } from '../../../client/query';
import { hashOf, navigate } from '../../../client/route';
import { settings } from '../../../client/settings';
import { isMac } from '../../../client/window';
import { ActButton } from '../../../parts/act';
import { Ago } from '../../../parts/ago';
import { copyAddress, copyText } from '../../../parts/copy';
import { ErrorNote } from '../../../parts/error-note';
import { Marked } from '../../../parts/marks';
import { Note } from '../../../ui/note';
import { TerminalBox } from '../../../ui/terminal';
import { terminalWord } from '../rows';
import { type LinkState, TerminalLink } from './link';

/**
 * What a terminal on screen is told. It needs nothing but the run and the name: it finds its own line, reconnects by
 * itself, and says itself what was lost. Give it a React `key` of run and name.
 */
export interface TerminalPaneProps {
  readonly runId: number;
  /** The terminal's name within its run: `c3` of command 3, `s1-0` the shell of session 1. */
  readonly name: string;
  /** The run's row of `session.list` and the terminal's own in it, for the head and the words. */
  readonly place?: Workplace | null;
  readonly row?: TerminalRow | null;
  /** Without the head, for a grid or beside a transcript whose own head says what it is. */
  readonly bare?: boolean;
  /** Takes the keys of the view (default). Of several on screen only one should. */
  readonly active?: boolean;
}

const focusTerminal = () => document.querySelector<HTMLElement>('.terminal-box textarea')?.focus();
const leave = () => document.querySelector<HTMLElement>('.list')?.focus();

/** A terminal of a run: live and to be typed into, or as it was when it ended. */
export function TerminalPane({
  runId,
  name,
  place = null,
  row = null,
  bare = false,
  active = true,
}: TerminalPaneProps) {
  const [link, setLink] = useState(() => new TerminalLink({ runId, name }));
  const state = useReadable(link.state);
  const colours = useColours();
  const [screenReader, setScreenReader] = useSwitch('terminal.screenReader', false);
  useHandlers(
    active
      ? {
          'terminal.focus': focusTerminal,
          'terminal.reopen': () => setLink(new TerminalLink({ runId, name })),
          'terminal.screenReader': () => setScreenReader(!screenReader),
          'session.run': () => navigate(hashOf('run', place?.runUid ?? runId)),
          'session.copy': () => copyAddress('terminal', runId, name),
        }
      : {},
  );
  const title = row?.title ?? name;
  const { status } = state;
  // What the list says of it may be older than what its own line says.
  useEffect(() => {
    if (status === 'ended' || status === 'lost') void refresh('session.list');
  }, [status]);
  return (
    <article className="pane terminal-pane" aria-label={`Terminal ${title}`}>
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
        colours={colours}
        onCopy={(text) => copyText(text, 'Copied the selection')}
        onLeave={leave}
      />
      <Foot state={state} row={row} />
      {state.error && <ErrorNote error={state.error} live />}
    </article>
  );
}

/** What is to be known of it now; every word is what its line has told. */
function Foot({ state, row }: { state: LinkState; row: TerminalRow | null }) {
  return (
    <footer className="terminal-foot" data-status={state.status}>
      <span role="status">{statusWords(state, row)}</span>
      {state.leftOut > 0 && (
        <span className="faint">The first {bytes(state.leftOut)} are in the output file only.</span>
      )}
      {state.held && <Note tone="waits">Held back: the program waits until this window has drawn it.</Note>}
      <span className="grow" />
      {state.status === 'live' && <span className="faint">Ctrl+Shift+Esc leaves the terminal</span>}
      {state.status === 'lost' && <ActButton action="terminal.reopen">Open again</ActButton>}
    </footer>
  );
}

function statusWords(state: LinkState, row: TerminalRow | null): string {
  switch (state.status) {
    case 'opening':
      return 'Opening';
    case 'live':
      return 'Live: what you type goes to it, and is kept as yours.';
    case 'lost':
      return 'The line to this terminal is cut.';
    case 'ended': {
      const { code, signal } = state.exit ?? { code: null, signal: null };
      if (signal !== null) return `Ended by signal ${signal}`;
      if (code !== null) return `Ended with exit ${code}`;
      return row?.why ? `Ended: ${row.why}` : 'Ended';
    }
  }
}

/** Changes when the window's colours do, be it by the system. */
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
