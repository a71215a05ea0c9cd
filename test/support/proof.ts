/** How many times more runs `npm run proof` makes of a randomized test; 1 in `npm test`. */
const factor = Number(process.env.PROOF ?? 1);

/** The second engine runs a randomized test less often: it is about what the engine does, and the other has tried the schedules. */
const share = process.env.ENGINE === 'dynamodb-local' ? 0.4 : 1;

/** The number of runs of a randomized test: `few` in `npm test`, many times that in `npm run proof`. */
export const runs = (few: number): number => Math.ceil(few * factor * share);

/** The size of a test: small in `npm test`, large in `npm run proof`. */
export const sized = (small: number, large: number): number => (factor > 1 ? large : small);
