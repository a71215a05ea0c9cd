import * as z from 'zod/mini';
import { appLinksLength } from '../core/limits.ts';

/**
 * The files that associate a domain with apps. Known fields are checked, so that a mistake is found here, instead of a
 * phone silently opening the browser. Fields that neither Apple nor Google describes are kept.
 */

const texts = z.array(z.string());

const ruled = (pattern: RegExp, code: string, message: string) =>
  z.string().check(z.refine((text) => pattern.test(text), { message, params: { code } }));

/** A value as JSON; undefined if it is too large, or nested so deeply that it cannot be written. */
function fittingJson(value: unknown): string | undefined {
  try {
    const json = JSON.stringify(value);
    return Buffer.byteLength(json) <= appLinksLength ? json : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** A field with that name, in JSON: a quotation mark within a name follows a backslash. */
const proto = /(?<!\\)"__proto__":/;

/**
 * Checks the size first, because zod collects an error for each wrong value, and fails with a RangeError if there are
 * some hundred thousand. Refuses `__proto__`, which zod's objects drop.
 */
const fitting = <T extends z.ZodMiniType>(file: T) =>
  z.pipe(
    z.transform((sent: unknown, { issues }) => {
      const refuse = (code: string, message: string) => issues.push({ code: 'custom', input: sent, message, params: { code } });
      const json = fittingJson(sent);
      if (json === undefined) refuse('too_large', `must have at most ${appLinksLength.toLocaleString('en-US')} bytes as JSON`);
      else if (proto.test(json)) refuse('unknown_field', 'must not have a field __proto__');
      return sent;
    }),
    file,
  );

const appId = ruled(
  /^[A-Z0-9]{10}\.[A-Za-z0-9.-]{1,155}$/,
  'app_id_invalid',
  'must be an application identifier prefix of 10 characters, a dot and a bundle id, such as ABCDE12345.com.example.app',
);
const apps = z.optional(z.looseObject({ apps: z.array(appId) }));

/** A pattern of URLs. */
export const component = z.looseObject({
  '/': z.optional(z.string()),
  '?': z.optional(z.union([z.string(), z.record(z.string(), z.string())])),
  '#': z.optional(z.string()),
  exclude: z.optional(z.boolean()),
  comment: z.optional(z.string()),
  caseSensitive: z.optional(z.boolean()),
  percentEncoded: z.optional(z.boolean()),
});

/** The services that Apple describes. */
const services = ['applinks', 'webcredentials', 'appclips', 'activitycontinuation'];

/**
 * Apple's file, in the format since iOS 13 or the one before (`appID`, `paths`).
 *
 * @see https://developer.apple.com/documentation/bundleresources/applinks
 * @see https://developer.apple.com/library/archive/documentation/General/Conceptual/AppSearch/UniversalLinks.html
 */
export const appleAppSiteAssociation = fitting(
  z
    .looseObject({
      applinks: z.optional(
        z.looseObject({
          apps: z.optional(texts),
          details: z.array(
            z
              .looseObject({
                appID: z.optional(appId),
                appIDs: z.optional(z.array(appId).check(z.minLength(1))),
                paths: z.optional(texts),
                components: z.optional(z.array(component)),
              })
              .check(
                z.refine(({ appID, appIDs }) => appID !== undefined || appIDs !== undefined, {
                  message: 'must have appIDs or appID',
                  params: { code: 'required' },
                }),
              ),
          ),
        }),
      ),
      webcredentials: apps,
      appclips: apps,
      activitycontinuation: apps,
    })
    .check(
      z.refine((file) => services.some((service) => file[service] !== undefined), {
        message: `must have at least one of ${services.join(', ')}`,
        params: { code: 'required' },
      }),
    ),
);

const site = ruled(/^https?:\/\/[^/?#\s]+\/?$/, 'site_invalid', 'must be a site such as https://www.example.com');

/** @see https://developers.google.com/digital-asset-links/v1/statements */
const target = z.discriminatedUnion('namespace', [
  z.looseObject({ namespace: z.literal('web'), site }),
  z.looseObject({
    namespace: z.literal('android_app'),
    package_name: ruled(
      /^([A-Za-z][A-Za-z0-9_]*\.)+[A-Za-z][A-Za-z0-9_]*$/,
      'package_name_invalid',
      'must be the name of a package, such as com.example.app',
    ),
    sha256_cert_fingerprints: z
      .array(
        ruled(
          /^([0-9A-F]{2}:){31}[0-9A-F]{2}$/,
          'fingerprint_invalid',
          'must be a SHA-256 fingerprint: 32 pairs of upper-case hexadecimal digits with colons between them',
        ),
      )
      .check(z.minLength(1)),
  }),
]);

/** A relation, such as `delegate_permission/common.handle_all_urls`. */
const relation = ruled(
  /^[a-z0-9_.-]+\/[a-z0-9_.-]+$/,
  'relation_invalid',
  'must be a kind and a detail with a slash between them',
);

/**
 * Google's list of statements, which may include lists elsewhere.
 *
 * @see https://github.com/google/digitalassetlinks/blob/master/well-known/specification.md
 */
export const assetLinks = fitting(
  z
    .array(
      z
        .looseObject({
          relation: z.optional(z.array(relation).check(z.minLength(1))),
          target: z.optional(target),
          include: z.optional(ruled(/^https?:\/\/\S+$/, 'include_invalid', 'must be the URL of a list of statements')),
        })
        .check(
          z.refine(({ relation, target, include }) => include !== undefined || (relation !== undefined && target !== undefined), {
            message: 'must have relation and target, or include',
            params: { code: 'required' },
          }),
        ),
    )
    .check(z.minLength(1)),
);
