import type { Json } from '@contract/ids';
import type { RenamedText, RenamedTexts } from '../../contract/apply-edit';
import { isMap, type JsonMap } from '../../contract/change';
import type { ValuePath } from '../../contract/edit';
import { partsOf } from '../../contract/place';
import { tokensOf } from './condition/tokens';
import { type FoundReference, referenceAt } from './reference';
import { scanScript } from './script/scan';
import { type TemplateField, textsAt } from './templates';
import { piecesOf } from './text';

/** What a rename needs to know of step types: which configuration fields hold texts. */
export interface TemplatesOf {
  /**
   * The template fields of a step's configuration, including those of the step that it builds from its own
   * keys.
   */
  fieldsOf(type: string, config: Json): readonly TemplateField[];
}

type ReferenceFinder = (text: string) => readonly FoundReference[];

const inText: ReferenceFinder = (text) =>
  piecesOf(text).flatMap((piece) => ('found' in piece ? [piece.found] : []));
const inScript: ReferenceFinder = (text) => scanScript(text).map(({ found }) => found);

/** An invalid condition is searched for anything that looks like a reference. */
const inCondition: ReferenceFinder = (text) => {
  const read = tokensOf(text);
  if ('tokens' in read)
    return read.tokens.flatMap((token) => (token.kind === 'reference' ? [token.found] : []));
  return [...text.matchAll(/\$/g)].flatMap(({ index }) => referenceAt(text, index, 'condition') ?? []);
};

function renamedIn(text: string, found: ReferenceFinder, { from, to }: { from: string; to: string }): string {
  let result = '';
  let at = 0;
  for (const { reference, start } of found(text)) {
    if (!('step' in reference) || reference.step !== from) continue;
    const name = start + 1 + (reference.previous ? 'LOOP_PREV.'.length : 0);
    result += text.slice(at, name) + to;
    at = name + from.length;
  }
  return result + text.slice(at);
}

/** The texts that change when a step is renamed: templates, scripts and conditions. */
export function renamedTexts(types: TemplatesOf): RenamedTexts {
  const textsOf = (step: JsonMap, from: string, to: string): RenamedText[] => {
    const config = step.config ?? null;
    const changed = (path: ValuePath, text: string, found: ReferenceFinder): RenamedText[] => {
      const fresh = renamedIn(text, found, { from, to });
      return fresh === text ? [] : [{ path, text: fresh }];
    };
    const fields = typeof step.type === 'string' ? types.fieldsOf(step.type, config) : [];
    const texts = fields.flatMap((field) =>
      textsAt(config, field).flatMap(({ path, text }) =>
        changed(['config', ...partsOf(path)], text, field.kind === 'script' ? inScript : inText),
      ),
    );
    const when = typeof step.when === 'string' ? changed(['when'], step.when, inCondition) : [];
    return [...when, ...texts, ...ofTarget(config, from, to)];
  };
  /** A step that is contained whole in another's configuration. */
  const ofTarget = (config: Json, from: string, to: string): RenamedText[] => {
    const target = isMap(config) ? config.target : undefined;
    if (!isMap(target) || typeof target.type !== 'string') return [];
    return textsOf(target, from, to).map(({ path, text }) => ({ path: ['config', 'target', ...path], text }));
  };
  return (step, from, to) => (isMap(step) ? textsOf(step, from, to) : []);
}
