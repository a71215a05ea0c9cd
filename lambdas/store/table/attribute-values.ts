/**
 * Converts attributes between DynamoDB's form, like `{"S":"text"}`, and plain JavaScript values, as
 * `@aws-sdk/util-dynamodb` does
 * (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_AttributeValue.html).
 */
type AttributeValue = Readonly<Record<string, unknown>>;

/** Writes one value as JSON. @throws Error if DynamoDB, or this function, cannot store it exactly */
export function attributeJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return `{"S":${JSON.stringify(value)}}`;
    case 'number':
      return `{"N":"${exact(value)}"}`;
    case 'boolean':
      return `{"BOOL":${value}}`;
  }
  if (value === null) return '{"NULL":true}';
  if (Array.isArray(value)) return `{"L":[${value.filter((one) => one !== undefined).map(attributeJson)}]}`;
  if (value instanceof Set) return setJson([...value]);
  if (value instanceof Uint8Array)
    return `{"B":"${Buffer.from(value.buffer, value.byteOffset, value.length).toString('base64')}"}`;
  if (isPlain(value)) return `{"M":${itemJson(value)}}`;
  throw new Error(`an attribute must not be of type ${typeof value}`);
}

/** Writes an item, or the values of an expression, as JSON, without those that are undefined. */
export function itemJson(item: object): string {
  let fields = '';
  for (const [name, value] of Object.entries(item)) {
    if (value !== undefined) fields += `${fields && ','}${JSON.stringify(name)}:${attributeJson(value)}`;
  }
  return `{${fields}}`;
}

function setJson(values: readonly unknown[]): string {
  if (values.length > 0 && values.every((one) => typeof one === 'string')) return `{"SS":${JSON.stringify(values)}}`;
  if (values.length > 0 && values.every((one) => typeof one === 'number')) {
    return `{"NS":${JSON.stringify(values.map((one) => String(exact(one))))}}`;
  }
  throw new Error('a set must have texts or numbers only, and at least one');
}

function exact(value: number): number {
  if (Number.isNaN(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) throw new Error(`${value} cannot be stored exactly`);
  return value;
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

/** The plain value of an attribute. An integer that a number cannot hold exactly becomes a bigint. */
function attributeOf(attribute: AttributeValue): unknown {
  for (const type in attribute) {
    const value = attribute[type];
    switch (type) {
      case 'S':
      case 'BOOL':
        return value;
      case 'N':
        return numberOf(value as string);
      case 'NULL':
        return null;
      case 'L':
        return (value as AttributeValue[]).map(attributeOf);
      case 'M':
        return itemOf(value as Record<string, AttributeValue>);
      case 'SS':
        return new Set(value as string[]);
      case 'NS':
        return new Set((value as string[]).map(numberOf));
      case 'B':
        return bytesOf(value as string);
      case 'BS':
        return new Set((value as string[]).map(bytesOf));
    }
  }
  throw new Error(`an attribute of an unknown type: ${Object.keys(attribute)}`);
}

/**
 * The plain values of an item, sorted by name. DynamoDB promises no order. To V8, objects whose fields were added in
 * different orders have different shapes, and code that reads many shapes is slow.
 */
export function itemOf(item: Readonly<Record<string, AttributeValue>>): Record<string, unknown> {
  const plain: Record<string, unknown> = {};
  for (const name of Object.keys(item).sort()) plain[name] = attributeOf(item[name] ?? {});
  return plain;
}

function numberOf(text: string): number | bigint {
  const value = Number(text);
  return Math.abs(value) > Number.MAX_SAFE_INTEGER ? BigInt(text) : value;
}

const bytesOf = (base64: string): Uint8Array => new Uint8Array(Buffer.from(base64, 'base64'));
