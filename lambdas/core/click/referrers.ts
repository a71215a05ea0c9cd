/**
 * Sites by the name that people know, and their other hosts in referrers: redirectors, mobile hosts, older names, and
 * the packages of Android apps, which are the host of referrers such as `android-app://com.google.android.gm/`.
 */
export const knownReferrers: Readonly<Record<string, readonly string[]>> = {
  // Social networks
  'facebook.com': [
    'l.facebook.com',
    'lm.facebook.com',
    'm.facebook.com',
    'mbasic.facebook.com',
    'mobile.facebook.com',
    'touch.facebook.com',
    'web.facebook.com',
    'fb.com',
    'm.fb.com',
    'fb.me',
    'com.facebook.katana',
    'com.facebook.lite',
  ],
  'instagram.com': ['l.instagram.com', 'm.instagram.com', 'com.instagram.android', 'com.instagram.lite'],
  'threads.com': ['l.threads.com', 'threads.net', 'l.threads.net', 'com.instagram.barcelona'],
  'x.com': [
    't.co',
    'mobile.x.com',
    'twitter.com',
    'm.twitter.com',
    'mobile.twitter.com',
    'com.twitter.android',
    'com.twitter.android.lite',
  ],
  'linkedin.com': ['lnkd.in', 'm.linkedin.com', 'com.linkedin.android', 'com.linkedin.android.lite'],
  'xing.com': ['m.xing.com', 'com.xing.android'],
  'reddit.com': [
    'amp.reddit.com',
    'i.reddit.com',
    'm.reddit.com',
    'new.reddit.com',
    'np.reddit.com',
    'old.reddit.com',
    'out.reddit.com',
    'sh.reddit.com',
    'redd.it',
    'com.reddit.frontpage',
  ],
  'bsky.app': ['go.bsky.app', 'main.bsky.dev', 'xyz.blueskyweb.app'],
  'joinmastodon.org': ['org.joinmastodon.android'],
  'pinterest.com': ['m.pinterest.com', 'pin.it', 'com.pinterest'],
  'tiktok.com': [
    'm.tiktok.com',
    'vm.tiktok.com',
    'vt.tiktok.com',
    'com.ss.android.ugc.trill',
    'com.zhiliaoapp.musically',
    'com.zhiliaoapp.musically.go',
  ],
  'snapchat.com': ['com.snapchat.android'],
  'tumblr.com': ['t.umblr.com', 'href.li', 'com.tumblr'],
  'vk.com': ['away.vk.com', 'm.vk.com', 'vk.ru', 'away.vk.ru', 'm.vk.ru', 'com.vkontakte.android'],
  'ok.ru': ['m.ok.ru', 'ru.ok.android'],
  'weibo.com': ['m.weibo.cn', 'weibo.cn', 't.cn', 'com.sina.weibo'],
  'zhihu.com': ['link.zhihu.com', 'com.zhihu.android'],
  'quora.com': ['com.quora.android'],
  // Videos and music
  'youtube.com': ['m.youtube.com', 'youtu.be', 'com.google.android.youtube'],
  'twitch.tv': ['m.twitch.tv', 'tv.twitch.android.app'],
  'open.spotify.com': ['com.spotify.music'],
  // Messages
  'messenger.com': ['l.messenger.com', 'm.me', 'com.facebook.orca'],
  'whatsapp.com': ['l.wl.co', 'wa.me', 'api.whatsapp.com', 'web.whatsapp.com', 'com.whatsapp', 'com.whatsapp.w4b'],
  'telegram.org': [
    't.me',
    'telegram.me',
    'web.telegram.org',
    'org.telegram.messenger',
    'org.telegram.messenger.web',
    'org.thunderdog.challegram',
  ],
  'signal.org': ['org.thoughtcrime.securesms'],
  'viber.com': ['com.viber.voip'],
  'line.me': ['jp.naver.line.android'],
  'kakao.com': ['com.kakao.talk'],
  'weixin.qq.com': ['mp.weixin.qq.com', 'com.tencent.mm'],
  'slack.com': ['app.slack.com', 'slack-redir.net', 'com.slack'],
  'discord.com': ['canary.discord.com', 'ptb.discord.com', 'discordapp.com', 'com.discord'],
  'teams.microsoft.com': ['teams.cloud.microsoft', 'teams.live.com', 'statics.teams.cdn.office.net', 'com.microsoft.teams'],
  // Mail
  'mail.google.com': ['com.google.android.gm', 'com.google.android.gm.lite'],
  'outlook.com': [
    'outlook.cloud.microsoft',
    'outlook.live.com',
    'outlook.office.com',
    'outlook.office365.com',
    'com.microsoft.office.outlook',
  ],
  'mail.yahoo.com': ['com.yahoo.mobile.client.android.mail'],
  'mail.proton.me': ['ch.protonmail.android'],
  'gmx.net': ['deref-gmx.net', '3c.gmx.net', 'navigator.gmx.net', 'bap.navigator.gmx.net', 'de.gmx.mobile.android.mail'],
  'web.de': ['deref-web.de', 'deref-web-02.de', '3c.web.de', 'navigator.web.de', 'de.web.mobile.android.mail'],
  'mail.com': ['deref-mail.com', 'navigator-lxa.mail.com'],
  // Search and answers
  'google.com': ['com.google.android.googlequicksearchbox'],
  'news.google.com': ['com.google.android.apps.magazines'],
  'bing.com': ['cn.bing.com', 'com.microsoft.bing'],
  'duckduckgo.com': ['html.duckduckgo.com', 'lite.duckduckgo.com', 'com.duckduckgo.mobile.android'],
  'search.yahoo.com': ['r.search.yahoo.com', 'm.search.yahoo.com'],
  'baidu.com': ['m.baidu.com', 'com.baidu.searchbox'],
  'search.naver.com': ['m.search.naver.com', 'com.nhn.android.search'],
  'chatgpt.com': ['chat.openai.com', 'com.openai.chatgpt'],
  'claude.ai': ['com.anthropic.claude'],
  'copilot.microsoft.com': ['com.microsoft.copilot'],
  'gemini.google.com': ['bard.google.com', 'com.google.android.apps.bard'],
  'perplexity.ai': ['ai.perplexity.app.android'],
  // Reading
  'medium.com': ['link.medium.com', 'com.medium.reader'],
  'feedly.com': ['com.devhd.feedly'],
  'flipboard.com': ['flipboard.app', 'com.flipboard.app', 'flipboard.cn'],
  'wikipedia.org': ['org.wikipedia'],
  'en.wikipedia.org': ['en.m.wikipedia.org'],
  'de.wikipedia.org': ['de.m.wikipedia.org'],
  'es.wikipedia.org': ['es.m.wikipedia.org'],
  'fr.wikipedia.org': ['fr.m.wikipedia.org'],
  'it.wikipedia.org': ['it.m.wikipedia.org'],
  'ja.wikipedia.org': ['ja.m.wikipedia.org'],
  'pt.wikipedia.org': ['pt.m.wikipedia.org'],
  'ru.wikipedia.org': ['ru.m.wikipedia.org'],
  // Work
  'github.com': ['com.github.android'],
  'app.asana.com': ['com.asana.app'],
  'trello.com': ['com.trello'],
};

let names: ReadonlyMap<string, string> | undefined;

/** The name of the site that a referrer belongs to: the referrer itself, unless the table has a better one. */
export function foldReferrer(referrer: string): string {
  names ??= new Map(Object.entries(knownReferrers).flatMap(([name, hosts]) => hosts.map((host) => [host, name])));
  return names.get(referrer) ?? referrer;
}
