import { ok, type Result } from '@contract/result';
import type { WorkspaceFiles } from '../../core/ports/files';
import type { TurnRequest } from '../../core/ports/ports';
import { readAttachments } from '../attachments';

interface AgentInput {
  readonly message: string;
  readonly attachments?: readonly object[];
}

/** The prompt as parameters of `agent`: texts in tags before it, images separately in Base64. */
export async function agentInput(
  request: Pick<TurnRequest, 'prompt' | 'attachments'>,
  files: Pick<WorkspaceFiles, 'readBytes'>,
): Promise<Result<AgentInput>> {
  const read = await readAttachments(request, files);
  if (!read.ok) return read;
  const { text: message, images } = read.value;
  if (images.length === 0) return ok({ message });
  const attachments = images.map(({ name, mime, bytes }) => ({
    type: 'image',
    mimeType: mime,
    fileName: name,
    content: Buffer.from(bytes).toString('base64'),
  }));
  return ok({ message, attachments });
}
