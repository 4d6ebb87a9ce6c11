import type { ListRow } from '@renderer/ui/lists/list';
import type { ProfileRow } from '../contract/procedures';
import type { DetectedAgent } from '../contract/profile';

export type AgentListRow =
  | (ListRow & { readonly heading: true; readonly text: string })
  | (ListRow & {
      readonly heading?: false;
      readonly kind: 'profile';
      readonly profile: ProfileRow;
      readonly found: DetectedAgent | null;
    })
  | (ListRow & { readonly heading?: false; readonly kind: 'detected'; readonly detected: DetectedAgent })
  | (ListRow & { readonly heading?: false; readonly kind: 'secrets' });

const ROW = 48;
const HEADING = 30;

const heading = (text: string): AgentListRow => ({
  key: `heading/${text}`,
  height: HEADING,
  heading: true,
  text,
});

/** Profiles first, then agents searched for on this machine that have no profile, then the secrets. */
export function agentRows(
  profiles: readonly ProfileRow[],
  detected: readonly DetectedAgent[],
  text = '',
): AgentListRow[] {
  // Agents used as detected are listed as detected: the operator can still make a profile of each.
  const made = profiles.filter(({ source }) => source !== 'detected');
  const known = new Set(made.map((row) => row.profile.id));
  const fresh = detected.filter((agent) => !known.has(agent.profile.id));
  const rows = (found: boolean) =>
    fresh
      .filter((agent) => agent.found === found)
      .map(
        (agent): AgentListRow => ({
          key: `detected/${agent.id}`,
          height: ROW,
          kind: 'detected',
          detected: agent,
        }),
      );
  const [here, missing] = [rows(true), rows(false)];
  const profileRows = made.map(
    (profile): AgentListRow => ({
      key: `agent/${profile.profile.id}`,
      height: ROW,
      kind: 'profile',
      profile,
      found: detected.find((agent) => agent.profile.id === profile.profile.id) ?? null,
    }),
  );
  const secrets: AgentListRow = { key: 'secrets', height: 34, kind: 'secrets' };
  const sections: [string, readonly AgentListRow[]][] = [
    ['Profiles', profileRows],
    ['Found on this machine', here],
    ['Not installed', missing],
    ['Keychain', [secrets]],
  ];
  return sections.flatMap(([title, all]) => {
    const found = all.filter((row) => wordsOf(row, title).toLowerCase().includes(text.trim().toLowerCase()));
    return found.length === 0 ? [] : [heading(title), ...found];
  });
}

/** The searchable words of a row. */
function wordsOf(row: AgentListRow, title: string): string {
  if (row.heading || row.kind === 'secrets') return title;
  const { id, name, kind } = row.kind === 'profile' ? row.profile.profile : row.detected.profile;
  return [id, name, kind].join(' ');
}
