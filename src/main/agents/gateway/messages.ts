import type { Opening } from '@areas/sessions/contract/session';
import type { AssistantModelMessage, ModelMessage, UserModelMessage } from 'ai';
import type { TurnRequest } from '../../core/ports/ports';
import type { Endpoint } from './endpoint';

/**
 * Whether the API rejects a conversation that begins with the assistant, or two messages of one side in a
 * row.
 */
export const alternates = ({ profile }: Pick<Endpoint, 'profile'>): boolean => profile.api === 'anthropic';

/** The profile's system text, then the session's, then an opening message that the API would reject. */
export function systemOf(
  endpoint: Pick<Endpoint, 'profile'>,
  opening: Opening | undefined,
): string | undefined {
  const parts = [
    endpoint.profile.system_prompt,
    opening?.system,
    alternates(endpoint) ? opening?.assistant : null,
  ].filter((part) => part != null && part !== '');
  return parts.length === 0 ? undefined : parts.join('\n\n');
}

export const assistantMessage = (content: string): AssistantModelMessage => ({ role: 'assistant', content });

/** The user messages of an earlier turn. */
export const userMessages = (
  { prompt, messages }: Pick<TurnRequest, 'prompt' | 'messages'>,
  endpoint: Pick<Endpoint, 'profile'>,
): ModelMessage[] =>
  messages === undefined || alternates(endpoint)
    ? [{ role: 'user', content: prompt }]
    : messages.map((content) => ({ role: 'user', content }));

/** Several user messages as one, separated by a blank line. */
export function asOne(messages: readonly UserModelMessage[]): UserModelMessage[] {
  const [first, ...others] = messages;
  if (first === undefined || others.length === 0) return [...messages];
  const text = others.map(({ content }) => content).join('\n\n');
  const content: UserModelMessage['content'] =
    typeof first.content === 'string'
      ? `${first.content}\n\n${text}`
      : [...first.content, { type: 'text', text }];
  return [{ role: 'user', content }];
}
