import { useEffect, useReducer, useState } from 'react'
import { LOJA_POR_PAGINA } from '@balcao/contract/constants'
import type { BotContext } from '@balcao/engine/context'
import { describeInstant, instantOfScenario, type Scenario } from './scenario.ts'
import { initialPreview, previewReducer, type PreviewContext, type PreviewState } from './preview-state.ts'
import type { Bubble } from './transcript.ts'

const TYPING_MS = 450

export interface PreviewOptions {
  /** First message of the customer, answered when the preview opens or restarts. Default: 'oi'. */
  readonly firstMessage?: string
  /** Start instant in ms, moved forward into business hours. Default: now. */
  readonly now?: number
}

export interface PreviewShortcut {
  readonly text: string
  readonly label: string
  readonly optionNumber: string | null
}

export interface Preview {
  readonly bubbles: readonly Bubble[]
  readonly typing: boolean
  readonly shortcuts: readonly PreviewShortcut[]
  readonly withPerson: boolean
  readonly scenario: Scenario
  readonly empresa: string
  readonly send: (texto: string) => void
  readonly resend: () => void
  readonly restart: () => void
  readonly skip: () => void
  readonly finishAtendimento: () => void
  readonly setScenario: (cenario: Scenario) => void
}

function startPreview(context: PreviewContext, now: number, firstMessage: string): PreviewState {
  const state = previewReducer(initialPreview(now), {
    tipo: 'enviar',
    texto: firstMessage,
    agora: now,
    contexto: context,
  })
  return previewReducer(state, { tipo: 'revelarTudo' })
}

const shortcut = (text: string, label = text): PreviewShortcut => ({ text, label, optionNumber: null })

function shortcutsOf({ bot }: PreviewState, { config }: BotContext): PreviewShortcut[] {
  switch (bot.etapa) {
    case 'nenhuma':
    case 'menu':
      return config.menu.opcoes.map(({ numero, titulo }) => ({
        text: numero,
        label: `${numero}: ${titulo}`,
        optionNumber: numero,
      }))
    case 'ia':
      return [shortcut('menu')]
    case 'loja': {
      const before = bot.pagina * LOJA_POR_PAGINA
      const items = bot.itens.slice(before, before + LOJA_POR_PAGINA)
      const mais = bot.itens.length > LOJA_POR_PAGINA ? [shortcut('mais')] : []
      const numeros = items.map(({ nome }, index) => {
        const numero = String(before + index + 1)
        return shortcut(numero, `${numero}: ${nome}`)
      })
      return [...numeros, ...mais, shortcut('0', '0: Voltar ao menu')]
    }
    case 'avaliando':
      return ['0', '1', '2', '3', '4', '5'].map((note) => shortcut(note, `Nota ${note}`))
    case 'encerrada':
      return [shortcut('oi')]
    case 'humano':
      return []
  }
}

function prefersReducedMotion(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}

/**
 * Runs the engine in the browser on a context that may be an unsaved draft. A change applies from the next message
 * on.
 */
export function usePreview(context: PreviewContext, options: PreviewOptions = {}): Preview {
  // No memoisation here and in the phone: a bubble is cheap to draw, and the landing page pays for every byte.
  'use no memo'
  const { horario } = context.config.atendimento
  const first = options.firstMessage ?? 'oi'
  const [cenario, setCenario] = useState<Scenario>('dentro')
  // The preview's clock: `inicio`, plus the time that passed since `real`.
  const [{ inicio, real }, setRelogio] = useState(() => {
    const agora = options.now ?? Date.now()
    return { inicio: instantOfScenario('dentro', horario, agora) ?? agora, real: Date.now() }
  })
  const [state, dispatch] = useReducer(previewReducer, null, () => startPreview(context, inicio, first))
  const agora = (): number => inicio + Date.now() - real

  const { bubbles, visible } = state
  const digitando = visible < bubbles.length
  const wait = context.config.menu.digitando ? TYPING_MS : 0
  useEffect(() => {
    if (!digitando) return
    const timer = setTimeout(() => dispatch({ tipo: 'revelar' }), prefersReducedMotion() ? 0 : wait)
    return () => clearTimeout(timer)
  }, [digitando, visible, wait])

  const send = (texto: string): void => {
    if (texto.trim() !== '') dispatch({ tipo: 'enviar', texto: texto.trim(), agora: agora(), contexto: context })
  }
  return {
    bubbles: bubbles.slice(0, visible),
    typing: digitando,
    shortcuts: shortcutsOf(state, context),
    withPerson: state.bot.etapa === 'humano',
    scenario: cenario,
    empresa: context.empresa,
    send,
    resend: () => send(bubbles.findLast((bubble) => bubble.tipo === 'cliente')?.texto ?? ''),
    restart: () => {
      dispatch({ tipo: 'recomecar', agora: agora() })
      dispatch({ tipo: 'enviar', texto: first, agora: agora(), contexto: context })
    },
    skip: () => dispatch({ tipo: 'revelarTudo' }),
    finishAtendimento: () => dispatch({ tipo: 'finalizarAtendimento', agora: agora(), contexto: context }),
    setScenario: (fresh) => {
      const current = Math.max(agora(), state.now)
      const instant = instantOfScenario(fresh, horario, current)
      const situation = fresh === 'dentro' ? 'aberto' : 'fechado'
      if (instant === null) {
        dispatch({ tipo: 'mudarHora', agora: current, aviso: `Pelo horário configurado, nunca está ${situation}` })
        return
      }
      setCenario(fresh)
      setRelogio({ inicio: instant, real: Date.now() })
      const quando = describeInstant(instant, horario.fuso)
      dispatch({ tipo: 'mudarHora', agora: instant, aviso: `Agora é ${quando}: ${situation}` })
    },
  }
}
