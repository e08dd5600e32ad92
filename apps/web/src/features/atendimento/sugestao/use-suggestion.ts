import type { Conversa } from '@balcao/contract/entities/conversa'
import type { FonteDaSugestao } from '@balcao/contract/entities/sugestao'
import { isProvedorReady } from '@balcao/contract/presets/provedores-ia'
import { sugerirRespostaRoute } from '@balcao/contract/routes/atendimento-sugestao'
import { useEffect, useRef, useState } from 'react'
import { readDraft, writeDraft } from '#features/atendimento/envio/drafts.ts'
import { ApiError, call } from '#shared/api-client.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { useConfig } from '#shared/data/config/use-config.ts'
import { useHotkeys } from '#shared/hooks/use-hotkeys.ts'
import { useOnline } from '#shared/hooks/use-online.ts'

export type SuggestionState =
  | { readonly tipo: 'asking' }
  /** `before`: the text that the suggestion replaced. */
  | { readonly tipo: 'shown'; readonly fontes: readonly FonteDaSugestao[]; readonly before: string }
  | { readonly tipo: 'failed'; readonly message: string; readonly mayRetry: boolean }

export interface Suggestion {
  readonly state: SuggestionState | null
  /** Undefined: the AI is off, or the conversa cannot be answered. */
  readonly ask: (() => void) | undefined
  readonly undo: () => void
  /** Also stops a request. */
  readonly dismiss: () => void
}

/** The provider is asked up to two times, each within 15 s behind a queue of up to 10 s. */
const TIMEOUT_MS = 60_000
const OFFLINE_TEXT = 'Sem internet. A sugestão precisa do servidor.'
/** Another try has the same answer. */
const FINAL_CODES: ReadonlySet<string> = new Set(['semSugestao', 'iaSemChave', 'iaDesligada', 'conversaFinalizada'])

function focusField(): void {
  document.querySelector<HTMLElement>('[data-compositor]')?.focus()
}

function failureOf(error: unknown): SuggestionState {
  const isFinal = error instanceof ApiError && FINAL_CODES.has(error.codigo)
  return { tipo: 'failed', message: errorMessage(error), mayRetry: !isFinal }
}

/** The suggestion becomes the draft of the conversa. Nothing is sent until the person sends it. */
export function useSuggestion({ id }: Conversa, text: string, canWrite: boolean): Suggestion {
  const { config } = useConfig()
  const online = useOnline()
  const [state, setState] = useState<SuggestionState | null>(null)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  // The draft was sent or deleted.
  if (state?.tipo === 'shown' && text === '') setState(null)
  const dismiss = (): void => {
    running.current?.abort()
    running.current = null
    setState(null)
  }
  const request = async (): Promise<void> => {
    if (running.current !== null) return
    if (!online) return setState({ tipo: 'failed', message: OFFLINE_TEXT, mayRetry: true })
    const controller = new AbortController()
    running.current = controller
    setState({ tipo: 'asking' })
    try {
      const { signal } = controller
      const { texto, fontes } = await call(sugerirRespostaRoute, { params: { id }, signal, timeoutMs: TIMEOUT_MS })
      if (signal.aborted) return
      const before = readDraft(id)
      writeDraft(id, texto)
      setState({ tipo: 'shown', fontes, before })
      focusField()
    } catch (error) {
      if (!controller.signal.aborted) setState(failureOf(error))
    } finally {
      if (running.current === controller) running.current = null
    }
  }
  const available = config !== null && config.ia.ativa && isProvedorReady(config)
  const ask = available && canWrite ? () => void request() : undefined
  useHotkeys({ s: () => ask?.() })
  return {
    state,
    ask,
    undo: () => {
      if (state?.tipo === 'shown') writeDraft(id, state.before)
      dismiss()
      focusField()
    },
    dismiss: () => {
      dismiss()
      focusField()
    },
  }
}
