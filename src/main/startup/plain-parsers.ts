import { config } from 'zod';

// Zod would compile a parser for each object schema on first use. Main uses many schemas only a few times.
config({ jitless: true });
