import type { MotivoBot } from '@balcao/contract/entities/bot-status'

/** A browser that stays unusable until a person changes the server or the panel. */
export class BrowserFailure extends Error {
  readonly motivo: MotivoBot

  constructor(motivo: MotivoBot, detail: string) {
    super(detail)
    this.name = 'FalhaDoNavegador'
    this.motivo = motivo
  }
}

export interface OpenFailure {
  /** True when a person has to act; false when a retry may help. */
  readonly permanent: boolean
  readonly motivo: MotivoBot
}

/**
 * The order matters: a browser without its sandbox also reports a failed launch. The patterns are the libraries'
 * own texts.
 */
const FAILURE_PATTERNS: readonly (readonly [RegExp, OpenFailure])[] = [
  [
    /was not found at the configured executablePath|Could not find Chrome|`executablePath` or `channel` must be/,
    { permanent: true, motivo: 'navegadorNaoEncontrado' },
  ],
  [
    /no-sandbox is not supported|No usable sandbox|SUID sandbox|Failed to move to new namespace/,
    { permanent: true, motivo: 'navegadorSemProtecao' },
  ],
  [/already running for/, { permanent: false, motivo: 'navegadorCaiu' }],
  [/Failed to launch the browser process|EACCES|ENOEXEC/, { permanent: true, motivo: 'navegadorInutilizavel' }],
  [/net::ERR_/, { permanent: false, motivo: 'semRede' }],
  [
    /Target closed|Session closed|Connection closed|Protocol error|detached|disconnected/,
    { permanent: false, motivo: 'navegadorCaiu' },
  ],
]

/** Classifies a rejection of `initialize` of whatsapp-web.js, which is an error or a bare string. */
export function classifyOpenFailure(error: unknown): OpenFailure {
  if (error instanceof BrowserFailure) return { permanent: true, motivo: error.motivo }
  const text = error instanceof Error ? error.message : String(error)
  return FAILURE_PATTERNS.find(([signal]) => signal.test(text))?.[1] ?? { permanent: false, motivo: 'servicoInstavel' }
}
