import { plainSecrets } from '@areas/agents/contract/plain-secrets';
import type { AgentProfile } from '@areas/agents/contract/profile';
import { secretNamesOf } from '@areas/agents/contract/secret-names';
import { type AppError, appError } from '@contract/errors';
import { ownValue } from '@contract/own';
import { err, ok, type Result } from '@contract/result';
import type {
  AgentPort,
  Reattached,
  Session,
  SessionListener,
  SessionSpec,
  TurnRequest,
  TurnResult,
} from '../core/ports/ports';
import { ItemRedactor, type Redactor, redactorOf } from './redact';

export interface SecretParts {
  /** The value from the keychain or Muster's own environment. */
  read(name: string): string | null;
  /** By session key, for sessions with secrets: for agents' text that arrives through Muster's own tools. */
  readonly redactors: Map<string, Redactor>;
}

/**
 * Gives an agent the secrets that its profile names, as environment variables of its process, and removes
 * their values from its output before anyone sees it: they exist only in that process.
 */
export function withSecrets(agent: AgentPort, secrets: SecretParts): AgentPort {
  const reattach = agent.reattach?.bind(agent);
  return {
    kind: agent.kind,
    async open(wanted, listener) {
      const missing = missingSecrets(wanted, secrets);
      if (missing.length > 0) return err(unset(wanted.profile, missing));
      const spec = filled(wanted, secrets);
      const screen = screenOf(spec, secrets, listener);
      if (screen === null) return agent.open(spec, listener);
      return screen.opened(await agent.open(spec, screen.listener), (session) => screen.session(session));
    },
    ...(reattach && {
      async reattach(wanted, past, listener) {
        const spec = filled(wanted, secrets);
        const screen = screenOf(spec, secrets, listener);
        if (screen === null) return reattach(spec, past, listener);
        const found = await reattach(spec, past, screen.listener);
        return screen.opened(found, (one) => screen.reattached(one, past.turn?.turnId ?? 0));
      },
    }),
  };
}

/** An agent without a required secret would start, and fail later with an unclear message. */
const missingSecrets = ({ profile, env }: SessionSpec, { read }: SecretParts): string[] =>
  profile.secrets.filter(
    (name) => !ownValue(env, name) && !ownValue(profile.env, name) && (read(name) ?? '') === '',
  );

const unset = ({ name }: AgentProfile, missing: readonly string[]): AppError =>
  appError(
    'secret.missing',
    `${name} was not started: ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not set.`,
    {
      mend: `Set ${missing.join(', ')} in Agents, Secrets, or as an environment variable of Muster, and start Muster again; then resume the run.`,
    },
  );

function filled(spec: SessionSpec, { read }: SecretParts): SessionSpec {
  const found = spec.profile.secrets.flatMap((name): [string, string][] => {
    const value = read(name);
    return value === null ? [] : [[name, value]];
  });
  return { ...spec, env: { ...Object.fromEntries(found), ...spec.env } };
}

function screenOf(
  { env, key, profile }: SessionSpec,
  { read, redactors }: SecretParts,
  listener: SessionListener,
): Screen | null {
  const values = namesOf(profile).flatMap((name) => [
    read(name),
    ownValue(env, name),
    ownValue(profile.env, name),
  ]);
  const redact = redactorOf(values.filter((value) => value != null));
  if (redact === null) return null;
  redactors.set(key, redact);
  return new Screen(redact, listener);
}

const namesOf = (profile: AgentProfile): string[] => [...secretNamesOf(profile), ...plainSecrets(profile)];

/** Filters what one session reports to its listeners. */
class Screen {
  readonly #turns = new Map<number, ItemRedactor>();

  constructor(
    private readonly redact: Redactor,
    private readonly inner: SessionListener,
  ) {}

  get listener(): SessionListener {
    const { redact, inner } = this;
    const { observed, ownTool } = inner;
    return {
      items: (turnId, items) => {
        const turn = this.#turns.get(turnId) ?? new ItemRedactor(redact);
        this.#turns.set(turnId, turn);
        const shown = turn.take(items);
        if (shown.length > 0) inner.items(turnId, shown);
      },
      permission: (turnId, request) =>
        // Unchanged, since a question is recognised by its hash.
        inner.permission(turnId, { ...redact.deep(request), hash: request.hash }),
      ...(ownTool && { ownTool: (request) => ownTool.call(inner, request) }),
      ...(observed && { observed: (turnId, seen) => observed.call(inner, turnId, redact.deep(seen)) }),
      lost: (reason) => inner.lost(redact.text(reason)),
    };
  }

  opened<T>(found: Result<T>, screened: (one: T) => T): Result<T> {
    return found.ok ? ok(screened(found.value)) : err(this.redact.deep(found.error));
  }

  session(session: Session): Session {
    const { ready } = session;
    const taken = session.taken?.bind(session);
    const type = session.type?.bind(session);
    return {
      ready: { ...this.redact.deep(ready), providerSessionId: ready.providerSessionId },
      ...(session.choices && { choices: session.choices }),
      turn: (request: TurnRequest) => this.#ended(request.turnId, session.turn(request)),
      cancel: () => session.cancel(),
      park: () => session.park(),
      close: () => session.close(),
      ...(taken && { taken }),
      ...(type && { type }),
    };
  }

  reattached({ session, turn }: Reattached, turnId: number): Reattached {
    const screened = this.session(session);
    if (turn?.kind !== 'goes_on') return { session: screened, turn };
    return { session: screened, turn: { ...turn, follow: () => this.#ended(turnId, turn.follow()) } };
  }

  async #ended(turnId: number, turn: Promise<TurnResult>): Promise<TurnResult> {
    const result = this.redact.deep(await turn);
    const rest = this.#turns.get(turnId)?.rest() ?? [];
    this.#turns.delete(turnId);
    if (rest.length > 0) this.inner.items(turnId, rest);
    return result;
  }
}
