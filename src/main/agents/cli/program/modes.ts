import type { Modes } from '../../modes';

export const claudeModes: Modes = {
  of: { ask: 'manual', allow_edits: 'acceptEdits', allow_all: 'bypassPermissions', deny: 'dontAsk' },
  asking: ['manual', 'default', 'plan'],
  reading: ['plan'],
};

/** Its sandboxes: it asks for what they forbid, hence in the read-only one for each write. */
export const codexModes: Modes = {
  of: {
    ask: 'read-only',
    allow_edits: 'workspace-write',
    allow_all: 'danger-full-access',
    deny: 'read-only',
  },
  asking: ['read-only'],
  reading: ['read-only'],
};

export const geminiModes: Modes = {
  of: { ask: 'default', allow_edits: 'auto_edit', allow_all: 'yolo', deny: 'plan' },
  asking: ['default', 'plan'],
  reading: ['plan'],
};

export const qwenModes: Modes = { ...geminiModes, of: { ...geminiModes.of, allow_edits: 'auto-edit' } };
