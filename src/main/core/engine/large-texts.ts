import { largeDiff, withWholeDiffs } from '@areas/changes/contract/change-bundle';
import { type EvidencePiece, evidencePieces, storedEvidence } from '@areas/evidence/contract/evidence';
import type { ContextBundle, StoredBundle, WholeBundle } from '@areas/workflows/contract/definition';
import type { Json } from '@contract/ids';
import { EVENT_TEXT_BYTES, WHOLE_TEXT_BYTES } from '@contract/limits';
import type { RunEvent, RunEventOf } from '@contract/run/events';
import { utf8Length } from '@contract/text-length';
import { isLarge, previewText, type WholeText } from '@contract/whole-text';
import type { WholeTexts } from '../ports/whole-texts';

/** Three bytes of UTF-8 at most for each unit of a string. */
const SHORT = EVENT_TEXT_BYTES / 3;

const isLong = (text: WholeText): boolean => typeof text === 'string' && text.length > SHORT;
const hasLong = (all: Readonly<Record<string, WholeText>>): boolean => Object.values(all).some(isLong);

/** An event as it is stored: texts that are too large for it go into files first. */
export function withoutLargeTexts(texts: WholeTexts, event: RunEvent): RunEvent {
  const keep = (text: WholeText): WholeText => (typeof text === 'string' ? texts.keep(text) : text);
  const keepAll = <T extends Readonly<Record<string, WholeText>>>(all: T): Record<string, WholeText> =>
    Object.fromEntries(Object.entries(all).map(([name, text]) => [name, keep(text)]));
  switch (event.type) {
    case 'turn.finished':
      return isLong(event.response) ? { ...event, response: keep(event.response) } : event;
    case 'turn.interrupted':
      return isLong(event.partial) ? { ...event, partial: keep(event.partial) } : event;
    case 'command.started':
      return hasLong(event.env) ? { ...event, env: keepAll(event.env) } : event;
    case 'activation.expanded': {
      const { texts: expanded, env = {} } = event;
      if (!hasLong(expanded) && !hasLong(env)) return event;
      return {
        ...event,
        texts: keepAll(expanded),
        ...(event.env === undefined ? {} : { env: keepAll(env) }),
      };
    }
    case 'activation.finished':
      return hasLargeOutput(event.outputs)
        ? {
            ...event,
            outputs: Object.fromEntries(
              Object.entries(event.outputs).map(([port, bundle]) => [port, storedBundle(texts, bundle)]),
            ),
          }
        : event;
    case 'scope.opened': {
      const { values, inputs } = event;
      if (!hasLong(values) && !hasLong(inputs ?? {})) return event;
      return {
        ...event,
        values: keepAll(values),
        ...(inputs === undefined ? {} : { inputs: keepAll(inputs) }),
      };
    }
    case 'gate.opened':
      return isLong(event.message) || isLong(event.evidence ?? '') ? withPreviews(texts, event) : event;
    default:
      return event;
  }
}

/** A gate shows the beginning and the end of a large text, and names the file with all of it. */
function withPreviews(texts: WholeTexts, event: RunEventOf<'gate.opened'>): RunEvent {
  const preview = (piece: EvidencePiece): EvidencePiece => {
    const kept = texts.keep(piece.text);
    return typeof kept === 'string' ? piece : { ...piece, text: previewText(kept), large: kept };
  };
  const question = preview({ kind: 'text', title: 'Question', text: event.message });
  const evidence = evidencePieces(event, 'text').map(preview);
  const pieces = question.large === undefined ? evidence : [question, ...evidence];
  return { ...event, message: question.text, ...storedEvidence(pieces) };
}

/** Below 0 if the value may have more than this many characters. Looks no further than that. */
function roomAfter(value: Json, room = SHORT): number {
  if (room < 0 || value === null) return room;
  if (typeof value === 'string') return room - value.length;
  if (typeof value !== 'object') return room - 8;
  let left = room - 2;
  for (const [key, one] of Object.entries(value)) {
    left = roomAfter(one, left - key.length);
    if (left < 0) return left;
  }
  return left;
}

/** Recorded changes stay where they can be revised. */
const isRevised = ({ kind }: StoredBundle): boolean => kind === 'diff' || kind === 'files';

const isLargeBundle = (bundle: StoredBundle): boolean =>
  !isRevised(bundle) &&
  ('cut' in bundle
    ? isLong(bundle.cut.shown)
    : bundle.content !== undefined && roomAfter(bundle.content) < 0);

const hasLargeOutput = (outputs: Readonly<Record<string, StoredBundle>>): boolean =>
  Object.values(outputs).some(isLargeBundle);

function storedBundle(texts: WholeTexts, bundle: StoredBundle): StoredBundle {
  if ('large' in bundle || !isLargeBundle(bundle)) return bundle;
  if ('cut' in bundle) {
    const { cut } = bundle;
    return {
      ...bundle,
      cut: { ...cut, shown: typeof cut.shown === 'string' ? texts.keep(cut.shown) : cut.shown },
    };
  }
  const { content, ...rest } = bundle;
  const isText = typeof content === 'string';
  const large = texts.keep(isText ? content : JSON.stringify(content, null, 2));
  return typeof large === 'string' ? bundle : { ...rest, large, form: isText ? 'text' : 'json' };
}

/** A bundle for a reader. The file of a large one is read when its content is. */
export function wholeBundle(texts: Pick<WholeTexts, 'read'>, bundle: StoredBundle): ContextBundle {
  if ('cut' in bundle) {
    const { cut } = bundle;
    return isLarge(cut.shown) ? { ...bundle, cut: { ...cut, shown: texts.read(cut.shown) } } : bundle;
  }
  if (!('large' in bundle)) return bundle.kind === 'diff' ? wholeList(texts, bundle) : bundle;
  const { large, form, ...rest } = bundle;
  return {
    ...rest,
    get content(): Json {
      return form === 'text' ? texts.read(large) : (JSON.parse(texts.read(large)) as Json);
    },
  };
}

/** Of several agents' diffs, each large one has a file of its own. */
function wholeList(texts: Pick<WholeTexts, 'read'>, bundle: WholeBundle): WholeBundle {
  const { content, ...rest } = bundle;
  if (!Array.isArray(content) || content.every((entry) => largeDiff(entry) === null)) return bundle;
  return {
    ...rest,
    get content(): Json {
      return withWholeDiffs(content, (text) => texts.read(text));
    },
  };
}

/** The size of an output in bytes, if it is too large for any reader; null for all others. */
export function excessiveSize(bundle: StoredBundle): number | null {
  if ('cut' in bundle || 'large' in bundle || roomAfter(bundle.content, WHOLE_TEXT_BYTES / 3) >= 0)
    return null;
  const { content } = bundle;
  const bytes = utf8Length(typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  return bytes > WHOLE_TEXT_BYTES ? bytes : null;
}
