import type { BinaryNode } from 'baileys'
import { filho, filhos, SERVIDOR, stanza } from './stanza.ts'
import type { Aparelho } from './tipos.ts'

/** Delivery to linked devices, at least once: a stanza stays until the device confirms it. */

export function entregarAo(aparelho: Aparelho, mensagem: BinaryNode): void {
  aparelho.pendentes.set(mensagem.attrs.id ?? '', mensagem)
  if (aparelho.conexao?.ativa() === true) aparelho.conexao.enviar(mensagem)
}

/** A receipt or an ack arrived. */
export function confirmar(aparelho: Aparelho, { attrs, content }: BinaryNode): void {
  aparelho.pendentes.delete(attrs.id ?? '')
  const lista = Array.isArray(content) ? filho({ tag: '', attrs: {}, content }, 'list') : undefined
  for (const item of filhos(lista, 'item')) aparelho.pendentes.delete(item.attrs.id ?? '')
}

/** Hands over what waited while the device was away, then goes live. */
export function ativar(aparelho: Aparelho): void {
  const { conexao } = aparelho
  if (conexao === null) return
  const atrasadas = [...aparelho.pendentes.values()]
  const count = String(atrasadas.length)
  conexao.enviar(stanza('ib', { from: SERVIDOR }, [stanza('offline_preview', { count, message: count })]))
  for (const mensagem of atrasadas) conexao.enviar({ ...mensagem, attrs: { ...mensagem.attrs, offline: '1' } })
  conexao.enviar(stanza('ib', { from: SERVIDOR }, [stanza('offline', { count })]))
  conexao.ativar()
}
