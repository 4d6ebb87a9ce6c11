import { type AppError, appError } from '@contract/errors';
import { err, ok, type Result } from '@contract/result';
import type { Attachment } from '@contract/session/session';
import type { UserModelMessage } from 'ai';
import type { WorkspaceFiles } from '../../core/ports/files';
import type { TurnRequest } from '../../core/ports/ports';

interface Image {
  readonly type: 'file';
  readonly data: Uint8Array;
  readonly filename: string;
  readonly mediaType: string;
}

/** The prompt's messages; attachments stand before the first: text in tags, images as they are. */
export async function promptMessages(
  { prompt, messages = [prompt], attachments }: Pick<TurnRequest, 'prompt' | 'messages' | 'attachments'>,
  files: Pick<WorkspaceFiles, 'readBytes'>,
): Promise<Result<UserModelMessage[]>> {
  const [first = prompt, ...others] = messages;
  const begun = await withAttachments({ prompt: first, attachments }, files);
  return begun.ok
    ? ok([begun.value, ...others.map((content) => ({ role: 'user' as const, content }))])
    : begun;
}

async function withAttachments(
  request: Pick<TurnRequest, 'prompt' | 'attachments'>,
  files: Pick<WorkspaceFiles, 'readBytes'>,
): Promise<Result<UserModelMessage>> {
  const texts: string[] = [];
  const images: Image[] = [];
  for (const attachment of request.attachments) {
    const bytes = await files.readBytes(attachment.path);
    if (!bytes.ok) return bytes;
    if (isImage(attachment)) {
      images.push({ type: 'file', data: bytes.value, filename: attachment.name, mediaType: attachment.mime });
      continue;
    }
    const text = asText(bytes.value);
    if (text === null) return err(unreadable(attachment));
    texts.push(tagged(attachment.name, text));
  }
  const text = [...texts, request.prompt].join('\n\n');
  // One string where it suffices: small servers know no list of parts.
  return ok({ role: 'user', content: images.length === 0 ? text : [...images, { type: 'text', text }] });
}

/** An SVG is an image to people and text to models. */
const isImage = ({ mime }: Attachment): boolean => mime.startsWith('image/') && mime !== 'image/svg+xml';

function asText(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

function unreadable({ name, path }: Attachment): AppError {
  return appError('input.invalid', `${name} can be given to no model: it is neither text nor an image`, {
    where: { file: path },
    mend: 'attach it as text or as an image, or use an agent that reads files',
  });
}

/** The tag is one that the text itself does not close. */
function tagged(name: string, text: string): string {
  let tag = 'attachment';
  for (let number = 2; text.includes(`</${tag}`); number += 1) tag = `attachment-${number}`;
  return `<${tag} name=${JSON.stringify(name)}>\n${text}\n</${tag}>`;
}
