import type { ProvedorIa } from '@balcao/contract/presets/provedores-ia'
import type { ProviderAddress } from '#adapters/ia/addresses.ts'
import { AiFailure, findAiFailure, motivoText, redact } from '#adapters/ia/failures.ts'
import { createDeadline, untilAborted } from '#adapters/ia/limits.ts'
import { createRetryingFetch } from '#adapters/ia/retrying-fetch.ts'
import type { AiAccess, AiCallRecord, AiProvider, Transcription, TranscriptionRequest } from '#ports/ai.ts'
import { geminiListener } from './gemini.ts'
import { openaiListener } from './openai.ts'
import type { Heard, VoiceListener } from './listener.ts'

const TIMEOUT_MS = 45_000

/** As `transcreve` of the providers says. */
const LISTENERS: Readonly<Partial<Record<ProvedorIa, VoiceListener>>> = {
  gemini: geminiListener,
  openai: openaiListener,
}

export interface TranscribeOptions {
  readonly addressOf: (access: AiAccess) => Promise<ProviderAddress>
  readonly backoffMs: number
  readonly log: { readonly warn: (data: object, mensagem: string) => void }
  readonly now: () => number
}

/** The audio is part of the request, so it never stays in a store of the provider. No SDK is loaded for it. */
export function createTranscribe(options: TranscribeOptions): AiProvider['transcribe'] {
  const { log, now } = options
  return async (request, giveUp) => {
    const { provedor } = request
    const start = now()
    const modelo = LISTENERS[provedor]?.modelFor(request.modelo) ?? request.modelo
    const used = (heard?: Heard): AiCallRecord => ({
      ...{ modelo, ferramentas: [], tokensEntrada: heard?.tokensEntrada ?? 0, tokensSaida: heard?.tokensSaida ?? 0 },
      duracaoMs: Math.round(now() - start),
    })
    try {
      const heard = await hear(options, request, modelo, giveUp)
      return { ...transcriptOf(heard, provedor), registro: used(heard) }
    } catch (error) {
      const motivo = findAiFailure(error)?.motivo ?? 'confusa'
      if (motivo !== 'cancelada') {
        const detalhe = redact(error instanceof Error ? error.message : 'unknown', request.apiKey)
        log.warn({ contaId: request.contaId, provedor, motivo, detalhe }, 'audio not transcribed')
      }
      return { tipo: 'falha', motivo: motivoText(motivo, provedor), registro: used() }
    }
  }
}

async function hear(
  { addressOf, backoffMs }: TranscribeOptions,
  { provedor, apiKey, audio }: TranscriptionRequest,
  modelo: string,
  giveUp?: AbortSignal,
): Promise<Heard> {
  const listener = LISTENERS[provedor]
  if (listener === undefined) throw new AiFailure('modelo')
  const deadline = createDeadline(TIMEOUT_MS, giveUp)
  try {
    const { baseUrl, outbound } = await addressOf({ provedor, urlBase: '', apiKey })
    const fetch = createRetryingFetch({ outbound, signal: deadline.signal, backoffMs })
    return await untilAborted(listener.hear({ apiKey, baseUrl, fetch }, modelo, audio), deadline.signal)
  } finally {
    deadline.clear()
  }
}

function transcriptOf({ texto, isRefused }: Heard, provedor: ProvedorIa): Transcription {
  if (texto !== '') return { tipo: 'texto', texto }
  return { tipo: 'falha', motivo: motivoText(isRefused ? 'recusou' : 'vazia', provedor) }
}
