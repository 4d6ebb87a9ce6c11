import { fail, ok, type Result } from '@contract/result';
import type { ForgeHost, ProjectForge } from '../contract/forge';
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
export interface OpenForge {
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

  constructor(private readonly parts: ForgesParts) {}

  async describe(projectPath: string): Promise<Result<ProjectForge>> {
    const found = await this.#find(projectPath);
    if (!found.ok) return found;
    const { of, ...place } = found.value;
    return ok({ ...place, login: (await loginFor(of, this.parts))?.from ?? null });
  }

  async open(projectPath: string): Promise<Result<OpenForge>> {
    const found = await this.#find(projectPath);
    if (!found.ok) return found;
    const { of, ...place } = found.value;
    const login = await loginFor(of, this.parts);
    if (login === null) {
      return fail('forge.login', `There is no token for ${of.host}.`, {
        mend: 'Run "gh auth login", or store a token under Agents, Secrets.',
      });
    }
    return ok({ ...place, forge: this.#client(of, login) });
  }

  /** When this host takes requests again; 0 if it takes them now. */
  heldUntil(host: string): number {
    return this.#heldUntil.get(host) ?? 0;
  }

  async #find(projectPath: string): Promise<Result<FoundForge>> {
    const listed = await this.parts.git(projectPath, 'remote', '-v');
    if (!listed.ok) return listed;
    const remotes = remotesOf(listed.value);
    const known = [...this.parts.hosts(), ...PUBLIC_HOSTS];
    for (const { remote, place } of remotes) {
      const of = known.find(({ host }) => host.toLowerCase() === place.host);
      if (of !== undefined)
        return ok({ of, host: of.host, kind: of.kind, repository: place.repository, remote });
    }
    const [first] = remotes;
    if (first === undefined)
      return fail('forge.none', 'The project has no git remote on a forge.', {
        mend: 'Add one with: git remote add origin ADDRESS',
      });
    return fail('forge.none', `Muster does not know the host ${first.place.host}.`, {
      mend: `Add it with: muster forge add ${first.place.host} --kind github`,
    });
  }

  #client({ host, api }: ForgeHost, { token }: Login): Forge {
    const key = `${host} ${token}`;
    const known = this.#clients.get(key);
    if (known !== undefined) return known;
    const { now } = this.parts;
    const held = (ms: number): void => void this.#heldUntil.set(host, now() + ms);
    const made = new Github({ host, api: api ?? `https://${host}/api/v3`, token, now, held });
    this.#clients.set(key, made);
    return made;
  }
}
