/** A real OpenClaw gateway on loopback with a scripted model; it writes only to a folder of the test. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentProfileSchema, type OpenclawProfile } from '@areas/agents/contract/profile';
import { z } from 'zod';
import { createClock } from '../../../src/main/adapters/system/clock';
import { defaultLimits } from '../../../src/main/agents/openclaw/limits';
import { Link } from '../../../src/main/agents/openclaw/link';
import { readPlace } from '../../../src/main/agents/openclaw/place';
import { type ModelServer, startModelServer } from '../../fixtures/model-server';
import { until } from './until';

const READY_MS = 90_000;
const MODEL = {
  id: 'script-1',
  name: 'script-1',
  reasoning: true,
  input: ['text', 'image'],
  cost: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 128_000,
  maxTokens: 4096,
};

/** Where OpenClaw is installed (tools/agents/openclaw.mjs), or why it is not. */
export function openclawFolder(): { readonly folder: string } | { readonly missing: string } {
  const folder = process.env.MUSTER_AGENTS_OPENCLAW;
  if (folder === undefined || folder === '')
    return { missing: 'OpenClaw is not installed: npm run test:agents' };
  return existsSync(join(folder, 'node')) ? { folder } : { missing: `there is no OpenClaw in ${folder}` };
}

const rowsSchema = z.looseObject({
  messages: z.array(
    z.looseObject({ role: z.string(), content: z.unknown(), provenance: z.unknown().optional() }),
  ),
});
type Rows = z.infer<typeof rowsSchema>['messages'];

interface GatewayParts extends Ground {
  readonly child: ChildProcess;
}

export class RealGateway {
  private constructor(private readonly parts: GatewayParts) {}

  get models(): ModelServer {
    return this.parts.models;
  }

  get port(): number {
    return this.parts.port;
  }

  get token(): string {
    return this.parts.token;
  }

  get url(): string {
    return `ws://127.0.0.1:${this.port}`;
  }

  static async start(installed: string): Promise<RealGateway> {
    const models = await startModelServer();
    const port = await freePort();
    const folder = mkdtempSync(join(tmpdir(), 'muster-openclaw-'));
    const token = randomBytes(16).toString('hex');
    for (const name of ['tmp', 'workspace']) mkdirSync(join(folder, name));
    const config = join(folder, 'openclaw.json');
    writeFileSync(config, JSON.stringify(settings({ folder, port, token, models })));
    const log = openSync(join(folder, 'gateway.log'), 'w');
    const entry = join(installed, 'node_modules', 'openclaw', 'openclaw.mjs');
    const child = spawn(join(installed, 'node'), [entry, 'gateway', 'run'], {
      env: environment(folder, config),
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    const gateway = new RealGateway({ models, port, folder, child, token });
    await gateway.#ready();
    return gateway;
  }

  /** Its profile in Muster. */
  profile(url = this.url): OpenclawProfile {
    const known = { kind: 'gateway', id: 'claw', name: 'Claw', api: 'openclaw' };
    const place = { base_url: url, api_key_secret: 'CLAW_TOKEN' };
    return agentProfileSchema.parse({ ...known, ...place }) as OpenclawProfile;
  }

  /** Rows of its own transcript of a session. */
  async rows(sessionKey: string): Promise<Rows> {
    const place = readPlace(this.profile(), () => this.token);
    if (!place.ok) throw new Error(place.error.message);
    const link = new Link({ place: place.value, clock: createClock(), limits: defaultLimits });
    const opened = await link.connect({ forMs: 0, away: false });
    if (!opened.ok) throw new Error(opened.error.error.message);
    const asked = { sessionKey, limit: 50 };
    const reply = await opened.value.request('chat.history', asked, { schema: rowsSchema });
    link.close();
    if (reply.kind !== 'answer') throw new Error(JSON.stringify(reply));
    return reply.value.messages;
  }

  async stop(): Promise<void> {
    if (this.parts.child.exitCode === null && this.parts.child.signalCode === null) {
      const exited = once(this.parts.child, 'exit');
      this.parts.child.kill('SIGTERM');
      const kill = setTimeout(() => this.parts.child.kill('SIGKILL'), 15_000);
      await exited;
      clearTimeout(kill);
    }
    await this.parts.models.close();
    rmSync(this.parts.folder, { recursive: true, force: true, maxRetries: 10 });
  }

  #ready(): Promise<true> {
    return until(
      'a gateway that is ready',
      async () => {
        if (this.parts.child.exitCode !== null) {
          throw new Error(readFileSync(join(this.parts.folder, 'gateway.log'), 'utf8').slice(-3000));
        }
        const answer = await fetch(`http://127.0.0.1:${this.port}/readyz`).catch(() => null);
        return answer?.ok === true;
      },
      READY_MS,
    ) as Promise<true>;
  }
}

interface Ground {
  readonly folder: string;
  readonly port: number;
  readonly token: string;
  readonly models: ModelServer;
}

const settings = ({ folder, port, token, models }: Ground) => ({
  gateway: {
    mode: 'local',
    bind: 'loopback',
    port,
    auth: { mode: 'token', token },
    controlUi: { enabled: false },
  },
  agents: {
    defaults: {
      workspace: join(folder, 'workspace'),
      skipBootstrap: true,
      model: { primary: `scripted/${MODEL.id}` },
      models: { [`scripted/${MODEL.id}`]: {} },
      // Otherwise it sends requests to its model by itself from time to time.
      heartbeat: { every: '0m' },
    },
  },
  models: {
    mode: 'replace',
    providers: {
      scripted: {
        baseUrl: models.url,
        apiKey: 'key-for-loopback',
        api: 'openai-completions',
        models: [MODEL],
      },
    },
  },
  discovery: { mdns: { mode: 'off' } },
  update: { checkOnStart: false },
  session: { notifyOnCreate: false },
  logging: { file: join(folder, 'openclaw.log') },
  plugins: { enabled: false },
  tools: { profile: 'coding' },
});

const environment = (folder: string, config: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: folder,
  TMPDIR: join(folder, 'tmp'),
  OPENCLAW_STATE_DIR: folder,
  OPENCLAW_CONFIG_PATH: config,
  OPENCLAW_DISABLE_BONJOUR: '1',
  OPENCLAW_SKIP_CHANNELS: '1',
  OPENCLAW_NO_RESPAWN: '1',
  OPENCLAW_EXEC_SHELL_SNAPSHOT: '0',
  OPENCLAW_SKIP_CRON: '1',
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** A proxy to the gateway whose connections can be interrupted. */
export class Wire {
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  connections = 0;

  private constructor(private readonly server: Server) {}

  static async to(port: number): Promise<Wire> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const wire = new Wire(server);
    server.on('connection', (near) => wire.#join(near, connect(port, '127.0.0.1')));
    return wire;
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Closes all current connections; later ones work again. */
  cut(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
    this.#pairs.clear();
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.cut();
    await closed;
  }

  #join(near: Socket, far: Socket): void {
    this.connections += 1;
    this.#pairs.add([near, far]);
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) {
      socket.on('error', () => {});
      socket.on('close', () => {
        near.destroy();
        far.destroy();
      });
    }
  }
}
