import { RESPOSTA_LOJA_PADRAO } from '@balcao/contract/constants'
import type { MenuConfig, OpcaoMenu, TipoOpcao } from '@balcao/contract/entities/config'
import { NOVA_OPCAO } from '@balcao/contract/modelos'

/** Has a stable key, because number and title change while typing. */
export interface OpcaoEditada extends OpcaoMenu {
  readonly chave: string
}

export interface Rascunho extends Omit<MenuConfig, 'opcoes'> {
  readonly opcoes: readonly OpcaoEditada[]
}

export function abrirRascunho(menu: MenuConfig): Rascunho {
  return { ...menu, opcoes: menu.opcoes.map((opcao) => ({ ...opcao, chave: crypto.randomUUID() })) }
}

export function fecharRascunho({ opcoes, ...menu }: Rascunho): MenuConfig {
  return { ...menu, opcoes: opcoes.map(({ chave: _, ...opcao }) => opcao) }
}

export function adicionarOpcao(rascunho: Rascunho): Rascunho {
  const nova: OpcaoEditada = { ...NOVA_OPCAO, numero: String(rascunho.opcoes.length + 1), chave: crypto.randomUUID() }
  return { ...rascunho, opcoes: [...rascunho.opcoes, nova] }
}

export function mudarOpcao(rascunho: Rascunho, chave: string, campos: Partial<OpcaoMenu>): Rascunho {
  return {
    ...rascunho,
    opcoes: rascunho.opcoes.map((opcao) => (opcao.chave === chave ? { ...opcao, ...campos } : opcao)),
  }
}

/** `humano` needs a setor, other types lose it. `loja` gets its default reply if empty. */
export function mudarTipo(rascunho: Rascunho, chave: string, tipo: TipoOpcao): Rascunho {
  return {
    ...rascunho,
    opcoes: rascunho.opcoes.map((opcao) => {
      if (opcao.chave !== chave) return opcao
      const { setor, ...resto } = opcao
      const resposta = tipo === 'loja' && resto.resposta.trim() === '' ? RESPOSTA_LOJA_PADRAO : resto.resposta
      return tipo === 'humano' ? { ...resto, tipo, resposta, setor: setor ?? 'geral' } : { ...resto, tipo, resposta }
    }),
  }
}

export function removerOpcao(rascunho: Rascunho, chave: string): Rascunho {
  return { ...rascunho, opcoes: rascunho.opcoes.filter((opcao) => opcao.chave !== chave) }
}

export function devolverOpcao(rascunho: Rascunho, opcao: OpcaoEditada, indice: number): Rascunho {
  if (rascunho.opcoes.some(({ chave }) => chave === opcao.chave)) return rascunho
  return { ...rascunho, opcoes: [...rascunho.opcoes.slice(0, indice), opcao, ...rascunho.opcoes.slice(indice)] }
}

export function moverOpcao(rascunho: Rascunho, chave: string, para: number): Rascunho {
  const de = rascunho.opcoes.findIndex((opcao) => opcao.chave === chave)
  const movida = rascunho.opcoes[de]
  if (movida === undefined || para < 0 || para >= rascunho.opcoes.length) return rascunho
  const resto = rascunho.opcoes.filter((opcao) => opcao.chave !== chave)
  return { ...rascunho, opcoes: [...resto.slice(0, para), movida, ...resto.slice(para)] }
}

export function faltaDoNumero({ opcoes }: Rascunho, { chave, numero }: OpcaoEditada): string | undefined {
  if (!/^\d{1,3}$/.test(numero)) return 'Use de 1 a 3 dígitos'
  return opcoes.some((outra) => outra.chave !== chave && outra.numero === numero) ? 'Número repetido' : undefined
}

/** Wraps the selection in a formatting mark, or inserts a pair at the cursor. */
export function envolver(texto: string, inicio: number, fim: number, marca: string): { texto: string; cursor: number } {
  const escolhido = texto.slice(inicio, fim)
  return {
    texto: `${texto.slice(0, inicio)}${marca}${escolhido}${marca}${texto.slice(fim)}`,
    cursor: fim + (escolhido === '' ? marca.length : 2 * marca.length),
  }
}

export function inserir(texto: string, inicio: number, fim: number, trecho: string): { texto: string; cursor: number } {
  return { texto: `${texto.slice(0, inicio)}${trecho}${texto.slice(fim)}`, cursor: inicio + trecho.length }
}
