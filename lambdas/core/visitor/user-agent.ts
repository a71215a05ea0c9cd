/**
 * What a browser sends about itself: its `User-Agent`, and the client hints of https://wicg.github.io/ua-client-hints/.
 */
export type Agent = {
  readonly userAgent: string;
  /** `Sec-CH-UA`, a list of names such as `"Chromium";v="130", "Google Chrome";v="130"`. */
  readonly brands: string;
  /** `Sec-CH-UA-Platform`, such as `"macOS"`. */
  readonly platform: string;
  /** `Sec-CH-UA-Mobile`: `?1` or `?0`. */
  readonly mobile: string;
};

/** The operating systems and kinds of devices that can be told apart. */
export const systems = ['ios', 'android', 'windows', 'macos', 'linux', 'chromeos'] as const;
export type Os = (typeof systems)[number];
export const devices = ['mobile', 'desktop'] as const;
export type Device = (typeof devices)[number];

const platforms: Readonly<Record<string, Os>> = {
  Android: 'android',
  'Chrome OS': 'chromeos',
  'Chromium OS': 'chromeos',
  iOS: 'ios',
  Linux: 'linux',
  macOS: 'macos',
  Windows: 'windows',
};

type Texts<Name extends string> = readonly (readonly [Name, readonly string[]])[];

/**
 * Texts in the `User-Agent` of each system. The first match wins, because Windows phones also say Android, and iPhones
 * Mac OS X.
 */
const systemTexts: Texts<Os> = [
  ['windows', ['Windows']],
  ['ios', ['iPhone', 'iPad', 'iPod']],
  ['android', ['Android']],
  ['chromeos', ['CrOS']],
  ['macos', ['Macintosh', 'Mac OS X']],
  ['linux', ['Linux']],
];

/** Brands of client hints. The first match wins, because some browsers list Chrome's beside their own. */
const brandNames = [
  ['Microsoft Edge', 'edge'],
  ['Opera', 'opera'],
  ['Opera GX', 'opera'],
  ['Opera Mobile', 'opera'],
  ['Samsung Internet', 'samsung-internet'],
  ['Brave', 'brave'],
  ['Vivaldi', 'vivaldi'],
  ['YaBrowser', 'yandex'],
  ['DuckDuckGo', 'duckduckgo'],
  ['HuaweiBrowser', 'huawei'],
  ['Google Chrome', 'chrome'],
] as const;

/**
 * Texts in the `User-Agent` of each browser: apps with a browser inside first, then browsers that also claim to be
 * Chrome, Firefox or Safari. Plain texts, because every cold start would have to compile a pattern for each.
 */
const browserTexts = [
  ['facebook', ['FBAN/', 'FBAV/', 'FB_IAB/']],
  ['instagram', ['Instagram ']],
  ['tiktok', ['musical_ly', 'trill_', 'BytedanceWebview', 'TikTok']],
  ['snapchat', ['Snapchat']],
  ['pinterest', ['Pinterest/']],
  ['linkedin', ['LinkedInApp']],
  ['wechat', ['MicroMessenger/']],
  ['line', [' Line/']],
  ['google-app', [' GSA/']],
  ['edge', ['Edg/', 'Edge/', 'EdgA/', 'EdgiOS/']],
  ['opera', ['OPR/', 'OPT/', 'OPX/', 'OPiOS/', 'Opera/', 'Opera Mini']],
  ['samsung-internet', ['SamsungBrowser/']],
  ['yandex', ['YaBrowser/', 'YaSearchBrowser/']],
  ['vivaldi', ['Vivaldi/']],
  ['duckduckgo', ['DuckDuckGo/', ' Ddg/']],
  ['brave', ['Brave/']],
  ['uc', ['UCBrowser/', 'UC Browser/']],
  ['huawei', ['HuaweiBrowser/']],
  ['xiaomi', ['MiuiBrowser/']],
  ['silk', ['Silk/']],
  ['internet-explorer', ['MSIE ', 'Trident/']],
  ['webview', ['; wv)']],
  ['firefox', ['Firefox/', 'FxiOS/', ' Focus/', ' Klar/']],
  ['chrome', ['Chrome/', 'Chromium/', 'CriOS/']],
] as const satisfies Texts<string>;

/** Safari on a Mac or on iOS. Other programs say `Safari/` without `Version/`. */
const safari = /\bVersion\/[\d.]+ (?:Mobile\/\w+ )?Safari\//;

/** The names of all browsers that can be told apart. */
export const browsers: readonly string[] = [...browserTexts.map(([name]) => name), 'safari'];

/** The operating system by the client hint, or else by the `User-Agent`. iPads say that they are Macs. */
export function osOf({ platform, userAgent }: Agent): Os | undefined {
  const name = platform.slice(1, -1);
  return platform === `"${name}"` && Object.hasOwn(platforms, name) ? platforms[name] : namedIn(userAgent, systemTexts);
}

/** Phones and tablets are `mobile`, whatever the client hint says: Android's tablets deny it. */
export function deviceOf(agent: Agent): Device | undefined {
  const os = osOf(agent);
  if (os === 'ios' || os === 'android' || agent.mobile === '?1') return 'mobile';
  if (agent.mobile === '?0') return 'desktop';
  return ['Mobile', 'Tablet'].some((text) => agent.userAgent.includes(text)) ? 'mobile' : os && 'desktop';
}

/**
 * The browser by the client hint, or else by the `User-Agent`: one of `browsers`. The hint comes first, because
 * Chromium freezes its `User-Agent`, and others imitate it.
 */
export function browserOf({ brands, userAgent }: Agent): string | undefined {
  const brand = brandNames.find(([name]) => brands.includes(`"${name}"`));
  if (brand) return brand[1];
  const named = namedIn(userAgent, browserTexts);
  if (named) return named;
  if (safari.test(userAgent)) return 'safari';
  // The rest on iOS are apps with a browser inside.
  return userAgent.includes('Mobile/') ? 'webview' : undefined;
}

const namedIn = <Name extends string>(userAgent: string, names: Texts<Name>): Name | undefined =>
  names.find(([, texts]) => texts.some((text) => userAgent.includes(text)))?.[0];
