import { createServer } from 'node:http';

const repl = (code) => `Let me look.\n\`\`\`repl\n${code}\n\`\`\``;

/** The answers of the large model, turn by turn; the small one always answers the same. */
const REPLIES = [
  repl(
    'hits = [i for i, text in enumerate(context) if "key" in text]\nprint(f"{len(context)} documents, {len(hits)} name a key")',
  ),
  repl(
    'parts = llm_query_batched([("Which key opens the boathouse?", context[i]) for i in hits])\nprint(parts)',
  ),
  'FINAL(The red key opens the boathouse: Doc 0 says "The red key opens the boathouse", and Doc 0 says "Keys hang in the office".)',
];

/** A model server on this machine, with OpenAI's Chat Completions API. */
export async function startModel() {
  let turn = 0;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    if (!request.url.endsWith('/chat/completions')) return response.end('{"data":[]}');
    const { model, stream } = JSON.parse(body);
    const content = model === 'large' ? REPLIES[turn++ % REPLIES.length] : 'The red key.';
    const usage = { prompt_tokens: 900, completion_tokens: 100, total_tokens: 1000 };
    const head = { id: `reply-${turn}`, created: 1, model };
    const end = { index: 0, finish_reason: 'stop' };
    if (!stream) {
      const choices = [{ ...end, message: { role: 'assistant', content } }];
      response.setHeader('content-type', 'application/json');
      return response.end(JSON.stringify({ ...head, object: 'chat.completion', choices, usage }));
    }
    response.setHeader('content-type', 'text/event-stream');
    const frame = (choices, more = {}) =>
      response.write(
        `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices, ...more })}\n\n`,
      );
    frame([{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }]);
    frame([{ ...end, delta: {} }]);
    frame([], { usage });
    return response.end('data: [DONE]\n\n');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${server.address().port}/v1`, close };
}
