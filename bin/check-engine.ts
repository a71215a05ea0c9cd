import { findEngine } from '../local/database/engine.ts';

// Before tests and benchmarks: ends with one line if there is no database engine.

try {
  findEngine();
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
