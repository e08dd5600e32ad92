import type { OpcaoMenu } from '@balcao/contract/entities/config'
import type { BotContext } from '@balcao/engine/context'
import type { BotEffect } from '@balcao/engine/effect'

export type Bubble =
  | { readonly tipo: 'cliente'; readonly id: number; readonly texto: string }
  | {
      readonly tipo: 'bot'
      readonly id: number
      readonly texto: string
      readonly imagemUrl?: string
      /** Option number by line of `texto` (from 0); empty if the text is not the menu. */
      readonly opcoes: ReadonlyMap<number, string>
    }
  /** A note that the customer does not see: transfer, end, or a stand-in for the AI. */
  | { readonly tipo: 'nota'; readonly id: number; readonly texto: string }

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never
export type NewBubble = WithoutId<Bubble>

const KEYCAP = /[\ufe0f\u20e3]/g
const LEADING_NUMBER = /^[^\p{L}\p{N}]*(\d{1,3})(?!\d)/u

function optionLines(text: string, menu: string, opcoes: readonly OpcaoMenu[]): ReadonlyMap<number, string> {
  const found = new Map<number, string>()
  const start = text.indexOf(menu)
  if (start < 0) return found
  const first = text.slice(0, start).split('\n').length - 1
  menu.split('\n').forEach((line, index) => {
    const numero = LEADING_NUMBER.exec(line.replace(KEYCAP, ''))?.[1]
    const opcao = opcoes.find((candidata) => Number(candidata.numero) === Number(numero))
    if (opcao !== undefined) found.set(first + index, opcao.numero)
  })
  return found
}

function setorName(id: string, { config }: BotContext): string {
  return config.atendimento.setores.find((setor) => setor.id === id)?.nome ?? id
}

export function toBubble(effect: BotEffect, context: BotContext, menu: string): NewBubble | null {
  switch (effect.tipo) {
    case 'enviarTexto':
      return {
        tipo: 'bot',
        texto: effect.texto,
        opcoes: optionLines(effect.texto, menu, context.config.menu.opcoes),
      }
    case 'enviarImagem':
      return { tipo: 'bot', texto: effect.legenda, imagemUrl: effect.imagemUrl, opcoes: new Map() }
    case 'perguntarIa':
      return { tipo: 'nota', texto: 'A IA responderia aqui' }
    case 'abrirConversaHumana':
      return { tipo: 'nota', texto: `Transferido para o setor ${setorName(effect.setor, context)}` }
    case 'finalizarConversa':
      return { tipo: 'nota', texto: 'Atendimento encerrado' }
    case 'registrarAvaliacao':
      return { tipo: 'nota', texto: `Avaliação registrada: nota ${effect.nota}` }
    case 'criarPedido':
    case 'buscarCarrinho':
    case 'registrarConsentimento':
      return null
    case 'registrarLog':
      return effect.nivel === 'info' ? null : { tipo: 'nota', texto: effect.mensagem }
  }
}
