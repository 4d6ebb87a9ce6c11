import type { TurnState } from '@contract/run/state';
import type { SessionRow, Workplace } from '@contract/session/procedures';
import { SquareTerminal } from 'lucide-react';
import { useHandlers, useRun, useTranscript } from '../../client/hooks';
import { hashOf, navigate } from '../../client/route';
import { ActButton } from '../../parts/act';
import { AgentText } from '../../parts/agent-text';
import { Ago } from '../../parts/ago';
import { copyAddress } from '../../parts/copy';
import { ErrorNote } from '../../parts/error-note';
import { Marked } from '../../parts/marks';
import { turnWords } from '../../parts/words';
import { Button } from '../../ui/button';
import { FoldedText } from '../../ui/fold';
import { sessionWord } from './rows';

/** One session: its state and why, its terminals, and what was said in it. */
export function SessionPane({ place, session }: { place: Workplace; session: SessionRow }) {
  const { state, error } = useRun(place.runId);
  const terminals = place.terminals.filter((one) => one.sessionId === session.sessionId);
  useHandlers({
    'session.run': () => navigate(hashOf('run', place.runUid)),
    'session.copy': () => copyAddress('session', place.runId, session.sessionId),
  });
  const turns = session.turnIds.flatMap((id) => state?.turns[id] ?? []);
  return (
    <article className="pane" aria-label={`Session of ${session.profileId}`}>
      <header className="pane-head">
        <h2 className="cut grow">
          {session.profileId} <span className="faint">in {place.runName}</span>
        </h2>
        <Marked word={sessionWord(session)} />
        <span className="faint note">
          <Ago at={session.since} />
        </span>
        <ActButton action="session.run">Run</ActButton>
      </header>
      <div className="session-facts">
        {session.reason && <p className="quiet">{session.reason}</p>}
        {session.cwd && <p className="faint mono cut">{session.cwd}</p>}
        {terminals.map((one) => (
          <Button
            key={one.name}
            icon={SquareTerminal}
            onClick={() => navigate(hashOf('terminal', place.runId, one.name))}
          >
            {one.title}
          </Button>
        ))}
      </div>
      {error && <ErrorNote error={error} />}
      <div className="scroll session-turns" data-focus tabIndex={-1}>
        {turns.map((turn) => (
          <Turn key={turn.id} place={place} turn={turn} />
        ))}
        {turns.length === 0 && <p className="faint">Nothing was asked of it yet.</p>}
      </div>
    </article>
  );
}

function Turn({ place, turn }: { place: Workplace; turn: TurnState }) {
  const { transcript } = useTranscript(place.runId, turn.id);
  const blocks = transcript.blocks;
  return (
    <section className="session-turn" aria-label={`Turn ${turn.id}`}>
      <header className="turn-head">
        <Marked word={turnWords[turn.status]} />
        <span className="faint note">
          <Ago at={turn.startedAt} />
        </span>
        <span className="grow" />
        <Button tone="ghost" onClick={() => navigate(hashOf('run', place.runUid, 'turn', turn.id))}>
          In the run
        </Button>
      </header>
      <FoldedText className="prompt" text={turn.prompt} />
      {blocks.map((block) =>
        block.kind === 'text' || block.kind === 'thought' ? (
          <AgentText key={block.key} text={block.text} />
        ) : block.kind === 'tool' ? (
          <p key={block.key} className="note mono quiet cut">
            {block.call.status}: {block.call.title}
          </p>
        ) : null,
      )}
      {blocks.length === 0 && turn.response !== '' && <AgentText text={turn.response} />}
      {turn.error && <ErrorNote error={turn.error} />}
    </section>
  );
}
