/** `main.js JSON`: records the scenes that are named, or all, each as a history of a real run of scripted agents. */
import { join } from 'node:path';
import { z } from 'zod';
import { scenes } from './scenes';
import { Stage } from './stage';

const { names, into, resourcesDir } = z
  .object({ names: z.array(z.string()), into: z.string(), resourcesDir: z.string() })
  .parse(JSON.parse(process.argv[2] ?? ''));
const folder = import.meta.dirname;

for (const scene of scenes) {
  if (names.length > 0 && !names.includes(scene.name)) continue;
  // Sandboxes are hosted by the app as it is built.
  const processDir = scene.models === undefined ? folder : join(resourcesDir, '..', 'out', 'main');
  const terminalsFile = join(folder, 'terminals.js');
  const stage = new Stage(scene, {
    coreFile: join(folder, 'core.js'),
    terminalsFile,
    processDir,
    resourcesDir,
  });
  try {
    await stage.start();
    await scene.play(stage);
    await stage.keep(join(into, `${scene.name}.jsonl`));
    console.log(`recorded ${scene.name}`);
  } finally {
    await stage.end();
  }
}
