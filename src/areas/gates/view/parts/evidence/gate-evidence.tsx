import { Changes, type OnShown } from '@areas/changes/view/parts/changes';
import { type EvidencePiece, evidencePieces } from '@areas/evidence/contract/evidence';
import { Evidence } from '@areas/evidence/view/parts/evidence';
import { hashOf } from '@renderer/client/route';
import { AgentText } from '@renderer/parts/text/agent-text';
import { Printed } from '@renderer/ui/code/code';
import { DiffView } from '@renderer/ui/code/diff';
import { inPlainSight } from '@renderer/ui/invisible-characters';
import { Facts } from '@renderer/ui/layout/facts';
import { Fold } from '@renderer/ui/layout/fold';
import { Note } from '@renderer/ui/layout/note';
import type { GateKind, PermissionRequest } from '../../../contract/gate';
import { useGateComments } from '../answer/gate-comments';
import type { GateFace } from '../face';
import { noteShown } from '../shown-changes';
import { AskedAgain, Compared, useAskedBefore } from './asked-again';
import styles from './gate-evidence.module.css';
import { GateTerminal } from './gate-terminal';
import { InterruptedTurnNote } from './interrupted-turn-note';

interface GateEvidenceProps {
  readonly gate: GateFace;
  /** Shown alone: for a question in a terminal, the live terminal is shown for typing. */
  readonly alone?: boolean;
}

/** The evidence to decide on. */
export function GateEvidence({ gate, alone = false }: GateEvidenceProps) {
  const terminal = terminalOf(gate);
  const pieces = piecesOf(gate);
  const before = useAskedBefore(gate);
  const { review } = useGateComments(gate);
  const onShown: OnShown = (of, shown) => noteShown(gate, of, shown);
  const reviewed = alone && gate.status === 'open' ? review : null;
  return (
    <div className="gate-evidence">
      {before && <AskedAgain before={before} />}
      <InterruptedTurnNote gate={gate} />
      {gate.why && <Note tone="waits">{gate.why}</Note>}
      {gate.message && gate.message.trim() !== gate.title.trim() && <AgentText text={gate.message} />}
      {terminal !== null && (
        <p>
          <a href={hashOf('terminal', gate.runId, terminal)}>Open its terminal</a>
        </p>
      )}
      {gate.kind === 'agent_silent' && gate.sessionId !== null && (
        <p>
          <a href={hashOf('session', gate.runId, gate.sessionId)}>Open its session</a>
        </p>
      )}
      {terminal !== null && alone && <GateTerminal runId={gate.runId} name={terminal} />}
      {gate.request && <Request request={gate.request} />}
      {pieces.length > 0 &&
        (terminal !== null && alone ? (
          <Fold head="Its screen when it asked">
            <Evidence runId={gate.runId} pieces={pieces} />
          </Fold>
        ) : before?.evidence ? (
          <Compared runId={gate.runId} pieces={pieces} before={before} review={reviewed} onShown={onShown} />
        ) : (
          <Evidence pieces={pieces} runId={gate.runId} review={reviewed} onShown={onShown} />
        ))}
      {gate.changes && (
        <Changes
          runId={gate.runId}
          of={gate.changes}
          review={reviewed}
          onShown={onShown}
          keys={reviewed === null ? 'focus' : 'page'}
        />
      )}
    </div>
  );
}

/** The terminal in which an agent waits for the operator. */
const terminalOf = ({ kind, status, sessionId }: GateFace): string | null =>
  kind === 'terminal_question' && status === 'open' && sessionId !== null ? `s${sessionId}-0` : null;

/** The default kind of evidence, for gates of earlier versions without one. */
const PRINTED: readonly GateKind[] = [
  'interrupted_command',
  'permission',
  'login',
  'provider_limit',
  'terminal_question',
  'iteration_blocked',
  'iteration_failed',
];

/** The pieces to show; a command that is in the request is not shown twice. */
function piecesOf(gate: GateFace): EvidencePiece[] {
  if (gate.evidence === gate.request?.command) return [];
  return evidencePieces(gate, PRINTED.includes(gate.kind) ? 'text' : 'markdown');
}

function Request({ request }: { request: PermissionRequest }) {
  const { command, diffs, cwd } = request;
  const bare = command === undefined && diffs.length === 0;
  const input = request.input === undefined ? '' : JSON.stringify(request.input, null, 2);
  const shown = new Set(diffs.map(({ path }) => path));
  const others = (request.paths ?? []).filter((path) => !shown.has(path));
  const near = (path: string) => withinFolder(path, request.folder);
  return (
    <div className={styles.gateRequest}>
      {request.own_checkout && <Note tone="waits">This would happen in your own checkout.</Note>}
      <Facts
        facts={[
          { name: 'Tool', value: <span className="mono">{inPlainSight(request.tool)}</span> },
          cwd !== undefined && { name: 'Folder', value: <span className="mono">{inPlainSight(cwd)}</span> },
          others.length > 0 && { name: 'Files', value: <Paths paths={others.map(near)} /> },
        ]}
      />
      {command !== undefined && <Printed text={`$ ${command}`} label="The command" />}
      {diffs.map((diff) => (
        <DiffView key={diff.path} {...diff} path={near(diff.path)} />
      ))}
      {input !== '' && bare && <Printed text={input} label="Arguments of the tool call" />}
      {input !== '' && !bare && (
        <Fold head="Arguments of the tool call">
          <Printed text={input} label="Arguments of the tool call" />
        </Fold>
      )}
    </div>
  );
}

/** A path relative to the agent's working folder; unchanged if it is outside. */
const withinFolder = (path: string, folder: string | undefined): string =>
  folder !== undefined && /^[\\/]/.test(path.slice(folder.length)) && path.startsWith(folder)
    ? path.slice(folder.length + 1)
    : path;

function Paths({ paths }: { paths: readonly string[] }) {
  return (
    <ul>
      {paths.map((path) => (
        <li key={path} className="mono">
          {inPlainSight(path)}
        </li>
      ))}
    </ul>
  );
}
