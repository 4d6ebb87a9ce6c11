import { askProgram } from '@areas/agents/node/asked-program';
import type { Check } from '../../contract/procedures';
import type { DoctorParts } from '../parts';

/** Older ones cannot merge the work of a team without a checkout. */
const LEAST = [2, 38] as const;

/** Package managers and how each brings git, the first that is there. */
const INSTALLERS: readonly (readonly [program: string, command: string])[] = [
  ['brew', 'brew install git'],
  ['xcode-select', 'xcode-select --install'],
  ['apt-get', 'sudo apt-get install git'],
  ['dnf', 'sudo dnf install git'],
  ['pacman', 'sudo pacman -S git'],
  ['zypper', 'sudo zypper install git'],
  ['apk', 'sudo apk add git'],
  ['winget', 'winget install --id Git.Git'],
];

async function installCommand({ processes }: DoctorParts): Promise<string | null> {
  for (const [program, command] of INSTALLERS) if ((await processes.find(program)) !== null) return command;
  return null;
}

export async function checkGit(parts: DoctorParts): Promise<Check[]> {
  const program = { id: 'git', group: 'needed', title: 'git', agent: null } as const;
  const path = await parts.processes.find('git');
  if (path === null) {
    const detail = 'git is not installed, and every run works in a git repository.';
    return [{ ...program, state: 'missing', detail, command: await installCommand(parts) }];
  }
  return [{ ...program, ...(await versionFinding(parts, path)) }, await checkName(parts, path)];
}

async function versionFinding(
  parts: DoctorParts,
  path: string,
): Promise<Pick<Check, 'state' | 'detail' | 'command'>> {
  const asked = await askProgram(parts, path, ['--version']);
  const [, major, minor] = /(\d+)\.(\d+)/.exec(asked?.code === 0 ? asked.text : '') ?? [];
  if (major === undefined || minor === undefined)
    return { state: 'unknown', detail: `${path} does not say its version.`, command: 'git --version' };
  const version = `${major}.${minor}`;
  const isOld = Number(major) < LEAST[0] || (Number(major) === LEAST[0] && Number(minor) < LEAST[1]);
  return isOld
    ? {
        state: 'missing',
        detail: `git ${version} is too old to merge the work of a team: that needs ${LEAST.join('.')}.`,
        command: await installCommand(parts),
      }
    : { state: 'ok', detail: `git ${version} is installed.`, command: null };
}

/** Muster commits under its own name; the operator's commits need this one. */
async function checkName(parts: DoctorParts, git: string): Promise<Check> {
  const about = { id: 'git-name', group: 'machine', title: 'Name for commits', agent: null } as const;
  const [name, email] = await Promise.all(
    ['user.name', 'user.email'].map((key) => askProgram(parts, git, ['config', '--get', key])),
  );
  const value = (asked: typeof name): string => (asked?.code === 0 ? asked.text.trim() : '');
  if (value(name) !== '' && value(email) !== '')
    return { ...about, state: 'ok', detail: `Your own commits are by ${value(name)}.`, command: null };
  const told = [name, email].every((asked) => asked?.code === 0 || asked?.code === 1);
  const command = 'git config --global user.name "NAME" && git config --global user.email ADDRESS';
  return told
    ? {
        ...about,
        state: 'missing',
        detail: 'git has no user.name and user.email for your own commits.',
        command,
      }
    : { ...about, state: 'unknown', detail: 'git does not say what user.name and user.email are.', command };
}
