import type { OpcaoMenu } from '@balcao/contract/entities/config'
import type { BotContext } from '@balcao/engine/context'
import type { BotEffect } from '@balcao/engine/effect'

export type Bolha =
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

type SemId<T> = T extends unknown ? Omit<T, 'id'> : never
export type BolhaNova = SemId<Bolha>

const TECLA = /[\ufe0f\u20e3]/g
const NUMERO_NO_INICIO = /^[^\p{L}\p{N}]*(\d{1,3})(?!\d)/u

/** Finds the lines that show the menu's options. Empty if the text does not contain the rendered menu. */
function linhasDasOpcoes(texto: string, menu: string, opcoes: readonly OpcaoMenu[]): ReadonlyMap<number, string> {
  const achadas = new Map<number, string>()
  const inicio = texto.indexOf(menu)
  if (inicio < 0) return achadas
  const primeira = texto.slice(0, inicio).split('\n').length - 1
  menu.split('\n').forEach((linha, indice) => {
    const numero = NUMERO_NO_INICIO.exec(linha.replace(TECLA, ''))?.[1]
    const opcao = opcoes.find((candidata) => Number(candidata.numero) === Number(numero))
    if (opcao !== undefined) achadas.set(primeira + indice, opcao.numero)
  })
  return achadas
}

function nomeDoSetor(id: string, { config }: BotContext): string {
  return config.atendimento.setores.find((setor) => setor.id === id)?.nome ?? id
}

/** Converts an engine effect to a bubble, or null if there is nothing to show. `menu` is the rendered menu. */
export function paraBolha(efeito: BotEffect, contexto: BotContext, menu: string): BolhaNova | null {
  switch (efeito.tipo) {
    case 'enviarTexto':
      return {
        tipo: 'bot',
        texto: efeito.texto,
        opcoes: linhasDasOpcoes(efeito.texto, menu, contexto.config.menu.opcoes),
      }
    case 'enviarImagem':
      return { tipo: 'bot', texto: efeito.legenda, imagemUrl: efeito.imagemUrl, opcoes: new Map() }
    case 'perguntarIa':
      return { tipo: 'nota', texto: 'A IA responderia aqui' }
    case 'abrirConversaHumana':
      return { tipo: 'nota', texto: `Transferido para o setor ${nomeDoSetor(efeito.setor, contexto)}` }
    case 'finalizarConversa':
      return { tipo: 'nota', texto: 'Atendimento encerrado' }
    case 'registrarAvaliacao':
      return { tipo: 'nota', texto: `Avaliação registrada: nota ${efeito.nota}` }
    case 'pularAvaliacao':
      return { tipo: 'nota', texto: 'Ficou sem avaliação' }
    case 'registrarConsentimento':
      return null
    case 'registrarLog':
      return efeito.nivel === 'info' ? null : { tipo: 'nota', texto: efeito.mensagem }
  }
}
