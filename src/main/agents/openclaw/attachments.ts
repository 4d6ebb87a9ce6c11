import { appError } from '@contract/errors';
import { err, ok, type Result } from '@contract/result';
import type { Attachment } from '@contract/session/session';
import type { WorkspaceFiles } from '../../core/ports/files';
import type { TurnRequest } from '../../core/ports/ports';

interface AgentInput {
  readonly message: string;
  readonly attachments?: readonly object[];
}

/** The prompt as parameters of `agent`: texts stand in tags before it, images beside it in Base64. */
export async function agentInput(
  request: Pick<TurnRequest, 'prompt' | 'attachments'>,
  files: Pick<WorkspaceFiles, 'readBytes'>,
): Promise<Result<AgentInput>> {
  const texts: string[] = [];
  const images: object[] = [];
  for (const attachment of request.attachments) {
    const bytes = await files.readBytes(attachment.path);
    if (!bytes.ok) return bytes;
    const { name, mime } = attachment;
    if (mime.startsWith('image/') && mime !== 'image/svg+xml') {
      const content = Buffer.from(bytes.value).toString('base64');
      images.push({ type: 'image', mimeType: mime, fileName: name, content });
      continue;
    }
    const text = asText(bytes.value);
    if (text === null) return unreadable(attachment);
    texts.push(tagged(name, text));
  }
  const message = [...texts, request.prompt].join('\n\n');
  return ok(images.length === 0 ? { message } : { message, attachments: images });
}

function asText(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

const unreadable = ({ name, path }: Attachment): Result<never> =>
  err(
    appError('input.invalid', `${name} can be given to no model: it is neither text nor an image`, {
      where: { file: path },
      mend: 'attach it as text or as an image, or use an agent that reads files',
    }),
  );

/** The tag is one that the text itself does not close. */
function tagged(name: string, text: string): string {
  let tag = 'attachment';
  for (let number = 2; text.includes(`</${tag}`); number += 1) tag = `attachment-${number}`;
  return `<${tag} name=${JSON.stringify(name)}>\n${text}\n</${tag}>`;
}
