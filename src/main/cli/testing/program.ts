import { runProgram } from '../program';
import type { FakeLink } from './fake-link';
import { fakeWorld } from './fake-world';

/** Runs a command line against a fake core. */
export async function program(line: string, link?: FakeLink) {
  const args = line.match(/"[^"]*"|\S+/g)?.map((word) => word.replaceAll('"', '')) ?? [];
  const { world, said, opened } = fakeWorld(args, link);
  const code = await runProgram(world);
  return { code, ...said, opened };
}
