import type { AgentProfile } from '@areas/agents/contract/profile';
import { appError } from '@contract/errors';
import { err, fail, ok, type Result } from '@contract/result';
import type { WorkspaceFiles } from '../core/ports/files';
import type {
  AgentPort,
  Session,
  SessionListener,
  SessionSpec,
  TurnRequest,
  TurnResult,
} from '../core/ports/ports';
import type { HostedFolder, HostedWork } from '../core/ports/programs/hosted';
import type { Processes } from '../core/ports/programs/process';
import type { HostedPlace } from '../core/ports/workspaces/hosted-place';
import { ended, notStarted } from './turn-loop';

interface HostedAgents {
  readonly work: HostedWork;
  /** Agents of a kind whose programs are started by these processes. */
  there(kind: AgentProfile['kind'], processes: Processes): AgentPort | undefined;
}

/** Opens sessions of runs with a host there. The folder here has the host's state before and after each turn. */
export function onHosts(agent: AgentPort, hosts: HostedAgents): AgentPort {
  return {
    ...agent,
    open: (spec, listener) =>
      spec.hosted === undefined
        ? agent.open(spec, listener)
        : openThere(hosts, { ...spec, hosted: spec.hosted }, listener),
  };
}

type HostedSpec = SessionSpec & { readonly hosted: HostedPlace };

async function openThere(
  { work, there }: HostedAgents,
  spec: HostedSpec,
  listener: SessionListener,
): Promise<Result<Session>> {
  const begun = await work.begin(spec.hosted);
  if (!begun.ok) return begun;
  const folder = begun.value;
  const { hosted, ...rest } = spec;
  // A path of this machine.
  const { ARTIFACTS_DIR: _, ...env } = rest.env;
  const agent = there(spec.profile.kind, folder.processes);
  const opened = await (agent === undefined
    ? fail('internal', `agents of the kind ${spec.profile.kind} cannot be started on a host`)
    : // Muster's own tools are served here.
      agent.open({ ...rest, env, cwd: folder.path, tools: null }, listener));
  const left = await folder.end();
  if (!opened.ok) return opened;
  if (!left.ok) {
    await opened.value.close();
    return left;
  }
  return ok(hostedSession(opened.value, { work, hosted, listener, giveUp: () => folder.giveUp() }));
}

interface HostedSession {
  readonly work: HostedWork;
  readonly hosted: HostedPlace;
  readonly listener: SessionListener;
  /** Drops its program. */
  giveUp(): void;
}

function hostedSession(session: Session, { work, hosted, listener, giveUp }: HostedSession): Session {
  let cancel: () => void = () => undefined;
  const lost = new LostTurn();
  const turn = async (request: TurnRequest): Promise<TurnResult> => {
    if (request.attachments.length > 0) return notStarted(attached(hosted));
    const cancelled = new Promise<null>((resolve) => {
      cancel = () => resolve(null);
    });
    const beginning = work.begin(hosted);
    const begun = await Promise.race([beginning, cancelled]);
    if (begun === null) {
      // Nothing was sent; what was prepared meanwhile is left as it is.
      void beginning.then((late) => (late.ok ? late.value.end() : late));
      return { ...ended('cancelled', 'cancelled'), response: '', usage: null };
    }
    if (!begun.ok) return notStarted(begun.error);
    return lost.unless(begun.value, finished(begun.value, session, { request, hosted, listener }));
  };
  const type = session.type?.bind(session);
  const taken = session.taken?.bind(session);
  return {
    ready: session.ready,
    ...(session.choices && { choices: session.choices }),
    turn,
    cancel: () => {
      cancel();
      return session.cancel();
    },
    park: () => session.park(),
    close: () => session.close(),
    giveUp: (reason) => {
      lost.giveUp(reason);
      giveUp();
    },
    ...(type && { type }),
    ...(taken && { taken }),
  };
}

/** Ends a turn as interrupted when its host is given up. */
class LostTurn {
  #giveUp: (reason: string) => void = () => undefined;

  giveUp(reason: string): void {
    this.#giveUp(reason);
  }

  unless(folder: HostedFolder, result: Promise<TurnResult>): Promise<TurnResult> {
    const given = new Promise<TurnResult>((resolve) => {
      this.#giveUp = (interrupted) => {
        folder.giveUp();
        resolve({ ...ended('failed', 'host'), response: '', usage: null, interrupted });
      };
    });
    return Promise.race([given, result]);
  }
}

interface HostedTurn {
  readonly request: TurnRequest;
  readonly hosted: HostedPlace;
  readonly listener: SessionListener;
}

async function finished(
  folder: HostedFolder,
  session: Session,
  { request, hosted, listener }: HostedTurn,
): Promise<TurnResult> {
  const notice = (text: string) => listener.items(request.turnId, [{ type: 'notice', text }]);
  const unwatch = folder.watch((connected) =>
    notice(
      connected
        ? `The connection to ${hosted.host} is back.`
        : `Connection to ${hosted.host} lost; work continues there.`,
    ),
  );
  const result = await session.turn(request);
  unwatch();
  const left = await folder.end();
  if (left.ok || result.interrupted !== undefined || result.outcome !== 'completed') return result;
  return { ...result, outcome: 'failed', stopReason: 'host', error: left.error };
}

const attached = ({ host }: HostedPlace) =>
  appError('host.unfit', `Attachments cannot be sent to ${host} yet.`, {
    mend: 'Put the text into the prompt, or the file into the project.',
  });

const notHere = (path: string) =>
  err(appError('not_found', `${path} is on another machine, which Muster does not read for an agent.`));

/**
 * An agent on a host reads and writes its files itself. Muster cannot see where links there lead, so no edit counts as
 * inside the session's folder, and each is asked about unless the profile allows all.
 */
export const filesThere = (here: Pick<WorkspaceFiles, 'readBytes'>): WorkspaceFiles => ({
  readText: async (path) => notHere(path),
  writeText: async (path) => notHere(path),
  inside: async () => false,
  mayWrite: async () => false,
  readBytes: (path) => here.readBytes(path),
  same: async () => false,
  isFile: async () => false,
  real: async (path) => path,
});
