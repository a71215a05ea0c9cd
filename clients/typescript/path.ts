/**
 * A parameter that a path cannot contain: an empty one, `.`, `..`, or half a character. The Fetch API removes `.` and
 * `..` from a URL even if they are escaped (https://url.spec.whatwg.org/#double-dot-path-segment), so the request would
 * be about something else. Nothing was sent.
 */
export class PathParameterError extends Error {
  /** The name of the parameter, such as `slug`. */
  readonly parameter: string;

  constructor(parameter: string) {
    super(`the path parameter "${parameter}" must not be empty, "." or "..", and must be well-formed`);
    this.name = 'PathParameterError';
    this.parameter = parameter;
  }
}

/** A path of openapi.json with its parameters. @throws PathParameterError */
export const pathWith = (path: string, parameters: Readonly<Record<string, unknown>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(parameters[name] ?? '');
    if (['', '.', '..'].includes(value) || !value.isWellFormed()) throw new PathParameterError(name);
    return encodeURIComponent(value);
  });
