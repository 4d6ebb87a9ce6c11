import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { once } from 'node:events';
import { interleaved } from '../lib/compare.mjs';
import { inFolder, runSide } from '../lib/side.mjs';
import { median, spread } from '../lib/statistics.mjs';
import { must } from '../../tools/lib/run.mjs';

const MB = 1e6;

/** What the system hands out: one process reads the other end of a terminal, and parses and keeps nothing. */
const READ_LIMIT = `
import os, pty, sys, time
started = time.monotonic()
pid, fd = pty.fork()
if pid == 0: os.execv('/bin/cat', ['cat', sys.argv[1]])
size = 0
while True:
    try: data = os.read(fd, 65536)
    except OSError: break
    if not data: break
    size += len(data)
os.waitpid(pid, 0)
print('{"ms": %f, "bytes": %d}' % ((time.monotonic() - started) * 1000, size))
`;

async function textFile(path, bytes) {
  const stream = createWriteStream(path);
  let written = 0;
  for (let line = 0; written < bytes; ) {
    let text = '';
    for (; text.length < 256 * 1024; line += 1)
      text += `${String(line).padStart(9, '0')} the quick brown fox jumps over the lazy dog, ${line % 97} times in a row\n`;
    written += text.length;
    if (!stream.write(text)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'finish');
  return written;
}

export const terminalsHidden = {
  name: 'terminals-hidden',
  async run({ side, quick }) {
    return inFolder(async (folder) => {
      const rounds = quick ? 3 : 5;
      const one = join(folder, 'one.txt');
      const each = join(folder, 'each.txt');
      const oneBytes = await textFile(one, quick ? 50 * MB : 200 * MB);
      const eachBytes = 20 * (await textFile(each, quick ? 3 * MB : 10 * MB));
      const hidden = (kind, file, count) => runSide(side('terminals-hidden'), [kind, file, count, folder]);
      const python = async () => JSON.parse(await must('python3', ['-c', READ_LIMIT, one]));
      const same = [];
      const checked = (count) => async () => {
        const found = await hidden('ours', count === 1 ? one : each, count);
        same.push(found.same / count);
        return found;
      };
      const faster = (ours, limit) => limit.ms / ours.ms;
      await hidden('ours', each, 1);
      const single = await interleaved(rounds, { ours: checked(1), limit: python }, faster);
      const nodePty = () => hidden('node-pty', each, 20);
      const twenty = await interleaved(rounds, { ours: checked(20), limit: nodePty }, faster);
      const rate = (bytes, results) => `${spread(results.map(({ ms }) => bytes / ms / 1000), 1)} MB/s`;
      return [
        {
          what: 'a hidden terminal, kept on disk, against read() of the terminal alone',
          ours: rate(oneBytes, single.ours),
          limit: rate(oneBytes, single.limit),
          ratio: single.middle,
          ratios: spread(single.ratio),
          goal: { atLeast: 0.9 },
          note: `cat of ${Math.round(oneBytes / MB)} MB; the limit is a Python process that reads and drops.`,
        },
        {
          what: '20 hidden terminals at once, kept on disk, against node-pty alone',
          ours: rate(eachBytes, twenty.ours),
          limit: rate(eachBytes, twenty.limit),
          ratio: twenty.middle,
          ratios: spread(twenty.ratio),
          goal: { atLeast: 0.95 },
          note: `20 x cat of ${Math.round(eachBytes / 20 / MB)} MB at the same time; node-pty's handler drops all.`,
        },
        {
          what: 'terminals whose file is the source by SHA-256, after the line ends of the terminal',
          ours: `${same.length} runs`,
          ratio: median(same.map((share) => Math.min(...same, share))),
          goal: { atLeast: 1 },
        },
      ];
    });
  },
};
