import { z } from 'zod';

export const windowStateSchema = z.object({
  x: z.number().int().optional(),
  y: z.number().int().optional(),
  width: z.number().int().min(400).max(20_000),
  height: z.number().int().min(300).max(20_000),
  maximised: z.boolean(),
});
export type WindowState = z.infer<typeof windowStateSchema>;

export const firstState: WindowState = { width: 1280, height: 800, maximised: false };
