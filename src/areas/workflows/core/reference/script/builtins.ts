import { ownValue } from '@contract/own';
import type { Carried } from './carried';
import type { Arg } from './commands';

/** The shell itself evaluates a text: where. */
type Refuse = (carried: Carried, where: Evaluated) => void;

export type Evaluated = 'arithmetic' | 'name' | 'code' | 'value';

const DECLARING = /^(?:declare|typeset|local|export|readonly)$/;
const NAMES_AFTER: Readonly<Record<string, RegExp>> = {
  read: /^-[A-Za-z]*[dinNptu]$/,
  mapfile: /^-[dnOsuCc]$/,
  readarray: /^-[dnOsuCc]$/,
  unset: /^$/,
  getopts: /^$/,
};

interface Declared {
  /** Its value is evaluated again: `-i`, `-n`, `-a` or `-A`. */
  readonly evaluates: boolean;
}

/** Whether a command declares variables, and how; null if it does not. */
export function declares(name: string, args: readonly Arg[]): Declared | null {
  if (!DECLARING.test(name)) return null;
  return { evaluates: args.some(({ text }) => /^-[A-Za-z]*[inaA]/.test(text ?? '')) };
}

/** Reports what a builtin evaluates of its words and of what it reads. */
export function builtin(
  { name, args, input }: { name: string; args: readonly Arg[]; input: Carried },
  refuse: Refuse,
): void {
  const [first] = operands(args);
  switch (name) {
    case 'eval':
      for (const { carried } of args) refuse(carried, 'code');
      return;
    case '.':
    case 'source':
      if (first !== undefined) refuse(first.carried, 'code');
      if (/^(?:-|\/dev\/(?:stdin|fd\/0))$/.test(first?.text ?? '')) refuse(input, 'code');
      return;
    case 'trap':
      if (first !== undefined) refuse(first.carried, 'code');
      return;
    case 'printf':
      // The text itself can be `-v` with a name, where words follow it.
      if (args[0]?.splits === true || (args[0]?.lead === '' && args.length > 1))
        refuse(args[0].carried, 'name');
      return after(args, /^-v$/, refuse);
    case 'test':
    case '[':
      for (const { splits, carried } of args) if (splits) refuse(carried, 'name');
      return after(args, /^-[vR]$/, refuse);
    case 'wait':
      return after(args, /^-p$/, refuse);
    default:
      if (DECLARING.test(name)) return declared(args, refuse);
      return named(name, args, refuse);
  }
}

function after(args: readonly Arg[], flag: RegExp, refuse: Refuse): void {
  args.forEach(({ carried }, at) => {
    if (flag.test(args[at - 1]?.text ?? '')) refuse(carried, 'name');
  });
}

/** `declare $name`; an assignment has its value in its own node, or behind a literal name. */
function declared(args: readonly Arg[], refuse: Refuse): void {
  const evaluates = args.some(({ text }) => /^-[A-Za-z]*[inaA]/.test(text ?? ''));
  for (const { lead, carried } of args) {
    const isAssignment = /^[A-Za-z_]\w*\+?=/.test(lead);
    if (!isAssignment) refuse(carried, 'name');
    else if (evaluates) refuse(carried, 'value');
  }
}

function named(name: string, args: readonly Arg[], refuse: Refuse): void {
  const valued = ownValue(NAMES_AFTER, name);
  if (valued === undefined) return;
  args.forEach(({ carried }, at) => {
    const before = args[at - 1]?.text ?? '';
    if (/^-C$/.test(before)) refuse(carried, 'code');
    else if (!valued.test(before) || before === '') refuse(carried, 'name');
  });
}

const operands = (args: readonly Arg[]): readonly Arg[] => {
  const at = args.findIndex(({ text, lead }) => text === '-' || !/^-/.test(lead));
  return at < 0 ? [] : args.slice(at);
};
