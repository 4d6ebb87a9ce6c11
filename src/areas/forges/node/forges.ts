import { type AppError, appError } from '@contract/errors';
import { err, fail, ok, type Result } from '@contract/result';
import type { ForgeHost, ProjectForge } from '../contract/forge';
import { FORGE_LOGIN_KEPT_MS } from '../contract/limits';
import type { Forge } from '../core/port';
import { remotesOf } from '../core/remote';
import { Github } from './github/github';
import { type Login, type LoginParts, loginFor, PUBLIC_HOSTS } from './logins';

interface ForgesParts extends LoginParts {
  hosts(): readonly ForgeHost[];
  /** Git's output in a folder; the error says why it failed. */
  git(cwd: string, ...args: string[]): Promise<Result<string>>;
  now(): number;
}

/** A project's forge with a token. */
interface OpenForge {
  readonly forge: Forge;
  readonly host: string;
  readonly kind: ForgeHost['kind'];
  readonly repository: string;
  readonly remote: string;
}

type FoundForge = Omit<OpenForge, 'forge'> & { readonly of: ForgeHost };

/** The forges of projects, found from their git remotes. One client for each host and token. */
export class Forges {
  readonly #clients = new Map<string, Forge>();
  /** When a host takes requests again. */
  readonly #heldUntil = new Map<string, number>();
  readonly #logins = new Map<
    string,
    { readonly of: string | null; readonly login: Login; readonly until: number }
  >();

  constructor(private readonly parts: ForgesParts) {}

  async describe(projectPath: string): Promise<Result<ProjectForge>> {
    const found = await this.#find(projectPath);
    if (!found.ok) return found;
    const { of, ...place } = found.value;
    const login = await this.#login(of);
    return ok({ ...place, login: login?.from ?? null, problem: login === null ? noToken(of) : null });
  }

  async open(projectPath: string): Promise<Result<OpenForge>> {
    const found = await this.#find(projectPath);
    if (!found.ok) return found;
    const { of, ...place } = found.value;
    const login = await this.#login(of);
    if (login === null) return err(noToken(of));
    return ok({ ...place, forge: this.#client(of, login) });
  }

  /** The client of a host that is known by its name: a poll starts neither git nor, each time, `gh`. */
  async at(name: string): Promise<Result<Forge>> {
    const of = this.#known().find(({ host }) => host === name);
    if (of === undefined)
      return fail('forge.none', `Muster does not know the host ${name} any more.`, { mend: addHost(name) });
    const login = await this.#login(of);
    return login === null ? err(noToken(of)) : ok(this.#client(of, login));
  }

  /** When this host takes requests again; 0 if it takes them now. */
  heldUntil(host: string): number {
    return this.#heldUntil.get(host) ?? 0;
  }

  async #find(projectPath: string): Promise<Result<FoundForge>> {
    const listed = await this.parts.git(projectPath, 'remote', '-v');
    if (!listed.ok) return listed;
    const remotes = remotesOf(listed.value);
    const known = this.#known();
    for (const { remote, place } of remotes) {
      const of = known.find(({ host }) => host.toLowerCase() === place.host);
      if (of !== undefined)
        return ok({ of, host: of.host, kind: of.kind, repository: place.repository, remote });
    }
    const [first] = remotes;
    if (first === undefined)
      return fail('forge.none', 'The project has no git remote on a forge.', {
        mend: 'add one with `git remote add origin ADDRESS`',
      });
    return fail('forge.none', `Muster does not know the host ${first.place.host}.`, {
      mend: addHost(first.place.host),
    });
  }

  #known = (): readonly ForgeHost[] => [...this.parts.hosts(), ...PUBLIC_HOSTS];

  /** A login of `gh` is kept for a while. A refused one is read again by the next request. */
  async #login(of: ForgeHost): Promise<Login | null> {
    const { now } = this.parts;
    const kept = this.#logins.get(of.host);
    if (kept !== undefined && kept.of === of.secret && now() < kept.until) return kept.login;
    const login = await loginFor(of, this.parts);
    if (login?.from === 'gh')
      this.#logins.set(of.host, { of: of.secret, login, until: now() + FORGE_LOGIN_KEPT_MS });
    else this.#logins.delete(of.host);
    return login;
  }

  #client({ host, api }: ForgeHost, { token }: Login): Forge {
    const key = `${host} ${token}`;
    const known = this.#clients.get(key);
    if (known !== undefined) return known;
    const { now } = this.parts;
    const held = (ms: number): void => void this.#heldUntil.set(host, now() + ms);
    const refused = (): void => void this.#logins.delete(host);
    const made = new Github({ host, api: api ?? `https://${host}/api/v3`, token, now, held, refused });
    this.#clients.set(key, made);
    return made;
  }
}

const addHost = (host: string): string => `add it with \`muster forge add ${host} --kind github\``;

/** No login of `gh`, and no secret, for this host. */
function noToken({ host, secret }: ForgeHost): AppError {
  const login = host === 'github.com' ? 'gh auth login' : `gh auth login --hostname ${host}`;
  const named = secret === null ? 'a token' : `the secret ${secret}`;
  return appError('forge.login', `There is no token for ${host}.`, {
    mend: `run \`${login}\`, or store ${named} under Agents, Secrets`,
  });
}
