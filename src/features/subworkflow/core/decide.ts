import { type AppError, appError } from '@contract/errors';
import type { Json } from '@contract/ids';
import type { FinishDecision, ScopeDecision, StepDecisions } from '@main/core/step/decision';
import { jsonContent, jsonText, RawJson, type WithRaw } from '@main/core/step/json';
import type { ActivationView } from '@main/core/step/module';
import { makeBundle } from '@main/core/step/output/bundle';
import { scopeOutput } from '@main/core/step/output/scope-output';
import type { ScopeView } from '@main/core/step/scope';
import { itemsOf, MOST_ITEMS, type SubworkflowConfig } from './config';

type View = ActivationView<SubworkflowConfig>;
type Each = NonNullable<SubworkflowConfig['for_each']>;

export function decideSubworkflow(view: View): StepDecisions {
  const { for_each } = view.config;
  if (for_each !== undefined) return decideItems(view, for_each);
  const scope = view.scopes.at(null);
  if (scope === null) return { kind: 'scope', index: null, values: {}, inputs: inputsOf(view) };
  if (!scope.ended) return [];
  const { sessionKey, content } = scopeOutput(scope);
  const own = content instanceof RawJson ? jsonContent(content.text) : (content ?? '');
  return finish(view, { ...endOf(scope, view.title), content: own, sessionKey, receipt: {} });
}

const inputsOf = ({ config }: View): Record<string, string> =>
  Object.fromEntries(Object.entries(config.inputs).map(([name, value]) => [name, String(value)]));

function decideItems(view: View, each: Each): StepDecisions {
  const items = knownItems(each.items);
  const { opened, open, failed } = view.scopes;
  if (items === null || items.length > MOST_ITEMS) return refused(view, items);
  const stops = failed > 0 && each.join === 'all_success';
  if (!stops && opened < items.length) {
    if (open >= each.max_parallel) return [];
    return openItem(view, each, { number: opened + 1, item: items[opened] ?? '' });
  }
  if (open > 0 && !stops) return [];
  return joined(view, each, items.length);
}

/** Called after each item, so the list is parsed only once. */
let read: { readonly of: Each['items']; readonly items: readonly string[] | null } = { of: '', items: null };

function knownItems(items: Each['items']): readonly string[] | null {
  if (read.of !== items) read = { of: items, items: itemsOf(items) };
  return read.items;
}

function openItem(
  view: View,
  { as, isolation }: Each,
  { number, item }: { readonly number: number; readonly item: string },
): ScopeDecision {
  return {
    kind: 'scope',
    index: number,
    values: { ITEM: item },
    inputs: { ...inputsOf(view), [as]: item },
    isolated: isolation === 'worktree',
  };
}

function refused(view: View, items: readonly string[] | null): FinishDecision {
  const error =
    items === null
      ? appError('reference.not_json', 'items is not a JSON list', {
          mend: 'let the previous step answer with a list',
        })
      : appError('input.invalid', `${items.length} items are too many`, {
          mend: `at most ${MOST_ITEMS} run in one step`,
        });
  return finish(view, { outcome: 'failed', error, content: [], sessionKey: null, receipt: {} });
}

/** An item's output; of one that has none, why. */
const itemOutput = (scope: ScopeView | null): WithRaw =>
  scope?.outcome === 'succeeded'
    ? scopeOutput(scope).content
    : { error: scope?.error?.message ?? `the item was ${scope?.outcome ?? 'cancelled'}` };

/** The outputs in item order. */
function joined(view: View, { join }: Each, count: number): FinishDecision {
  const { opened, failed } = view.scopes;
  const scopes = Array.from({ length: opened }, (_, at) => view.scopes.at(at + 1));
  const content = jsonContent(jsonText(scopes.map(itemOutput)));
  const receipt = { items: count, failed };
  // The items stopped because of it are cancelled.
  const failedAt = scopes.findIndex((scope) => scope?.outcome === 'failed');
  const bad =
    failedAt >= 0
      ? failedAt
      : scopes.findIndex((scope) => scope?.ended === true && scope.outcome !== 'succeeded');
  const first = scopes[bad] ?? null;
  const rejected = scopes.some((scope) => scope?.outcome === 'rejected');
  const end =
    first === null || (join === 'all_done' && !rejected)
      ? { outcome: 'succeeded' as const, error: null }
      : rejected
        ? { outcome: 'rejected' as const, error: null }
        : endOf(first, `item ${bad + 1}`);
  return finish(view, { ...end, content, sessionKey: null, receipt });
}

function endOf(
  { outcome, error }: ScopeView,
  name: string,
): { outcome: FinishDecision['outcome']; error: AppError | null } {
  if (outcome !== 'failed') return { outcome: outcome ?? 'cancelled', error: null };
  const why = error ?? appError('step.failed', 'a step failed');
  return { outcome, error: { ...why, message: `${name}: ${why.message}` } };
}

interface End {
  readonly outcome: FinishDecision['outcome'];
  readonly error: AppError | null;
  readonly content: Json;
  readonly sessionKey: string | null;
  readonly receipt: Readonly<Record<string, Json>>;
}

function finish(view: View, { outcome, error, content, sessionKey, receipt }: End): FinishDecision {
  const { stepId, activationId, attempt } = view;
  const origin = { stepId, activationId, sessionKey };
  const fullReceipt = { step_id: stepId, attempt, ...receipt };
  const outputs = {
    data_out: makeBundle(content, {
      ...origin,
      port: 'data_out',
      kind: typeof content === 'string' ? 'text' : 'json',
    }),
    receipt_out: makeBundle(fullReceipt, { ...origin, port: 'receipt_out', kind: 'json' }),
  };
  const signals = outcome === 'succeeded' ? ['data_out', 'receipt_out', 'signal_out'] : [];
  return { kind: 'finish', outcome, error, outputs, signals, receipt: fullReceipt, warnings: [] };
}
