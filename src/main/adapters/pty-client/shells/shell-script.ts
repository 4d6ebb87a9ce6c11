import { ownValue } from '@contract/own';

/**
 * A session's shell: a bash that runs one command after another in itself, so that variables, functions and
 * the folder persist. Commands arrive through a separate pipe, as the path of a file; the terminal belongs
 * only to the commands and the operator.
 *
 * Each command is surrounded by marks that no program prints by chance. After each command, and when a
 * command ends the shell, environment and folder are saved; the next or an additional shell starts with them.
 */
const COMMON = `
muster_mark=$MUSTER_TERMINAL
# Not in a function, where what is declared would be local.
[ -r "$MUSTER_STATE/env" ] && . "$MUSTER_STATE/env" 2>/dev/null
[ -r "$MUSTER_STATE/cwd" ] && cd "$(cat "$MUSTER_STATE/cwd")" 2>/dev/null
export MUSTER_TERMINAL=$muster_mark
muster_save() {
  { export -p; declare -f; } > "$MUSTER_STATE/env.new" 2>/dev/null && mv "$MUSTER_STATE/env.new" "$MUSTER_STATE/env"
  printf %s "$PWD" > "$MUSTER_STATE/cwd"
}
muster_begin() { muster_id=$1; printf '\\033]1337;MusterBegin=%s;\\007' "$1"; }
muster_end() {
  [ -n "$muster_id" ] && printf '\\033]1337;MusterDone=%s;%s;\\007' "$muster_id" "$1"
  muster_id=
}
`;

/** Runs commands until its pipe closes. The interrupt key ends the command, and with it this shell. */
export const SHELL_SCRIPT = `${COMMON}
muster_id=
trap 'muster_code=$?; printf "\\033]1337;MusterGone;\\007"; muster_after; muster_save; muster_end $muster_code' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
muster_after() { :; }
exec 9<>"$MUSTER_STATE/pipe"
muster_save
printf '\\033]1337;MusterReady;\\007'
while IFS= read -r muster_file <&9; do
  { . "$muster_file"; } 9<&-
  muster_code=$?
  muster_after
  muster_after() { :; }
  muster_save
  muster_end $muster_code
done
`;

/** For use while the main shell is busy: starts with the saved state, runs one command, and saves nothing. */
export const BESIDE_SCRIPT = `${COMMON}
muster_id=
trap 'muster_end $?' EXIT
trap 'exit 130' INT
. "$1"
exit
`;

interface ShellCommand {
  readonly id: string;
  readonly line: string;
  /** The request's own variables; they apply to this command only. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | null;
}

export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The file that is sourced for one command. */
export function commandFile({ id, line, env, cwd }: ShellCommand): string {
  const names = Object.keys(env).filter((name) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name));
  const keep = names.map((name) => `muster_had_${name}=\${${name}+x}; muster_old_${name}=\${${name}-}`);
  const set = names.map((name) => `export ${name}=${quoted(ownValue(env, name) ?? '')}`);
  const back = names.map(
    (name) =>
      `if [ -n "$muster_had_${name}" ]; then export ${name}="$muster_old_${name}"; else unset ${name}; fi; unset muster_had_${name} muster_old_${name}`,
  );
  const goBack = '[ "$PWD" = "$muster_there" ] && cd "$muster_from"';
  const after = [...back, ...(cwd === null ? [] : [goBack]), ':'];
  return [
    // The mark by which terminals recognise the start of a command.
    `printf '\\033]133;A\\007\\033[2m$ %s\\033[0m\\r\\n' ${quoted(line)}`,
    ...keep,
    ...set,
    ...(cwd === null ? [] : [`muster_from=$PWD; cd ${quoted(cwd)} || true; muster_there=$PWD`]),
    `muster_after() {\n${after.join('\n')}\n}`,
    `muster_begin ${id}`,
    line,
    '',
  ].join('\n');
}

const START = '\x1b]1337;Muster';
const MARK = new RegExp(
  `${START.replace('[', '\\[')}(Ready|Gone|Begin|Done)(?:=([^;\\x07]*))?(?:;(-?\\d+))?;\\x07`,
);

export type ShellMark =
  | { readonly kind: 'ready' }
  /** The shell ends; later output does not count. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'begin'; readonly id: string }
  | { readonly kind: 'done'; readonly id: string; readonly code: number };

/** Removes the marks from a stream of text, wherever it is split. */
export class MarkReader {
  #rest = '';

  push(text: string): (string | ShellMark)[] {
    let remaining = this.#rest + text;
    const found: (string | ShellMark)[] = [];
    for (let match = MARK.exec(remaining); match; match = MARK.exec(remaining)) {
      if (match.index > 0) found.push(remaining.slice(0, match.index));
      found.push(markOf(match));
      remaining = remaining.slice(match.index + match[0].length);
    }
    // An escape that may still become a mark waits for more.
    const at = remaining.lastIndexOf('\x1b');
    const open =
      at >= 0 &&
      remaining.length - at < 100 &&
      (START.startsWith(remaining.slice(at)) || remaining.startsWith(START, at));
    this.#rest = open ? remaining.slice(at) : '';
    const text2 = open ? remaining.slice(0, at) : remaining;
    if (text2 !== '') found.push(text2);
    return found;
  }
}

function markOf([, kind, id = '', code]: RegExpExecArray): ShellMark {
  if (kind === 'Ready') return { kind: 'ready' };
  if (kind === 'Gone') return { kind: 'gone' };
  return kind === 'Begin' ? { kind: 'begin', id } : { kind: 'done', id, code: Number(code) };
}
