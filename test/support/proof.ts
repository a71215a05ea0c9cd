/** How many times as long `npm run proof` tries at random; 1 in `npm test`. */
const factor = Number(process.env.PROOF ?? 1);

/** How often a test at random is run: so often in `npm test`, many times that in `npm run proof`. */
export const runs = (few: number): number => few * factor;

/** How large a test is: `npm run proof` takes the large one. */
export const sized = (small: number, large: number): number => (factor > 1 ? large : small);
