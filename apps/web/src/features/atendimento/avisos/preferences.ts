export const NOTICE_LEVELS = ['tudo', 'aguardando', 'nada'] as const
export type NoticeLevel = (typeof NOTICE_LEVELS)[number]

type ActiveLevel = Exclude<NoticeLevel, 'nada'>

export interface NoticePreferences {
  readonly nivel: NoticeLevel
  readonly ultimoNivel?: ActiveLevel
  readonly som: boolean
  /** From 0 to 1. */
  readonly volume: number
  readonly repetir: boolean
}

const STORAGE_KEY = 'notificacoes'
const DEFAULTS: NoticePreferences = { nivel: 'tudo', som: true, volume: 0.5, repetir: false }

export function readPreferences(): NoticePreferences {
  try {
    const parsed: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}')
    const fields = new Map(typeof parsed === 'object' && parsed !== null ? Object.entries(parsed) : [])
    const volume: unknown = fields.get('volume')
    const ultimo: unknown = fields.get('ultimoNivel')
    return {
      nivel: NOTICE_LEVELS.find((nivel) => nivel === fields.get('nivel')) ?? DEFAULTS.nivel,
      ...(ultimo === 'tudo' || ultimo === 'aguardando' ? { ultimoNivel: ultimo } : {}),
      som: fields.get('som') !== false,
      volume: typeof volume === 'number' && volume >= 0 && volume <= 1 ? volume : DEFAULTS.volume,
      repetir: fields.get('repetir') === true,
    }
  } catch {
    return DEFAULTS
  }
}

export function storePreferences(next: NoticePreferences): void {
  localStorage.setItem(STORAGE_KEY, JSON.stringify(next))
}

export function togglePreferences({ nivel, ultimoNivel = 'tudo', ...rest }: NoticePreferences): NoticePreferences {
  return nivel === 'nada' ? { ...rest, nivel: ultimoNivel } : { ...rest, nivel: 'nada', ultimoNivel: nivel }
}
