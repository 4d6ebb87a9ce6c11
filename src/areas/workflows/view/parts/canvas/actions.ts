import type { ActionSpecs } from '@renderer/client/actions';

const group = 'Canvas';
const walk = { group, quiet: true, repeats: true } as const;

export const canvasActions = {
  'canvas.right': { title: 'Go to the next step along the cable', keys: 'Right, l', ...walk },
  'canvas.left': { title: 'Go to the previous step along the cable', keys: 'Left, h', ...walk },
  'canvas.down': { title: 'Go to the step below', keys: 'Down, j', ...walk },
  'canvas.up': { title: 'Go to the step above', keys: 'Up, k', ...walk },
  'canvas.extendRight': { title: 'Also select the next step along the cable', keys: 'mod+Right', ...walk },
  'canvas.extendLeft': { title: 'Also select the previous step along the cable', keys: 'mod+Left', ...walk },
  'canvas.extendDown': { title: 'Also select the step below', keys: 'mod+Down', ...walk },
  'canvas.extendUp': { title: 'Also select the step above', keys: 'mod+Up', ...walk },
  'canvas.cable': { title: 'Go to the next cable of the step', keys: '.', ...walk },
  'canvas.open': { title: 'Open the panel of the step', keys: 'Enter', group },
  'canvas.toggle': { title: 'Open or close the body of the step', keys: 'o', group },
  'canvas.clear': { title: 'Clear the selection', keys: 'Esc', group, quiet: true },
  'canvas.find': { title: 'Find a step', keys: '/, mod+f', group },
  'canvas.fit': { title: 'Show the whole workflow', keys: '0', group },
  'canvas.in': { title: 'Zoom in', keys: 'plus, =', group, quiet: true, repeats: true },
  'canvas.out': { title: 'Zoom out', keys: '-', group, quiet: true, repeats: true },
  'canvas.back': { title: 'Go back to the canvas', keys: 'Esc', group, quiet: true, inText: true },
  'canvas.add': { title: 'Add a step after the selected one', keys: 'a', group },
  'canvas.connect': { title: 'Connect the step to another one', keys: 'c', group },
  'canvas.outputs': { title: 'Show the outputs of the step', keys: 'p', group },
  'canvas.align': { title: 'Align the selected steps', keys: 'shift+t', group },
  'canvas.group': { title: 'Make a sub-workflow of the selected steps', keys: 'mod+g', group },
  'canvas.reconnect': { title: 'Reconnect the cable', keys: 'r', group },
  'canvas.rename': { title: 'Rename the step', keys: 'F2', group },
  'canvas.remove': { title: 'Remove the selection', keys: 'Delete, Backspace', group },
  'canvas.duplicate': { title: 'Duplicate the selected steps', keys: 'mod+d', group },
  'canvas.switch': { title: 'Switch the selected steps off or on', keys: 'd', group },
  'canvas.copy': { title: 'Copy the selected steps as YAML', keys: 'mod+c', group },
  'canvas.cut': { title: 'Cut the selected steps', keys: 'mod+x', group },
  'canvas.all': { title: 'Select all steps', keys: 'mod+a', group },
  'canvas.moveRight': { title: 'Move the step to the right', keys: 'shift+Right, shift+l', ...walk },
  'canvas.moveLeft': { title: 'Move the step to the left', keys: 'shift+Left, shift+h', ...walk },
  'canvas.moveDown': { title: 'Move the step down', keys: 'shift+Down, shift+j', ...walk },
  'canvas.moveUp': { title: 'Move the step up', keys: 'shift+Up, shift+k', ...walk },
  'canvas.arrange': { title: 'Arrange all steps', keys: 'shift+a', group },
  'canvas.undo': { title: 'Undo the last change of the file', keys: 'mod+z', group },
  'canvas.redo': { title: 'Redo the undone change', keys: 'mod+shift+z, mod+y', group },
} as const satisfies ActionSpecs;

declare module '@renderer/client/actions' {
  interface ActionNames extends Record<keyof typeof canvasActions, true> {}
}
