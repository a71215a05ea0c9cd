/** An event pattern: nested fields, whose leaves are lists of allowed values or operators. */
type Pattern = { readonly [field: string]: Pattern | readonly unknown[] };
type Test = (value: unknown) => boolean;

/**
 * Turns the filter patterns of an event source mapping into one test. An event passes if it matches any pattern, or if
 * there are none.
 *
 * @throws Error that names an unsupported operator; thrown here, not when an event arrives.
 */
export function eventFilter(patterns: readonly string[]): Test {
  const tests = patterns.map((pattern) => object(JSON.parse(pattern) as Pattern));
  return (event) => tests.length === 0 || tests.some((test) => test(event));
}

function object(pattern: Pattern): Test {
  const fields = Object.entries(pattern).map(([field, inner]) => {
    if (field === '$or') throw new Error('the local host does not support the filter operator $or');
    return [field, Array.isArray(inner) ? anyOf(inner) : object(inner as Pattern)] as const;
  });
  return (value) => {
    const event = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
    return fields.every(([field, test]) => test(event[field]));
  };
}

/** A list in the event matches if one of its entries does. */
function anyOf(allowed: readonly unknown[]): Test {
  const tests = allowed.map(one);
  return (value) => (Array.isArray(value) && value.length ? value : [value]).some((entry) => tests.some((test) => test(entry)));
}

function one(allowed: unknown): Test {
  if (typeof allowed !== 'object' || allowed === null) return (value) => value === allowed;
  const entries = Object.entries(allowed);
  const [operator = '', operand] = entries[0] ?? [];
  const make = entries.length === 1 ? operators[operator] : undefined;
  if (!make) throw new Error(`the local host does not support the filter operator ${Object.keys(allowed).join(', ')}`);
  return make(operand);
}

const text =
  (test: (value: string) => boolean): Test =>
  (value) =>
    typeof value === 'string' && test(value);

const operators: Readonly<Record<string, (operand: unknown) => Test>> = {
  'anything-but': (operand) => {
    const tests = [operand].flat().map(one);
    return (value) => value !== undefined && !tests.some((test) => test(value));
  },
  'equals-ignore-case': (operand) => text((value) => value.toLowerCase() === String(operand).toLowerCase()),
  exists: (operand) => (value) => (value !== undefined) === operand,
  numeric: (operand) => {
    const parts = operand as readonly (string | number)[];
    const tests: ((value: number) => boolean)[] = [];
    for (let i = 0; i < parts.length; i += 2) tests.push(comparison(String(parts[i]), Number(parts[i + 1])));
    return (value) => typeof value === 'number' && tests.every((test) => test(value));
  },
  prefix: (operand) => text((value) => value.startsWith(String(operand))),
  suffix: (operand) => text((value) => value.endsWith(String(operand))),
};

function comparison(sign: string, limit: number): (value: number) => boolean {
  const comparisons: Record<string, (value: number) => boolean> = {
    '=': (value) => value === limit,
    '<': (value) => value < limit,
    '<=': (value) => value <= limit,
    '>': (value) => value > limit,
    '>=': (value) => value >= limit,
  };
  const found = comparisons[sign];
  if (!found) throw new Error(`the local host does not support the filter operator numeric ${sign}`);
  return found;
}
