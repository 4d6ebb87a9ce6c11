import { config } from 'zod';

// Zod would write and compile a parser for each object when it is first met. Main meets many objects a few times.
config({ jitless: true });
