import { capabilitiesOf } from '@areas/agents/contract/agent-kinds';
import { missingAgents } from '@areas/doctor/contract/procedures';
import { type AppError, appError } from '@contract/errors';
import { err, ok, type Result } from '@contract/result';
import { ask } from '../../api/core-service';
import type { Context } from '../command';
import type { Link } from '../link/link';

interface Choice {
  /** The flag that names it. */
  readonly flag: string;
  /** The project, which Muster may not know yet. */
  readonly folder: string;
}

/** The default profile of the settings. Nothing else is chosen silently, least of all a scripted agent. */
export async function defaultAgent(link: Link, context: Context, choice: Choice): Promise<Result<string>> {
  const settings = await ask(link, 'settings.get', {});
  if (!settings.ok) return settings;
  const { defaultProfile } = settings.value;
  return defaultProfile === null ? err(await noAgent(link, context, choice)) : ok(defaultProfile);
}

/** That an agent must be named, and which can work; if none can, where it is said what is missing. */
async function noAgent(link: Link, { again }: Context, { flag, folder }: Choice): Promise<AppError> {
  const message = `name the agent with ${flag}`;
  const [listed, found] = await Promise.all([
    ask(link, 'agent.list', { path: folder }),
    ask(link, 'doctor.get', {}),
  ]);
  if (!listed.ok || !found.ok) return appError('input.invalid', message, { mend: again('agents') });
  const missing = missingAgents(found.value);
  const rows = listed.value.filter(({ trouble, profile }) => trouble === null && !missing.has(profile.id));
  const real = rows.filter(({ profile }) => !capabilitiesOf(profile).rehearsed);
  if (real.length > 0) {
    const ids = [...new Set(real.map(({ profile }) => profile.id))];
    return appError('input.invalid', message, { mend: `${flag} ${ids.join(`, or ${flag} `)}` });
  }
  const rehearsal = rows.find(({ source }) => source !== 'builtin') ?? rows[0];
  const rehearse =
    rehearsal === undefined
      ? ''
      : `; ${flag} ${rehearsal.profile.id} rehearses with a script, and no model answers`;
  return appError('input.invalid', `no agent is ready on this machine: ${message}`, {
    mend: `${again('doctor')} says what is missing${rehearse}`,
  });
}
