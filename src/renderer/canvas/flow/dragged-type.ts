/** The kind of data by which the canvas knows a step type that is dragged onto it. */
export const DRAGGED_TYPE = 'application/x-muster-step';
