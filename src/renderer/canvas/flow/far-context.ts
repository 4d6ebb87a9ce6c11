import { createContext } from 'react';

/** Whether the canvas is seen from so far away that only shapes are drawn. */
export const FarContext = createContext(false);
