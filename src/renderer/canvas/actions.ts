import type { ActionSpecs } from '../client/actions';

const group = 'Canvas';
const walk = { group, quiet: true, repeats: true } as const;

export const canvasActions = {
  'canvas.right': { title: 'Go to the next step along the cable', keys: 'Right, l', ...walk },
  'canvas.left': { title: 'Go to the step before along the cable', keys: 'Left, h', ...walk },
  'canvas.down': { title: 'Go to the step below', keys: 'Down, j', ...walk },
  'canvas.up': { title: 'Go to the step above', keys: 'Up, k', ...walk },
  'canvas.cable': { title: 'Go to the next cable of the step', keys: '.', ...walk },
  'canvas.open': { title: 'Open the panel of the step', keys: 'Enter', group },
  'canvas.toggle': { title: 'Open or close the body of the step', keys: 'o', group },
  'canvas.clear': { title: 'Choose nothing', keys: 'Esc', group, quiet: true },
  'canvas.find': { title: 'Find a step', keys: '/, mod+f', group },
  'canvas.fit': { title: 'Show the whole workflow', keys: '0', group },
  'canvas.in': { title: 'Zoom in', keys: 'plus, =', group, quiet: true, repeats: true },
  'canvas.out': { title: 'Zoom out', keys: '-', group, quiet: true, repeats: true },
} as const satisfies ActionSpecs;

declare module '../client/actions' {
  interface ActionNames extends Record<keyof typeof canvasActions, true> {}
}
