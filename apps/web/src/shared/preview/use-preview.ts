import { useEffect, useReducer, useState } from 'react'
import { LOJA_POR_PAGINA } from '@balcao/contract/constants'
import type { BotContext } from '@balcao/engine/context'
import { descreverInstante, instanteDoCenario, type Cenario } from './cenario.ts'
import { previewInicial, previewReducer, type PreviewState } from './preview-state.ts'
import type { Bolha } from './transcript.ts'

const DIGITANDO_MS = 450

export interface OpcoesPreview {
  /** First message of the customer, answered when the preview opens or restarts. Default: 'oi'. */
  readonly primeiraMensagem?: string
  /** Start instant in ms, moved forward into business hours. Default: now. */
  readonly agora?: number
}

export interface Atalho {
  readonly texto: string
  readonly rotulo: string
  readonly numero: string | null
}

export interface Preview {
  readonly bolhas: readonly Bolha[]
  readonly digitando: boolean
  readonly atalhos: readonly Atalho[]
  readonly comPessoa: boolean
  readonly cenario: Cenario
  readonly empresa: string
  readonly send: (texto: string) => void
  readonly resend: () => void
  readonly restart: () => void
  readonly skip: () => void
  readonly finalizarAtendimento: () => void
  readonly setCenario: (cenario: Cenario) => void
}

function comecar(contexto: BotContext, agora: number, primeira: string): PreviewState {
  const estado = previewReducer(previewInicial(agora), { tipo: 'enviar', texto: primeira, agora, contexto })
  return previewReducer(estado, { tipo: 'revelarTudo' })
}

const atalho = (texto: string, rotulo = texto): Atalho => ({ texto, rotulo, numero: null })

function atalhosDe({ bot }: PreviewState, { config }: BotContext): Atalho[] {
  switch (bot.etapa) {
    case 'nenhuma':
    case 'menu':
      return config.menu.opcoes.map(({ numero, titulo }) => ({ texto: numero, rotulo: `${numero}: ${titulo}`, numero }))
    case 'ia':
      return [atalho('menu')]
    case 'loja': {
      const antes = bot.pagina * LOJA_POR_PAGINA
      const itens = bot.itens.slice(antes, antes + LOJA_POR_PAGINA)
      const mais = bot.itens.length > LOJA_POR_PAGINA ? [atalho('mais')] : []
      const numeros = itens.map(({ nome }, indice) => {
        const numero = String(antes + indice + 1)
        return atalho(numero, `${numero}: ${nome}`)
      })
      return [...numeros, ...mais, atalho('0', '0: Voltar ao menu')]
    }
    case 'avaliando':
      return ['0', '1', '2', '3', '4', '5'].map((nota) => atalho(nota, `Nota ${nota}`))
    case 'encerrada':
      return [atalho('oi')]
    case 'humano':
      return []
  }
}

function semMovimento(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}

/**
 * Runs the engine in the browser on a context that may be an unsaved draft. A change applies from the next message
 * on.
 */
export function usePreview(contexto: BotContext, opcoes: OpcoesPreview = {}): Preview {
  // No memoisation here and in the phone: a bubble is cheap to draw, and the landing page pays for every byte.
  'use no memo'
  const { horario } = contexto.config.atendimento
  const primeira = opcoes.primeiraMensagem ?? 'oi'
  const [cenario, setCenario] = useState<Cenario>('dentro')
  // The preview's clock: `inicio`, plus the time that passed since `real`.
  const [{ inicio, real }, setRelogio] = useState(() => {
    const agora = opcoes.agora ?? Date.now()
    return { inicio: instanteDoCenario('dentro', horario, agora) ?? agora, real: Date.now() }
  })
  const [estado, dispatch] = useReducer(previewReducer, null, () => comecar(contexto, inicio, primeira))
  const agora = (): number => inicio + Date.now() - real

  const { bolhas, visiveis } = estado
  const digitando = visiveis < bolhas.length
  const espera = contexto.config.menu.digitando ? DIGITANDO_MS : 0
  useEffect(() => {
    if (!digitando) return
    const relogio = setTimeout(() => dispatch({ tipo: 'revelar' }), semMovimento() ? 0 : espera)
    return () => clearTimeout(relogio)
  }, [digitando, visiveis, espera])

  const send = (texto: string): void => {
    if (texto.trim() !== '') dispatch({ tipo: 'enviar', texto: texto.trim(), agora: agora(), contexto })
  }
  return {
    bolhas: bolhas.slice(0, visiveis),
    digitando,
    atalhos: atalhosDe(estado, contexto),
    comPessoa: estado.bot.etapa === 'humano',
    cenario,
    empresa: contexto.empresa,
    send,
    resend: () => send(bolhas.findLast((bolha) => bolha.tipo === 'cliente')?.texto ?? ''),
    restart: () => {
      dispatch({ tipo: 'recomecar', agora: agora() })
      dispatch({ tipo: 'enviar', texto: primeira, agora: agora(), contexto })
    },
    skip: () => dispatch({ tipo: 'revelarTudo' }),
    finalizarAtendimento: () => dispatch({ tipo: 'finalizarAtendimento', agora: agora(), contexto }),
    setCenario: (novo) => {
      const atual = Math.max(agora(), estado.agora)
      const instante = instanteDoCenario(novo, horario, atual)
      const situacao = novo === 'dentro' ? 'aberto' : 'fechado'
      if (instante === null) {
        dispatch({ tipo: 'mudarHora', agora: atual, aviso: `Pelo horário configurado, nunca está ${situacao}` })
        return
      }
      setCenario(novo)
      setRelogio({ inicio: instante, real: Date.now() })
      const quando = descreverInstante(instante, horario.fuso)
      dispatch({ tipo: 'mudarHora', agora: instante, aviso: `Agora é ${quando}: ${situacao}` })
    },
  }
}
