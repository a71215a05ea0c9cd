import type { Wording } from './wording.ts';

/** German. */
export const de: Wording = {
  refusals: {
    unknown: ['Link nicht gefunden', 'Diesen Link gibt es nicht, oder er wurde deaktiviert.'],
    pending: ['Noch nicht bereit', 'Links auf dieser Domain funktionieren noch nicht. Bitte versuchen Sie es später erneut.'],
    not_yet: ['Noch nicht verfügbar', 'Dieser Link funktioniert noch nicht. Bitte versuchen Sie es später erneut.'],
    no_preview: ['Keine Vorschau', 'Für diesen Link gibt es keine Vorschau.'],
    expired: ['Link abgelaufen', 'Dieser Link ist abgelaufen.'],
    used_up: ['Limit erreicht', 'Dieser Link hat die maximale Zahl an Aufrufen erreicht.'],
    bots_refused: ['Keine Bots', 'Dieser Link lässt keine Bots zu.'],
    password_required: ['Passwort erforderlich', 'Dieser Link ist geschützt. Bitte geben Sie das Passwort ein.'],
    password_wrong: ['Falsches Passwort', 'Dieses Passwort ist falsch. Bitte versuchen Sie es erneut.'],
    cross_site_password: [
      'Passwort bitte hier eingeben',
      'Das Passwort wurde von einer anderen Website gesendet und deshalb nicht geprüft. Bitte geben Sie es hier ein, oder öffnen Sie den Link in einem neuen Tab.',
    ],
    too_many_attempts: [
      'Zu viele Versuche',
      'Es wurden zu viele falsche Passwörter eingegeben. Bitte warten Sie ein paar Minuten und versuchen Sie es dann erneut.',
    ],
    prefetch_refused: ['Vorabladen nicht erlaubt', 'Dieser Link kann nicht vorab geladen werden.'],
    cross_site_confirmation: [
      'Link hier öffnen',
      'Die Bestätigung wurde von einer anderen Website gesendet. Bitte bestätigen Sie hier, dass Sie den Link öffnen möchten.',
    ],
    method_not_allowed: ['Methode nicht erlaubt', 'Links werden mit GET geöffnet.'],
    address_too_long: ['Adresse zu lang', 'Die Adresse ist zu lang, um sie weiterzugeben.'],
    temporarily_unavailable: [
      'Vorübergehend nicht verfügbar',
      'Der Dienst ist vorübergehend nicht verfügbar. Bitte versuchen Sie es gleich noch einmal.',
    ],
    internal_error: ['Etwas ist schiefgegangen', 'Bei uns ist etwas schiefgegangen.'],
  },
  labels: {
    password: 'Passwort',
    open: 'Link öffnen',
    confirm: ['Diesen Link öffnen?', 'Bitte bestätigen Sie, dass Sie diesen Link öffnen möchten.'],
    goOn: 'Weiter',
    goingOn: 'Weiterleitung …',
    leadsTo: (host) => `Dieser Link führt zu ${host}`,
    created: (day) => `Erstellt am ${day}`,
    report: 'Diesen Link melden',
  },
};
