/** The target folder, and the lines that register it, each with the text after which it is inserted. */
export const folder = 'src/features/checklist';
export const test = 'src/features/checklist/core/step.test.ts';
export const registry = {
  'src/features/contract.ts': [
    ['', "import { checklistFeature, type ChecklistState } from './checklist/contract/feature';\n"],
    ['export const features = [', 'checklistFeature, '],
    ['export const featureEvents = [', '...checklistFeature.events, '],
    ['export interface FeatureSlices {\n', '  checklists: Slice<ChecklistState>;\n'],
    ['emptySlices = (): FeatureSlices => ({', ' checklists: {},'],
  ],
  'src/features/core.ts': [
    ['', "import { checklist } from './checklist/core/step';\n"],
    ['registered: readonly CoreFeature[] = [\n', '  { steps: [checklist] },\n'],
  ],
  'src/features/event-lines.ts': [
    ['', "import { ofChecklists } from './checklist/node/commands/event-lines';\n"],
    ['featureEventLines = {', ' ...ofChecklists,'],
  ],
};
