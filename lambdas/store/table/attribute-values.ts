/**
 * Attributes as DynamoDB writes them, like `{"S":"text"}`, to and from plain JavaScript values, as
 * `@aws-sdk/util-dynamodb` converts them
 * (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_AttributeValue.html). Except that a value is what
 * it is, whatever the names in it: that library takes a map with a `constructor` for something else, and refuses it.
 */
type AttributeValue = Readonly<Record<string, unknown>>;
type Attributes = Readonly<Record<string, AttributeValue>>;

/** What stands for bytes: themselves, or Base64 in JSON. */
type Bytes = (bytes: Uint8Array) => unknown;
const asBytes: Bytes = (bytes) => bytes;
const asBase64: Bytes = ({ buffer, byteOffset, length }) => Buffer.from(buffer, byteOffset, length).toString('base64');

/** The attribute for a value. @throws Error if DynamoDB, or this function, cannot store it exactly */
export function toAttribute(value: unknown, bytes = asBytes): AttributeValue {
  switch (typeof value) {
    case 'string':
      return { S: value };
    case 'number':
      return { N: exact(value) };
    case 'boolean':
      return { BOOL: value };
  }
  if (value === null) return { NULL: true };
  if (Array.isArray(value)) return { L: value.filter((one) => one !== undefined).map((one) => toAttribute(one, bytes)) };
  if (value instanceof Set) return toSet([...value]);
  if (value instanceof Uint8Array) return { B: bytes(value) };
  if (isPlain(value)) return { M: toAttributes(value, bytes) };
  throw new Error(`an attribute must not be of type ${typeof value}`);
}

/** The attributes for an item, or for the values of an expression, without those that are undefined. */
export function toAttributes(item: object, bytes = asBytes): Attributes {
  // Neither an assignment nor the SDK keeps the name.
  if (Object.hasOwn(item, '__proto__')) throw new Error('an attribute must not be called __proto__');
  const attributes: Record<string, AttributeValue> = {};
  for (const [name, value] of Object.entries(item)) {
    if (value !== undefined) attributes[name] = toAttribute(value, bytes);
  }
  return attributes;
}

/** The same as JSON. */
export const attributeJson = (value: unknown): string => JSON.stringify(toAttribute(value, asBase64));
export const itemJson = (item: object): string => JSON.stringify(toAttributes(item, asBase64));

function toSet(values: readonly unknown[]): AttributeValue {
  if (values.length > 0 && values.every((one) => typeof one === 'string')) return { SS: values };
  if (values.length > 0 && values.every((one) => typeof one === 'number')) return { NS: values.map(exact) };
  throw new Error('a set must have texts or numbers only, and at least one');
}

function exact(value: number): string {
  if (Number.isNaN(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) throw new Error(`${value} cannot be stored exactly`);
  return String(value);
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
        return itemOf(value as Attributes);
      case 'SS':
        return new Set(value as string[]);
      case 'NS':
        return new Set((value as string[]).map(numberOf));
      case 'B':
        return bytesOf(value as string | Uint8Array);
      case 'BS':
        return new Set((value as (string | Uint8Array)[]).map(bytesOf));
    }
  }
  throw new Error(`an attribute of an unknown type: ${Object.keys(attribute)}`);
}

/**
 * The plain values of an item, sorted by name. DynamoDB promises no order. To V8, objects whose fields were added in
 * different orders have different shapes, and code that reads many shapes is slow.
 */
export function itemOf(item: Attributes): Record<string, unknown> {
  const plain: Record<string, unknown> = {};
  for (const name of Object.keys(item).sort()) plain[name] = attributeOf(item[name] ?? {});
  return plain;
}

function numberOf(text: string): number | bigint {
  const value = Number(text);
  return Math.abs(value) > Number.MAX_SAFE_INTEGER ? BigInt(text) : value;
}

/** Bytes, which JSON has in Base64. */
const bytesOf = (value: string | Uint8Array): Uint8Array =>
  typeof value === 'string' ? new Uint8Array(Buffer.from(value, 'base64')) : value;
