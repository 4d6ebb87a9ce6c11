import { spawn } from 'node:child_process';
import { createServer, type Server as TcpServer } from 'node:net';
import ssh2, { type Connection, type ServerChannel } from 'ssh2';

type Auth = 'publickey' | 'password';

export interface ServerWish {
  readonly hostKey: string;
  /** The ways to log in; anyone who uses one of them is let in. */
  readonly auth?: Auth;
  /** The environment of commands. */
  readonly env: Readonly<Record<string, string>>;
  /** What the login shell prints before each command. */
  readonly prints?: string;
  /** Run in place of every command. */
  readonly forced?: string;
}

export interface RunningServer {
  readonly port: number;
  close(): Promise<void>;
}

/** An ssh server on this machine that runs real commands. */
export async function startSshServer(wish: ServerWish): Promise<RunningServer> {
  const connections = new Set<Connection>();
  const server = new ssh2.Server({ hostKeys: [wish.hostKey] }, (client) => {
    connections.add(client);
    const allowed = wish.auth ?? 'publickey';
    client.on('authentication', (context) => {
      if (context.method === allowed) context.accept();
      else context.reject([allowed]);
    });
    client.on('ready', () => {
      client.on('session', (accept) => {
        const session = accept();
        session.on('exec', (acceptExec, _reject, { command }) => run(acceptExec(), command, wish));
      });
    });
    client.on('error', () => undefined);
    client.on('close', () => connections.delete(client));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: portOf(server),
    close: async () => {
      for (const one of connections) one.end();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function run(channel: ServerChannel, command: string, { env, prints = '', forced }: ServerWish): void {
  const child = spawn('/bin/sh', ['-c', forced ?? command], {
    env: { ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  if (prints !== '') channel.write(prints);
  channel.pipe(child.stdin);
  child.stdin.on('error', () => undefined);
  child.stdout.pipe(channel, { end: false });
  child.stderr.pipe(channel.stderr, { end: false });
  // A lost connection ends the command's input, as sshd does.
  channel.on('close', () => child.stdin.destroy());
  child.on('close', (code) => {
    channel.exit(code ?? 1);
    channel.end();
  });
}

const portOf = (server: { address(): ReturnType<TcpServer['address']> }): number => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
};

export interface CutProxy {
  readonly port: number;
  /** How many connections it has refused. */
  refused(): number;
  /** Breaks every connection, and refuses new ones until `mend`. */
  cut(): void;
  /** Passes nothing on, and closes nothing. */
  freeze(): void;
  mend(): void;
  close(): void;
}

/** Stands between ssh and its server. */
export async function startCutProxy(target: number): Promise<CutProxy> {
  const { createConnection } = await import('node:net');
  const pairs = new Set<
    readonly [ReturnType<typeof createConnection>, ReturnType<typeof createConnection>]
  >();
  let broken = false;
  let refused = 0;
  const server = createServer((near) => {
    if (broken) {
      refused += 1;
      near.destroy();
      return;
    }
    const far = createConnection(target, '127.0.0.1');
    const pair = [near, far] as const;
    pairs.add(pair);
    near.pipe(far).pipe(near);
    for (const [one, other] of [pair, [far, near] as const]) {
      one.on('error', () => undefined);
      one.on('close', () => {
        pairs.delete(pair);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): void => {
    broken = true;
    for (const [near, far] of pairs) {
      near.destroy();
      far.destroy();
    }
  };
  return {
    port: portOf(server),
    cut,
    refused: () => refused,
    freeze: () => {
      for (const [near, far] of pairs) {
        near.unpipe(far).pause();
        far.unpipe(near).pause();
      }
    },
    mend: () => {
      broken = false;
    },
    close: () => {
      cut();
      server.close();
    },
  };
}
