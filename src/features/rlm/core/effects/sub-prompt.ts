import { ownValue } from '@contract/own';
import type { SubPrompt } from '@contract/sandbox/protocol';
import { rlmText } from '../texts';
import { wrapContent } from '../untrusted';
import { stateOf, type Work } from './parts';

/** A sub-call's prompt: its instruction, and its content between the question's marker lines. */
export function subPrompt(work: Work, { instruction, content }: SubPrompt): string {
  const promptText = (id: string) => ownValue(work.run.state.prompted, id) ?? null;
  const wrapped = content === '' ? '' : wrapContent(content, stateOf(work).marker ?? '');
  return rlmText({ promptText }, 'rlm/subcall', { instruction, content: wrapped });
}
