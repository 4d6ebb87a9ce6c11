/**
 * A program with a prompt, as an agent of kind `cli` is one. The prompt says what it does, word by word:
 *
 *   say:TEXT      prints TEXT (`_` for a blank)          signal        tells the end by its helper
 *   quiet         prints nothing more                    work          lives on with a busy child
 *   ask           asks the operator, goes on after a key flood         prints a lot
 *   exit:CODE     ends                                   deaf          heeds no interrupt
 *   lines         tells how many lines the prompt had    done          prints the sentinel
 *   wait:FILE     waits for a file in its folder         pid           tells its process
 *   keys          tells each interrupt, and heeds none   spin:MS       draws a spinner for so long
 *   page:N        draws N lines at places of its own, on all of its screen
 *   stays         ignores the signals that ask it to end
 *   limited       tells of a limit in the place of a response
 *   tells:WHAT,ID tells that a conversation of this id was `prompted`, or has `ended`
 * Arguments: `--no-paste` for a prompt without bracketed paste, `--no-echo` for one that does not show what is typed,
 * `--codex` for the prompt and the interrupt of Codex, which puts the interrupted prompt back into the input,
 * `--ask-first` and `--die-first` for its start,
 * `--resume ID` for an earlier conversation.
 */
import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';

const args = process.argv.slice(2);
const has = (name) => args.includes(name);
const out = (text) => process.stdout.write(text.replaceAll('\n', '\r\n'));
const paste = !has('--no-paste');
let input = '';
let pasting = false;
let deaf = false;
let waiting = null;
let worker = null;
let turns = 0;
let keys = null;
let entered = '';

function prompt() {
  out(`${paste ? '\x1b[?2004h' : ''}${has('--codex') ? '›' : '>'} `);
}

/** As Codex does: an interrupt gives the prompt back, Ctrl-U and Backspace delete. */
function editingKey(char) {
  if (char === '\x1b') {
    out('\n■ Conversation interrupted\n');
    prompt();
    input = entered;
    out(input);
  } else if (char === '\x15') input = input.slice(0, input.lastIndexOf('\n') + 1);
  else if (char === '\x7f') input = input.slice(0, -1);
  else return false;
  return true;
}

const verbs = {
  say: (text) => out(`${text.replaceAll('_', ' ')}\n`),
  lines: (_, text) => out(`lines=${text.split('\n').length}\n`),
  turns: () => out(`turns=${turns}\n`),
  page: (count) => {
    out('\x1b[2J');
    for (let at = 1; at <= Number(count); at += 1) out(`\x1b[${at};1Hpart ${at} of ${count}`);
    out('\n');
  },
  env: (name) => out(`${name}=${process.env[name]}\n`),
  pid: () => out(`pid=${process.pid}\n`),
  keys: () => {
    keys = 0;
  },
  resumed: () => out(`resumed=${args[args.indexOf('--resume') + 1] ?? 'no'}\n`),
  flood: () => out('flood flood flood\n'.repeat(200_000)),
  done: () => out('==DONE==\n'),
  deaf: () => {
    deaf = true;
    process.on('SIGTERM', () => undefined);
  },
  stays: () => {
    for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
  },
  work: () => {
    worker = spawn('sleep', ['1000'], { stdio: 'ignore' });
  },
  exit: (code) => process.exit(Number(code)),
  signal: (_, text) => {
    const body = { type: 'ended', session: 'conversation-1', text: `answer to ${text.split(' ')[0]}` };
    execFileSync(process.env.MUSTER_SIGNAL, [JSON.stringify(body)]);
  },
  tells: (what) => {
    const [type, session] = what.split(',');
    execFileSync(process.env.MUSTER_SIGNAL, [
      JSON.stringify({ type, session, text: `answer of ${session}` }),
    ]);
  },
  limited: () => {
    const text = "You've hit your limit · resets 3am (UTC)";
    execFileSync(process.env.MUSTER_SIGNAL, [JSON.stringify({ type: 'ended', text })]);
  },
  forged: () =>
    appendFileSync(process.env.BOX, '{"token":"wrong","body":{"type":"ended","text":"forged"}}\n'),
};

async function run(text) {
  turns += 1;
  entered = text;
  out('\n');
  for (const word of text.split(/\s+/)) {
    const [verb, rest = ''] = word.split(/:(.*)/s);
    if (verb === 'quiet' || verb === 'work') {
      verbs[verb]?.();
      return;
    }
    if (verb === 'ask') {
      out('Overwrite the file? (y/n) ');
      await new Promise((answered) => {
        waiting = answered;
      });
      out('\nthank you\n');
    } else if (verb === 'spin') {
      for (let left = Number(rest); left > 0; left -= 50) {
        out(`\r${left} `);
        await new Promise((go) => setTimeout(go, 50));
      }
      out('\n');
    } else if (verb === 'wait') {
      while (!existsSync(join(args[args.indexOf('--in') + 1], rest)))
        await new Promise((go) => setTimeout(go, 20));
    } else verbs[verb]?.(rest, text);
  }
  prompt();
}

function key(char) {
  if (waiting) {
    const answered = waiting;
    waiting = null;
    return answered();
  }
  if (has('--codex') && editingKey(char)) return;
  if (char === '\x03') {
    if (deaf) return;
    if (keys !== null) {
      keys += 1;
      return out(`keys=${keys}\n`);
    }
    worker?.kill('SIGKILL');
    out('^C\n');
    input = '';
    return prompt();
  }
  if (char === '\x04') return process.exit(0);
  if (char === '\r' && !pasting) {
    const text = input;
    input = '';
    return void run(text);
  }
  input += char === '\r' ? '\n' : char;
  if (!has('--no-echo')) out(char === '\r' ? '\n' : char);
}

process.stdin.setRawMode(true);
process.stdin.on('data', (data) => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: matches the sequences around a paste
  for (const part of data.toString().split(/(\x1b\[20[01]~)/)) {
    if (part === '\x1b[200~') pasting = true;
    else if (part === '\x1b[201~') pasting = false;
    else for (const char of part) key(char);
  }
});

if (has('--die-first')) {
  out('error: not logged in. Please run fake login\n');
  process.exitCode = 1;
  process.stdin.pause();
} else if (has('--ask-first')) {
  out('Do you trust the files in this folder? (y/n) ');
  waiting = () => {
    out('\n');
    prompt();
  };
} else if (has('--resume') && args[args.indexOf('--resume') + 1] === 'unknown') {
  out('no such conversation\n');
  process.exitCode = 1;
  process.stdin.pause();
} else {
  out('Fake agent\n');
  prompt();
}
