import type { GateKind, PermissionRequest } from '@contract/gate/gate';
import { Printed } from '../../ui/code';
import { DiffView } from '../../ui/diff';
import { Fold } from '../../ui/fold';
import { Note } from '../../ui/note';
import { AgentText } from '../agent-text';
import type { GateFace } from './face';

/** The thing itself that is to be decided on. */
export function GateEvidence({ gate }: { gate: GateFace }) {
  return (
    <div className="gate-evidence">
      {gate.why && <Note tone="waits">{gate.why}</Note>}
      {gate.message && <AgentText text={gate.message} />}
      {gate.request && <Request request={gate.request} />}
      {gate.evidence && <Evidence gate={gate} evidence={gate.evidence} />}
    </div>
  );
}

/** Commands and what a program said; what an agent said is Markdown. */
const PRINTED: readonly GateKind[] = ['interrupted_command', 'permission', 'login', 'provider_limit'];

function Evidence({ gate, evidence }: { gate: GateFace; evidence: string }) {
  return (
    <div className="evidence-box">
      {PRINTED.includes(gate.kind) ? (
        <Printed text={evidence} label="Evidence" />
      ) : (
        <AgentText text={evidence} />
      )}
    </div>
  );
}

function Request({ request }: { request: PermissionRequest }) {
  const bare = request.command === undefined && request.diffs.length === 0;
  const input = request.input === undefined ? '' : JSON.stringify(request.input, null, 2);
  return (
    <div className="gate-request">
      <p className="note quiet">
        <span className="mono">{request.tool}</span>
        {request.title !== request.tool && ` · ${request.title}`}
      </p>
      {request.command !== undefined && <Printed text={`$ ${request.command}`} label="The command" />}
      {request.diffs.map((diff) => (
        <DiffView key={diff.path} {...diff} />
      ))}
      {input !== '' && bare && <Printed text={input} label="What the tool is called with" />}
      {input !== '' && !bare && (
        <Fold head="What the tool is called with">
          <Printed text={input} label="What the tool is called with" />
        </Fold>
      )}
    </div>
  );
}
