import type { ForgeHost, ForgeKind, ProjectForge } from '../contract/forge';

export interface Login {
  readonly token: string;
  readonly from: NonNullable<ProjectForge['login']>;
}

export interface LoginParts {
  /** A secret of the keychain or an environment variable; null if there is none. */
  secret(name: string): string | null;
  /** The output of a program; null if it is not installed or fails. */
  program(name: string, args: readonly string[]): Promise<string | null>;
}

const NAMES: Readonly<Record<ForgeKind, readonly string[]>> = {
  github: ['GITHUB_TOKEN', 'GH_TOKEN'],
};

/** Public hosts get the usual secrets. No other host ever does: a remote may name any address. */
export const PUBLIC_HOSTS: readonly ForgeHost[] = [
  { host: 'github.com', kind: 'github', api: 'https://api.github.com', secret: null },
];

/** The token for a host: from a secret, else from the forge's own command line if it is logged in. */
export async function loginFor(host: ForgeHost, { secret, program }: LoginParts): Promise<Login | null> {
  const names = PUBLIC_HOSTS.includes(host) ? NAMES[host.kind] : host.secret === null ? [] : [host.secret];
  for (const name of names) {
    const token = secret(name)?.trim();
    if (token !== undefined && token !== '') return { token, from: 'secret' };
  }
  const token = (await program('gh', ['auth', 'token', '--hostname', host.host]))?.trim();
  // A token is one word: anything else is a message.
  return token === undefined || !/^\S+$/.test(token) ? null : { token, from: 'gh' };
}
