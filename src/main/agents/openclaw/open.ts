import { err, ok, type Result } from '@contract/result';
import type { WorkspaceFiles } from '../../core/ports/files';
import type { Clock, Logger, Session, SessionListener, SessionSpec } from '../../core/ports/ports';
import type { Connection } from './connection';
import type { OpenclawLimits } from './limits';
import { Link } from './link';
import { runsOf, sessionKeyOf } from './names';
import type { GatewayPlace } from './place';
import { OpenclawSession } from './session';
import { abortSchema, describeSchema, historySchema } from './wire';

interface OpenParts {
  readonly spec: SessionSpec;
  readonly listener: SessionListener;
  readonly place: GatewayPlace;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits: OpenclawLimits;
  readonly files: Pick<WorkspaceFiles, 'readBytes'>;
}

/** Connects, and determines whether the conversation already exists. */
export async function openSession(parts: OpenParts): Promise<Result<Session>> {
  const { spec, place, limits } = parts;
  const link = new Link(parts);
  let connecting = true;
  void spec.unwanted?.then(() => connecting && link.close());
  const opened = await link.connect({ forMs: limits.startMs, away: false }).finally(() => {
    connecting = false;
  });
  if (!opened.ok) {
    link.close();
    return err(opened.error.error);
  }
  const { hello } = opened.value;
  const sessionKey = spec.resume?.providerSessionId ?? sessionKeyOf(place.profile, spec.key, hello);
  const found = spec.resume === null ? null : await takeUp(parts, opened.value, sessionKey);
  const notices = [ignored(spec), ...(found?.notices ?? [])].filter((text) => text !== null);
  const ready = {
    providerSessionId: sessionKey,
    agent: `OpenClaw ${hello.server.version} at ${new URL(place.address).host}`,
    capabilities: { resume: true, cancel: true, permissions: false, images: true, embeddedFiles: true },
    fresh: found?.known !== true,
    notice: notices.length === 0 ? null : notices.join(' '),
  };
  return ok(new OpenclawSession({ ...parts, link, sessionKey, ready }));
}

interface FoundConversation {
  readonly known: boolean;
  readonly notices: readonly string[];
}

/**
 * An earlier conversation. A run that a lost Muster left there is ended, as a local agent's process would
 * have been.
 */
async function takeUp(
  { spec, logger }: OpenParts,
  connection: Connection,
  key: string,
): Promise<FoundConversation> {
  const described = await connection.request('sessions.describe', { key }, { schema: describeSchema });
  if (described.kind === 'answer' && described.value.session === null) {
    const earlierTurns = spec.resume?.turns.length ?? 0;
    const lost = `The gateway has no session ${key} any more: its agent knows nothing of the earlier turns.`;
    return { known: false, notices: earlierTurns === 0 ? [] : [lost] };
  }
  const history = await connection.request(
    'chat.history',
    { sessionKey: key, limit: 1 },
    { schema: historySchema },
  );
  const runId = history.kind === 'answer' ? history.value.inFlightRun?.runId : undefined;
  if (runId === undefined || !runId.startsWith(runsOf(spec.key))) return { known: true, notices: [] };
  const reply = await connection.request('chat.abort', { sessionKey: key, runId }, { schema: abortSchema });
  logger.info('a run that was left at the gateway was to end', { runId, reply: reply.kind });
  if (reply.kind === 'answer') return { known: true, notices: [] };
  return { known: true, notices: ['The interrupted turn is still running at the gateway.'] };
}

/** Settings that the gateway itself decides. */
function ignored({ model, mode }: SessionSpec): string | null {
  const named = [model === null ? null : `model ${model}`, mode === null ? null : `mode ${mode}`].filter(
    (one) => one !== null,
  );
  return named.length === 0 ? null : `The gateway chooses these itself: ${named.join(', ')} is not used.`;
}
