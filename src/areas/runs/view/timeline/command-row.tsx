import { largePiece } from '@areas/evidence/contract/evidence';
import { Evidence } from '@areas/evidence/view/parts/evidence';
import { OutputText } from '@areas/evidence/view/parts/output-text';
import type { LostHost } from '@areas/hosts/contract/lost-host';
import { LostHostNote } from '@areas/hosts/view/parts/lost-host-note';
import { Chained } from '@areas/sessions/view/parts/chain';
import type { CommandState } from '@contract/run/state';
import { isCut } from '@contract/whole-text';
import { bytes } from '@renderer/client/format';
import { useClock, useQuery } from '@renderer/client/hooks';
import { hashOf, navigate } from '@renderer/client/route';
import { call } from '@renderer/client/rpc';
import { attempt } from '@renderer/client/toasts';
import { refresh } from '@renderer/client/wire/query';
import { Marked } from '@renderer/parts/marks/marks';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { Ago, Elapsed } from '@renderer/parts/text/ago';
import { usePast } from '@renderer/parts/text/shown-time';
import { commandWords, type Word } from '@renderer/parts/words/status-words';
import { Glyph } from '@renderer/ui/controls/icon';
import { FoldedText } from '@renderer/ui/layout/fold';
import { SquareTerminal } from 'lucide-react';
import { memo, useEffect } from 'react';

export const CommandRow = memo(function CommandRow({
  runId,
  command,
  lost,
}: {
  runId: number;
  command: CommandState;
  /** The host on which it runs, if that cannot be reached. */
  lost: LostHost | null;
}) {
  const word = commandWord(command);
  const past = usePast();
  return (
    <Chained mark={<Glyph of={SquareTerminal} size={11} />} tone={word.tone}>
      <section className="turn" aria-label={`Command ${command.id}`}>
        <header className="turn-head">
          <h2>Command</h2>
          <Marked word={word} />
          <span className="faint note">
            <Elapsed from={command.startedAt} to={command.finishedAt} />
          </span>
          <span className="grow" />
          {command.terminal && (
            <button
              type="button"
              className="text-button"
              onClick={() => navigate(hashOf('terminal', runId, `c${command.id}`))}
            >
              Open terminal
            </button>
          )}
          <span className="faint note">
            <Ago at={command.startedAt} />
          </span>
        </header>
        <FoldedText className="prompt mono" text={command.script} />
        <LostHostNote lost={lost} />
        {command.status === 'running' ? (
          past === null ? (
            <RunningOutput runId={runId} commandId={command.id} />
          ) : (
            <p className="faint note">It was running at this moment.</p>
          )
        ) : (
          <Printed runId={runId} command={command} />
        )}
        {command.error && <ErrorNote error={command.error} />}
      </section>
    </Chained>
  );
});

function commandWord(command: CommandState): Word {
  const word = commandWords[command.status];
  if (command.status !== 'exited' || command.exitCode === null) return word;
  const failed = command.exitCode !== 0;
  return { ...(failed ? commandWords.signalled : word), word: `Exit ${command.exitCode}` };
}

/** When several commands run, the first one each second reads for all. */
let lastLooked = 0;

/** The end of its output so far, read once a second. */
function RunningOutput({ runId, commandId }: { runId: number; commandId: number }) {
  const { value, error } = useQuery('run.commandOutput', { runId, commandId, bytes: 16_000 });
  const second = useClock((now) => Math.floor(now / 1000));
  useEffect(() => {
    if (second === lastLooked) return;
    lastLooked = second;
    void refresh('run.commandOutput');
  }, [second]);
  if (value === null && error) return <ErrorNote error={error} />;
  if (value === null || value.text === '') return <p className="faint waiting-words">No output yet</p>;
  return (
    <>
      <OutputText text={value.text} label="Output so far" />
      <p className="note faint">{bytes(value.totalBytes)} so far</p>
    </>
  );
}

/** What an ended command printed. */
function Printed({ runId, command }: { runId: number; command: CommandState }) {
  const { output, errorOutput = '', outputPath } = command;
  const pieces = [
    largePiece('output', output, errorOutput === '' ? undefined : 'Output'),
    largePiece('output', errorOutput, 'Standard error'),
  ].filter(({ text }) => text.trim() !== '');
  return (
    <>
      <Evidence runId={runId} pieces={pieces} />
      {(isCut(output) || isCut(errorOutput)) && outputPath !== null && (
        <button
          type="button"
          className="text-button note"
          onClick={() => void attempt(call('app.openInEditor', { path: outputPath }))}
        >
          Show all that was printed
        </button>
      )}
    </>
  );
}
