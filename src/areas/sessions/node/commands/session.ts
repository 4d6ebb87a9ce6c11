import { resolve } from 'node:path';
import { fail, ok, type Result } from '@contract/result';
import type { RunState, SessionState } from '@contract/run/state';
import { waitsForItsLimit } from '@contract/run/status';
import { ulids } from '@main/adapters/system/ids';
import { ask } from '@main/api/core-service';
import { findRun } from '@main/cli/address';
import { numberFlag, wholeNumber } from '@main/cli/arguments/flag-values';
import { verbCommand } from '@main/cli/arguments/verbs';
import type { Call, Context } from '@main/cli/command';
import { EXIT, type ExitCode } from '@main/cli/exit';
import type { Link } from '@main/cli/link/link';
import { columns } from '@main/cli/output/columns';
import { duration } from '@main/cli/output/time';
import { actFlags, actOn } from '@main/cli/running/act';
import type { SessionRow } from '../../contract/procedures';

const flags = {
  ...actFlags,
  attach: { value: 'FILE', many: true, help: 'say: a file to attach to the prompt (repeatable)' },
  limit: { value: 'N', help: 'list: the sessions of the last N runs (default 40, at most 100)' },
} as const;
type SessionCall = Call<typeof flags>;
type Done = Promise<Result<ExitCode>>;

interface FoundSession {
  readonly state: RunState;
  readonly session: SessionState;
  /** The location that a session's procedures take. */
  readonly place: { readonly runId: number; readonly sessionId: number };
}

/** The session named by `RUN/SESSION`, or the only unfinished one of RUN. */
async function sessionAt(link: Link, address: string): Promise<Result<FoundSession>> {
  const [name = '', number] = address.split('/');
  const row = await findRun(link, name);
  if (!row.ok) return row;
  const run = await ask(link, 'run.get', { runId: row.value.id });
  if (!run.ok) return run;
  const { state } = run.value;
  const all = Object.values(state.sessions);
  const open = all.filter(({ status }) => status !== 'closed' && status !== 'failed');
  const fit =
    number === undefined ? (open.length > 0 ? open : all) : all.filter(({ id }) => String(id) === number);
  const [session, ...others] = fit;
  const runId = row.value.id;
  if (session === undefined)
    return fail(
      'not_found',
      `run ${runId} has no ${number === undefined ? 'session' : `session ${number}`}`,
      { mend: `muster session list; it has: ${all.map(({ id }) => `${runId}/${id}`).join(', ') || 'none'}` },
    );
  if (others.length > 0)
    return fail('input.invalid', `run ${runId} has ${fit.length} sessions`, {
      mend: `name one: ${fit.map(({ id, profileId }) => `${runId}/${id} (${profileId})`).join(', ')}`,
    });
  return ok({ state, session, place: { runId, sessionId: session.id } });
}

const onSession = (
  context: Context,
  { words, flags: { wait, detach } }: SessionCall,
  work: (link: Link, place: FoundSession['place']) => Promise<Result<{ readonly text: string }>>,
): Done =>
  actOn<FoundSession>(context, {
    flags: { wait, detach },
    find: async (link) => {
      const found = await sessionAt(link, words[1] ?? '');
      if (!found.ok) return found;
      const { place, state } = found.value;
      return ok({ ...found.value, runId: place.runId, afterSeq: state.seq });
    },
    work: (link, { place }) => work(link, place),
  });

async function list(context: Context, { flags: { limit } }: SessionCall): Done {
  const most = numberFlag('limit', limit, wholeNumber(1, 100));
  if (!most.ok) return most;
  const link = await context.open({ mode: 'reading' });
  if (!link.ok) return link;
  const listed = await ask(link.value, 'session.list', { limit: most.value ?? 40 });
  if (!listed.ok) return listed;
  const { out } = context;
  const rows = listed.value.flatMap(({ runId, runName, sessions }) =>
    sessions.map((row) => [
      `${runId}/${row.sessionId}`,
      row.profileId,
      row.working ? 'working' : row.status,
      duration(Date.now() - row.since),
      row.queued === 0 ? '' : String(row.queued),
      placeOf(row),
      runName,
    ]),
  );
  const head = ['SESSION', 'AGENT', 'STATE', 'SINCE', 'QUEUED', 'STEP', 'RUN'].map(out.style.dim);
  out.document({ runs: listed.value }, () =>
    rows.length === 0 ? ['No sessions.'] : columns([head, ...rows], { width: out.width }),
  );
  return ok(EXIT.ok);
}

