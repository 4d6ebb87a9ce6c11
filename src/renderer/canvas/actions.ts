import type { ActionSpecs } from '../client/actions';

const group = 'Canvas';
const walk = { group, quiet: true, repeats: true } as const;

export const canvasActions = {
  'canvas.right': { title: 'Go to the next step along the cable', keys: 'Right, l', ...walk },
  'canvas.left': { title: 'Go to the step before along the cable', keys: 'Left, h', ...walk },
  'canvas.down': { title: 'Go to the step below', keys: 'Down, j', ...walk },
  'canvas.up': { title: 'Go to the step above', keys: 'Up, k', ...walk },
  'canvas.extendRight': { title: 'Select the next step along the cable too', keys: 'mod+Right', ...walk },
  'canvas.extendLeft': { title: 'Select the step before along the cable too', keys: 'mod+Left', ...walk },
  'canvas.extendDown': { title: 'Select the step below too', keys: 'mod+Down', ...walk },
  'canvas.extendUp': { title: 'Select the step above too', keys: 'mod+Up', ...walk },
  'canvas.cable': { title: 'Go to the next cable of the step', keys: '.', ...walk },
  'canvas.open': { title: 'Open the panel of the step', keys: 'Enter', group },
  'canvas.toggle': { title: 'Open or close the body of the step', keys: 'o', group },
  'canvas.clear': { title: 'Choose nothing', keys: 'Esc', group, quiet: true },
  'canvas.find': { title: 'Find a step', keys: '/, mod+f', group },
  'canvas.fit': { title: 'Show the whole workflow', keys: '0', group },
  'canvas.in': { title: 'Zoom in', keys: 'plus, =', group, quiet: true, repeats: true },
  'canvas.out': { title: 'Zoom out', keys: '-', group, quiet: true, repeats: true },
  'canvas.back': { title: 'Go back to the canvas', keys: 'Esc', group, quiet: true, inText: true },
  'canvas.add': { title: 'Add a step after the chosen one', keys: 'a', group },
  'canvas.connect': { title: 'Connect the step to another one', keys: 'c', group },
  'canvas.outputs': { title: 'Show the outputs of the step', keys: 'p', group },
  'canvas.align': { title: 'Align the selected steps', keys: 'shift+t', group },
  'canvas.group': { title: 'Make a sub-workflow of the selected steps', keys: 'mod+g', group },
  'canvas.reconnect': { title: 'Lead the cable elsewhere', keys: 'r', group },
  'canvas.rename': { title: 'Rename the step', keys: 'F2', group },
  'canvas.remove': { title: 'Remove what is chosen', keys: 'Delete, Backspace', group },
  'canvas.duplicate': { title: 'Duplicate the chosen steps', keys: 'mod+d', group },
  'canvas.copy': { title: 'Copy the chosen steps as YAML', keys: 'mod+c', group },
  'canvas.cut': { title: 'Cut the chosen steps', keys: 'mod+x', group },
  'canvas.all': { title: 'Choose all steps', keys: 'mod+a', group },
  'canvas.moveRight': { title: 'Move the step to the right', keys: 'shift+Right, shift+l', ...walk },
  'canvas.moveLeft': { title: 'Move the step to the left', keys: 'shift+Left, shift+h', ...walk },
  'canvas.moveDown': { title: 'Move the step down', keys: 'shift+Down, shift+j', ...walk },
  'canvas.moveUp': { title: 'Move the step up', keys: 'shift+Up, shift+k', ...walk },
  'canvas.arrange': { title: 'Arrange all steps', keys: 'shift+a', group },
  'canvas.undo': { title: 'Undo the last change of the file', keys: 'mod+z', group },
  'canvas.redo': { title: 'Make the undone change again', keys: 'mod+shift+z, mod+y', group },
} as const satisfies ActionSpecs;

declare module '../client/actions' {
  interface ActionNames extends Record<keyof typeof canvasActions, true> {}
}
