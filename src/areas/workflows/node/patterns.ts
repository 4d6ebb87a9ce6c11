import { join } from 'node:path';
import type { WorkflowPattern } from '@areas/agents/contract/procedures';
import { fail, ok, type Result } from '@contract/result';
import type { DocumentEditor, DocumentReader } from '@main/core/ports/documents';
import { listGuarded } from '@main/guarded-files/read';
import { readTextFile } from '@main/services/text-file';
import { readDefinition } from './read-definition';

/** Replaced by the agent that the operator chooses. Patterns are valid workflows, so it is an id like others. */
const PLACEHOLDER = /^(\s*(?:- )?acp_profile_id: )agent$/gm;

interface PatternParts {
  /** The folder with the patterns that come with Muster. */
  readonly dir: string;
  readonly reader: DocumentReader;
  readonly editor: DocumentEditor;
}

/** The workflows that come with Muster as examples to start from. */
export class WorkflowPatterns {
  constructor(private readonly parts: PatternParts) {}

  async list(): Promise<WorkflowPattern[]> {
    const names = (await listGuarded(this.parts.dir, '.')).filter((name) => name.endsWith('.yaml'));
    const found = await Promise.all(names.map((name) => this.#read(name.slice(0, -'.yaml'.length))));
    return found
      .flatMap((text) => text ?? [])
      .map(({ id, name, description }) => ({ id, name, description }));
  }

  /** The text of a new workflow: its name and its agent are as wanted, all else is the pattern's. */
  async textOf({ id, name, agent }: { id: string; name: string; agent: string }): Promise<Result<string>> {
    const known = await this.list();
    const pattern = known.some((one) => one.id === id) ? await this.#read(id) : null;
    if (pattern === null) {
      const mend = `choose one of: ${known.map((one) => one.id).join(', ')}`;
      return fail('not_found', `there is no pattern ${id}`, { mend });
    }
    const plain = /^[a-z_][\w-]*$/.test(agent) && !/^(?:true|false|null)$/.test(agent);
    const text = pattern.text.replace(PLACEHOLDER, (_, key) => key + (plain ? agent : JSON.stringify(agent)));
    const named = this.parts.editor.edit(text, [
      { kind: 'value.set', step: [], path: ['name'], value: name },
    ]);
    return named.ok ? ok(named.value.text) : named;
  }

  async #read(id: string): Promise<(WorkflowPattern & { readonly text: string }) | null> {
    const { dir, reader } = this.parts;
    const read = await readTextFile(join(dir, `${id}.yaml`), dir);
    if (read === null || 'trouble' in read) return null;
    const definition = readDefinition(reader.parse(read.text, `${id}.yaml`));
    if (!definition.success) return null;
    const { name, description = '' } = definition.data;
    return { id, name, description, text: read.text };
  }
}
