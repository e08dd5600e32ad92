import { useEffect, useReducer, useState } from 'react'
import { LOJA_POR_PAGINA } from '@balcao/contract/constants'
import type { BotContext } from '@balcao/engine/context'
import { descreverInstante, instanteDoCenario, type Cenario } from './cenario.ts'
import { previewInicial, previewReducer, type PreviewState } from './preview-state.ts'
import type { Bolha } from './transcript.ts'

const DIGITANDO_MS = 450

export interface OpcoesPreview {
  /** The customer's first words, answered at once when the preview opens and when it restarts. Default: 'oi'. */
  readonly primeiraMensagem?: string
  /** The instant (ms) at which the conversation starts. Default: now. It moves to business hours by itself. */
  readonly agora?: number
}

/** A quick answer under the conversation: `texto` is sent; `numero` is the menu option it stands for, if any. */
export interface Atalho {
  readonly texto: string
  readonly rotulo: string
  readonly numero: string | null
}

export interface Preview {
  /** What is on the screen, oldest first. */
  readonly bolhas: readonly Bolha[]
  readonly digitando: boolean
  readonly atalhos: readonly Atalho[]
  /** The bot is silent: a person has the conversation. */
  readonly comPessoa: boolean
  readonly cenario: Cenario
  readonly empresa: string
  readonly send: (texto: string) => void
  /** Sends the customer's last message once more. */
  readonly resend: () => void
  readonly restart: () => void
  /** Shows at once what the bot is still typing. */
  readonly skip: () => void
  /** Ends the person's part, as an operator would. */
  readonly finalizarAtendimento: () => void
  readonly setCenario: (cenario: Cenario) => void
}

function escrever(contexto: BotContext, agora: number, textos: readonly string[]): PreviewState {
  const enviar = (estado: PreviewState, texto: string): PreviewState =>
    previewReducer(estado, { tipo: 'enviar', texto, agora, contexto })
  return textos.reduce(enviar, previewInicial(agora))
}

/** What is on the screen of a new customer who wrote these words, one after the other. `agora` in ms. */
export function conversar(contexto: BotContext, agora: number, textos: readonly string[]): readonly Bolha[] {
  return escrever(contexto, agora, textos).bolhas
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
 * A conversation with the bot's own engine over `contexto`, which may be an unsaved draft: the next message already follows a
 * change, and the conversation so far stays. Nothing leaves the browser.
 */
export function usePreview(contexto: BotContext, opcoes: OpcoesPreview = {}): Preview {
  // Here and in the phone: a bubble more costs nothing to draw, and the landing page pays for every byte of memoisation.
  'use no memo'
  const { horario } = contexto.config.atendimento
  const primeira = opcoes.primeiraMensagem ?? 'oi'
  const [cenario, setCenario] = useState<Cenario>('dentro')
  // The preview's clock is the browser's, moved by this much to be inside or outside business hours.
  const [{ inicio, real }, setRelogio] = useState(() => {
    const agora = opcoes.agora ?? Date.now()
    return { inicio: instanteDoCenario('dentro', horario, agora) ?? agora, real: Date.now() }
  })
  const [estado, dispatch] = useReducer(previewReducer, null, () =>
    previewReducer(escrever(contexto, inicio, [primeira]), { tipo: 'revelarTudo' }),
  )
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
