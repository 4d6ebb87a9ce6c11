import type { DetectedAgent } from '../contract/profile';
import type { AgentFinderParts, FinderPreset } from './agent-finder-parts';
import { testAgent } from './agent-test';
import { askedVersion, versionOf } from './agent-version';
import type { AgentFinder } from './catalog-service';

/** Maximum programs asked for their version at a time: each may start a whole runtime. */
const AT_ONCE = 3;

export function createAgentFinder(parts: AgentFinderParts): AgentFinder {
  let looking: Promise<DetectedAgent[]> | null = null;
  return {
    // Simultaneous requests of several windows and views share one search.
    detect() {
      looking ??= detect(parts).finally(() => {
        looking = null;
      });
      return looking;
    },
    test: (profile) => testAgent(parts, profile),
  };
}

async function detect(parts: AgentFinderParts): Promise<DetectedAgent[]> {
  const found: DetectedAgent[] = [];
  const waiting = parts.presets.entries();
  const work = async (): Promise<void> => {
    for (const [index, preset] of waiting) found[index] = await look(parts, preset);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return found;
}

/** The version of the agent, and of the adapter that starts it, each with its name. */
async function versionsOf(
  parts: AgentFinderParts,
  path: string,
  { name, versionArgs, adapts }: FinderPreset,
): Promise<string | null> {
  const version = await versionOf(parts, path, versionArgs);
  if (adapts === undefined || version === null) return version;
  const ownVersion = adapts.versionArgs === null ? null : await askedVersion(parts, path, adapts.versionArgs);
  return ownVersion === null ? `adapter ${version}` : `${name} ${ownVersion}, adapter ${version}`;
}

async function look(parts: AgentFinderParts, preset: FinderPreset): Promise<DetectedAgent> {
  const { id, name, install, programs } = preset;
  for (const program of programs) {
    const path = await parts.processes.find(program);
    if (path === null) continue;
    const version = await versionsOf(parts, path, preset);
    return { id, name, install, found: true, path, version, profile: preset.profile(program) };
  }
  const profile = preset.profile(programs[0] ?? id);
  return { id, name, install, found: false, path: null, version: null, profile };
}
