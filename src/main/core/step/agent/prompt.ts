import { ownValue } from '@contract/own';
import type { ActivationView } from '../module';
import { bundleText } from '../output/bundle';

/** Appended to a chain's last turn if there are labels: exactly as in seed 000 section 4.2. */
export function namingInstruction(labels: readonly string[]): string {
  return [
    '',
    'When producing your final output, label the following sections clearly:',
    ...labels.map((label) => `- ${label}`),
  ].join('\n');
}

/**
 * Assembles an activation's primary prompt: instruction, chain history unless the session already has it,
 * `context_in`, `data_in`, in this order (SPEC "Words"). The project context comes first, and only here. The
 * operator's request follows the instruction of a run's first steps. A step to be revised in a new session
 * gets its earlier result before the reason.
 */
export function assemblePrompt(view: ActivationView<unknown>, instruction: string): string {
  const sections: string[] = [];
  if (view.projectContext !== null && view.projectContext.trim() !== '') {
    sections.push(`## Project context\n${view.projectContext.trim()}`);
  }
  sections.push(instruction.trim());
  if (view.request !== null && view.request.trim() !== '')
    sections.push(`## Request\n${view.request.trim()}`);
  if (view.toRevise !== null) sections.push(`## Your last version\n${view.toRevise}`);
  for (const bundle of view.inputs.instruction_in ?? []) {
    const heading =
      bundle.metadata.port === 'revise_out' ? '## Revision requested' : '## Further instruction';
    sections.push(`${heading}\n${bundleText(bundle)}`);
  }
  if (view.history.length > 0) {
    const entries = view.history.map((entry) => `### ${entry.title}\n${entry.text}`);
    sections.push(`## Earlier steps\n${entries.join('\n\n')}`);
  }
  const unsaid = (port: string) =>
    (ownValue(view.inputs, port) ?? []).filter((bundle) => !view.isInSession(bundle));
  for (const bundle of unsaid('context_in')) sections.push(`## Context\n${bundleText(bundle)}`);
  for (const bundle of unsaid('data_in')) sections.push(`## Input\n${bundleText(bundle)}`);
  return sections.filter((section) => section !== '').join('\n\n');
}
