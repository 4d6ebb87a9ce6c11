import type { Attachment } from '@areas/sessions/contract/session';
import { fail, ok, type Result } from '@contract/result';
import type { WorkspaceFiles } from '../core/ports/files';
import type { TurnRequest } from '../core/ports/ports';

/** A prompt for a model that cannot read files: texts are in tags before it, images separate. */
interface ReadPrompt {
  readonly text: string;
  readonly images: readonly { readonly name: string; readonly mime: string; readonly bytes: Uint8Array }[];
}

export async function readAttachments(
  { prompt, attachments }: Pick<TurnRequest, 'prompt' | 'attachments'>,
  files: Pick<WorkspaceFiles, 'readBytes'>,
): Promise<Result<ReadPrompt>> {
  const texts: string[] = [];
  const images: ReadPrompt['images'][number][] = [];
  for (const attachment of attachments) {
    const bytes = await files.readBytes(attachment.path);
    if (!bytes.ok) return bytes;
    const { name, mime } = attachment;
    if (isImage(attachment)) {
      images.push({ name, mime, bytes: bytes.value });
      continue;
    }
    const text = asText(bytes.value);
    if (text === null) return unreadable(attachment);
    texts.push(tagged(name, text));
  }
  return ok({ text: [...texts, prompt].join('\n\n'), images });
}

/** An SVG is an image for people and text for models. */
const isImage = ({ mime }: Attachment): boolean => mime.startsWith('image/') && mime !== 'image/svg+xml';

function asText(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

const unreadable = ({ name, path }: Attachment): Result<never> =>
  fail('input.invalid', `${name} cannot be sent to a model: it is neither text nor an image`, {
    where: { file: path },
    mend: 'attach it as text or as an image, or use an agent that reads files',
  });

/** A tag that the text itself does not close. */
function tagged(name: string, text: string): string {
  let tag = 'attachment';
  for (let number = 2; text.includes(`</${tag}`); number += 1) tag = `attachment-${number}`;
  return `<${tag} name=${JSON.stringify(name)}>\n${text}\n</${tag}>`;
}
