import type { Wording } from './wording.ts';

/** Spanish. */
export const es: Wording = {
  refusals: {
    unknown: ['Enlace no encontrado', 'Este enlace no existe o se ha desactivado.'],
    pending: ['Todavía no está listo', 'Los enlaces de este dominio todavía no funcionan. Inténtelo de nuevo más tarde.'],
    not_yet: ['Todavía no disponible', 'Este enlace todavía no funciona. Inténtelo de nuevo más tarde.'],
    no_preview: ['Sin vista previa', 'Este enlace no tiene vista previa.'],
    expired: ['Enlace caducado', 'Este enlace ha caducado.'],
    used_up: ['Límite alcanzado', 'Este enlace ha alcanzado su límite de visitas.'],
    bots_refused: ['No se admiten bots', 'Este enlace no admite bots.'],
    password_required: ['Contraseña necesaria', 'Este enlace está protegido. Introduzca su contraseña.'],
    password_wrong: ['Contraseña incorrecta', 'Esta contraseña es incorrecta. Inténtelo de nuevo.'],
    cross_site_password: [
      'Introduzca la contraseña aquí',
      'La contraseña se envió desde otro sitio web, por lo que no se ha comprobado. Introdúzcala aquí o abra el enlace en una pestaña nueva.',
    ],
    too_many_attempts: [
      'Demasiados intentos',
      'Se han introducido demasiadas contraseñas incorrectas. Espere unos minutos e inténtelo de nuevo.',
    ],
    prefetch_refused: ['Precarga no permitida', 'Este enlace no se puede precargar.'],
    cross_site_confirmation: [
      'Abra el enlace aquí',
      'La confirmación se envió desde otro sitio web. Confirme aquí que desea abrir el enlace.',
    ],
    method_not_allowed: ['Método no permitido', 'Los enlaces se abren con GET.'],
    address_too_long: ['Dirección demasiado larga', 'La dirección es demasiado larga para transmitirla.'],
    temporarily_unavailable: [
      'No disponible temporalmente',
      'El servicio no está disponible temporalmente. Inténtelo de nuevo en un momento.',
    ],
    internal_error: ['Algo ha ido mal', 'Algo ha ido mal por nuestra parte.'],
  },
  labels: {
    password: 'Contraseña',
    open: 'Abrir enlace',
    confirm: ['¿Abrir este enlace?', 'Confirme que desea abrir este enlace.'],
    goOn: 'Continuar',
    goingOn: 'Redirigiendo …',
    leadsTo: (host) => `Este enlace lleva a ${host}`,
    created: (day) => `Creado el ${day}`,
    report: 'Denunciar este enlace',
  },
};
