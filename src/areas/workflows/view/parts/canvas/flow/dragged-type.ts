/** The data type of a step type that is dragged onto the canvas. */
export const DRAGGED_TYPE = 'application/x-muster-step';