const placeOf = ({ stepId, role }: SessionRow): string =>
  [stepId, role].filter((one) => one !== null).join(' ');

/** The operator's unsent prompts in a session. */
async function queue(context: Context, { words }: SessionCall): Done {
  const link = await context.open({ mode: 'reading' });
  if (!link.ok) return link;
  const found = await sessionAt(link.value, words[1] ?? '');
  if (!found.ok) return found;
  const { state, session } = found.value;
  const prompts = Object.values(state.prompts).filter(
    (prompt) =>
      prompt.sessionId === session.id && (prompt.status === 'queued' || waitsForItsLimit(state, prompt)),
  );
  const { out } = context;
  out.document({ prompts }, () =>
    prompts.length === 0
      ? ['No prompt waits.']
      : columns(
          [
            ['N', 'SINCE', 'FILES', 'TEXT'].map(out.style.dim),
            ...prompts.map(({ id, at, attachments, text }) => [
              String(id),
              duration(Date.now() - at),
              attachments.length === 0 ? '' : String(attachments.length),
              text.split('\n')[0] ?? '',
            ]),
          ],
          { width: out.width },
        ),
  );
  return ok(EXIT.ok);
}

async function say(context: Context, call: SessionCall): Done {
  const given = call.words[2] ?? '';
  const text = given === '-' ? await context.readInput() : given;
  if (text.trim() === '') return fail('input.invalid', 'say needs a text');
  const attachments = call.flags.attach.map((file) => resolve(context.cwd, file));
  const key = ulids.ulid();
  return onSession(context, call, async (link, place) => {
    const queued = await ask(link, 'session.prompt', { ...place, key, text, attachments });
    if (!queued.ok) return queued;
    const { promptId } = queued.value;
    const told = `Prompt ${promptId} is sent when the session is free.`;
    return ok({ text: told, promptId });
  });
}

async function withdraw(context: Context, call: SessionCall): Done {
  const number = call.words[2] ?? '';
  if (!/^[1-9]\d{0,8}$/.test(number))
    return fail('input.invalid', `"${number}" is not a prompt number`, {
      mend: 'muster session queue RUN lists them',
    });
  const promptId = Number(number);
  return onSession(context, call, async (link, { runId }) => {
    const done = await ask(link, 'session.withdrawPrompt', { runId, promptId });
    return done.ok ? ok({ text: `Prompt ${promptId} was withdrawn.` }) : done;
  });
}

const interrupt = (context: Context, call: SessionCall): Done =>
  onSession(context, call, async (link, place) => {
    const done = await ask(link, 'session.cancelTurn', place);
    return done.ok ? ok({ text: 'The turn is being ended.' }) : done;
  });

const park = (context: Context, call: SessionCall): Done =>
  onSession(context, call, async (link, place) => {
    const done = await ask(link, 'session.park', place);
    return done.ok ? ok({ text: 'The session is parked; its next prompt resumes it.' }) : done;
  });

export const sessionCommand = verbCommand({
  name: 'session',
  summary: 'Lists sessions, queues and withdraws prompts in them, ends a turn, parks an agent.',
  words: 'VERB [RUN[/SESSION]] [...]',
  heedsStop: true,
  more: [
    'A prompt is sent when the current turn ends; it reopens a finished run. TEXT - reads standard input. In a team, use',
    '`muster team say` to write to a member.',
  ].join('\n'),
  flags,
  verbs: {
    list: { words: '', help: 'the sessions of the last runs', run: list },
    say: { words: 'RUN[/SESSION] TEXT', help: 'queue a prompt', run: say },
    queue: { words: 'RUN[/SESSION]', help: 'your queued prompts', run: queue },
    withdraw: { words: 'RUN[/SESSION] N', run: withdraw, help: 'withdraw prompt N of the queue' },
    interrupt: { words: 'RUN[/SESSION]', help: 'end the running turn', run: interrupt },
    park: { words: 'RUN[/SESSION]', help: 'end an idle agent', run: park },
  },
});
