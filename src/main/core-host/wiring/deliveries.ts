import { homedir } from 'node:os';
import { capabilitiesOf } from '@areas/agents/contract/agent-kinds';
import type { AgentProfile, OpenclawProfile } from '@areas/agents/contract/profile';
import type { DeliveryTargetOf } from '@areas/deliveries/contract/target';
import { howToAnswer } from '@areas/deliveries/core/news-text';
import { type OfferAnswer, UpdateOutbox } from '@areas/deliveries/node/outbox';
import type { StatusService } from '@areas/runs/node/status-service';
import type { SettingsService } from '@areas/settings/node/settings-service';
import { appError } from '@contract/errors';
import { err, ok, unreachable } from '@contract/result';
import type { RunEvent, RunEventType } from '@contract/run/events';
import { isLimitTimer } from '@contract/run/status';
import { runTextCommand } from '../../adapters/process/commands/text-command';
import { ulids } from '../../adapters/system/ids';
import { createWebhookSender } from '../../adapters/webhook/send';
import type { createDeliverToMain } from '../../agents/openclaw/deliver';
import { builtinProfiles } from '../../agents/presets';
import type { Clock, Logger } from '../../core/ports/ports';
import type { Processes } from '../../core/ports/programs/process';
import type { Send, Sending, SentContent } from '../../core/ports/store/deliveries';
import type { Store } from '../../core/ports/store/store';
import type { TopicPublisher } from '../../services/publisher';

export interface SenderParts {
  readonly processes: Processes;
  readonly clock: Clock;
  readonly secret: (name: string) => string | null;
  readonly profiles: () => readonly AgentProfile[];
  readonly cwd?: string;
}

interface OutboxWorld {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly processes: Processes;
  readonly secret: (name: string) => string | null;
  readonly settings: SettingsService;
  readonly status: StatusService;
  readonly publisher: TopicPublisher;
  readonly offer: OfferAnswer;
}

const DELIVERED: ReadonlySet<RunEventType> = new Set(['update.posted', 'gate.opened', 'activation.finished']);

/** Whether an event may concern targets. Of timers only those for limits do: teams constantly set others. */
const isDelivered = (event: RunEvent): boolean =>
  DELIVERED.has(event.type) || (event.type === 'timer.set' && isLimitTimer(event));

/** An outbox that follows commits. Sends nothing before it is started. */
export function createOutbox(world: OutboxWorld): UpdateOutbox {
  const { store, clock, logger, processes, secret, settings, status, publisher, offer } = world;
  const profiles = () => [...builtinProfiles, ...store.profiles()];
  const outbox = new UpdateOutbox({
    store,
    clock,
    logger,
    offer,
    newId: ulids.ulid,
    chance: Math.random,
    settings: () => settings.get().deliveries,
    send: createSend({ processes, clock, secret, profiles }),
    changed: () => publisher.changed('deliveries'),
    notice: (text, id) => {
      status.keep({ id, level: 'warning', text });
      publisher.statusChanged();
    },
    takeBack: (id) => {
      if (status.withdraw(id)) publisher.statusChanged();
    },
  });
  publisher.onCommitted((_runId, events) => {
    if (events.some(({ event }) => isDelivered(event))) outbox.posted();
  });
  settings.onChange(() => outbox.settingsChanged());
  return outbox;
}

/** How to send to each kind of target. */
export function createSend(parts: SenderParts): Send {
  const webhook = createWebhookSender(parts.secret);
  const openclaw = openclawSender(parts);
  const command = commandSender(parts);
  return (target, sending) => {
    switch (target.kind) {
      case 'openclaw':
        return openclaw(target, sending);
      case 'webhook':
        return webhook(target, sending);
      case 'command':
        return command(target, sending);
      default:
        return unreachable(target);
    }
  };
}

type DeliverToMain = ReturnType<typeof createDeliverToMain>;

const isOpenclaw = (profile: AgentProfile): profile is OpenclawProfile =>
  capabilitiesOf(profile).takesDeliveries;

/** A gateway forgets its keys at a restart: then a text whose response was lost arrives a second time. */
function openclawSender({ secret, clock, profiles }: SenderParts) {
  // One for all deliveries: it knows the previous text. Its socket code is loaded on first use, not at every
  // start.
  let made: Promise<DeliverToMain> | null = null;
  const sender = (): Promise<DeliverToMain> => {
    made ??= import('../../agents/openclaw/deliver').then(({ createDeliverToMain }) =>
      createDeliverToMain({ secret, clock }),
    );
    return made;
  };
  return async (
    target: DeliveryTargetOf<'openclaw'>,
    { text: message, content, key, sourceSessionKey }: Sending,
  ): ReturnType<Send> => {
    const profile = profiles().find(({ id }) => id === target.profile);
    if (profile === undefined || !isOpenclaw(profile)) {
      const error = appError('not_found', `There is no OpenClaw profile "${target.profile}".`, {
        mend: 'Choose another one in Settings, Deliveries, or create it under Agents.',
      });
      return err({ error, concerns: 'target', again: true, afterMs: null });
    }
    const how = content.kind === 'question' ? howToAnswer(content.question) : null;
    const text = how === null ? message : `${message}\n\n${how}`;
    const source = sourceSessionKey === null ? {} : { sourceSessionKey };
    const deliver = await sender();
    const sent = await deliver({ profile, text, idempotencyKey: key, ...source });
    if (sent.ok) return ok({ receipt: `run ${sent.value.runId}` });
    const { error, retryable, afterMs } = sent.error;
    return err({ error, concerns: 'target', again: retryable, afterMs });
  };
}

/**
 * The command receives the key and may recognise repetitions; how it handles a second try is its own matter.
 */
function commandSender({ processes, cwd = homedir() }: SenderParts) {
  return async (
    { command, seconds }: DeliveryTargetOf<'command'>,
    { key, text, content, run, cut }: Sending,
  ): ReturnType<Send> => {
    const ran = await runTextCommand(processes, {
      script: command,
      cwd,
      text,
      seconds,
      cut,
      env: { MUSTER_DELIVERY_KEY: key, MUSTER_RUN: run.uid, ...variablesOf(content) },
      owner: 'delivery',
    });
    if (ran.ok) return ok({ receipt: ran.value === '' ? 'ended with 0' : lastLine(ran.value) });
    return err({ error: ran.error, concerns: 'target', again: true, afterMs: null });
  };
}

/** Variables for a command besides the text. An answer's token is only in its environment. */
function variablesOf(content: SentContent): Record<string, string> {
  const kind = { MUSTER_KIND: content.kind };
  switch (content.kind) {
    case 'update':
      return { ...kind, MUSTER_RESULT: content.update.result };
    case 'wait':
      return { ...kind, MUSTER_UNTIL: content.wait.until };
    case 'end':
      return { ...kind, MUSTER_OUTCOME: content.end.outcome };
    case 'question': {
      const { gate, answer } = content.question;
      if (answer === null) return { ...kind, MUSTER_GATE: gate };
      const { url, token, options, expires } = answer;
      return {
        ...kind,
        MUSTER_GATE: gate,
        MUSTER_ANSWER_URL: url,
        MUSTER_ANSWER_TOKEN: token,
        MUSTER_ANSWER_OPTIONS: options.join(' '),
        MUSTER_ANSWER_EXPIRES: expires,
      };
    }
  }
}

const lastLine = (text: string): string => (text.split('\n').at(-1) ?? '').slice(0, 200);
