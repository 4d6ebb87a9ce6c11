import type { Plugin } from 'vite';

export declare function sqliteInside(): Plugin;
