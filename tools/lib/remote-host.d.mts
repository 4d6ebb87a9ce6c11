export function buildRemoteHost(wish: {
  readonly root: string;
  readonly folder: string;
  readonly alias: Readonly<Record<string, string>>;
  readonly target: string;
  readonly minify: boolean;
  readonly watch?: object | null;
}): Promise<unknown>;
