import { pathToFileURL } from 'node:url';
import type { ContentBlock } from '@agentclientprotocol/sdk';
import type { Attachment, Capabilities } from '@areas/sessions/contract/session';
import type { WorkspaceFiles } from '../../../core/ports/files';
import { IMAGE_BYTES } from '../limits';

const MOST_EMBEDDED = 256 * 1024;
const TEXT_MIME =
  /^text\/|^application\/(json|xml|yaml|x-yaml|toml|javascript|typescript|x-sh|sql)$|\+(json|xml|yaml)$/;

function asText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

async function block(
  attachment: Attachment,
  capabilities: Capabilities,
  files: WorkspaceFiles,
): Promise<ContentBlock> {
  const { path, name, mime, bytes } = attachment;
  const uri = pathToFileURL(path).href;
  const link: ContentBlock = { type: 'resource_link', uri, name, mimeType: mime, size: bytes };
  const image = mime.startsWith('image/') && capabilities.images && bytes <= IMAGE_BYTES;
  const text = TEXT_MIME.test(mime) && capabilities.embeddedFiles && bytes < MOST_EMBEDDED;
  if (!image && !text) return link;
  const read = await files.readBytes(path);
  // The agent then reports itself that it cannot open the link's target.
  if (!read.ok) return link;
  if (image) {
    return { type: 'image', data: Buffer.from(read.value).toString('base64'), mimeType: mime, uri };
  }
  const content = asText(read.value);
  return content === null ? link : { type: 'resource', resource: { uri, text: content, mimeType: mime } };
}

/** A prompt with its attachments, each in the richest form that the agent supports. */
export async function promptBlocks(
  prompt: { readonly prompt: string; readonly attachments: readonly Attachment[] },
  capabilities: Capabilities,
  files: WorkspaceFiles,
): Promise<ContentBlock[]> {
  const attached = prompt.attachments.map((attachment) => block(attachment, capabilities, files));
  return [{ type: 'text', text: prompt.prompt }, ...(await Promise.all(attached))];
}
