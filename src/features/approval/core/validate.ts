import { validateAgent } from '@main/core/step/agent/agent';
import type { GraphContext, ModuleProblem } from '@main/core/step/module';
import { problemAt } from '@main/core/step/problem-at';
import type { ApprovalConfig } from './config';

export function validateApproval(config: ApprovalConfig, graph: GraphContext): ModuleProblem[] {
  const { on_reject, decisions } = config;
  return [
    ...(on_reject === undefined ? [] : validateAgent(on_reject, graph, 'on_reject.acp_profile_id')),
    ...(decisions === undefined ? [] : validateDecisions(config, decisions)),
    ...validateExpiry(config),
  ];
}

function validateDecisions(
  { on_reject, capture_response }: ApprovalConfig,
  decisions: NonNullable<ApprovalConfig['decisions']>,
): ModuleProblem[] {
  const instead = 'choose one of the two: decisions replace approve and reject';
  return [
    ...(on_reject === undefined
      ? []
      : [problemAt('on_reject', 'with decisions nothing is rejected, so on_reject never runs', instead)]),
    ...(capture_response
      ? [problemAt('capture_response', 'with decisions, the output is the decision and its text', instead)]
      : []),
    ...decisions.flatMap(({ id }, index) =>
      decisions.findIndex((one) => one.id === id) === index
        ? []
        : [problemAt(`decisions[${index}].id`, `two decisions have the id "${id}"`, 'give each its own id')],
    ),
  ];
}

function validateExpiry({ expires, decisions, capture_response }: ApprovalConfig): ModuleProblem[] {
  if (expires === undefined) return [];
  const plain = capture_response ? ['reject'] : ['approve', 'reject'];
  const known = [...(decisions?.map(({ id }) => id) ?? plain), 'fail'];
  if (known.includes(expires.outcome)) return [];
  const message =
    expires.outcome === 'approve' && capture_response
      ? 'without an answer there is no text to capture'
      : `"${expires.outcome}" is not an outcome of this question`;
  return [problemAt('expires.outcome', message, `use one of: ${known.join(', ')}`)];
}
