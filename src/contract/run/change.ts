import type {
  ActivationState,
  CaptureState,
  CommandState,
  GateState,
  PlatformState,
  PromptState,
  SessionState,
  TurnState,
  WorkspaceState,
} from './platform-state';

/** Entries are replaced, never modified; an event about a missing entry changes nothing. */
export function changeActivation(
  state: PlatformState,
  id: number,
  change: (a: ActivationState) => Partial<ActivationState>,
): void {
  const entry = state.activations[id];
  if (entry) state.activations[id] = { ...entry, ...change(entry) };
}
export function changeSession(
  state: PlatformState,
  id: number,
  change: (s: SessionState) => Partial<SessionState>,
): void {
  const entry = state.sessions[id];
  if (entry) state.sessions[id] = { ...entry, ...change(entry) };
}
export function changeTurn(
  state: PlatformState,
  id: number,
  change: (t: TurnState) => Partial<TurnState>,
): void {
  const entry = state.turns[id];
  if (entry) state.turns[id] = { ...entry, ...change(entry) };
}
export function changeCommand(
  state: PlatformState,
  id: number,
  change: (c: CommandState) => Partial<CommandState>,
): void {
  const entry = state.commands[id];
  if (entry) state.commands[id] = { ...entry, ...change(entry) };
}
export function changeGate(
  state: PlatformState,
  id: number,
  change: (g: GateState) => Partial<GateState>,
): void {
  const entry = state.gates[id];
  if (entry) state.gates[id] = { ...entry, ...change(entry) };
}
export function changePrompt(
  state: PlatformState,
  id: number,
  change: (entry: PromptState) => Partial<PromptState>,
): void {
  const entry = state.prompts[id];
  if (entry) state.prompts[id] = { ...entry, ...change(entry) };
}
export function changeWorkspace(
  state: PlatformState,
  id: number,
  change: (entry: WorkspaceState) => Partial<WorkspaceState>,
): void {
  const entry = state.workspaces[id];
  if (entry) state.workspaces[id] = { ...entry, ...change(entry) };
}
export function changeCapture(
  state: PlatformState,
  id: number,
  change: (entry: CaptureState) => Partial<CaptureState>,
): void {
  const entry = state.captures[id];
  if (entry) state.captures[id] = { ...entry, ...change(entry) };
}
