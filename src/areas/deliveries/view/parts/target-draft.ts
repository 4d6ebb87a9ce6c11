import { ownValue, setOwnValue } from '@contract/own';
import {
  type AnswerPolicy,
  type DeliveryFilter,
  type DeliveryKind,
  type DeliveryTarget,
  deliveryKinds,
  deliveryTargetSchema,
} from '../../contract/target';

/** A target being entered: the fields of all kinds, so that a change of kind loses nothing. */
export interface TargetDraft {
  readonly id: string;
  readonly kind: DeliveryTarget['kind'];
  readonly name: string;
  readonly enabled: boolean;
  readonly filter: DeliveryFilter;
  readonly sends: readonly DeliveryKind[];
  readonly answers: AnswerPolicy;
  readonly profile: string;
  readonly url: string;
  readonly header: string;
  readonly secret: string;
  readonly command: string;
  readonly seconds: string;
}

export const newDraft = (id: string): TargetDraft => ({
  id,
  kind: 'webhook',
  name: '',
  enabled: true,
  filter: 'everything',
  sends: deliveryKinds,
  answers: 'questions',
  profile: '',
  url: '',
  header: 'Authorization',
  secret: '',
  command: '',
  seconds: '30',
});

export function draftOf(target: DeliveryTarget): TargetDraft {
  const empty = newDraft(target.id);
  const { id, name, enabled, filter, sends, answers } = target;
  const common = { ...empty, id, name, enabled, filter, sends, answers, kind: target.kind };
  switch (target.kind) {
    case 'openclaw':
      return { ...common, profile: target.profile };
    case 'webhook':
      return { ...common, url: target.url, header: target.header, secret: target.secret ?? '' };
    case 'command':
      return { ...common, command: target.command, seconds: String(target.seconds) };
  }
}

const KIND_NAMES: Readonly<Record<DeliveryTarget['kind'], string>> = {
  openclaw: 'OpenClaw',
  webhook: 'Webhook',
  command: 'Command',
};

export type Problems = Readonly<Partial<Record<keyof TargetDraft, string>>>;

/** The target, or the errors by field. Without a name it is named after its kind. */
export function targetOf(draft: TargetDraft): { target: DeliveryTarget | null; problems: Problems } {
  const { id, kind, enabled, filter, sends, answers, profile, url, header, secret, command, seconds } = draft;
  const name = draft.name.trim() || KIND_NAMES[kind];
  const common = { id, kind, name, enabled, filter, sends: [...sends], answers };
  const byKind = {
    openclaw: { profile },
    webhook: { url: url.trim(), header: header.trim(), secret: secret.trim() || null },
    command: { command, seconds: Number(seconds) },
  }[kind];
  const parsed = deliveryTargetSchema.safeParse({ ...common, ...byKind });
  if (parsed.success) return { target: parsed.data, problems: {} };
  const problems: Partial<Record<string, string>> = {};
  for (const issue of parsed.error.issues) {
    const field = String(issue.path[0]);
    if (ownValue(problems, field) === undefined) setOwnValue(problems, field, wordsOf(issue));
  }
  return { target: null, problems };
}

/** For a union, only the message of its first option is helpful. */
function wordsOf(issue: {
  code?: string;
  message: string;
  errors?: readonly (readonly { message: string }[])[];
}): string {
  return issue.errors?.[0]?.[0]?.message ?? issue.message;
}
