/** How many times more runs `npm run proof` makes of a randomized test; 1 in `npm test`. */
const factor = Number(process.env.PROOF ?? 1);

/** The number of runs of a randomized test: `few` in `npm test`, many times that in `npm run proof`. */
export const runs = (few: number): number => Math.ceil(few * factor);

/** The size of a test: small in `npm test`, large in `npm run proof`. */
export const sized = <Size>(small: Size, large: Size): Size => (factor > 1 ? large : small);
