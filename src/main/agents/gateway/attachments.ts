import { ok, type Result } from '@contract/result';
import type { UserModelMessage } from 'ai';
import type { WorkspaceFiles } from '../../core/ports/files';
import type { TurnRequest } from '../../core/ports/ports';
import { readAttachments } from '../attachments';

/** The prompt's messages; attachments come before the first: text in tags, images unchanged. */
export async function promptMessages(
  { prompt, messages = [prompt], attachments }: Pick<TurnRequest, 'prompt' | 'messages' | 'attachments'>,
  files: Pick<WorkspaceFiles, 'readBytes'>,
): Promise<Result<UserModelMessage[]>> {
  const [first = prompt, ...others] = messages;
  const read = await readAttachments({ prompt: first, attachments }, files);
  if (!read.ok) return read;
  const { text, images } = read.value;
  const parts = images.map(({ name, mime, bytes }) => ({
    type: 'file' as const,
    data: bytes,
    filename: name,
    mediaType: mime,
  }));
  // One string if possible: small servers do not support lists of parts.
  const content = parts.length === 0 ? text : [...parts, { type: 'text' as const, text }];
  return ok([{ role: 'user', content }, ...others.map((more) => ({ role: 'user' as const, content: more }))]);
}
